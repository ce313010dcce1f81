"""The arguments of one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from miles_lint.domain.value import Unknown, Value
from miles_lint.source import Span


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call; `unknown` is set when a splat could not be unfolded."""

    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    unknown: Unknown | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)

    def get(self, index: int, name: str, default: Value | None = None) -> Value | None:
        """An argument by position or keyword."""
        if index < len(self.positional):
            return self.positional[index]
        return self.keywords.get(name, default)

    def prepend(self, bound: tuple[Value, ...]) -> Arguments:
        return replace(self, positional=(*bound, *self.positional)) if bound else self

    def values(self) -> tuple[Value, ...]:
        return (*self.positional, *self.keywords.values())
