"""Records of the lowered language: what the fold reads. Pure data with spans, no syntax library."""

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


@dataclass(frozen=True, slots=True)
class Assign:
    targets: tuple[Expr, ...]
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class AugAssign:
    target: Expr
    op: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class AnnAssign:
    target: Expr
    annotation: Expr
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class ExprStmt:
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    body: Block
    orelse: Block
    span: Span


@dataclass(frozen=True, slots=True)
class For:
    target: Expr
    iterable: Expr
    body: Block
    orelse: Block
    span: Span


@dataclass(frozen=True, slots=True)
class While:
    test: Expr
    body: Block
    orelse: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Pattern:
    """A match pattern: `kind` is value, singleton, wildcard, capture, or, sequence, class, mapping or star.

    `expr` is the value or class; `name` what it binds; `parts` the inner patterns, keyword patterns of a
    class pattern last with their names in `keywords`.
    """

    kind: str
    expr: Expr | None = None
    name: str | None = None
    parts: tuple[Pattern, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    pattern: Pattern
    guard: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Match:
    subject: Expr
    cases: tuple[Case, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Raise:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Assert:
    test: Expr
    message: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionDef:
    name: str
    params: tuple[Param, ...]
    body: Block
    decorators: tuple[Expr, ...]
    generator: bool
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class ClassDef:
    name: str
    bases: tuple[Expr, ...]
    keywords: tuple[Arg, ...]
    body: Block
    decorators: tuple[Expr, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Alias:
    """`import name as asname`, or one name of a `from` import."""

    name: str
    asname: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Import:
    aliases: tuple[Alias, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ImportFrom:
    """`module` is empty for `from . import x`; `level` counts the dots; a star import has one alias `*`."""

    module: str
    level: int
    aliases: tuple[Alias, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Handler:
    type: Expr | None
    name: str | None
    body: Block


@dataclass(frozen=True, slots=True)
class Try:
    body: Block
    handlers: tuple[Handler, ...]
    orelse: Block
    final: Block
    span: Span


@dataclass(frozen=True, slots=True)
class With:
    items: tuple[tuple[Expr, Expr | None], ...]
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Scope:
    """`global` (kind `global`) or `nonlocal` names."""

    kind: str
    names: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Delete:
    targets: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Jump:
    """`break`, `continue` or `pass`."""

    kind: str
    span: Span


Stmt = Union[
    Assign,
    AugAssign,
    AnnAssign,
    ExprStmt,
    If,
    For,
    While,
    Match,
    Return,
    Raise,
    Assert,
    FunctionDef,
    ClassDef,
    Import,
    ImportFrom,
    Try,
    With,
    Scope,
    Delete,
    Jump,
]
Block = tuple[Stmt, ...]
Scoped = Union[FunctionDef, ClassDef, Lambda, Comprehension]
"""What has a scope of its own."""
