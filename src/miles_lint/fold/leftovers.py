"""Flags that a launching function puts into a variable and never takes out again."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Chars, Text, Value, options_of
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import Frame
from miles_lint.fold.machine import Machine
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n
from miles_lint.program.names import read_names


def tell_unused(machine: Machine, frame: Frame, body: n.Block, launched: Guard, hidden: frozenset[str]) -> None:
    """Remember every variable of a scope that holds flags where it launches, and that no code of the scope reads.

    `hidden` are names that somebody else put there, such as parameters.
    """
    if frame.module.program.dynamic or launched.impossible:
        return
    read: frozenset[str] | None = None
    for name, value in frame.names.items():
        if name in hidden or not _flags(value, launched):
            continue
        read = read_names(body) if read is None else read
        if name in read:
            continue
        for guard, leaf in options_of(value, launched):
            if isinstance(leaf, Text) and _flags(leaf, guard):
                origin = next((piece.origin for piece in leaf.pieces if piece.origin is not None), None)
                if origin is not None:
                    tell(machine, Kind.UNUSED, origin, name, guard=guard)


def _flags(value: Value, live: Guard) -> bool:
    for _, leaf in options_of(value, live):
        first = leaf.pieces[0] if isinstance(leaf, Text) and leaf.pieces else None
        if isinstance(first, Chars) and first.text.lstrip().startswith("--"):
            return True
    return False
