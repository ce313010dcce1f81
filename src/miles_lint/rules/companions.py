"""Flags that only say how another one works, and do nothing without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from miles_lint.binding import Assignment, Binding
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.rules.lost import lost
from miles_lint.rules.pieces import garbled
from miles_lint.rules.queries import configured, origin_of
from miles_lint.rules.rule import Finding

_OFF = (None, False, 0, 0.0, ())


@dataclass(frozen=True, slots=True)
class Family:
    """`companions` are read only where one of `leaders` is on. `zero` are harmless at that value: they ask nothing."""

    leaders: tuple[str, ...]
    companions: tuple[str, ...]
    backend: str = ""
    zero: tuple[str, ...] = ()


def idle(binding: Binding, families: tuple[Family, ...]) -> Iterator[Finding]:
    """Companions that are given while no path of the recipe gives a leader; the first is told, the others are notes.

    A leader on any path shows that a switch of the recipe decides, and nothing is said; nor where a file of settings
    is named, which can set every flag.
    """
    meant = lost(binding)
    for family in families:
        given = meant.intersection(family.leaders) or any(map(binding.uses, family.leaders))
        if family.backend in ("", binding.contract.backend) and not given:
            yield from _family(binding, family)


def _family(binding: Binding, family: Family) -> Iterator[Finding]:
    flags = binding.contract.by_dest
    off = ~(configured(binding) | garbled(binding))
    for leader in family.leaders:
        off = off & (_off(binding, leader) if leader in flags else off)
    known = [leader for leader in family.leaders if leader in flags]
    given = [(use, origin) for use, origin in _given(binding, family) if not (use.guard & off).impossible]
    if not known or not given:
        return
    use, origin = given[0]
    wanted = " or ".join(f"`{flags[leader][0].names[0]}`" for leader in known)
    notes = tuple((place, f"`{other.spelled}` has none either") for other, place in given[1:])
    yield Finding(use.guard & off, f"`{use.spelled}` has no effect without {wanted}", origin, notes)


def _given(binding: Binding, family: Family) -> Iterator[tuple[Assignment, Origin]]:
    """The uses of the companions that one author wrote beside the launch, in their order."""
    uses = [use for dest in family.companions for use in binding.uses(dest) if not use.model]
    for use in sorted(uses, key=lambda use: use.index):
        origin = origin_of(use.arguments[0])
        if origin is None or any(place.path != origin.place.path for place in origin.via):
            continue
        if use.flag.dest in family.zero and not _asks(binding, use.flag.dest):
            continue
        yield use, origin


def _asks(binding: Binding, dest: str) -> bool:
    """Whether every value that a dest can have is a number other than zero."""
    values = [reading.value for reading in binding.effective(dest) if reading.use is not None]
    return bool(values) and all(isinstance(value, (int, float)) and value != 0 for value in values)


def _off(binding: Binding, dest: str) -> Guard:
    found = binding.launch.space.never
    for reading in binding.effective(dest):
        if any(type(reading.value) is type(off) and reading.value == off for off in _OFF):
            found = found | reading.guard
    return found
