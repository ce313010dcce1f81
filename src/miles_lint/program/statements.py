"""Records of lowered statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from miles_lint.program.expressions import Arg, Comprehension, Expr, Lambda, Param
from miles_lint.source import Span


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
