"""Comprehensions, turn by turn over what is known of their sequences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import (
    Reason,
    Unknown,
    Value,
)
from miles_lint.fold import (
    changes,
    iterators,
    lists,
    operations,
)
from miles_lint.fold.containers import Turn, each, set_entry
from miles_lint.fold.heap import DictObject, Frame, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.records import GivenUp
from miles_lint.fold.targets import assign
from miles_lint.program import nodes as n


def comprehension(machine: Machine, frame: Frame, node: n.Comprehension) -> Value:
    origin = machine.origin(frame, node.span)
    inner = Frame(frame.module, {}, frame, machine.live, frame.qualified, inline=True)
    first = machine.run.evaluate(machine, frame, node.clauses[0].iterable)
    if node.kind == "generator":

        def drive(machine: Machine, turn: Turn) -> bool:
            return _turns(
                machine, inner, node, first, lambda: turn(machine.run.evaluate(machine, inner, node.element))
            )

        return iterators.lazy(machine, drive, origin)
    made: DictObject | ListObject = ListObject([], machine.live, kind=node.kind, origin=origin)
    elements: list[tuple[Guard, Value]] = []
    if node.value is not None:
        made = DictObject([], machine.live, origin=origin)

    def collect() -> None:
        element = machine.run.evaluate(machine, inner, node.element)
        if isinstance(made, DictObject):
            assert node.value is not None
            set_entry(machine, made, element, machine.run.evaluate(machine, inner, node.value), origin)
        else:
            elements.append((machine.live, element))

    live = machine.live
    if _turns(machine, inner, node, first, collect):
        if isinstance(made, ListObject):
            lists.grow(machine, made, elements)
        return machine.allocate(made)
    unknown = Unknown(Reason.LOOP, "comprehension over an unknown sequence", origin=origin)
    machine.live = live
    _some_turns(machine, inner, node, unknown)
    if node.kind == "list":
        return machine.allocate(ListObject([], machine.live, unknown, origin=origin))
    return replace(unknown, type=dict if node.value is not None else list)


def _turns(machine: Machine, frame: Frame, node: n.Comprehension, first: Value, collect: Callable[[], None]) -> bool:
    """Collect the elements of a comprehension, turn by turn; False when they are not known, or too many."""
    steps, context = machine.steps, machine.context()

    def one() -> None:
        if machine.exhausting(steps):
            raise GivenUp(context)
        collect()

    try:
        return _clauses(machine, frame, node.clauses, first, one)
    except GivenUp as given_up:
        if given_up.args[0] is not context:
            raise
        machine.resume(context)
        machine.widened.append((machine.origin(frame, node.span).place, "loop not unrolled"))
        return False


def _some_turns(machine: Machine, frame: Frame, node: n.Comprehension, unknown: Unknown) -> None:
    """A comprehension whose turns are not known: what its parts change is not known any more."""
    live = machine.live
    places = changes.Places()
    since = machine.begin()
    machine.live = live & machine.space.condition("loop runs")
    for clause in node.clauses:
        assign(machine, frame, clause.target, Unknown(Reason.LOOP, "loop variable", origin=unknown.origin))
        for test in clause.tests:
            machine.run.evaluate(machine, frame, test)
    for part in (node.element, node.value):
        if part is not None:
            machine.run.evaluate(machine, frame, part)
    machine.end(since)
    machine.live = live
    since.journal.frames.pop(id(frame), None)
    places.add(since.journal, machine.heap)
    changes.forget(machine, places, unknown, lambda name: False)


def _clauses(
    machine: Machine, frame: Frame, clauses: tuple[n.Clause, ...], first: Value | None, collect: Callable[[], None]
) -> bool:
    if not clauses:
        collect()
        return True
    clause, *rest = clauses
    known = True

    def turn(element: Value) -> None:
        nonlocal known
        frame.entry = machine.live
        assign(machine, frame, clause.target, element)
        skipped = machine.space.never
        for test in clause.tests:
            holds = operations.truth(machine, machine.run.evaluate(machine, frame, test))
            skipped = skipped | (machine.live - holds)
            machine.live = machine.live & holds
        if not machine.live.impossible:
            known = _clauses(machine, frame, tuple(rest), None, collect) and known
        machine.live = machine.live | skipped

    return (
        each(machine, machine.run.evaluate(machine, frame, clause.iterable) if first is None else first, turn)
        and known
    )
