"""Symbolic expressions over unknown inputs: what a condition would compute, once its symbols are known."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Term:
    """An operation over operands that are terms or plain constants; `symbol` names an input.

    Operators: `symbol` (kind, name), the comparison and arithmetic signs of Python, `not`, `truth`,
    `len`, `attribute`, `index`, and `call` (name of a pure builtin or string method, arguments). `size` is how
    many operations it takes to compute, those that stand in it twice counted twice.
    """

    op: str
    operands: tuple[object, ...]
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(o.size for o in self.operands if isinstance(o, Term)))

    def symbols(self) -> frozenset[tuple[object, ...]]:
        """The inputs that this term reads, as the operands of its symbol terms."""
        if self.op == "symbol":
            return frozenset((self.operands,))
        return frozenset().union(*(o.symbols() for o in self.operands if isinstance(o, Term)))

    def __str__(self) -> str:
        shown = [str(o) if isinstance(o, Term) else repr(o) for o in self.operands]
        if self.op == "symbol":
            return str(self.operands[-1])
        if self.op == "truth":
            return shown[0]
        if self.op == "not":
            return f"not {shown[0]}"
        if self.op == "attribute":
            return f"{shown[0]}.{self.operands[1]}"
        if self.op == "index":
            return f"{shown[0]}[{shown[1]}]"
        if self.op == "call":
            return f"{self.operands[0]}({', '.join(shown[1:])})"
        if len(shown) == 2:
            return f"{shown[0]} {self.op} {shown[1]}"
        return f"{self.op}({', '.join(shown)})"


def symbol(kind: str, name: str) -> Term:
    return Term("symbol", (kind, name))


BINARY: dict[str, Callable[[Any, Any], object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}
