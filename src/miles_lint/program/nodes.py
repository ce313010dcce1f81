"""Records of the lowered language: what the fold reads. Pure data with spans, no syntax library."""

from miles_lint.program.expressions import (
    Arg as Arg,
)
from miles_lint.program.expressions import (
    Attribute as Attribute,
)
from miles_lint.program.expressions import (
    Binary as Binary,
)
from miles_lint.program.expressions import (
    Bool as Bool,
)
from miles_lint.program.expressions import (
    Call as Call,
)
from miles_lint.program.expressions import (
    Clause as Clause,
)
from miles_lint.program.expressions import (
    Compare as Compare,
)
from miles_lint.program.expressions import (
    Comprehension as Comprehension,
)
from miles_lint.program.expressions import (
    Constant as Constant,
)
from miles_lint.program.expressions import (
    DictDisplay as DictDisplay,
)
from miles_lint.program.expressions import (
    Expr as Expr,
)
from miles_lint.program.expressions import (
    Formatted as Formatted,
)
from miles_lint.program.expressions import (
    IfExp as IfExp,
)
from miles_lint.program.expressions import (
    Joined as Joined,
)
from miles_lint.program.expressions import (
    Lambda as Lambda,
)
from miles_lint.program.expressions import (
    Literal as Literal,
)
from miles_lint.program.expressions import (
    Name as Name,
)
from miles_lint.program.expressions import (
    Opaque as Opaque,
)
from miles_lint.program.expressions import (
    Param as Param,
)
from miles_lint.program.expressions import (
    Run as Run,
)
from miles_lint.program.expressions import (
    Sequence as Sequence,
)
from miles_lint.program.expressions import (
    Slice as Slice,
)
from miles_lint.program.expressions import (
    Starred as Starred,
)
from miles_lint.program.expressions import (
    Subscript as Subscript,
)
from miles_lint.program.expressions import (
    Unary as Unary,
)
from miles_lint.program.expressions import (
    Walrus as Walrus,
)
from miles_lint.program.expressions import (
    Yield as Yield,
)
from miles_lint.program.statements import (
    Alias as Alias,
)
from miles_lint.program.statements import (
    AnnAssign as AnnAssign,
)
from miles_lint.program.statements import (
    Assert as Assert,
)
from miles_lint.program.statements import (
    Assign as Assign,
)
from miles_lint.program.statements import (
    AugAssign as AugAssign,
)
from miles_lint.program.statements import (
    Block as Block,
)
from miles_lint.program.statements import (
    Case as Case,
)
from miles_lint.program.statements import (
    ClassDef as ClassDef,
)
from miles_lint.program.statements import (
    Delete as Delete,
)
from miles_lint.program.statements import (
    ExprStmt as ExprStmt,
)
from miles_lint.program.statements import (
    For as For,
)
from miles_lint.program.statements import (
    FunctionDef as FunctionDef,
)
from miles_lint.program.statements import (
    Handler as Handler,
)
from miles_lint.program.statements import (
    If as If,
)
from miles_lint.program.statements import (
    Import as Import,
)
from miles_lint.program.statements import (
    ImportFrom as ImportFrom,
)
from miles_lint.program.statements import (
    Jump as Jump,
)
from miles_lint.program.statements import (
    Match as Match,
)
from miles_lint.program.statements import (
    Pattern as Pattern,
)
from miles_lint.program.statements import (
    Raise as Raise,
)
from miles_lint.program.statements import (
    Return as Return,
)
from miles_lint.program.statements import (
    Scope as Scope,
)
from miles_lint.program.statements import (
    Scoped as Scoped,
)
from miles_lint.program.statements import (
    Stmt as Stmt,
)
from miles_lint.program.statements import (
    Try as Try,
)
from miles_lint.program.statements import (
    While as While,
)
from miles_lint.program.statements import (
    With as With,
)
