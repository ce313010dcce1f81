"""Statements of the syntax library to records, by one direct recursion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from miles_lint.program import nodes as n
from miles_lint.program.lower_expressions import Expressions, operator_of


class Lowering(Expressions):
    """Lowers statements, and with them all they hold."""

    def statements(self, body: Sequence[cst.CSTNode]) -> n.Block:
        lowered: list[n.Stmt] = []
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                lowered.extend(self.statement(small) for small in node.body)
            else:
                lowered.append(self.statement(node))
        return tuple(lowered)

    def block(self, node: cst.BaseSuite | None) -> n.Block:
        if node is None:
            return ()
        if isinstance(node, cst.SimpleStatementSuite):
            return tuple(self.statement(small) for small in node.body)
        return self.statements(node.body)

    def statement(self, node: cst.CSTNode) -> n.Stmt:
        method = _STATEMENTS.get(type(node))
        if method is None:
            return n.ExprStmt(n.Opaque(type(node).__name__, self.span(node)), self.span(node))
        lowered: n.Stmt = method(self, node)
        return lowered

    def expression_statement(self, node: cst.Expr) -> n.Stmt:
        return n.ExprStmt(self.expr(node.value), self.span(node))

    def assign(self, node: cst.Assign) -> n.Stmt:
        targets = tuple(self.expr(target.target) for target in node.targets)
        return n.Assign(targets, self.expr(node.value), self.span(node))

    def augmented(self, node: cst.AugAssign) -> n.Stmt:
        op = operator_of(node.operator)[:-1]
        return n.AugAssign(self.expr(node.target), op, self.expr(node.value), self.span(node))

    def annotated(self, node: cst.AnnAssign) -> n.Stmt:
        annotation = self.expr(node.annotation.annotation)
        return n.AnnAssign(self.expr(node.target), annotation, self.maybe(node.value), self.span(node))

    def if_(self, node: cst.If) -> n.Stmt:
        orelse: n.Block = ()
        if isinstance(node.orelse, cst.If):
            orelse = (self.if_(node.orelse),)
        elif node.orelse is not None:
            orelse = self.block(node.orelse.body)
        return n.If(self.expr(node.test), self.block(node.body), orelse, self.span(node))

    def for_(self, node: cst.For) -> n.Stmt:
        return n.For(
            self.expr(node.target),
            self.expr(node.iter),
            self.block(node.body),
            self.block(node.orelse.body if node.orelse else None),
            self.span(node),
        )

    def while_(self, node: cst.While) -> n.Stmt:
        orelse = self.block(node.orelse.body if node.orelse else None)
        return n.While(self.expr(node.test), self.block(node.body), orelse, self.span(node))

    def match(self, node: cst.Match) -> n.Stmt:
        subject = self.expr(node.subject)
        cases = tuple(
            n.Case(self.pattern(case.pattern), self.maybe(case.guard), self.block(case.body)) for case in node.cases
        )
        for case in cases:
            for pattern in (case.pattern, *case.pattern.parts):
                if pattern.expr is not None:
                    self.mention(subject, pattern.expr)
        return n.Match(subject, cases, self.span(node))

    def pattern(self, node: cst.CSTNode) -> n.Pattern:
        if isinstance(node, cst.MatchValue):
            return n.Pattern("value", self.expr(node.value))
        if isinstance(node, cst.MatchSingleton):
            return n.Pattern("singleton", self.expr(node.value))
        if isinstance(node, cst.MatchAs):
            name = node.name.value if node.name is not None else None
            if node.pattern is not None:
                return n.Pattern("as", None, name, (self.pattern(node.pattern),))
            return n.Pattern("wildcard" if name is None else "capture", None, name)
        if isinstance(node, cst.MatchOr):
            return n.Pattern("or", None, None, tuple(self.pattern(e.pattern) for e in node.patterns))
        if isinstance(node, (cst.MatchList, cst.MatchTuple)):
            return n.Pattern("sequence", None, None, tuple(self.sequence_part(e) for e in node.patterns))
        if isinstance(node, cst.MatchClass):
            parts = [self.pattern(e.value) for e in node.patterns]
            keywords = tuple(k.key.value for k in node.kwds)
            parts += [self.pattern(k.pattern) for k in node.kwds]
            return n.Pattern("class", self.expr(node.cls), None, tuple(parts), keywords)
        return n.Pattern("unknown")

    def sequence_part(self, element: cst.CSTNode) -> n.Pattern:
        if isinstance(element, cst.MatchStar):
            return n.Pattern("star", None, element.name.value if element.name is not None else None)
        assert isinstance(element, cst.MatchSequenceElement)
        return self.pattern(element.value)

    def return_(self, node: cst.Return) -> n.Stmt:
        return n.Return(self.maybe(node.value), self.span(node))

    def raise_(self, node: cst.Raise) -> n.Stmt:
        return n.Raise(self.maybe(node.exc), self.span(node))

    def assert_(self, node: cst.Assert) -> n.Stmt:
        return n.Assert(self.expr(node.test), self.maybe(node.msg), self.span(node))

    def function(self, node: cst.FunctionDef) -> n.Stmt:
        decorators = tuple(self.expr(d.decorator) for d in node.decorators)
        params = self.parameters(node.params)
        outer, self.generator = self.generator, False
        body = self.block(node.body)
        generator, self.generator = self.generator, outer
        return n.FunctionDef(
            node.name.value, params, body, decorators, generator, self.span(node), self.span(node.name)
        )

    def class_(self, node: cst.ClassDef) -> n.Stmt:
        return n.ClassDef(
            node.name.value,
            tuple(self.expr(base.value) for base in node.bases),
            self.arguments(node.keywords),
            self.block(node.body),
            tuple(self.expr(d.decorator) for d in node.decorators),
            self.span(node),
            self.span(node.name),
        )

    def alias(self, node: cst.ImportAlias) -> n.Alias:
        asname = node.asname.name.value if node.asname and isinstance(node.asname.name, cst.Name) else None
        return n.Alias(_dotted(node.name), asname, self.span(node))

    def import_(self, node: cst.Import) -> n.Stmt:
        return n.Import(tuple(self.alias(alias) for alias in node.names), self.span(node))

    def import_from(self, node: cst.ImportFrom) -> n.Stmt:
        span = self.span(node)
        if isinstance(node.names, cst.ImportStar):
            aliases: tuple[n.Alias, ...] = (n.Alias("*", None, span),)
        else:
            aliases = tuple(self.alias(alias) for alias in node.names)
        return n.ImportFrom(_dotted(node.module) if node.module else "", len(node.relative), aliases, span)

    def try_(self, node: cst.Try | cst.TryStar) -> n.Stmt:
        handlers = tuple(
            n.Handler(
                self.maybe(handler.type),
                handler.name.name.value if handler.name and isinstance(handler.name.name, cst.Name) else None,
                self.block(handler.body),
            )
            for handler in node.handlers
        )
        orelse = self.block(node.orelse.body if node.orelse else None)
        final = self.block(node.finalbody.body if node.finalbody else None)
        return n.Try(self.block(node.body), handlers, orelse, final, self.span(node))

    def with_(self, node: cst.With) -> n.Stmt:
        items = tuple((self.expr(i.item), self.expr(i.asname.name) if i.asname else None) for i in node.items)
        return n.With(items, self.block(node.body), self.span(node))

    def scope(self, node: cst.Global | cst.Nonlocal) -> n.Stmt:
        kind = "global" if isinstance(node, cst.Global) else "nonlocal"
        return n.Scope(kind, tuple(item.name.value for item in node.names), self.span(node))

    def delete(self, node: cst.Del) -> n.Stmt:
        target = self.expr(node.target)
        targets = target.elements if isinstance(target, n.Sequence) else (target,)
        return n.Delete(targets, self.span(node))

    def jump(self, node: cst.Break | cst.Continue | cst.Pass) -> n.Stmt:
        return n.Jump(type(node).__name__.lower(), self.span(node))


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


_Method = Callable[[Lowering, Any], n.Stmt]
_STATEMENTS: dict[type[cst.CSTNode], _Method] = {
    cst.Expr: Lowering.expression_statement,
    cst.Assign: Lowering.assign,
    cst.AugAssign: Lowering.augmented,
    cst.AnnAssign: Lowering.annotated,
    cst.If: Lowering.if_,
    cst.For: Lowering.for_,
    cst.While: Lowering.while_,
    cst.Match: Lowering.match,
    cst.Return: Lowering.return_,
    cst.Raise: Lowering.raise_,
    cst.Assert: Lowering.assert_,
    cst.FunctionDef: Lowering.function,
    cst.ClassDef: Lowering.class_,
    cst.Import: Lowering.import_,
    cst.ImportFrom: Lowering.import_from,
    cst.Try: Lowering.try_,
    cst.TryStar: Lowering.try_,
    cst.With: Lowering.with_,
    cst.Global: Lowering.scope,
    cst.Nonlocal: Lowering.scope,
    cst.Del: Lowering.delete,
    cst.Break: Lowering.jump,
    cst.Continue: Lowering.jump,
    cst.Pass: Lowering.jump,
}
