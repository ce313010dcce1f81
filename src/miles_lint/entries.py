"""The functions of a file that may launch although nothing calls them."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.domain.value import Callee, Value
from miles_lint.program import nodes as n
from miles_lint.program.program import Program
from miles_lint.program.walk import walk
from miles_lint.source import Span

_SITE_NAMES = frozenset(("execute_train", "execute_train_npu"))


def name_of(function: Value) -> str:
    return function.name if isinstance(function, Callee) else ""


def other_entries(program: Program, commands: list[str], wanted: str | None, covered: set[Span]) -> Iterator[str]:
    """Top-level functions that nothing has run although they contain, or lead to, a launch site not yet reached."""
    functions = [statement for statement in program.body if isinstance(statement, n.FunctionDef)]
    for function in functions:
        if function.name in commands:
            continue
        if wanted is not None:
            if function.name == wanted:
                yield function.name
            continue
        if _stands_in(function):
            continue
        sites = {
            node.span for node in walk(function.body) if isinstance(node, n.Call) and _called_name(node) in _SITE_NAMES
        }
        if sites - covered or (function.name.startswith("test_") and not covered):
            yield function.name


def _stands_in(function: n.FunctionDef) -> bool:
    """Whether a test replaces parts of what it runs: what it would launch is not what it asks for."""
    if any(param.name in ("monkeypatch", "mocker") for param in function.params):
        return True
    return any(isinstance(node, n.Call) and _called_name(node) == "patch" for node in walk(function.decorators))


def _called_name(node: n.Call) -> str:
    if isinstance(node.func, n.Attribute):
        return node.func.name
    return node.func.id if isinstance(node.func, n.Name) else ""
