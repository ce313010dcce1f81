"""`sorted`, `list.sort`, `max` and `min`: the elements themselves in another order, or one of them."""

from __future__ import annotations

from functools import cmp_to_key

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Callee, Known, Ref, Unknown, Value
from miles_lint.fold import lists, operations
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import Elements
from miles_lint.fold.convert import TooMany
from miles_lint.fold.heap import Frame, ListObject
from miles_lint.fold.lifting import combinations
from miles_lint.fold.machine import Machine
from miles_lint.source import Span


class _Undecided(Exception):
    """Two elements of which nobody can say which comes first."""


def in_order(machine: Machine, frame: Frame, elements: Elements, args: Arguments, span: Span) -> Elements | None:
    """Elements sorted by the `key` and `reverse` of a call, under `live`; None when the order is not known."""
    made = ListObject([], machine.live)
    live = machine.live
    always = machine.space.always
    try:
        for guard, values, order in _orders(machine, frame, elements, args, span):
            machine.live = guard
            lists.rewrite(machine, made, [(always, values[index]) for index in order])
    except (TooMany, _Undecided):
        machine.live = live
        return None
    machine.live = live
    return made.items


def extreme(
    machine: Machine, frame: Frame, elements: Elements, args: Arguments, largest: bool, span: Span
) -> list[tuple[Guard, Value | None]] | None:
    """The largest or smallest element, None where there is none; None altogether when that is not known."""
    live = machine.live
    found: list[tuple[Guard, Value | None]] = []
    given = Arguments((), {name: value for name, value in args.keywords.items() if name == "key"})
    if largest:
        given = Arguments((), {**given.keywords, "reverse": Known(True)})
    try:
        for guard, values, order in _orders(machine, frame, elements, given, span):
            found.append((guard, values[order[0]] if order else None))
    except (TooMany, _Undecided):
        found = []
    machine.live = live
    return found or None


def _orders(
    machine: Machine, frame: Frame, elements: Elements, args: Arguments, span: Span
) -> list[tuple[Guard, list[Value], list[int]]]:
    """Every order that the elements can have, as positions, with its condition."""
    live = machine.live
    key, reverse = args.keywords.get("key"), args.keywords.get("reverse", Known(False))
    keyed: list[Value] = []
    for guard, element in elements:
        made = element
        if key is not None and not (isinstance(key, Known) and key.value is None):
            machine.live = live & guard
            if not machine.live.impossible:
                made = machine.run.call(machine, frame, key, Arguments((element,)), span)
        keyed.append(made)
    machine.live = live
    places: list[Value] = [Known(index) for index in range(len(elements))]
    found: list[tuple[Guard, list[Value], list[int]]] = []
    for under, present in lists.arrangements(machine, [(guard, place) for (guard, _), place in zip(elements, places)]):
        chosen = [place.value for place in present if isinstance(place, Known)]
        indices = [index for index in chosen if isinstance(index, int)]
        values = [elements[index][1] for index in indices]
        keys = [keyed[index] for index in indices]
        for inside, (backwards, *objects) in combinations(machine, [reverse, *keys], under):
            order = _order(machine, objects, keys, inside)
            if not isinstance(backwards, (bool, int)):
                raise _Undecided
            found.append((inside, values, _backwards(order, objects, backwards)))
        if len(found) > machine.budget.alternatives:
            raise TooMany
    return found


def _order(machine: Machine, objects: list[object], keys: list[Value], live: Guard) -> list[int]:
    indices = range(len(objects))
    if not any(isinstance(obj, (Unknown, Ref, Callee)) for obj in objects):
        try:
            return sorted(indices, key=lambda index: objects[index])  # type: ignore[arg-type,return-value]
        except TypeError:
            raise _Undecided from None

    def before(one: int, two: int) -> bool:
        machine.live = live
        less = live & operations.compare(machine, "<", keys[one], keys[two], None)
        if not less.impossible and less is not live:
            raise _Undecided
        return not less.impossible

    def compared(one: int, two: int) -> int:
        return -1 if before(one, two) else int(before(two, one))

    return sorted(indices, key=cmp_to_key(compared))


def _backwards(order: list[int], objects: list[object], backwards: bool | int) -> list[int]:
    """`reverse=True` keeps equal elements as they stood."""
    if not backwards:
        return order
    runs: list[list[int]] = []
    for index in order:
        if runs and not isinstance(objects[index], Ref) and objects[runs[-1][-1]] == objects[index]:
            runs[-1].append(index)
        else:
            runs.append([index])
    return [index for run in reversed(runs) for index in run]
