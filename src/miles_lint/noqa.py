"""The grammar of `# noqa` comments and the rows they speak for, as ruff 0.17.6 reads both."""

from __future__ import annotations

import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from miles_lint.source import Source, Span

_NOQA = re.compile(r"#\s*noqa", re.IGNORECASE)
_FILE = re.compile(r"#\s*(?:miles-lint|ruff|flake8)\s*:\s*(?i:noqa)")
_CODE = re.compile(r"[A-Z]+[0-9]+")
_LIST = "expected a comma-separated list of codes (e.g., `# noqa: MIL001, MIL002`)."
_COLON = "expected `:` followed by a comma-separated list of codes (e.g., `# noqa: MIL001, MIL002`)."
_PLACE = "it must stand on its own line"
_SHAPE = "expected code to consist of uppercase letters followed by digits only (e.g. `MIL001`)"


class InvalidDirective(ValueError):
    """A comment that means to be a `# noqa` and is not; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Directive:
    """One `noqa`: `span` from its `#` to the last code, `codes` with their spans, None for all codes."""

    span: Span
    codes: tuple[tuple[str, Span], ...] | None

    def covers(self, code: str) -> bool:
        """Whether it silences this code; codes match in full, never by prefix."""
        return self.codes is None or any(code == listed for listed, _ in self.codes)


@dataclass(frozen=True, slots=True)
class Directives:
    """The suppression comments of one source: by row, for the whole file, and those that are not valid.

    `warnings` are (row, offset of the comment, message with `{}` for the path); `mapped` are ranges of rows
    whose last row speaks for all of them.
    """

    rows: dict[int, Directive]
    file: tuple[Directive, ...]
    warnings: tuple[tuple[int, int, str], ...]
    mapped: tuple[tuple[int, int], ...]

    def noqa_row(self, row: int) -> int:
        """The row whose `# noqa` speaks for a finding that starts on `row`.

        As in ruff 0.17.6, but a single-quoted string over several rows counts like a triple-quoted one:
        nothing else could be written on its first row.
        """
        index = bisect_left(self.mapped, (row + 1,)) - 1
        if index >= 0 and self.mapped[index][1] >= row:
            return self.mapped[index][1]
        return row


def names_code(text: str, prefix: str) -> bool:
    """Whether a text may hold a suppression comment that names a code with this prefix; no tokens are read."""
    return re.search(rf"(?i:noqa)[^\r\n]*{prefix}", text) is not None


def parse(comment: str, base: int = 0) -> Directive | None:
    """The line directive in a comment, None when there is none; `base` is the comment's offset.

    Raises `InvalidDirective` for one that names no code or is joined to something else.
    """
    match = _NOQA.search(comment)
    return _directive(comment, match, base) if match else None


def parse_file(comment: str, base: int = 0) -> Directive | None:
    """The file directive (`# miles-lint: noqa`, also of `ruff` and `flake8`) in a comment, as `parse`."""
    match = _FILE.search(comment)
    return _directive(comment, match, base) if match else None


def _directive(comment: str, match: re.Match[str], base: int) -> Directive:
    start, end = match.span()
    rest = comment[end:]
    blanket = Directive(Span(base + start, base + end), None)
    if rest[:1] in ("", "#"):
        return blanket
    after = rest.lstrip()
    if not after.startswith(":"):
        if after == rest:
            raise InvalidDirective(_COLON)
        return blanket
    codes = tuple(_codes(comment, len(comment) - len(after) + 1, base))
    if not codes:
        raise InvalidDirective(_LIST)
    return Directive(Span(base + start, codes[-1][1].end), codes)


def _codes(comment: str, index: int, base: int) -> Iterator[tuple[str, Span]]:
    while True:
        while index < len(comment) and (comment[index].isspace() or comment[index] == ","):
            index += 1
        match = _CODE.match(comment, index)
        if not match:
            return
        index = match.end()
        following = comment[index : index + 1]
        if not (following in ("", ",", "#") or following.isspace() or _CODE.match(comment, index)):
            raise InvalidDirective(_SHAPE)
        yield match[0], Span(base + match.start(), base + index)


@lru_cache(maxsize=64)
def directives(source: Source) -> Directives:
    """Read a source's suppression comments; text that is not Python is read as far as it goes."""
    rows: dict[int, Directive] = {}
    whole: list[Directive] = []
    warnings: list[tuple[int, int, str]] = []
    mapped: list[tuple[int, int]] = []
    for kind, row, column, last, text in _tokens(source):
        if kind != tokenize.COMMENT:
            mapped.append((row, last))
            continue
        base = source.offset(row, column + 1)
        alone = not source.line(row)[:column].strip()
        try:
            file_directive, directive = parse_file(text, base), parse(text, base)
        except InvalidDirective as error:
            warnings.append((row, base, f"Invalid `# noqa` directive on {{}}:{row}: {error}"))
            continue
        if file_directive and alone:
            whole.append(file_directive)
        elif file_directive:
            warnings.append((row, base, f"Unexpected file-level `noqa` on {{}}:{row}: {_PLACE}"))
        if directive:
            rows[row] = directive
    return Directives(rows, tuple(whole), tuple(warnings), _merged(mapped))


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


_FSTRINGS = {"FSTRING_START": 1, "FSTRING_END": -1, "TSTRING_START": 1, "TSTRING_END": -1}
_DEPTH = {getattr(tokenize, name): step for name, step in _FSTRINGS.items() if hasattr(tokenize, name)}
_ROW_ENDS = {tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}


def _tokens(source: Source) -> Iterator[tuple[int, int, int, int, str]]:
    """Comments, and row ranges that one comment at their end speaks for: (kind, row, column, last row, text)."""
    lines = (source.line(row) + "\n" for row in range(1, len(source.line_starts) + 1))
    before: tuple[int, int] | None = None
    depth = opened = 0
    try:
        for kind, text, (row, column), (last, _), _ in tokenize.generate_tokens(lambda: next(lines, "")):
            if before and row > before[1] and before[0] not in _ROW_ENDS and kind != tokenize.ENDMARKER:
                yield tokenize.OP, before[1], 0, row, ""
            before = (kind, last)
            step = _DEPTH.get(kind, 0)
            if step > 0 and depth == 0:
                opened = row
            depth += step
            if step < 0 and depth == 0 and last > opened:
                yield tokenize.STRING, opened, 0, last, ""
            if kind == tokenize.COMMENT:
                yield kind, row, column, last, text
            elif kind == tokenize.STRING and last > row:
                yield kind, row, 0, last, ""
    except (tokenize.TokenError, SyntaxError):
        return
