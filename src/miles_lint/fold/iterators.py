"""Iterators: read once, element by element, when somebody asks."""

from __future__ import annotations

from collections.abc import Callable

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Choice, Items, Known, Reason, Ref, Unknown, Value, choose, options_of
from miles_lint.fold import operations
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import Elements, Turn, drive, each, iterate
from miles_lint.fold.heap import Frame, InstanceObject, LazyObject, ListObject
from miles_lint.fold.lists import take
from miles_lint.fold.machine import Machine
from miles_lint.source import Span

Drive = Callable[[Machine, Turn], bool]


def lazy(machine: Machine, function: Drive, origin: Origin | None) -> Value:
    """An iterator whose elements a function brings up one by one."""
    never = machine.space.never
    return machine.allocate(LazyObject(function, machine.live, never, never, origin))


def ready(machine: Machine, elements: Elements, origin: Origin | None) -> Value:
    """An iterator over elements that are there already."""
    return machine.allocate(ListObject(elements, machine.live, None, "iterator", origin))


def enumerated(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`enumerate(iterable, start)`."""
    start = args.get(1, "start", Known(0))
    if not args.positional or start is None:
        return Unknown(Reason.LOOP, "enumerate", None, None, origin)
    always, given, first = machine.space.always, args.positional[0], start

    def run(machine: Machine, turn: Turn) -> bool:
        counts: list[tuple[Guard, int]] = [(machine.live, 0)]

        def number(element: Value) -> None:
            index = choose(
                (guard & machine.live, _sum(machine, first, count, origin))
                for guard, count in counts
                if not (guard & machine.live).impossible
            )
            counts[:] = _counted(counts, machine.live)
            turn(Items(((always, index), (always, element))))

        return each(machine, given, number)

    return lazy(machine, run, origin)


def _sum(machine: Machine, first: Value, count: int, origin: Origin) -> Value:
    if isinstance(first, Known) and isinstance(first.value, int):
        return Known(first.value + count)
    return operations.binary(machine, "+", first, Known(count), origin)


def _counted(counts: list[tuple[Guard, int]], here: Guard) -> list[tuple[Guard, int]]:
    """How many elements there were so far, after one more on some paths."""
    found: dict[int, Guard] = {}
    for guard, count in counts:
        for inside, value in ((guard & here, count + 1), (guard - here, count)):
            if not inside.impossible:
                found[value] = found[value] | inside if value in found else inside
    return [(guard, count) for count, guard in found.items()]


def zipped(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`zip(…)` of sequences whose lengths are known."""
    columns = [iterate(machine, value) for value in args.positional]
    always = machine.space.always
    kept = [column for column in columns if column is not None]
    fixed = all(machine.live.implies(guard) for column in kept for guard, _ in column)
    if len(kept) < len(columns) or not fixed or args.unknown is not None:
        return Unknown(Reason.LOOP, "zip", None, None, origin)
    rows: Elements = [(always, Items(tuple((always, value) for _, value in row))) for row in zip(*kept)]
    return ready(machine, rows, origin)


def mapped(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`map(function, iterable, …)`."""
    if len(args.positional) < 2 or args.unknown is not None:
        return Unknown(Reason.LOOP, "map", None, None, origin)
    function, source, *more = args.positional
    if more:
        source = zipped(machine, frame, Arguments((source, *more)), origin, span)

    def run(machine: Machine, turn: Turn) -> bool:
        def apply(element: Value) -> None:
            given = tuple(value for _, value in element.items) if more and isinstance(element, Items) else (element,)
            turn(machine.run.call(machine, frame, function, Arguments(given), span))

        return each(machine, source, apply)

    return lazy(machine, run, origin)


def filtered(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`filter(function, iterable)`."""
    if len(args.positional) != 2:
        return Unknown(Reason.LOOP, "filter", None, None, origin)
    test, source = args.positional

    def run(machine: Machine, turn: Turn) -> bool:
        def keep(element: Value) -> None:
            kept = element
            if not (isinstance(test, Known) and test.value is None):
                kept = machine.run.call(machine, frame, test, Arguments((element,)), span)
            under(machine, operations.truth(machine, kept), lambda: turn(element))

        return each(machine, source, keep)

    return lazy(machine, run, origin)


def under(machine: Machine, guard: Guard, action: Callable[[], None]) -> None:
    """Do something where a condition holds; elsewhere nothing happens."""
    live = machine.live
    machine.live = live & guard
    if not machine.live.impossible:
        action()
    machine.live = machine.live | (live - guard)


def backwards(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`reversed(sequence)`."""
    elements = iterate(machine, args.positional[0]) if args.positional else None
    if elements is None:
        return Unknown(Reason.LOOP, "reversed", None, None, origin)
    return ready(machine, elements[::-1], origin)


def iterator(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`iter(iterable)`: an iterator is its own."""
    if len(args.positional) != 1:
        return Unknown(Reason.CALL, "iter()", None, None, origin)
    value = machine.narrow(args.positional[0])
    target = machine.object(value) if isinstance(value, Ref) else None
    if isinstance(target, (LazyObject, InstanceObject)) or (
        isinstance(target, ListObject) and target.kind == "iterator"
    ):
        return value
    elements = iterate(machine, value)
    if elements is None:
        return Unknown(Reason.CALL, "iter()", None, None, origin)
    return ready(machine, elements, origin)


def following(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`next(iterator, default)`."""
    unknown = Unknown(Reason.CALL, "next()", None, None, origin)
    value = machine.narrow(args.positional[0]) if args.positional else None
    if isinstance(value, Choice) or not isinstance(value, Ref):
        return unknown
    held = machine.object(value)
    target = _first(machine, held) if isinstance(held, LazyObject) else held
    if not isinstance(target, ListObject) or target.kind != "iterator" or target.tail is not None:
        return unknown
    found = take(machine, target, first=True)
    left = machine.live
    for guard, _ in found:
        left = left - guard
    if len(args.positional) > 1:
        found.extend((guard, leaf) for guard, leaf in options_of(args.positional[1], left) if not guard.impossible)
    else:
        machine.require(~left, StopIteration)
    return choose(found) if found else unknown


def _first(machine: Machine, target: LazyObject) -> ListObject | None:
    """The next element of a generator, which stays where it is: what it would do later is not known."""
    found: Elements = []

    def stop(element: Value) -> None:
        found.append((machine.live, element))
        machine.live = machine.space.never

    live = machine.live
    known = drive(machine, target, stop)
    machine.live = live
    return ListObject(found, live, None, "iterator") if known else None


def decided(word: str) -> Callable[[Machine, Frame, Arguments, Origin, Span], Value]:
    """`any` or `all`: no element is looked at after the one that decides."""

    def decide(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
        if not args.positional:
            return Unknown(Reason.CALL, word, bool, None, origin)
        live = machine.live
        stopped = machine.space.never

        def look(element: Value) -> None:
            nonlocal stopped
            holds = operations.truth(machine, element)
            stops = machine.live & holds if word == "any" else machine.live - holds
            stopped = stopped | stops
            machine.live = machine.live - stops

        known = each(machine, args.positional[0], look)
        machine.live = live if not known else machine.live | stopped
        if not known:
            return Unknown(Reason.CALL, word, bool, None, origin)
        return operations.from_guard(machine, stopped if word == "any" else machine.live - stopped)

    return decide
