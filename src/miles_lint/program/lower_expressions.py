"""Expressions of the syntax library to records, by one direct recursion."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from miles_lint.program import nodes as n
from miles_lint.program.literals import body_runs, string_literal
from miles_lint.source import Span

_CONSTANT_NAMES = {"None": None, "True": True, "False": False}


class Expressions:
    """Lowers expressions, given the place of every node; collects what they compare names with in `mentions`."""

    def __init__(self, spans: dict[cst.CSTNode, tuple[int, int]]) -> None:
        self.spans = spans
        self.mentions: dict[str, set[object]] = {}
        self.generator = False

    def span(self, node: cst.CSTNode) -> Span:
        return Span(*self.spans[node])

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
            op = operator_of(step.operator)
            lowered = n.Binary(op, lowered, self.expr(step.right), self.span(step))
        return lowered

    def unary(self, node: cst.UnaryOperation) -> n.Expr:
        return n.Unary(operator_of(node.operator), self.expr(node.expression), self.span(node))

    def boolean(self, node: cst.BooleanOperation) -> n.Expr:
        op = "and" if isinstance(node.operator, cst.And) else "or"
        return n.Bool(op, self.expr(node.left), self.expr(node.right), self.span(node))

    def comparison(self, node: cst.Comparison) -> n.Expr:
        left = self.expr(node.left)
        rest = tuple((operator_of(target.operator), self.expr(target.comparator)) for target in node.comparisons)
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


_OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.NotIn: "not in",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.Is: "is",
    cst.Not: "not",
}


def operator_of(node: cst.CSTNode) -> str:
    word = _OPERATORS.get(type(node))
    return word if word is not None else str(node._get_token())  # type: ignore[attr-defined]


def constants_in(value: n.Expr) -> set[object]:
    """The scalars written in an expression: itself, or the elements of a display."""
    if isinstance(value, n.Constant) and isinstance(value.value, (bool, int, float, type(None))):
        return {value.value}
    if isinstance(value, n.Literal):
        return {"".join(run.text for run in value.runs)}
    if isinstance(value, n.Sequence):
        return set().union(*map(constants_in, value.elements))
    return set()


_Method = Callable[[Expressions, Any], Any]
_EXPRESSIONS: dict[type[cst.CSTNode], _Method] = {
    cst.Name: Expressions.name,
    cst.Integer: Expressions.number,
    cst.Float: Expressions.number,
    cst.Imaginary: Expressions.number,
    cst.Ellipsis: Expressions.ellipsis,
    cst.SimpleString: Expressions.string,
    cst.FormattedString: Expressions.fstring,
    cst.ConcatenatedString: Expressions.concatenated,
    cst.Attribute: Expressions.attribute,
    cst.Subscript: Expressions.subscript,
    cst.Call: Expressions.call,
    cst.BinaryOperation: Expressions.binary,
    cst.UnaryOperation: Expressions.unary,
    cst.BooleanOperation: Expressions.boolean,
    cst.Comparison: Expressions.comparison,
    cst.IfExp: Expressions.conditional,
    cst.Tuple: Expressions.display,
    cst.List: Expressions.display,
    cst.Set: Expressions.display,
    cst.Dict: Expressions.dictionary,
    cst.ListComp: Expressions.comprehension,
    cst.SetComp: Expressions.comprehension,
    cst.DictComp: Expressions.comprehension,
    cst.GeneratorExp: Expressions.comprehension,
    cst.NamedExpr: Expressions.walrus,
    cst.Lambda: Expressions.function_expr,
    cst.Await: Expressions.await_,
    cst.Yield: Expressions.yield_,
}
