"""The value that a dest ends up with, under every condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from miles_lint.binding.uses import Assignment
from miles_lint.binding.values import (
    LIMIT,
    UNKNOWN,
    Rejected,
    alternatives,
    convert_fragments,
    gathered,
    of_words,
    unsure_list,
)
from miles_lint.domain.guard import Guard
from miles_lint.launch import Argument


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a dest has under a guard: plain data, or a `Partial`, `Rejected` or `ABSENT`.

    `use` wrote it; None for the default, and for a value that an unknown part of the argv may have written.
    """

    guard: Guard
    value: object
    use: Assignment | None = None


Event = tuple[Guard, "Assignment | None"]
"""A use of a dest, or None where it is written by something that is not known."""


def readings(use: Assignment) -> tuple[Reading, ...]:
    """The values of one use, under guards that exclude each other and cover its own."""
    found: list[tuple[Guard, tuple[object, ...]]] = [(use.guard, ())]
    unsure = (Reading(use.guard, unsure_list(use.flag), use),)
    if use.flag.words[1] > 1 and any(value.lone_hole is not None for value in use.values):
        return unsure
    for value in use.values:
        grown: list[tuple[Guard, tuple[object, ...]]] = []
        for guard, words in found:
            inside, outside = guard & value.guard, guard - value.guard
            if not outside.impossible:
                grown.append((outside, words))
            if inside.impossible:
                continue
            texts = alternatives(value.text, inside) or [(inside, (None,))]
            grown.extend((under, (*words, convert_fragments(use.flag, text))) for under, text in texts)
        if len(grown) > LIMIT:
            return unsure
        found = grown
    return tuple(Reading(guard, of_words(use.flag, use.spelled, words), use) for guard, words in found)


def rejections(use: Assignment) -> Iterator[tuple[Guard, Argument, Rejected]]:
    """Every word of a use that argparse refuses by its type or its choices, with the condition."""
    for value in use.values:
        for guard, text in alternatives(value.text, use.guard & value.guard) or ():
            made = convert_fragments(use.flag, text)
            if isinstance(made, Rejected):
                yield guard, value, made


def effective(events: Sequence[Event], default: object, always: Guard) -> tuple[Reading, ...]:
    """The readings of a dest after `events` in order: later ones replace earlier ones, or add to them."""
    found = [Reading(always, default)]
    for guard, use in events:
        kept = [Reading(r.guard - guard, r.value, r.use) for r in found]
        if use is None:
            added = [Reading(guard, UNKNOWN)]
        else:
            added = [_after(before, reading) for reading in readings(use) for before in _replaced(use, found, always)]
        found = [reading for reading in (*kept, *added) if not reading.guard.impossible]
        if len(found) > LIMIT:
            found = [Reading(always, UNKNOWN)]
    return tuple(found)


def _replaced(use: Assignment, found: list[Reading], always: Guard) -> list[Reading]:
    adds = use.flag.action in ("append", "append_const", "extend", "count")
    return found if adds else [Reading(always, None)]


def _after(before: Reading, reading: Reading) -> Reading:
    assert reading.use is not None
    value = gathered(reading.use.flag, before.value, reading.value)
    return Reading(before.guard & reading.guard, value, reading.use)
