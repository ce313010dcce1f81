"""Where a piece of a value was written."""

from __future__ import annotations

from dataclasses import dataclass

from miles_lint.source import Place, Span


@dataclass(frozen=True, slots=True)
class Origin:
    """A place and the call sites that were walked through to reach it, outermost first."""

    place: Place
    via: tuple[Place, ...] = ()

    def slice(self, start: int, stop: int) -> Origin:
        """The origin of characters `start:stop` of a piece whose characters stand one to one in the source."""
        base = self.place.span.start
        return Origin(Place(self.place.path, Span(base + start, base + stop)), self.via)
