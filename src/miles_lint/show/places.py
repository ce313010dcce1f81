"""Places for people: the file, the row, the line that stands there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from miles_lint.source import Place, Source

Reader = Callable[[str], "Source | None"]


@dataclass
class Texts:
    """The sources that places point into, each read once; `main` is the recipe."""

    main: Source
    read: Reader
    known: dict[str, Source | None] = field(default_factory=dict)

    def source(self, path: str) -> Source | None:
        if path == self.main.path:
            return self.main
        if path not in self.known:
            self.known[path] = self.read(path)
        return self.known[path]

    def position(self, place: Place) -> tuple[int, int] | None:
        """Row and column of a place's start, 1-based, columns in code points; None for an unreadable file."""
        source = self.source(place.path)
        return None if source is None else source.position(place.span.start)

    def row(self, place: Place) -> int:
        """The row of a place, 0 when its file cannot be read."""
        position = self.position(place)
        return 0 if position is None else position[0]

    def label(self, place: Place) -> str:
        """`path:row`."""
        return f"{place.path}:{self.row(place)}"

    def line(self, place: Place) -> str:
        """The line that a place starts in, without its indentation."""
        source = self.source(place.path)
        return "" if source is None else source.line(self.row(place)).strip()

    def excerpt(self, place: Place) -> str:
        """The text at a place."""
        source = self.source(place.path)
        return "" if source is None else source.text[place.span.start : place.span.end]
