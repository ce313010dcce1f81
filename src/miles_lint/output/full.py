"""Findings with the source they speak of, and the repair as a small diff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from miles_lint.diagnostic import Applicability, Diagnostic, Fix, Note
from miles_lint.edits import apply
from miles_lint.output.context import Context
from miles_lint.output.frame import Mark, draw, end_row, printable, rows_around
from miles_lint.source import Source, Span

_BLUE = "1;34"
_JOIN, _RULE = 3, "-" * 80
_TRUST = {
    Applicability.SAFE: "",
    Applicability.UNSAFE: "This is an unsafe fix and may change runtime behavior",
    Applicability.DISPLAY_ONLY: "This is a display-only fix and is likely to be incorrect",
}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The text of ruff 0.17.6's `full` format; the other places of a finding stand beside or below it."""
    return "".join("\n".join(_finding(diagnostic, context)) + "\n\n" for diagnostic in diagnostics)


def _finding(diagnostic: Diagnostic, context: Context) -> Iterator[str]:
    yield context.heading(diagnostic)
    place = diagnostic.place
    source = context.sources.get(place.path)
    if source is None or not source.text:
        yield f"{context.paint('-->', _BLUE)} {context.relative(place.path)}:1:1"
        return
    near, far = _split_notes(diagnostic, source)
    marks = (_primary(source, place.span), *(Mark(note.place.span, note.message) for note in near))
    frames = [(place.path, source, marks)]
    for note in far:
        other = context.source(note.place.path)
        frames.append((note.place.path, other, (Mark(note.place.span, note.message),)))
    gutter = max(len(str(rows_around(text, marks)[1])) for _, text, marks in frames)
    for number, (path, text, marks) in enumerate(frames):
        row, column = text.position(marks[0].span.start) if number else _shown_position(source, place.span)
        arrow = context.paint(":::" if number else "-->", _BLUE)
        yield f"{' ' * gutter}{arrow} {context.relative(path)}:{row}:{column}"
        yield from draw(text, marks, gutter, context)
    if diagnostic.fix:
        yield from _help(diagnostic.fix, source, context)


def _past_last_row(source: Source, span: Span) -> bool:
    row, column = source.position(span.start)
    return row > 1 and column == 1 and span.start == len(source.text)


def _primary(source: Source, span: Span) -> Mark:
    """The mark of the finding; one on the empty row after the last newline is drawn at the end of the row before."""
    if not _past_last_row(source, span):
        return Mark(span, "", True)
    row, _ = source.position(span.start)
    end = source.offset(row - 1, len(source.line(row - 1)) + 1)
    return Mark(Span(end, end), "", True, span)


def _shown_position(source: Source, span: Span) -> tuple[int, int]:
    """The position as this format of ruff shows it: after the last newline counts as past the end of its row."""
    row, column = source.position(span.start)
    if _past_last_row(source, span):
        return row - 1, len(source.line(row - 1)) + 2
    return row, column


def _split_notes(diagnostic: Diagnostic, source: Source) -> tuple[list[Note], list[Note]]:
    """Notes on one row each that fit into the finding's own excerpt, and all others."""
    near: list[Note] = []
    far: list[Note] = []
    first, last = rows_around(source, [Mark(diagnostic.place.span)])
    for note in diagnostic.notes:
        row, _ = source.position(note.place.span.start)
        fits = note.place.path == source.path and first <= row <= last == max(last, end_row(source, note.place.span))
        (near if fits and end_row(source, note.place.span) == row else far).append(note)
    return near, far


def _help(fix: Fix, source: Source, context: Context) -> Iterator[str]:
    yield f"{context.paint('help', '1;36')}: {fix.title}"
    if fix.edits:
        yield from _diff(fix, source, context)
    if _TRUST[fix.applicability]:
        yield f"{context.paint('note', '1')}: {_TRUST[fix.applicability]}"


def _diff(fix: Fix, source: Source, context: Context) -> Iterator[str]:
    """Changed rows with one row around them, numbered as in the repaired text."""
    old = _rows(source)
    new = _rows(Source(source.path, apply(source, fix.edits)))
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    start, end = max(same - _JOIN - 1, 0), 0
    while end < min(len(old), len(new)) - same and old[-1 - end] == new[-1 - end]:
        end += 1
    end = max(end - _JOIN - 1, 0)
    changed = SequenceMatcher(None, old[start : len(old) - end], new[start : len(new) - end], autojunk=False)
    groups = list(changed.get_grouped_opcodes(_JOIN))
    lines: list[tuple[str, str, str]] = []
    for number, group in enumerate(groups):
        if number:
            lines.append(("", "", _RULE))
        for index, (kind, old_start, old_end, new_start, new_end) in enumerate(group):
            rows = list(range(new_start + start, new_end + start))
            if kind == "equal":
                rows = rows[-1:] if index == 0 else rows[:1] if index == len(group) - 1 else rows
                lines += [(str(row + 1), " ", new[row]) for row in rows]
                continue
            lines += [("", "-", old[row]) for row in range(old_start + start, old_end + start)]
            lines += [(str(row + 1), "+", new[row]) for row in rows]
    width = max((len(row) for row, _, _ in lines), default=1)
    bar = context.paint("|", _BLUE)
    yield f"{' ' * width} {bar}"
    for row, sign, text in lines:
        yield _diff_line(row.ljust(width), sign, text, context) if sign else text
    yield f"{' ' * width} {bar}"


def _diff_line(number: str, sign: str, text: str, context: Context) -> str:
    text = "\t".join(map(printable, text.split("\t")))
    number = context.paint(number, _BLUE)
    if sign == " ":
        return f"{number} {context.paint('|', _BLUE)} {text}" if text else f"{number} {context.paint('|', _BLUE)}"
    style = "31" if sign == "-" else "32"
    return f"{number} {context.paint(sign, '1;' + style)}" + (f" {context.paint(text, style)}" if text else "")


def _rows(source: Source) -> list[str]:
    rows = [source.line(row) for row in range(1, len(source.line_starts) + 1)]
    return rows[:-1] if rows and not rows[-1] else rows
