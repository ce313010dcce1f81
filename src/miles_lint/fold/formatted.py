"""String literals and what is formatted into them."""

from __future__ import annotations

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import (
    Chars,
    Items,
    Piece,
    Ref,
    Text,
    Unknown,
    Value,
    options_of,
)
from miles_lint.fold import (
    braces,
    limits,
)
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import Frame, ListObject
from miles_lint.fold.lifting import lift
from miles_lint.fold.machine import Machine
from miles_lint.fold.printing import as_text
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n
from miles_lint.source import Place


def literal(machine: Machine, frame: Frame, node: n.Literal) -> Text:
    path, via, always = frame.module.path, machine.via, machine.space.always
    for run in node.runs:
        if run.exact and "{" in run.text:
            braces.tell_names(machine, frame, node, run)
    return Text(tuple(Chars(run.text, always, Origin(Place(path, run.span), via), run.exact) for run in node.runs))


def joined(machine: Machine, frame: Frame, node: n.Joined) -> Text | Unknown:
    pieces: list[Piece] = []
    longest = 0
    for part in node.parts:
        if isinstance(part, n.Literal):
            made = literal(machine, frame, part)
        elif isinstance(part, n.Joined):
            made = as_text(machine, joined(machine, frame, part))
        else:
            made = formatted(machine, frame, part)
        pieces.extend(made.pieces)
        longest = max(longest, len(made.pieces))
    return machine.sized(Text(tuple(pieces)), longest)


def formatted(machine: Machine, frame: Frame, node: n.Formatted) -> Text:
    value = machine.narrow(machine.run.evaluate(machine, frame, node.value))
    origin = machine.origin(frame, node.span)
    _tell_container(machine, value, node, origin)
    if node.conversion == "r":
        value = lift(machine, "repr", repr, [value], origin, str)
    elif node.conversion == "a":
        value = lift(machine, "ascii", ascii, [value], origin, str)
    if node.spec is not None:
        spec = joined(machine, frame, node.spec)
        value = lift(machine, "format", limits.format_value, [value, spec], origin, str)
    return as_text(machine, value, origin)


def _tell_container(machine: Machine, value: Value, node: n.Formatted, origin: Origin) -> None:
    """Remember a tuple or list that becomes text as Python would print it."""
    if isinstance(value, Text) or node.conversion or node.spec is not None:
        return
    subject = node.value.id if isinstance(node.value, n.Name) else ""
    for guard, leaf in options_of(value, machine.live):
        made = machine.object(leaf) if isinstance(leaf, Ref) else leaf
        if isinstance(made, (Items, ListObject)):
            places = (made.origin,) if made.origin is not None else ()
            tell(machine, Kind.CONTAINER, origin, subject, guard=guard, owner=made.kind, places=places)
