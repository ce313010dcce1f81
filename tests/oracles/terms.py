"""The value of a symbolic form once its symbols are known; what is not understood is not computed."""

from __future__ import annotations

import builtins
import json
import posixpath
import shlex
from collections.abc import Callable, Mapping

from miles_lint.domain.term import BINARY, Term

_PURE = frozenset(("abs", "bool", "divmod", "float", "int", "len", "max", "min", "repr", "round", "str", "sum"))
_METHODS = frozenset(
    (
        *("capitalize", "count", "endswith", "find", "isdigit", "join", "lower", "lstrip", "partition"),
        *("removeprefix", "removesuffix", "replace", "rpartition", "rsplit", "rstrip", "split", "startswith"),
        *("strip", "title", "upper", "zfill"),
    )
)
_UNARY: dict[str, Callable[..., object]] = {
    "not": lambda x: not x,
    "truth": bool,
    "len": len,
    "-": lambda x: -x,
    "+": lambda x: +x,
    "~": lambda x: ~x,
}
_FUNCTIONS: dict[str, Callable[..., object]] = {
    "[]": lambda owner, index: owner[index],
    "[:]": lambda owner, *bounds: owner[slice(*bounds)],
    "index": lambda owner, index: owner[index],
    "json.dumps": json.dumps,
    "shlex.quote": shlex.quote,
    "os.path.basename": posixpath.basename,
    "os.path.dirname": posixpath.dirname,
    "os.path.join": posixpath.join,
}


class NotComputed(Exception):
    """The form reads a symbol without a value, uses an operator not known here, or fails."""


def compute(term: object, symbols: Mapping[str, object]) -> object:
    """Evaluate a term with Python's own operators; raises NotComputed."""
    if not isinstance(term, Term):
        return term
    if term.op == "symbol":
        name = str(term.operands[-1])
        if name not in symbols:
            raise NotComputed(name)
        return symbols[name]
    name, rest = (str(term.operands[0]), term.operands[1:]) if term.op == "call" else (term.op, term.operands)
    operands = [compute(operand, symbols) for operand in rest]
    try:
        return _operation(name, operands)(*operands)
    except NotComputed:
        raise
    except Exception as error:
        raise NotComputed(str(error)) from error


def _operation(name: str, operands: list[object]) -> Callable[..., object]:
    if name in BINARY and len(operands) == 2:
        return BINARY[name]
    if name in _UNARY and len(operands) == 1:
        return _UNARY[name]
    if name == "format":
        braces = isinstance(operands[0], str) and "{" in operands[0]
        return str.format if braces else format
    if name in _METHODS and operands and isinstance(operands[0], str):
        return getattr(str, name)
    if name in _PURE:
        return getattr(builtins, name)
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    raise NotComputed(name)
