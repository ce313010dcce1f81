"""One comparable form of a program, made from the lowered program: kinds, names, values, places.

What the lowered language leaves out (annotations of results, type parameters, async marks) is left out of both
forms; a lowered `Opaque` matches anything. `shapes_ast` makes the same form from `ast`.
"""

from __future__ import annotations

from collections.abc import Iterable

from miles_lint.program import nodes as n
from tests.oracles.strings import lowered_shape

ANYTHING = object()


def flat(op: str, operands: Iterable[object]) -> tuple[object, ...]:
    """`and` / `or` with operands of the same operator spread out."""
    found: list[object] = []
    for each in operands:
        found += each[2:] if isinstance(each, tuple) and each[:2] == ("bool", op) else (each,)
    return "bool", op, *found


def lowered(node: object) -> object:
    """The shape of a lowered record, block or pattern."""
    if node is None or isinstance(node, str):
        return node
    if isinstance(node, tuple):
        return tuple(map(lowered, node))
    place = (node.span.start, node.span.end) if hasattr(node, "span") else None
    match node:
        case n.Opaque():
            return ANYTHING
        case n.Constant():
            return "constant", repr(node.value), place
        case n.Literal() | n.Joined():
            return "string", lowered_shape(node), place
        case n.Name():
            return "name", node.id, place
        case n.Attribute():
            return "attribute", lowered(node.value), node.name, place
        case n.Subscript():
            return "subscript", lowered(node.value), lowered(node.index), place
        case n.Slice():
            return "slice", lowered(node.lower), lowered(node.upper), lowered(node.step)
        case n.Call():
            return "call", lowered(node.func), lowered(node.args), place
        case n.Arg():
            return node.star, node.keyword, lowered(node.value)
        case n.Binary():
            return "binary", node.op, lowered(node.left), lowered(node.right), place
        case n.Unary():
            return "unary", node.op, lowered(node.operand), place
        case n.Bool():
            return flat(node.op, (lowered(node.left), lowered(node.right)))
        case n.Compare():
            return "compare", lowered(node.left), tuple((op, lowered(each)) for op, each in node.rest), place
        case n.IfExp():
            return "conditional", lowered(node.test), lowered(node.body), lowered(node.orelse), place
        case n.Starred():
            return "starred", lowered(node.value), place
        case n.Sequence():
            return node.kind, lowered(node.elements)
        case n.DictDisplay():
            return "display", lowered(node.entries), place
        case n.Comprehension():
            clauses = tuple(
                (lowered(each.target), lowered(each.iterable), lowered(each.tests)) for each in node.clauses
            )
            return "comprehension", node.kind, lowered(node.element), lowered(node.value), clauses
        case n.Walrus():
            return "walrus", node.target, lowered(node.value), place
        case n.Lambda():
            return "lambda", lowered(node.params), lowered(node.body), place
        case n.Yield():
            return "yield", lowered(node.value), node.star, place
        case n.Param():
            return node.name, lowered(node.annotation), lowered(node.default), node.kind
    return lowered_statement(node)


def lowered_statement(node: object) -> object:
    match node:
        case n.ExprStmt():
            return "expression", lowered(node.value)
        case n.Assign():
            return "assign", lowered(node.targets), lowered(node.value)
        case n.AugAssign():
            return "augmented", lowered(node.target), node.op, lowered(node.value)
        case n.AnnAssign():
            return "annotated", lowered(node.target), lowered(node.annotation), lowered(node.value)
        case n.If():
            return "if", lowered(node.test), lowered(node.body), lowered(node.orelse)
        case n.For():
            return "for", lowered(node.target), lowered(node.iterable), lowered(node.body), lowered(node.orelse)
        case n.While():
            return "while", lowered(node.test), lowered(node.body), lowered(node.orelse)
        case n.Match():
            cases = tuple((lowered(each.pattern), lowered(each.guard), lowered(each.body)) for each in node.cases)
            return "match", lowered(node.subject), cases
        case n.Pattern():
            return node.kind, lowered(node.expr), node.name, lowered(node.parts), node.keywords
        case n.Return() | n.Raise():
            return type(node).__name__.lower(), lowered(node.value)
        case n.Assert():
            return "assert", lowered(node.test), lowered(node.message)
        case n.FunctionDef():
            return "function", node.name, lowered(node.params), lowered(node.body), lowered(node.decorators)
        case n.ClassDef():
            keywords = tuple((each.keyword, lowered(each.value)) for each in node.keywords)
            return "class", node.name, lowered(node.bases), keywords, lowered(node.body), lowered(node.decorators)
        case n.Import():
            return "import", tuple((each.name, each.asname) for each in node.aliases)
        case n.ImportFrom():
            return "from", node.module, node.level, tuple((each.name, each.asname) for each in node.aliases)
        case n.Try():
            handlers = tuple((lowered(each.type), each.name, lowered(each.body)) for each in node.handlers)
            return "try", lowered(node.body), handlers, lowered(node.orelse), lowered(node.final)
        case n.With():
            return "with", lowered(node.items), lowered(node.body)
        case n.Scope():
            return node.kind, node.names
        case n.Delete():
            return "delete", lowered(node.targets)
        case n.Jump():
            return "jump", node.kind
    raise AssertionError(f"{type(node).__name__} has no shape")


def difference(expected: object, found: object, path: str = "") -> str | None:
    """The first place where two shapes differ, in words; None when they agree."""
    if found is ANYTHING or expected is ANYTHING:
        return None
    if isinstance(expected, tuple) and isinstance(found, tuple):
        if len(expected) != len(found):
            return f"{path}: {len(expected)} parts expected, {len(found)} found: {str(expected)[:200]}"
        for index, (one, two) in enumerate(zip(expected, found)):
            inner = difference(one, two, f"{path}/{expected[0] if index and isinstance(expected[0], str) else index}")
            if inner is not None:
                return inner
        return None
    return None if expected == found else f"{path}: {expected!r} expected, {found!r} found"
