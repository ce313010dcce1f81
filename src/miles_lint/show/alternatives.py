"""The strings that a text of guarded pieces can be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from miles_lint.domain.guard import OTHER, Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Hole, Piece, Reason, Text

_LIMIT = 48


def first_origin(text: Text) -> Origin | None:
    """Where the first of its pieces was written that is known to be written somewhere."""
    return next((piece.origin for piece in text.pieces if piece.origin is not None), None)


def free_values(pieces: list[Piece]) -> list[Piece]:
    """Pieces with the default of a free knob and its unknown other values put together as ⟨name=default⟩."""
    found: list[Piece] = []
    for piece in pieces:
        before = found[-1] if found else None
        joined = _joined(before, piece) if isinstance(before, Chars) and isinstance(piece, Hole) else None
        if joined is not None:
            found[-1] = joined
        else:
            found.append(piece)
    return found


def _joined(default: Chars, other: Hole) -> Hole | None:
    unknown = other.unknown
    if unknown.reason is not Reason.KNOB or not default.guard.excludes(other.guard):
        return None
    both = default.guard | other.guard
    free = any(
        variable.name == unknown.detail and len(variable.domain) == 2 and variable.domain[1] is OTHER
        for variable in default.guard.support()
        if variable not in both.support()
    )
    return Hole(replace(unknown, detail=f"{unknown.detail}={default.text}"), both, default.origin) if free else None


def alternatives(pieces: Iterable[Piece], present: Guard) -> list[tuple[Guard, Text]] | None:
    """The strings that guarded pieces can make; None past the limit."""
    always = present.space.always
    found: list[tuple[Guard, Text]] = [(present, Text())]
    for piece in pieces:
        grown: list[tuple[Guard, Text]] = []
        for guard, text in found:
            inside, outside = guard & piece.guard, guard - piece.guard
            if not inside.impossible:
                grown.append((inside, Text((*text.pieces, piece.guarded(always)))))
            if not outside.impossible:
                grown.append((outside, text))
        if len(grown) > _LIMIT:
            return None
        found = _merged(grown)
    return found


def _merged(found: list[tuple[Guard, Text]]) -> list[tuple[Guard, Text]]:
    """Alternatives that read the same put together."""
    by_text: dict[str, tuple[Guard, Text]] = {}
    for guard, text in found:
        shown = text.shown()
        known = by_text.get(shown)
        by_text[shown] = (guard, text) if known is None else (known[0] | guard, known[1])
    return list(by_text.values())
