"""Source text and positions in it: offsets, rows and columns, UTF-16 columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_NEWLINE = re.compile(r"\r\n|\r|\n")
BOM = "\ufeff"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code-point offsets into a `Source` text (the byte order mark is not counted)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A span in a named file; `path` is spelled as the caller of the check spelled it."""

    path: str
    span: Span


@dataclass(frozen=True)
class Source:
    """One file's text exactly as decoded: newlines kept, a byte order mark split off into `bom`."""

    path: str
    text: str
    bom: bool = False

    @classmethod
    def from_text(cls, path: str, text: str) -> Source:
        if text.startswith(BOM):
            return cls(path, text[1:], True)
        return cls(path, text)

    @property
    def full_text(self) -> str:
        """The text as it stands in the file, byte order mark included."""
        return BOM + self.text if self.bom else self.text

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of the first character of every row; a row ends at CRLF, CR or LF."""
        return (0, *(match.end() for match in _NEWLINE.finditer(self.text)))

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column of an offset, both 1-based, columns in code points (as ruff 0.17.6 counts)."""
        row = bisect_right(self.line_starts, offset)
        return row, offset - self.line_starts[row - 1] + 1

    def offset(self, row: int, column: int) -> int:
        """The offset at a 1-based row and 1-based code-point column, clamped to the text."""
        starts = self.line_starts
        if row > len(starts):
            return len(self.text)
        return min(starts[row - 1] + column - 1, len(self.text))

    def utf16(self, offset: int) -> tuple[int, int]:
        """Line and character of an offset, both 0-based, characters in UTF-16 code units (LSP 3.17)."""
        row, _ = self.position(offset)
        start = self.line_starts[row - 1]
        return row - 1, len(self.text[start:offset].encode("utf-16-le", "surrogatepass")) // 2

    def line(self, row: int) -> str:
        """The text of a 1-based row without its newline; empty past the end."""
        starts = self.line_starts
        if not 1 <= row <= len(starts):
            return ""
        end = starts[row] if row < len(starts) else len(self.text)
        return self.text[starts[row - 1] : end].rstrip("\r\n")
