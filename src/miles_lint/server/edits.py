"""Two texts as the edits that turn one into the other."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from lsprotocol import types

from miles_lint.diagnostic import Edit
from miles_lint.server.positions import range_of
from miles_lint.source import Source, Span


def text_edits(source: Source, edits: tuple[Edit, ...]) -> list[types.TextEdit]:
    return [types.TextEdit(range_of(source, edit.span), edit.text) for edit in edits]


def difference(old: str, new: str) -> tuple[Edit, ...]:
    """Edits that lead from one text to another: rows are compared, then each changed run is cut to what differs."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = next((i for i, (one, two) in enumerate(zip(before, after)) if one != two), min(len(before), len(after)))
    starts = [sum(map(len, before[:head]))]
    for line in before[head:]:
        starts.append(starts[-1] + len(line))
    found: list[Edit] = []
    for tag, i, j, k, m in SequenceMatcher(None, before[head:], after[head:], autojunk=False).get_opcodes():
        if tag != "equal":
            rows = before[head + i : head + j], after[head + k : head + m]
            found.extend(_cut(starts[i], *map("".join, rows)))
    return tuple(found)


def _cut(start: int, old: str, new: str) -> Iterator[Edit]:
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    yield Edit(Span(start + head, start + len(old) - tail), new[head : len(new) - tail])


def _common(first: str, second: str) -> int:
    """How many characters two texts share at their beginning; a CRLF is not torn apart."""
    count = 0
    for one, two in zip(first, second):
        if one != two:
            break
        count += 1
    inside = (
        count and first[count - 1 : count] == "\r" and "\n" in (first[count : count + 1], second[count : count + 1])
    )
    return count - 1 if inside else count
