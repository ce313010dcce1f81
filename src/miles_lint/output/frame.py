"""Source excerpts with marks under them, drawn as ruff 0.17.6 draws them."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from miles_lint.output.context import Context
from miles_lint.source import Source, Span

_AROUND = 2
_TAB = "    "


@dataclass(frozen=True, slots=True)
class Mark:
    """A span to underline, with `^` and first when it is the finding itself, else with `-` and a label.

    The rows before it that are printed are counted from `anchor`, where that is given.
    """

    span: Span
    label: str = ""
    primary: bool = False
    anchor: Span | None = None

    @property
    def style(self) -> str:
        return "1;31" if self.primary else "1;34"

    def line(self, width: int) -> str:
        return ("^" if self.primary else "-") * max(width, 1)


def rows_around(source: Source, marks: Sequence[Mark]) -> tuple[int, int]:
    """The first and last row to print: two more on each side, blank rows at the rim left out."""
    positions = [(source.position(mark.span.start)[0], end_row(source, mark.span)) for mark in marks]
    inner = min(first for first, _ in positions), max(last for _, last in positions)
    anchor = min(source.position((mark.anchor or mark.span).start)[0] for mark in marks)
    first, last = max(anchor - _AROUND, 1), min(inner[1] + _AROUND, len(source.line_starts))
    while first < inner[0] and not source.line(first).strip():
        first += 1
    while last > inner[1] and not source.line(last).strip():
        last -= 1
    return first, last


def end_row(source: Source, span: Span) -> int:
    """The row of the last marked character; a newline belongs to the row that it ends."""
    row, column = source.position(span.end)
    return row - 1 if column == 1 and span.end > span.start and row > 1 else row


def cells(text: str) -> int:
    """How many terminal cells a text takes."""
    return sum(_cell(char) for char in text)


def _cell(char: str) -> int:
    if unicodedata.combining(char) or char in "\u200b\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def printable(text: str) -> str:
    """A text without tabs and control characters, which would shift the marks."""
    return "".join(map(_printable, text))


def _printable(char: str) -> str:
    if char == "\t":
        return _TAB
    if ord(char) < 0x20:
        return chr(0x2400 + ord(char))
    return "\u2421" if char == "\x7f" else "\ufffd" if "\x80" <= char < "\xa0" else char


def draw(source: Source, marks: Sequence[Mark], gutter: int, context: Context) -> Iterator[str]:
    """The lines of one excerpt; `gutter` is the width of the row numbers."""
    first, last = rows_around(source, marks)
    spread = [mark for mark in marks if source.position(mark.span.start)[0] != end_row(source, mark.span)]
    window = _window(source, marks, first, last, context.width - gutter - 3 - 2 * bool(spread))
    bar = context.paint("|", "1;34")
    yield f"{' ' * gutter} {bar}"
    ended_with_mark = False
    for row in range(first, last + 1):
        number = context.paint(f"{row:>{gutter}}", "1;34")
        side = _side(source, spread, row, context)
        yield f"{number} {bar} {side}{window.cut(printable(source.line(row)))}".rstrip()
        ended_with_mark = False
        for line in _underlines(source, marks, spread, row, window, context):
            yield f"{' ' * gutter} {bar} {line}"
            ended_with_mark = True
    if not ended_with_mark:
        yield f"{' ' * gutter} {bar}"


def _side(source: Source, spread: Sequence[Mark], row: int, context: Context) -> str:
    if not spread:
        return ""
    for mark in spread:
        start_row, start_column = source.position(mark.span.start)
        if row == start_row and not source.line(row)[: start_column - 1].strip():
            return context.paint("/ ", mark.style)
        if start_row < row <= end_row(source, mark.span):
            return context.paint("| ", mark.style)
    return "  "


def _underlines(
    source: Source, marks: Sequence[Mark], spread: Sequence[Mark], row: int, window: _Window, context: Context
) -> Iterator[str]:
    pad = "  " if spread else ""
    for mark in sorted(marks, key=lambda mark: (not mark.primary, mark.span)):
        start_row, start_column = source.position(mark.span.start)
        if mark not in spread:
            if row == start_row:
                before = printable(source.line(row)[: start_column - 1])
                stop = start_column - 1 + mark.span.end - mark.span.start
                marked = printable(source.line(row)[start_column - 1 : stop])
                line = window.under(cells(before), mark.line(cells(marked)))
                at = len(pad) + window.shift(cells(before))
                yield from _labelled(" " * at, line, mark, window, context)
        elif row == start_row and source.line(row)[: start_column - 1].strip():
            before = printable(source.line(row)[: start_column - 1])
            line = " " + "_" * (window.shift(cells(before)) + 1) + mark.line(1)
            yield context.paint(line, mark.style)
        elif row == end_row(source, mark.span):
            stop = source.offset(row, 1)
            before = printable(source.line(row)[: mark.span.end - stop])
            line = "|" + "_" * max(window.shift(cells(before)), 1) + mark.line(1)
            yield from _labelled("", line, mark, window, context)


def _labelled(indent: str, line: str, mark: Mark, window: _Window, context: Context) -> Iterator[str]:
    """A line of marks with its label behind it, or below it where it would leave the terminal."""
    label, width = mark.label, window.stop - window.start
    painted = indent + context.paint(line, mark.style)
    if not label or len(indent) + len(line) + 1 + cells(label) <= width:
        yield painted + (context.paint(f" {label}", mark.style) if label else "")
        return
    yield painted
    parts = textwrap.wrap(label, width, break_on_hyphens=False)
    shift = min(len(indent), max(width - max(map(cells, parts)), 0))
    yield from (" " * shift + context.paint(part, mark.style) for part in parts)


@dataclass(frozen=True, slots=True)
class _Window:
    """The cells `start` to `stop` of each line that fit on the terminal; an ellipsis stands where text is cut."""

    start: int
    stop: int

    def cut(self, text: str) -> str:
        if self.start == 0 and cells(text) <= self.stop:
            return text
        kept: list[str] = []
        at = 0
        for char in text:
            width = _cell(char)
            if at >= self.start + bool(self.start) and at + width <= self.stop - 1:
                kept.append(char)
            at += width
        left = "…" if self.start else ""
        right = "…" if at > self.stop else ""
        if not right and at == self.stop and text:
            kept.append(text[-1])
        return left + "".join(kept) + right

    def shift(self, cell: int) -> int:
        return max(min(cell, self.stop - 1) - self.start, 0)

    def under(self, cell: int, line: str) -> str:
        """The part of a line of marks, from a cell of the text on, that stands under what is left of the text."""
        return line[: max(min(len(line), self.stop - max(cell, self.start)), 1)]


def _window(source: Source, marks: Sequence[Mark], first: int, last: int, width: int) -> _Window:
    width = max(width, 20)
    longest = max(cells(printable(source.line(row))) for row in range(first, last + 1))
    if longest <= width:
        return _Window(0, max(longest, width))
    main = next((mark for mark in marks if mark.primary), marks[0])
    row, column = source.position(main.span.start)
    line = source.line(row)
    begin = cells(printable(line[: column - 1]))
    end = begin + cells(printable(line[column - 1 : column - 1 + main.span.end - main.span.start]))
    if end + 1 < width:
        return _Window(0, width)
    start = max(min(begin - 1, (begin + end - width) // 2 + 1), 0)
    return _Window(start, start + width)
