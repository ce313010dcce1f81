"""Lists and sets that change: every change happens where it is made, elsewhere the elements stay."""

from __future__ import annotations

from collections.abc import Callable

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Callee, Known, Reason, Ref, Unknown, Value, options_of
from miles_lint.fold.containers import Elements, constant, iterate, unclear
from miles_lint.fold.convert import TooMany
from miles_lint.fold.heap import ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.operations import compare

Arrangement = tuple[Guard, list[Value]]


def rewrite(machine: Machine, target: ListObject, new: Elements) -> None:
    """Make a list hold these elements under `live`; ends that stay the same are shared."""
    live, old = machine.live, target.items
    if (target.born - live).impossible:
        target.items = new
        return
    shortest = min(len(old), len(new))
    head = 0
    while head < shortest and _same(old[head], new[head], live):
        head += 1
    tail = 0
    while tail < shortest - head and _same(old[-1 - tail], new[-1 - tail], live):
        tail += 1
    left = [(guard - live, value) for guard, value in old[head : len(old) - tail]]
    made = [(guard & live, value) for guard, value in new[head : len(new) - tail]]
    middle = [(guard, value) for guard, value in (*left, *made) if not guard.impossible]
    target.items = [*old[:head], *middle, *old[len(old) - tail :]]


def _same(old: tuple[Guard, Value], new: tuple[Guard, Value], live: Guard) -> bool:
    return old[1] is new[1] and (old[0] is new[0] or (old[0] & live) is (new[0] & live))


def lose(machine: Machine, target: ListObject, why: Unknown) -> None:
    """Nothing is known of a list any more."""
    target.items, target.tail = [], why


def arrangements(machine: Machine, elements: Elements) -> list[Arrangement]:
    """The plain sequences that guarded elements can be under `live`. Raises `TooMany`."""
    found: list[Arrangement] = [(machine.live, [])]
    for guard, element in elements:
        following: list[Arrangement] = []
        for under, so_far in found:
            inside, outside = under & guard, under - guard
            if not outside.impossible:
                following.append((outside, so_far))
            if not inside.impossible:
                following.append((inside, [*so_far, element]))
        if len(following) > machine.budget.alternatives:
            raise TooMany
        found = following
    return found


def change(
    machine: Machine, target: ListObject, operation: Callable[[list[Value]], Value | None]
) -> list[Arrangement]:
    """Run an operation on each plain sequence that a list can be; what it returns, as one-element sequences.

    The operation changes its argument; an exception ends that path as it would in Python. Raises `TooMany`.
    """
    live = machine.live
    results: list[Arrangement] = []
    if target.tail is not None:
        raise TooMany
    for guard, values in arrangements(machine, target.items):
        machine.live = guard & live
        try:
            made = operation(values)
        except (IndexError, ValueError, TypeError) as error:
            machine.live = live
            machine.require(~guard, type(error))
            live = machine.live
            continue
        always = machine.space.always
        rewrite(machine, target, [_kept(target, value, guard) or (always, value) for value in values])
        if made is not None:
            results.append((guard, [made]))
    machine.live = live
    return results


def _kept(target: ListObject, value: Value, live: Guard) -> tuple[Guard, Value] | None:
    """The element that holds a value already: what stays shall be seen to be the same."""
    return next((item for item in target.items if item[1] is value and (live - item[0]).impossible), None)


def position(machine: Machine, index: Value) -> int | slice | None:
    """An index or slice, when it is one plain number or made of plain numbers."""
    if isinstance(index, Callee) and index.kind == "slice":
        bounds = [_number(bound) for bound in index.bound]
        return None if ... in bounds else slice(*bounds)
    number = _number(machine.narrow(index))
    return number if isinstance(number, int) else None


def _number(value: Value) -> object:
    if isinstance(value, Known) and isinstance(value.value, (int, type(None))):
        return value.value
    return ...


