"""Positions and edits of the language server, against UTF-16 and against what they are to produce."""

from __future__ import annotations

import pytest
from clients.lsp import apply
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pygls", reason="the language server needs pygls")
from lsprotocol import types

from miles_lint.edits import apply as applied
from miles_lint.server.edits import difference
from miles_lint.server.positions import offset_of, position, range_of, span_of
from miles_lint.source import BOM, Source, Span

TEXTS = st.text(st.sampled_from("ab\n\r\té😀\u2028\x0c "), max_size=40)


@given(TEXTS, st.booleans(), st.data())
def test_positions_lead_back_to_offsets(text: str, bom: bool, data: st.DataObject) -> None:
    source = Source.from_text("a.py", BOM + text if bom else text)
    offset = data.draw(st.integers(0, len(text)))
    inside_newline = text[offset - 1 : offset + 1] == "\r\n"
    assert offset_of(source, position(source, offset)) == (offset - 1 if inside_newline else offset)


@given(TEXTS, st.integers(0, 50), st.integers(0, 50))
def test_any_position_is_clamped_to_its_line(text: str, line: int, character: int) -> None:
    source = Source.from_text("a.py", text)
    offset = offset_of(source, types.Position(line, character))
    found = position(source, offset)
    assert 0 <= offset <= len(text)
    assert (found.line, found.character) <= (line, character)


def test_characters_are_utf16_units() -> None:
    source = Source.from_text("a.py", "x\n😀é--a")
    found = position(source, source.text.index("--a"))
    assert (found.line, found.character) == (1, 3)
    assert span_of(source, range_of(source, Span(2, 4))) == Span(2, 4)
    assert offset_of(source, types.Position(1, 1)) == 2


@given(TEXTS, TEXTS)
def test_a_difference_leads_to_the_new_text(old: str, new: str) -> None:
    source = Source("a.py", old)
    assert applied(source, difference(old, new)) == new


def test_a_difference_touches_only_what_differs() -> None:
    rows = [f"row {number}\r\n" for number in range(50)]
    old = "".join(rows)
    rows[7] = "row seven\r\n"
    rows[40] = ""
    edits = difference(old, "".join(rows))
    assert [(old[edit.span.start : edit.span.end], edit.text) for edit in edits] == [
        ("7", "seven"),
        ("row 40\r\n", ""),
    ]


def test_edits_of_the_protocol() -> None:
    source = Source("a.py", "é😀 bad\nworse\n")
    edits = difference(source.text, "é😀 good\nworse\nend\n")
    made = [{"range": _plain(range_of(source, edit.span)), "newText": edit.text} for edit in edits]
    assert apply(source.text, made) == "é😀 good\nworse\nend\n"


def _plain(place: types.Range) -> dict[str, dict[str, int]]:
    return {
        name: {"line": end.line, "character": end.character}
        for name, end in (("start", place.start), ("end", place.end))
    }
