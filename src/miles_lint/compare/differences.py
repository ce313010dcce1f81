"""What differs between two lists of uses, flag by flag, under which condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from miles_lint.compare.occurrences import Use
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin

Values = tuple["str | None", ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A use that one side has and the other has not, or has with other values; `order` when only order differs."""

    flag: str
    old: Values | None
    new: Values | None
    guard: Guard
    old_origin: Origin | None = None
    new_origin: Origin | None = None
    order: bool = False


def differences(old: Sequence[Use], new: Sequence[Use], both: Guard) -> Iterator[Difference]:
    """The differences that show where `both` holds: multisets of values by flag, then which use comes last."""
    for flag in dict.fromkeys(use.flag for use in (*old, *new)):
        ones = [use for use in old if use.flag == flag]
        twos = [use for use in new if use.flag == flag]
        found = list(_paired(flag, list(_surplus(ones, twos, both)), list(_surplus(twos, ones, both))))
        yield from found
        if not found and flag:
            last = _paired(flag, list(_surplus(effective(ones), effective(twos), both)), [])
            yield from (replace(each, new=each.old, order=True) for each in last)
    yield from _around_rest(old, new, both)


def effective(uses: Sequence[Use]) -> list[Use]:
    """Each use under the condition that no later one replaces it."""
    found: list[Use] = []
    for index, use in enumerate(uses):
        guard = use.guard
        for later in uses[index + 1 :]:
            guard = guard - later.guard
        if not guard.impossible:
            found.append(replace(use, guard=guard))
    return found


Surplus = tuple[Values, Guard, "Origin | None"]


def _surplus(mine: Sequence[Use], theirs: Sequence[Use], both: Guard) -> Iterator[Surplus]:
    """Values, and where they stand more often on this side than on the other."""
    for values in dict.fromkeys(use.values for use in mine):
        uses = [use for use in mine if use.values == values]
        counts = _counts((use.guard for use in uses), both)
        others = _counts((use.guard for use in theirs if use.values == values), both)
        never = both.space.never
        more = never
        for index, guard in enumerate(counts):
            more = more | (guard - (others[index] if index < len(others) else never))
        if not more.impossible:
            yield values, more, next((use.origin for use in uses if not use.guard.excludes(more)), None)


def _counts(guards: Iterable[Guard], both: Guard) -> list[Guard]:
    """Where at least one, two, … of the guards hold."""
    found: list[Guard] = []
    for guard in guards:
        inside = guard & both
        grown = [inside, *(known & inside for known in found)]
        found = [one | (found[index] if index < len(found) else both.space.never) for index, one in enumerate(grown)]
    return [guard for guard in found if not guard.impossible]


def _paired(flag: str, gone: list[Surplus], come: list[Surplus]) -> Iterator[Difference]:
    """Values that went and came under one condition are one change; what is left went or came alone."""
    left = [(values, guard, origin) for values, guard, origin in come]
    for values, guard, origin in gone:
        for index, (others, where, other_origin) in enumerate(left):
            common = guard & where
            if common.impossible:
                continue
            yield Difference(flag, values, others, common, origin, other_origin)
            guard = guard - common
            left[index] = (others, where - common, other_origin)
        if not guard.impossible:
            yield Difference(flag, values, None, guard, origin)
    for values, guard, origin in left:
        if not guard.impossible:
            yield Difference(flag, None, values, guard, None, origin)


def _around_rest(old: Sequence[Use], new: Sequence[Use], both: Guard) -> Iterator[Difference]:
    """An unknown rest that now stands before or behind flags that it stood behind or before."""
    shared = {use.flag for use in old if use.flag} & {use.flag for use in new if use.flag}
    for one in (use for use in old if use.rest):
        two = next((use for use in new if use.rest and use.values == one.values), None)
        if two is None or (one.guard & two.guard & both).impossible:
            continue
        was, now = ({use.flag for use in uses if use.index > rest.index} for uses, rest in ((old, one), (new, two)))
        moved = (was ^ now) & shared
        if moved:
            behind, ahead = (tuple(sorted(moved & each)) for each in (was, now))
            guard = one.guard & two.guard & both
            yield Difference(one.values[0] or "", behind, ahead, guard, one.origin, two.origin, True)