def put_element(machine: Machine, target: ListObject, index: Value, new: Value | None, why: Unknown) -> None:
    """`list[index] = new` under `live`; None deletes."""
    if target.kind != "list":
        machine.fail(TypeError)
        return
    where = position(machine, index)
    try:
        if where is None:
            raise TooMany
        if isinstance(where, int) and new is not None and all(guard.certain for guard, _ in target.items):
            _replace(machine, target, where, new)
            return
        fresh: list[Value] = []
        if isinstance(where, slice) and new is not None:
            elements = iterate(machine, new)
            if elements is None or not all(machine.live.implies(guard) for guard, _ in elements):
                raise TooMany
            fresh = [value for _, value in elements]

        def operation(values: list[Value]) -> None:
            if new is None:
                del values[where]
            elif isinstance(where, slice):
                values[where] = fresh
            else:
                values[where] = new

        change(machine, target, operation)
    except TooMany:
        lose(machine, target, why)


def _replace(machine: Machine, target: ListObject, where: int, new: Value) -> None:
    if target.tail is not None:
        raise TooMany
    if not -len(target.items) <= where < len(target.items):
        machine.fail(IndexError)
        return
    guard, old = target.items[where]
    target.items[where] = (guard, machine.guarded(old, new, target.born))


def grow(machine: Machine, target: ListObject, elements: Elements) -> None:
    """Append guarded elements, or add them to a set; behind an unknown rest nothing is known."""
    if target.tail is not None:
        return
    if target.kind != "set":
        target.items.extend(elements)
        if len(target.items) > machine.budget.items:
            lose(machine, target, Unknown(Reason.BUDGET, "list too long", origin=target.origin))
        return
    machine.work(len(target.items))
    steps, seen = machine.steps, {constant(known) for _, known in target.items}
    for guard, element in elements:
        new, plain = guard, constant(element)
        if plain is None and not unclear(machine, element, len(target.items)).impossible:
            lose(machine, target, Unknown(Reason.BUDGET, "set of too many", origin=target.origin))
            return
        if plain in seen or None in seen or plain is None:
            machine.work(20 * len(target.items))
            for held, known in target.items:
                both = new & held
                if not both.impossible:
                    new = new - _equal(machine, known, element, both)
        seen.add(plain)
        if not new.impossible:
            target.items.append((new, element))
        if len(target.items) > machine.budget.items or machine.exhausting(steps):
            lose(machine, target, Unknown(Reason.BUDGET, "set too long", origin=target.origin))
            return


def _equal(machine: Machine, one: Value, two: Value, live: Guard) -> Guard:
    first, second = constant(one), constant(two)
    if first is not None and second is not None:
        return live if first == second else machine.space.never
    before, machine.live = machine.live, live
    same = live & compare(machine, "==", one, two, None)
    machine.live = before
    return same


def shrink(machine: Machine, target: ListObject, element: Value, every: bool = False) -> Guard:
    """Take the first element that equals this one out under `live` (or all such); where there was one."""
    left, gone = machine.live, machine.space.never
    for index, (guard, held) in enumerate(target.items):
        both = left & guard
        if both.impossible:
            continue
        hit = _equal(machine, held, element, both)
        target.items[index] = (guard - hit, held)
        gone = gone | hit
        left = left if every else left - hit
    target.items = [item for item in target.items if not item[0].impossible]
    return gone


def take(machine: Machine, target: ListObject, first: bool) -> list[tuple[Guard, Value]]:
    """Take the first or last element out under `live`; what it was, where there was one."""
    left = machine.live
    found: list[tuple[Guard, Value]] = []
    order = range(len(target.items)) if first else range(len(target.items) - 1, -1, -1)
    for index in order:
        guard, element = target.items[index]
        hit = left & guard
        if not hit.impossible:
            found.append((hit, element))
            target.items[index] = (guard - hit, element)
            left = left - hit
        if left.impossible:
            break
    if target.kind != "iterator":
        target.items = [item for item in target.items if not item[0].impossible]
    return found


def extend(machine: Machine, target: ListObject, value: Value) -> None:
    """`list.extend(value)` or `set.update(value)` under `live`."""
    live = machine.live
    for guard, leaf in options_of(value, live):
        machine.live = guard
        elements = iterate(machine, leaf)
        if elements is None:
            source = machine.object(leaf) if isinstance(leaf, Ref) else None
            if isinstance(source, ListObject) and source.tail is not None:
                grow(machine, target, [(under & guard, element) for under, element in source.items])
            if target.tail is None:
                known = source.tail if isinstance(source, ListObject) else None
                unknown = Unknown(Reason.LOOP, "extended by an unknown sequence")
                target.tail = unknown if known is None else known
            continue
        grow(machine, target, [(under & guard, element) for under, element in elements])
    machine.live = live
