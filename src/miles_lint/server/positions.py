"""Offsets in a source as positions of the protocol: lines and UTF-16 code units, both 0-based, and back."""

from __future__ import annotations

from lsprotocol import types

from miles_lint.source import Source, Span


def position(source: Source, offset: int) -> types.Position:
    """The position of an offset; a byte order mark that the client sent is counted."""
    line, character = source.utf16(offset)
    return types.Position(line, character + (1 if source.bom and line == 0 else 0))


def offset_of(source: Source, place: types.Position) -> int:
    """The offset of a position, moved to the end of its line, or of the text, where it lies behind it."""
    starts = source.line_starts
    if place.line >= len(starts):
        return len(source.text)
    units = place.character - (1 if source.bom and place.line == 0 else 0)
    line = source.line(place.line + 1)
    offset = starts[place.line]
    for character in line:
        units -= 2 if ord(character) > 0xFFFF else 1
        if units < 0:
            break
        offset += 1
    return offset


def range_of(source: Source, span: Span) -> types.Range:
    return types.Range(position(source, span.start), position(source, span.end))


def span_of(source: Source, place: types.Range) -> Span:
    return Span(offset_of(source, place.start), offset_of(source, place.end))
