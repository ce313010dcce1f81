"""Records of lowered expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from miles_lint.source import Span


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, bytes, None, True, False or Ellipsis."""

    value: object
    span: Span


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of a string literal; `exact` when they stand one to one at the span (no escape between)."""

    text: str
    span: Span
    exact: bool


@dataclass(frozen=True, slots=True)
class Literal:
    """One string token (or the text between two fields of an f-string token)."""

    runs: tuple[Run, ...]
    span: Span
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A replacement field of an f-string."""

    value: Expr
    conversion: str
    spec: Joined | None
    span: Span


@dataclass(frozen=True, slots=True)
class Joined:
    """String tokens that stand side by side, and the parts of f-strings, in order."""

    parts: tuple[Literal | Formatted | Joined, ...]
    span: Span
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Attribute:
    value: Expr
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Slice:
    lower: Expr | None
    upper: Expr | None
    step: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Subscript:
    value: Expr
    index: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Arg:
    """An argument of a call; `star` is `*`, `**` or empty."""

    value: Expr
    keyword: str | None
    star: str
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    func: Expr
    args: tuple[Arg, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    op: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    op: str
    operand: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Bool:
    """`and` / `or` over two operands."""

    op: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Compare:
    left: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class IfExp:
    test: Expr
    body: Expr
    orelse: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Starred:
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, tuple or set display; `kind` says which."""

    kind: str
    elements: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DictDisplay:
    """A dict display; an entry without a key is a `**` splat."""

    entries: tuple[tuple[Expr | None, Expr], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    """One `for … in … if …` of a comprehension."""

    target: Expr
    iterable: Expr
    tests: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Comprehension:
    """`kind` is list, set, generator or dict; `value` only for dict."""

    kind: str
    element: Expr
    value: Expr | None
    clauses: tuple[Clause, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Walrus:
    target: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter; `kind` is positional, keyword, `*` or `**`."""

    name: str
    annotation: Expr | None
    default: Expr | None
    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class Lambda:
    params: tuple[Param, ...]
    body: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Yield:
    value: Expr | None
    star: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Opaque:
    """An expression outside the language, described."""

    description: str
    span: Span


Expr = Union[
    Constant,
    Literal,
    Joined,
    Formatted,
    Name,
    Attribute,
    Slice,
    Subscript,
    Call,
    Binary,
    Unary,
    Bool,
    Compare,
    IfExp,
    Starred,
    Sequence,
    DictDisplay,
    Comprehension,
    Walrus,
    Lambda,
    Yield,
    Opaque,
]
