"""Which block of a recipe wrote an argument: the variable, call or function around its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from miles_lint.domain.provenance import Origin
from miles_lint.program import nodes as n
from miles_lint.program.program import Program
from miles_lint.show.places import Texts
from miles_lint.source import Place, Span

Programs = Callable[[str], "Program | None"]
_GROWING = frozenset(("append", "extend", "insert"))


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, and the file that the rows below it stand in."""

    name: str
    path: str


@dataclass
class Blocks:
    """Finds the block of an origin; the statements of each file are listed once."""

    texts: Texts
    program: Programs
    _statements: dict[str, tuple[tuple[Span, str], ...]] = field(default_factory=dict)

    def block(self, origin: Origin | None) -> Block:
        if origin is None:
            return Block("", self.texts.main.path)
        path = origin.place.path
        if path != self.texts.main.path:
            caller = next((place for place in reversed(origin.via) if place.path == self.texts.main.path), None)
            if caller is not None:
                return Block(f"{self.texts.excerpt(caller).partition('(')[0].strip()}()", path)
        return Block(self.name(origin.place), path)

    def name(self, place: Place) -> str:
        """What the innermost simple statement around a place gives its text to."""
        if place.path not in self._statements:
            program = self.program(place.path)
            found = _simple(program.body, "") if program is not None else ()
            self._statements[place.path] = tuple(found)
        around = [
            (span.end - span.start, name)
            for span, name in self._statements[place.path]
            if span.start <= place.span.start < span.end
        ]
        return min(around)[1] if around else ""


def _simple(block: n.Block, owner: str) -> Iterator[tuple[Span, str]]:
    for statement in block:
        if isinstance(statement, (n.FunctionDef, n.ClassDef)):
            yield from _simple(statement.body, statement.name)
        elif isinstance(statement, (n.If, n.For, n.While)):
            yield from _simple((*statement.body, *statement.orelse), owner)
        elif isinstance(statement, n.Match):
            for case in statement.cases:
                yield from _simple(case.body, owner)
        elif isinstance(statement, n.Try):
            handled = tuple(inner for handler in statement.handlers for inner in handler.body)
            yield from _simple((*statement.body, *handled, *statement.orelse, *statement.final), owner)
        elif isinstance(statement, n.With):
            yield from _simple(statement.body, owner)
        else:
            yield statement.span, _name(statement, owner)


def _name(statement: n.Stmt, owner: str) -> str:
    if isinstance(statement, n.Assign):
        return _dotted(statement.targets[0])
    if isinstance(statement, (n.AugAssign, n.AnnAssign)):
        return _dotted(statement.target)
    if isinstance(statement, n.ExprStmt) and isinstance(statement.value, n.Call):
        func = statement.value.func
        if isinstance(func, n.Attribute) and func.name in _GROWING:
            return _dotted(func.value)
        return f"{_dotted(func)}()"
    return f"{owner}()" if owner else ""


def _dotted(node: n.Expr) -> str:
    if isinstance(node, n.Name):
        return node.id
    if isinstance(node, n.Attribute):
        return f"{_dotted(node.value)}.{node.name}"
    if isinstance(node, n.Subscript):
        return f"{_dotted(node.value)}[…]"
    if isinstance(node, n.Sequence):
        return ", ".join(map(_dotted, node.elements))
    return "…"
