"""Which `assert` and `raise` statements of a trainer its validators can reach: a call graph read from source."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.oracles.sources import Sources

Function = ast.FunctionDef | ast.AsyncFunctionDef

PARSING = frozenset(("parse_args_train_backend", "get_miles_extra_args_provider", "configure_logger_raw"))
"""Functions called on the way that read the command line or set up logging rather than validate."""


@dataclass(frozen=True, slots=True, order=True)
class Check:
    """One `assert` or `raise`: its first row, its function, and the dests read by the tests on the way to it."""

    path: str
    row: int
    function: str
    kind: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """A source file of the trainer: its functions, its classes' methods and what its imports name."""

    name: str
    path: str
    functions: Mapping[str, Function]
    imports: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Reachable:
    """The checks in order of place, and the constants that each dest is compared with anywhere on the way."""

    checks: tuple[Check, ...]
    constants: Mapping[str, tuple[object, ...]]


def reachable(sources: Sources, driver: str = "train.py") -> Reachable:
    """Everything that `parse_args` and the guards at the top of a driver can reach inside the trainer's package."""
    graph = _Graph(sources)
    graph.visit(f"{sources.package}.utils.arguments", "parse_args", frozenset())
    guards = graph.module(Path(driver).stem)
    for name in ("train", "main"):
        if guards is not None and name in guards.functions:
            graph.statements(guards, name, list(_until_logging(guards.functions[name])), frozenset(), guards.imports)
    constants = {dest: tuple(sorted(values, key=repr)) for dest, values in graph.constants.items()}
    return Reachable(tuple(sorted(graph.found)), constants)


class _Graph:
    def __init__(self, sources: Sources) -> None:
        self.root = sources.roots[sources.package]
        self.package = sources.package
        self.seen: set[tuple[str, str]] = set()
        self.found: set[Check] = set()
        self.whole: frozenset[str] = frozenset()
        self.local: dict[str, frozenset[str]] = {}
        self.constants: defaultdict[str, set[object]] = defaultdict(set)
        self.module = functools.lru_cache(maxsize=None)(self._module)

    def visit(self, module_name: str, function: str, reads: frozenset[str]) -> None:
        module = self.module(module_name)
        if (module_name, function) in self.seen or function in PARSING or module is None:
            return
        self.seen.add((module_name, function))
        if function in module.functions:
            body = module.functions[function].body
            outer = self.whole, self.local
            self.whole, self.local = frozenset(self._reads(ast.Module(body, []))), {}
            self.statements(module, function, body, reads, {**module.imports, **_imports(body, self.package)})
            self.whole, self.local = outer
        elif f"{function}.__post_init__" in module.functions:
            self.visit(module_name, f"{function}.__post_init__", reads)
        elif function in module.imports:
            self.visit(*module.imports[function], reads)

    def statements(
        self,
        module: Module,
        function: str,
        body: list[ast.stmt],
        reads: frozenset[str],
        names: Mapping[str, tuple[str, str]],
    ) -> None:
        """Walk a block; `reads` grows past a branch that leaves the block, as what follows depends on its test."""
        for statement in body:
            tests = frozenset(self._reads(getattr(statement, "test", None)))
            self._remember(statement)
            if isinstance(statement, ast.Assert):
                self._note(module, function, statement, "assert", reads | tests)
            elif isinstance(statement, ast.Raise) and statement.exc is not None:
                self._note(module, function, statement, "raise", reads)
            for part in _expressions(statement):
                self._reads(part)
                self._calls(module, part, reads | tests, names)
            for block in _blocks(statement):
                self.statements(module, function, block, reads | tests, names)
            if isinstance(statement, ast.If) and isinstance(statement.body[-1], (ast.Return, ast.Continue)):
                reads |= tests

    def _remember(self, statement: ast.stmt) -> None:
        """What a local name was computed from counts as read where the name is."""
        value = getattr(statement, "iter", None) or getattr(statement, "value", None)
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        for name in (
            node.id for target in targets if target for node in ast.walk(target) if isinstance(node, ast.Name)
        ):
            if name != "args":
                self.local[name] = self.local.get(name, frozenset()) | frozenset(self._reads(value))

    def _note(self, module: Module, function: str, node: ast.stmt, kind: str, reads: frozenset[str]) -> None:
        self.found.add(Check(module.path, node.lineno, function, kind, tuple(sorted(reads or self.whole))))

    def _calls(
        self, module: Module, part: ast.expr, reads: frozenset[str], names: Mapping[str, tuple[str, str]]
    ) -> None:
        for node in ast.walk(part):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            name = node.func.id
            if name in module.functions or f"{name}.__post_init__" in module.functions:
                self.visit(module.name, name, reads)
            elif name in names:
                self.visit(*names[name], reads)

    def _reads(self, part: ast.AST | None) -> Iterator[str]:
        if part is None:
            return iter(())
        for node in ast.walk(part):
            if isinstance(node, ast.Compare) and (dest := _dest(node.left)):
                values = [value for side in node.comparators for value in _constants(side)]
                self.constants[dest].update(values)
        direct = [dest for node in ast.walk(part) if (dest := _dest(node))]
        names = (node.id for node in ast.walk(part) if isinstance(node, ast.Name))
        return iter([*direct, *(dest for name in names for dest in self.local.get(name, ()))])

    def _module(self, name: str) -> Module | None:
        base = self.root / Path(*name.split("."))
        path = next((found for found in (base.with_suffix(".py"), base / "__init__.py") if found.is_file()), None)
        if path is None:
            return None
        body = ast.parse(path.read_text(encoding="utf-8")).body
        return Module(name, str(path.relative_to(self.root)), dict(_functions(body)), _imports(body, self.package))


def _dest(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "args":
        return node.attr
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
        owner, name = node.args[:2]
        if isinstance(owner, ast.Name) and owner.id == "args" and isinstance(name, ast.Constant):
            return str(name.value)
    return ""


def _constants(node: ast.expr) -> Iterator[object]:
    if isinstance(node, ast.Constant):
        yield node.value
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        for item in node.elts:
            yield from _constants(item)


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    return (child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.expr))


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    for name in ("body", "orelse", "finalbody"):
        if isinstance(block := getattr(statement, name, None), list):
            yield block
    for handler in getattr(statement, "handlers", ()):
        yield handler.body


def _functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{prefix}{statement.name}", statement
        elif isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body, f"{statement.name}.")


def _imports(body: list[ast.stmt], package: str) -> dict[str, tuple[str, str]]:
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == package
        for alias in node.names
    }


def _until_logging(function: Function) -> Iterator[ast.stmt]:
    for statement in function.body:
        calls = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
        if any(isinstance(called, ast.Name) and called.id == "configure_logger" for called in calls):
            return
        yield statement
