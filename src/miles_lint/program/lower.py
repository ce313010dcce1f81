"""Source text to a `Program`: one parse, one measuring pass, one direct recursion over the tree."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import libcst as cst

from miles_lint.program import nodes as n
from miles_lint.program.depth import too_deep
from miles_lint.program.literals import body_runs, string_literal
from miles_lint.program.positions import measure
from miles_lint.program.program import Program
from miles_lint.sniff import might_launch
from miles_lint.source import Source, Span


class ParseError(Exception):
    """The text is not Python: `offset` is where, the message what."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class NotUnderstood(Exception):
    """Text that Python accepts and the parser in use does not: no mistake of its author."""


_TOKENIZER = "tokenizer error: "


def _refused(text: str) -> tuple[int, int] | None:
    """The row and column, both from 1, where Python refuses a text, as far as it says so; None when it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError as error:
            return max(error.lineno or 1, 1), max(error.offset or 1, 1)
        except (ValueError, RecursionError, MemoryError):
            return 1, 1
    return None


Mentions = dict[str, frozenset[object]]


def lower(source: Source) -> Program:
    """The program of a source.

    Raises `ParseError` for text that is not Python, `NotUnderstood` for Python that the parser does not know
    or that is nested too deeply.
    """
    try:
        body, mentions = _lowered(source.text, 0)
    except cst.ParserSyntaxError as error:
        place = _refused(source.text)
        if place is None:
            raise NotUnderstood(_first_line(error.message)) from None
        if not error.message.startswith(_TOKENIZER):
            place = error.raw_line, error.raw_column + 1
        raise ParseError(_first_line(error.message), source.offset(*place)) from None
    except (ValueError, UnicodeError) as error:
        raise ParseError(_first_line(str(error)), 0) from None
    return Program(source.path, body, mentions, might_launch(source.text))


@lru_cache(maxsize=4096)
def lower_part(text: str, start: int) -> tuple[n.Block, Mentions] | None:
    """The statements of a text that stands at offset `start` of its file, and the constants they compare names with.

    None for what cannot be read. What is lowered stays at hand: for the files that import it, and when only
    another part of its file has changed.
    """
    try:
        return _lowered(text, start)
    except (cst.ParserSyntaxError, NotUnderstood, ValueError):
        return None


def _lowered(text: str, start: int) -> tuple[n.Block, Mentions]:
    if too_deep(text):
        raise NotUnderstood("the code is nested too deeply")
    try:
        module = cst.parse_module(text)
        lowering = _Lowering(measure(module, start))
        body = lowering.statements(module.body)
    except RecursionError:
        raise NotUnderstood("the code is nested too deeply") from None
    return body, {name: frozenset(values) for name, values in lowering.mentions.items()}


def _first_line(message: str) -> str:
    return re.sub(r"^parser error: ", "", message.splitlines()[0] if message else "invalid syntax")


_STRINGS = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)
_CONSTANT_NAMES = {"None": None, "True": True, "False": False}


class _Lowering:
    def __init__(self, spans: dict[cst.CSTNode, tuple[int, int]]) -> None:
        self.spans = spans
        self.mentions: dict[str, set[object]] = {}
        self.generator = False

    def span(self, node: cst.CSTNode) -> Span:
        return Span(*self.spans[node])

    # expressions

    def expr(self, node: cst.BaseExpression | cst.CSTNode) -> n.Expr:
        method = _EXPRESSIONS.get(type(node))
        if method is None:
            return n.Opaque(type(node).__name__, self.span(node))
        lowered: n.Expr = method(self, node)
        return lowered

    def maybe(self, node: cst.BaseExpression | None) -> n.Expr | None:
        return None if node is None else self.expr(node)

    def name(self, node: cst.Name) -> n.Expr:
        if node.value in _CONSTANT_NAMES:
            return n.Constant(_CONSTANT_NAMES[node.value], self.span(node))
        return n.Name(node.value, self.span(node))

    def number(self, node: cst.Integer | cst.Float | cst.Imaginary) -> n.Expr:
        return self.constant(node.value, node)

    def constant(self, written: str, node: cst.CSTNode) -> n.Expr:
        """A number or bytes literal, as Python reads it; doubtful escapes are not our finding."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return n.Constant(ast.literal_eval(written), self.span(node))
            except (ValueError, SyntaxError):
                return n.Opaque("literal", self.span(node))

    def ellipsis(self, node: cst.Ellipsis) -> n.Expr:
        return n.Constant(..., self.span(node))

    def string(self, node: cst.SimpleString) -> n.Expr:
        if "b" in node.prefix.lower():
            return self.constant(node.value, node)
        return string_literal(node.value, self.spans[node][0])

    def fstring(self, node: cst.FormattedString) -> n.Joined:
        return n.Joined(self.fstring_parts(node.parts, "r" in node.prefix.lower()), self.span(node), node.start)

    def fstring_parts(
        self, parts: Sequence[cst.BaseFormattedStringContent], raw: bool
    ) -> tuple[n.Literal | n.Formatted, ...]:
        lowered: list[n.Literal | n.Formatted] = []
        for part in parts:
            span = self.span(part)
            if isinstance(part, cst.FormattedStringText):
                lowered.append(n.Literal(body_runs(part.value, span.start, raw, True), span))
            elif isinstance(part, cst.FormattedStringExpression):
                lowered.extend(self.field(part, raw, span))
        return tuple(lowered)

    def field(self, part: cst.FormattedStringExpression, raw: bool, span: Span) -> list[n.Literal | n.Formatted]:
        value = self.expr(part.expression)
        spec = None
        if part.format_spec is not None:
            inner = self.fstring_parts(part.format_spec, raw)
            spec = n.Joined(inner, span)
        conversion = part.conversion or ""
        lowered: list[n.Literal | n.Formatted] = []
        if part.equal is not None:
            blank, equal = part.whitespace_before_expression, part.equal
            text = "".join(map(cst.Module(()).code_for_node, (blank, part.expression, equal)))
            lowered.append(n.Literal((n.Run(text, span, False),), span))
            conversion = conversion or ("r" if spec is None else "")
        lowered.append(n.Formatted(value, conversion, spec, span))
        return lowered

    def concatenated(self, node: cst.ConcatenatedString) -> n.Expr:
        parts: list[n.Literal | n.Formatted | n.Joined] = []
        queue: list[cst.BaseExpression] = [node]
        while queue:
            current = queue.pop()
            if isinstance(current, cst.ConcatenatedString):
                queue += [current.right, current.left]
                continue
            part = self.expr(current)
            if not isinstance(part, (n.Literal, n.Joined)):
                return n.Opaque("bytes concatenation", self.span(node))
            parts.append(part)
        return n.Joined(tuple(parts), self.span(node))

    def attribute(self, node: cst.Attribute) -> n.Expr:
        return n.Attribute(self.expr(node.value), node.attr.value, self.span(node))

    def subscript(self, node: cst.Subscript) -> n.Expr:
        indices = [self.index(element.slice) for element in node.slice]
        span = self.span(node)
        if len(indices) == 1 and not isinstance(node.slice[0].comma, cst.Comma):
            return n.Subscript(self.expr(node.value), indices[0], span)
        return n.Subscript(self.expr(node.value), n.Sequence("tuple", tuple(indices), span), span)

    def index(self, node: cst.BaseSlice) -> n.Expr:
        if isinstance(node, cst.Slice):
            return n.Slice(self.maybe(node.lower), self.maybe(node.upper), self.maybe(node.step), self.span(node))
        assert isinstance(node, cst.Index)
        return n.Starred(self.expr(node.value), self.span(node)) if node.star else self.expr(node.value)

    def call(self, node: cst.Call) -> n.Expr:
        return n.Call(self.expr(node.func), self.arguments(node.args), self.span(node))

    def arguments(self, args: Sequence[cst.Arg]) -> tuple[n.Arg, ...]:
        return tuple(
            n.Arg(self.expr(arg.value), arg.keyword.value if arg.keyword else None, arg.star, self.span(arg))
            for arg in args
        )

    def binary(self, node: cst.BinaryOperation) -> n.Expr:
        chain: list[cst.BinaryOperation] = []
        left: cst.BaseExpression = node
        while isinstance(left, cst.BinaryOperation):
            chain.append(left)
            left = left.left
        lowered = self.expr(left)
        for step in reversed(chain):
            op = _operator(step.operator)
            lowered = n.Binary(op, lowered, self.expr(step.right), self.span(step))
        return lowered

    def unary(self, node: cst.UnaryOperation) -> n.Expr:
        return n.Unary(_operator(node.operator), self.expr(node.expression), self.span(node))

    def boolean(self, node: cst.BooleanOperation) -> n.Expr:
        op = "and" if isinstance(node.operator, cst.And) else "or"
        return n.Bool(op, self.expr(node.left), self.expr(node.right), self.span(node))

    def comparison(self, node: cst.Comparison) -> n.Expr:
        left = self.expr(node.left)
        rest = tuple((_operator(target.operator), self.expr(target.comparator)) for target in node.comparisons)
        operand = left
        for op, right in rest:
            if op in ("==", "!=", "in", "not in", "is", "is not"):
                self.mention(operand, right)
                if "in" not in op:
                    self.mention(right, operand)
            operand = right
        return n.Compare(left, rest, self.span(node))

    def mention(self, named: n.Expr, value: n.Expr) -> None:
        """Remember what a name or attribute is compared with: these become listed values of its knob."""
        if isinstance(named, (n.Attribute, n.Name)):
            constants = constants_in(value)
            if constants:
                self.mentions.setdefault(named.name if isinstance(named, n.Attribute) else named.id, set()).update(
                    constants
                )

    def conditional(self, node: cst.IfExp) -> n.Expr:
        return n.IfExp(self.expr(node.test), self.expr(node.body), self.expr(node.orelse), self.span(node))

    def display(self, node: cst.Tuple | cst.List | cst.Set) -> n.Expr:
        kind = {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}[type(node)]
        return n.Sequence(kind, tuple(self.element(element) for element in node.elements), self.span(node))

    def element(self, element: cst.BaseElement) -> n.Expr:
        value = self.expr(element.value)
        return n.Starred(value, self.span(element)) if isinstance(element, cst.StarredElement) else value

    def dictionary(self, node: cst.Dict) -> n.Expr:
        entries = tuple(
            (self.expr(element.key) if isinstance(element, cst.DictElement) else None, self.expr(element.value))
            for element in node.elements
        )
        return n.DictDisplay(entries, self.span(node))

    def comprehension(self, node: cst.BaseComp) -> n.Expr:
        clauses: list[n.Clause] = []
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            tests = tuple(self.expr(test.test) for test in clause.ifs)
            clauses.append(n.Clause(self.expr(clause.target), self.expr(clause.iter), tests))
            clause = clause.inner_for_in
        if isinstance(node, cst.DictComp):
            return n.Comprehension("dict", self.expr(node.key), self.expr(node.value), tuple(clauses), self.span(node))
        assert isinstance(node, cst.BaseSimpleComp)
        kind = {cst.ListComp: "list", cst.SetComp: "set"}.get(type(node), "generator")
        return n.Comprehension(kind, self.expr(node.elt), None, tuple(clauses), self.span(node))

    def walrus(self, node: cst.NamedExpr) -> n.Expr:
        if isinstance(node.target, cst.Name):
            return n.Walrus(node.target.value, self.expr(node.value), self.span(node))
        return n.Opaque("assignment expression", self.span(node))

    def function_expr(self, node: cst.Lambda) -> n.Expr:
        return n.Lambda(self.parameters(node.params), self.expr(node.body), self.span(node))

    def await_(self, node: cst.Await) -> n.Expr:
        return self.expr(node.expression)

    def yield_(self, node: cst.Yield) -> n.Expr:
        self.generator = True
        if isinstance(node.value, cst.From):
            return n.Yield(self.expr(node.value.item), True, self.span(node))
        return n.Yield(self.maybe(node.value), False, self.span(node))

    def parameters(self, node: cst.Parameters) -> tuple[n.Param, ...]:
        found = [self.param(param, "positional") for param in (*node.posonly_params, *node.params)]
        if isinstance(node.star_arg, cst.Param):
            found.append(self.param(node.star_arg, "*"))
        found += [self.param(param, "keyword") for param in node.kwonly_params]
        if node.star_kwarg is not None:
            found.append(self.param(node.star_kwarg, "**"))
        return tuple(found)

    def param(self, node: cst.Param, kind: str) -> n.Param:
        annotation = self.expr(node.annotation.annotation) if node.annotation else None
        return n.Param(node.name.value, annotation, self.maybe(node.default), kind, self.span(node.name))

    # statements

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
        op = _operator(node.operator)[:-1]
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


_OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.NotIn: "not in",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.Is: "is",
    cst.Not: "not",
}


def _operator(node: cst.CSTNode) -> str:
    word = _OPERATORS.get(type(node))
    return word if word is not None else str(node._get_token())  # type: ignore[attr-defined]


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def constants_in(value: n.Expr) -> set[object]:
    """The scalars written in an expression: itself, or the elements of a display."""
    if isinstance(value, n.Constant) and isinstance(value.value, (bool, int, float, type(None))):
        return {value.value}
    if isinstance(value, n.Literal):
        return {"".join(run.text for run in value.runs)}
    if isinstance(value, n.Sequence):
        return set().union(*map(constants_in, value.elements))
    return set()


_Method = Callable[[_Lowering, Any], Any]
_EXPRESSIONS: dict[type[cst.CSTNode], _Method] = {
    cst.Name: _Lowering.name,
    cst.Integer: _Lowering.number,
    cst.Float: _Lowering.number,
    cst.Imaginary: _Lowering.number,
    cst.Ellipsis: _Lowering.ellipsis,
    cst.SimpleString: _Lowering.string,
    cst.FormattedString: _Lowering.fstring,
    cst.ConcatenatedString: _Lowering.concatenated,
    cst.Attribute: _Lowering.attribute,
    cst.Subscript: _Lowering.subscript,
    cst.Call: _Lowering.call,
    cst.BinaryOperation: _Lowering.binary,
    cst.UnaryOperation: _Lowering.unary,
    cst.BooleanOperation: _Lowering.boolean,
    cst.Comparison: _Lowering.comparison,
    cst.IfExp: _Lowering.conditional,
    cst.Tuple: _Lowering.display,
    cst.List: _Lowering.display,
    cst.Set: _Lowering.display,
    cst.Dict: _Lowering.dictionary,
    cst.ListComp: _Lowering.comprehension,
    cst.SetComp: _Lowering.comprehension,
    cst.DictComp: _Lowering.comprehension,
    cst.GeneratorExp: _Lowering.comprehension,
    cst.NamedExpr: _Lowering.walrus,
    cst.Lambda: _Lowering.function_expr,
    cst.Await: _Lowering.await_,
    cst.Yield: _Lowering.yield_,
}
_STATEMENTS: dict[type[cst.CSTNode], _Method] = {
    cst.Expr: _Lowering.expression_statement,
    cst.Assign: _Lowering.assign,
    cst.AugAssign: _Lowering.augmented,
    cst.AnnAssign: _Lowering.annotated,
    cst.If: _Lowering.if_,
    cst.For: _Lowering.for_,
    cst.While: _Lowering.while_,
    cst.Match: _Lowering.match,
    cst.Return: _Lowering.return_,
    cst.Raise: _Lowering.raise_,
    cst.Assert: _Lowering.assert_,
    cst.FunctionDef: _Lowering.function,
    cst.ClassDef: _Lowering.class_,
    cst.Import: _Lowering.import_,
    cst.ImportFrom: _Lowering.import_from,
    cst.Try: _Lowering.try_,
    cst.TryStar: _Lowering.try_,
    cst.With: _Lowering.with_,
    cst.Global: _Lowering.scope,
    cst.Nonlocal: _Lowering.scope,
    cst.Del: _Lowering.delete,
    cst.Break: _Lowering.jump,
    cst.Continue: _Lowering.jump,
    cst.Pass: _Lowering.jump,
}
