"""Values that a trainer writes into one flag when another is switched on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.contract.extract.trainer import TrainerReading
from miles_lint.contract.model import Flag, Selector, Site
from miles_lint.domain.guard import Guard
from miles_lint.domain.term import Term
from miles_lint.domain.value import Chars, Text, options_of
from miles_lint.fold.convert import TooMany, text_alternatives
from miles_lint.fold.heap import ANY

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")


def selectors_of(read: TrainerReading, flags: tuple[Flag, ...]) -> tuple[Selector, ...]:
    """The function paths that a switch selects: what its flag holds exactly when the switch is given."""
    by_dest = {flag.dest: flag for flag in flags}
    found: dict[Selector, None] = {}
    for live, name, value, _ in read.written:
        target = by_dest.get(name)
        if name == ANY or target is None or not target.takes_value or not live.certain:
            continue
        for guard, leaf in options_of(value, live):
            for switch, told, site in _selected(read, by_dest, leaf, guard) if isinstance(leaf, Text) else ():
                if switch is not target:
                    found[Selector(switch.names[0], target.names[0], told, site)] = None
    return tuple(found)


def _selected(
    read: TrainerReading, by_dest: dict[str, Flag], text: Text, live: Guard
) -> Iterator[tuple[Flag, str, Site | None]]:
    try:
        alternatives = text_alternatives(read.machine, text, live)
    except TooMany:
        return
    for guard, told in alternatives:
        switch = by_dest.get(_switch(guard))
        if isinstance(told, str) and _DOTTED.fullmatch(told) and switch is not None and not switch.takes_value:
            yield switch, told, _origin(read, text, told)


def _switch(guard: Guard) -> str:
    """The dest whose truth a guard is; empty for any other guard."""
    support = guard.support()
    term = support[0].term if len(support) == 1 else None
    if not isinstance(term, Term) or term.op != "truth" or guard.children[0].impossible:
        return ""
    read = term.operands[0]
    return str(read.operands[1]) if isinstance(read, Term) and read.op == "symbol" else ""


def _origin(read: TrainerReading, text: Text, told: str) -> Site | None:
    for piece in text.pieces:
        if isinstance(piece, Chars) and piece.text == told and piece.origin is not None:
            return read.tree.site(piece.origin.place)
    return None
