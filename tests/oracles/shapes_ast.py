"""Shapes of `ast` nodes, comparable with those of the lowered program in `shapes`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from miles_lint.source import Source
from tests.oracles.shapes import ANYTHING, flat
from tests.oracles.strings import ast_shape, offsets

_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Invert: "~",
    ast.Not: "not",
    ast.And: "and",
    ast.Or: "or",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_COMPREHENSIONS = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator", ast.DictComp: "dict"}
_SEQUENCES = {ast.Tuple: "tuple", ast.List: "list", ast.Set: "set"}


class FromAst:
    """Shapes of `ast` nodes of one source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def many(self, nodes: Iterable[ast.AST | None]) -> tuple[object, ...]:
        return tuple(map(self.shape, nodes))

    def shape(self, node: ast.AST | None) -> object:
        if node is None:
            return None
        method = getattr(self, type(node).__name__.lower(), None)
        if method is not None:
            return method(node)
        if type(node) in _SEQUENCES:
            return _SEQUENCES[type(node)], self.many(node.elts)  # type: ignore[attr-defined]
        if type(node) in _COMPREHENSIONS:
            return self.comprehension_of(node)
        raise AssertionError(f"{type(node).__name__} has no shape")

    def place(self, node: ast.expr) -> tuple[int, int]:
        return offsets(self.source, node)

    def constant(self, node: ast.Constant) -> object:
        if isinstance(node.value, str):
            return "string", ast_shape(node), self.place(node)
        return "constant", repr(node.value), self.place(node)

    def joinedstr(self, node: ast.JoinedStr) -> object:
        return "string", ast_shape(node), self.place(node)

    def name(self, node: ast.Name) -> object:
        return "name", node.id, self.place(node)

    def attribute(self, node: ast.Attribute) -> object:
        return "attribute", self.shape(node.value), node.attr, self.place(node)

    def subscript(self, node: ast.Subscript) -> object:
        return "subscript", self.shape(node.value), self.shape(node.slice), self.place(node)

    def slice(self, node: ast.Slice) -> object:
        return "slice", *self.many((node.lower, node.upper, node.step))

    def call(self, node: ast.Call) -> object:
        return "call", self.shape(node.func), self.arguments(node.args, node.keywords), self.place(node)

    def arguments(self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> tuple[object, ...]:
        found = [(self.place(each)[0], self.argument(each)) for each in args]
        for each in keywords:
            star = "" if each.arg is not None else "**"
            found.append((self.place(each.value)[0], (star, each.arg, self.shape(each.value))))
        return tuple(shape for _, shape in sorted(found, key=lambda pair: pair[0]))

    def argument(self, node: ast.expr) -> object:
        if isinstance(node, ast.Starred):
            return "*", None, self.shape(node.value)
        return "", None, self.shape(node)

    def binop(self, node: ast.BinOp) -> object:
        return "binary", _SIGNS[type(node.op)], self.shape(node.left), self.shape(node.right), self.place(node)

    def unaryop(self, node: ast.UnaryOp) -> object:
        return "unary", _SIGNS[type(node.op)], self.shape(node.operand), self.place(node)

    def boolop(self, node: ast.BoolOp) -> object:
        return flat(_SIGNS[type(node.op)], self.many(node.values))

    def compare(self, node: ast.Compare) -> object:
        rest = tuple((_SIGNS[type(op)], self.shape(each)) for op, each in zip(node.ops, node.comparators))
        return "compare", self.shape(node.left), rest, self.place(node)

    def ifexp(self, node: ast.IfExp) -> object:
        return "conditional", *self.many((node.test, node.body, node.orelse)), self.place(node)

    def starred(self, node: ast.Starred) -> object:
        return "starred", self.shape(node.value), self.place(node)

    def dict(self, node: ast.Dict) -> object:
        return "display", tuple(zip(self.many(node.keys), self.many(node.values))), self.place(node)

    def comprehension_of(self, node: ast.AST) -> object:
        element, value = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt, None)  # type: ignore[attr-defined]
        clauses = tuple(
            (self.shape(each.target), self.shape(each.iter), self.many(each.ifs))
            for each in node.generators  # type: ignore[attr-defined]
        )
        return "comprehension", _COMPREHENSIONS[type(node)], self.shape(element), self.shape(value), clauses

    def namedexpr(self, node: ast.NamedExpr) -> object:
        return "walrus", node.target.id, self.shape(node.value), self.place(node)

    def lambda_(self, node: ast.Lambda) -> object:
        return "lambda", self.parameters(node.args), self.shape(node.body), self.place(node)

    def await_(self, node: ast.Await) -> object:
        return self.shape(node.value)

    def yield_(self, node: ast.Yield) -> object:
        return "yield", self.shape(node.value), False, self.place(node)

    def yieldfrom(self, node: ast.YieldFrom) -> object:
        return "yield", self.shape(node.value), True, self.place(node)

    def parameters(self, node: ast.arguments) -> tuple[object, ...]:
        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + list(node.defaults)
        found = [self.parameter(each, default, "positional") for each, default in zip(positional, defaults)]
        if node.vararg is not None:
            found.append(self.parameter(node.vararg, None, "*"))
        found += [self.parameter(each, default, "keyword") for each, default in zip(node.kwonlyargs, node.kw_defaults)]
        if node.kwarg is not None:
            found.append(self.parameter(node.kwarg, None, "**"))
        return tuple(found)

    def parameter(self, node: ast.arg, default: ast.expr | None, kind: str) -> object:
        return node.arg, self.shape(node.annotation), self.shape(default), kind

    def expr(self, node: ast.Expr) -> object:
        return "expression", self.shape(node.value)

    def assign(self, node: ast.Assign) -> object:
        return "assign", self.many(node.targets), self.shape(node.value)

    def augassign(self, node: ast.AugAssign) -> object:
        return "augmented", self.shape(node.target), _SIGNS[type(node.op)], self.shape(node.value)

    def annassign(self, node: ast.AnnAssign) -> object:
        return "annotated", *self.many((node.target, node.annotation, node.value))

    def if_(self, node: ast.If) -> object:
        return "if", self.shape(node.test), self.many(node.body), self.many(node.orelse)

    def for_(self, node: ast.For | ast.AsyncFor) -> object:
        return "for", *self.many((node.target, node.iter)), self.many(node.body), self.many(node.orelse)

    def while_(self, node: ast.While) -> object:
        return "while", self.shape(node.test), self.many(node.body), self.many(node.orelse)

    def match(self, node: ast.Match) -> object:
        cases = tuple((self.shape(case.pattern), self.shape(case.guard), self.many(case.body)) for case in node.cases)
        return "match", self.shape(node.subject), cases

    def matchvalue(self, node: ast.MatchValue) -> object:
        return "value", self.shape(node.value), None, (), ()

    def matchsingleton(self, node: ast.MatchSingleton) -> object:
        return "singleton", ANYTHING, None, (), ()

    def matchas(self, node: ast.MatchAs) -> object:
        if node.pattern is not None:
            return "as", None, node.name, self.many((node.pattern,)), ()
        return "wildcard" if node.name is None else "capture", None, node.name, (), ()

    def matchor(self, node: ast.MatchOr) -> object:
        return "or", None, None, self.many(node.patterns), ()

    def matchsequence(self, node: ast.MatchSequence) -> object:
        return "sequence", None, None, self.many(node.patterns), ()

    def matchstar(self, node: ast.MatchStar) -> object:
        return "star", None, node.name, (), ()

    def matchclass(self, node: ast.MatchClass) -> object:
        parts = self.many((*node.patterns, *node.kwd_patterns))
        return "class", self.shape(node.cls), None, parts, tuple(node.kwd_attrs)

    def matchmapping(self, node: ast.MatchMapping) -> object:
        return "unknown", None, None, (), ()

    def return_(self, node: ast.Return) -> object:
        return "return", self.shape(node.value)

    def raise_(self, node: ast.Raise) -> object:
        return "raise", self.shape(node.exc)

    def assert_(self, node: ast.Assert) -> object:
        return "assert", *self.many((node.test, node.msg))

    def functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> object:
        decorators = self.many(node.decorator_list)
        return "function", node.name, self.parameters(node.args), self.many(node.body), decorators

    def classdef(self, node: ast.ClassDef) -> object:
        keywords = tuple((each.arg, self.shape(each.value)) for each in node.keywords)
        return (
            "class",
            node.name,
            self.many(node.bases),
            keywords,
            self.many(node.body),
            self.many(node.decorator_list),
        )

    def alias(self, node: ast.alias) -> object:
        return node.name, node.asname

    def import_(self, node: ast.Import) -> object:
        return "import", self.many(node.names)

    def importfrom(self, node: ast.ImportFrom) -> object:
        return "from", node.module or "", node.level, self.many(node.names)

    def try_(self, node: ast.Try) -> object:
        handlers = tuple((self.shape(each.type), each.name, self.many(each.body)) for each in node.handlers)
        return "try", self.many(node.body), handlers, self.many(node.orelse), self.many(node.finalbody)

    def with_(self, node: ast.With | ast.AsyncWith) -> object:
        items = tuple((self.shape(each.context_expr), self.shape(each.optional_vars)) for each in node.items)
        return "with", items, self.many(node.body)

    def scope(self, node: ast.Global | ast.Nonlocal) -> object:
        return type(node).__name__.lower(), tuple(node.names)

    def delete(self, node: ast.Delete) -> object:
        (only,) = node.targets if len(node.targets) == 1 else (None,)
        targets = only.elts if isinstance(only, ast.Tuple) else node.targets
        return "delete", self.many(targets)

    def jump(self, node: ast.AST) -> object:
        return "jump", type(node).__name__.lower()


for _keyword in (
    "lambda",
    "await",
    "yield",
    "if",
    "for",
    "while",
    "return",
    "raise",
    "assert",
    "import",
    "try",
    "with",
):
    setattr(FromAst, _keyword, getattr(FromAst, f"{_keyword}_"))
for _alias, _method in (
    *(("asyncfor", "for_"), ("asyncwith", "with_"), ("asyncfunctiondef", "functiondef"), ("trystar", "try_")),
    *(("global", "scope"), ("nonlocal", "scope"), ("pass", "jump"), ("break", "jump"), ("continue", "jump")),
):
    setattr(FromAst, _alias, getattr(FromAst, _method))
