"""From arguments of an argv to edits of the text that wrote them."""

from __future__ import annotations

import itertools
import re

from miles_lint.diagnostic import Edit
from miles_lint.domain.value import Chars
from miles_lint.launch import Argument
from miles_lint.source import Source, Span

_FIELD = re.compile(r"\{[^{}]*\}")


def written(source: Source, argument: Argument) -> Span | None:
    """The span that wrote an argument, when all of its characters stand in this source in one run."""
    spans: list[Span] = []
    for piece in argument.text.pieces:
        if not isinstance(piece, Chars) or piece.origin is None or piece.origin.place.path != source.path:
            return None
        if not piece.exact:
            return None
        spans.append(piece.origin.place.span)
    if not spans:
        return None
    for before, after in itertools.pairwise(spans):
        if before.end != after.start:
            return None
    return Span(spans[0].start, spans[-1].end)


def replacement(source: Source, old: tuple[Argument, ...], new: tuple[str, ...]) -> tuple[Edit, ...] | None:
    """Edits that write `new` in place of the arguments `old`; None when their text cannot be found.

    The first argument must stand in the source; a later one may come from elsewhere through an f-string
    field right behind it. Nothing but the characters of the arguments is touched, unless a string literal
    would be left empty: then it goes too, with its row when it stands alone on it.
    """
    first = written(source, old[0])
    if first is None:
        return None
    spans = [first]
    for argument in old[1:]:
        span = written(source, argument)
        behind = _field_behind(source.text, spans[-1].end)
        if span is None or (
            behind is not None and span.start != behind.start and not _follows(source, spans[-1], span)
        ):
            span = behind
        if span is None:
            return None
        spans.append(span)
    merged = _merge(source.text, spans)
    edits = [Edit(merged[0], " ".join(new))] if new else [_deletion(source.text, merged[0])]
    edits += [_deletion(source.text, span) for span in merged[1:]]
    return tuple(sorted(edits, key=lambda edit: edit.span))


def _follows(source: Source, before: Span, after: Span) -> bool:
    """Whether an argument stands after another with nothing but blanks, quotes, commas and comments between."""
    if after.start < before.end:
        return False
    between = re.sub(r"#[^\n]*", "", source.text[before.end : after.start])
    return re.fullmatch(r"[\s\"',rfRF+\\]*", between) is not None


def _field_behind(text: str, end: int) -> Span | None:
    gap = end
    while gap < len(text) and text[gap] in " \t":
        gap += 1
    match = _FIELD.match(text, gap)
    return Span(match.start(), match.end()) if match is not None and gap > end else None


def _merge(text: str, spans: list[Span]) -> list[Span]:
    """Spans with only blanks between them, on one row, become one."""
    merged = [spans[0]]
    for span in spans[1:]:
        between = text[merged[-1].end : span.start]
        if span.start >= merged[-1].end and between.strip(" \t") == "" and between != "":
            merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return merged


def _deletion(text: str, span: Span) -> Edit:
    """Delete a span of a string with the blank behind it, or the whole literal when nothing else is in it."""
    start, end = span.start, span.end
    while end < len(text) and text[end] in " \t":
        end += 1
    left = start
    while left > 0 and text[left - 1] in " \t":
        left -= 1
    literal = _enclosing_literal(text, left, end)
    if literal is None:
        return Edit(Span(start, end), "")
    return Edit(_whole_row(text, literal), "")


def _enclosing_literal(text: str, left: int, end: int) -> Span | None:
    """The literal around `left:end` when the quotes stand right there."""
    for quote in ('"""', "'''", '"', "'"):
        if text.endswith(quote, 0, left) and text.startswith(quote, end):
            start = left - len(quote)
            while start > 0 and text[start - 1] in "rRuUfFbB":
                start -= 1
            stop = end + len(quote)
            comma = re.compile(r"[ \t]*,").match(text, stop)
            return Span(start, comma.end() if comma else stop)
    return None


def _whole_row(text: str, span: Span) -> Span:
    """The span with its row when nothing else stands on it, else with the blanks before it."""
    start, end = span.start, span.end
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    alone = start == 0 or text[start - 1] in "\r\n"
    newline = re.compile(r"[ \t]*(\r\n|\r|\n)").match(text, end)
    if alone and newline is not None:
        return Span(start, newline.end())
    if alone:
        behind = re.compile(r"[ \t]*").match(text, end)
        return Span(span.start, behind.end() if behind is not None else end)
    return Span(start, end)
