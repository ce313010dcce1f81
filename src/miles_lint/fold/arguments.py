"""The arguments of one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Unknown, Value
from miles_lint.source import Span

_VARIANTS = 16


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call; `unknown` is set when a splat could not be unfolded.

    `presence` has the conditions of keywords that are not always passed; `loose` is what stands at or behind
    a splat that is not known.
    """

    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    unknown: Unknown | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)
    presence: Mapping[str, Guard] = field(default_factory=dict)
    loose: tuple[Value, ...] = ()

    def get(self, index: int, name: str, default: Value | None = None) -> Value | None:
        """An argument by position or keyword."""
        if index < len(self.positional):
            return self.positional[index]
        return self.keywords.get(name, default)

    def prepend(self, bound: tuple[Value, ...]) -> Arguments:
        return replace(self, positional=(*bound, *self.positional)) if bound else self

    def values(self) -> tuple[Value, ...]:
        return (*self.positional, *self.keywords.values(), *self.loose)

    def variants(self, live: Guard) -> list[tuple[Guard, Arguments]] | None:
        """The calls that this may be, each with all of its keywords; None when there are too many."""
        found: list[tuple[Guard, dict[str, Value]]] = [(live, {})]
        for name, value in self.keywords.items():
            there = self.presence.get(name, live)
            following = []
            for guard, keywords in found:
                inside, outside = guard & there, guard - there
                if not inside.impossible:
                    following.append((inside, {**keywords, name: value}))
                if not outside.impossible:
                    following.append((outside, keywords))
            found = following
            if len(found) > _VARIANTS:
                return None
        return [(guard, replace(self, keywords=keywords, presence={})) for guard, keywords in found]
