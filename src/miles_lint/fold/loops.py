"""Loops: turn by turn where the turns are known, else once for any number of turns."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Items, Reason, Ref, Unknown, Value, options_of
from miles_lint.fold import changes, operations, parsers
from miles_lint.fold.containers import each
from miles_lint.fold.havoc import spoil
from miles_lint.fold.heap import DictObject, Frame, InstanceObject, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.records import GivenUp
from miles_lint.fold.targets import assign
from miles_lint.program import nodes as n
from miles_lint.program.walk import assigned_names, only_grown, target_names, walk, walk_calls

_TRIES = 4
_APART = 8
"""Alternatives of what a loop goes over that are gone through one by one where one of them is not known."""


def run_for(machine: Machine, frame: Frame, node: n.For) -> None:
    """A `for` loop with its `else`."""
    iterable = machine.run.evaluate(machine, frame, node.iterable)
    leaves = list(options_of(iterable, machine.live))
    if not 1 < len(leaves) <= _APART or not any(_open(machine, leaf) for _, leaf in leaves):
        return _run_over(machine, frame, node, iterable)
    after = machine.space.never
    for guard, leaf in leaves:
        machine.live = guard
        _run_over(machine, frame, node, leaf)
        after = after | machine.live
    machine.live = after


def _open(machine: Machine, leaf: Value) -> bool:
    """Whether what a loop goes over has elements that are not known."""
    target = machine.object(leaf) if isinstance(leaf, Ref) else None
    return isinstance(leaf, Unknown) or (isinstance(target, ListObject) and target.tail is not None)


def _own_copies(machine: Machine, frame: Frame, body: n.Block) -> None:
    """Lists as they are on the live paths, apart from what they are on the others, which a loop will not touch."""
    for name in walk_calls(body):
        held = frame.names.get(name)
        ref = machine.narrow(held) if held is not None else None
        target = machine.object(ref) if isinstance(ref, Ref) else None
        if isinstance(target, ListObject) and not (target.born - machine.live).impossible:
            made = ListObject(list(target.items), machine.live, target.tail, target.kind, target.origin)
            machine.write(frame, name, machine.allocate(made))


def _run_over(machine: Machine, frame: Frame, node: n.For, iterable: Value) -> None:
    elements = parsers.matching(machine, frame, node, iterable)
    if elements is not None:
        iterable = Items(tuple(elements))
    outer = frame.breaks, frame.continues
    frame.breaks = left = machine.space.never
    start, known, steps = machine.live, len(machine.space.variables), machine.steps

    def turn(element: Value) -> None:
        nonlocal left
        if undecided(machine, known) or machine.exhausting(steps):
            raise GivenUp(context)
        before = machine.live
        frame.continues = machine.space.never
        assign(machine, frame, node.target, element)
        machine.run.execute(machine, frame, node.body)
        machine.live = machine.live | frame.continues
        left = left | (before - machine.live)

    context = machine.context()
    try:
        finished = each(machine, iterable, turn)
    except GivenUp as given_up:
        if given_up.args[0] is not context:
            raise
        finished = False
        machine.resume(context)
    breaks = frame.breaks
    frame.breaks, frame.continues = outer
    if not finished:
        machine.live = start - left
        breaks = breaks | unknown_loop(machine, frame, node, node.target)
    machine.run.execute(machine, frame, node.orelse)
    machine.live = machine.live | breaks


def run_while(machine: Machine, frame: Frame, node: n.While) -> None:
    """A `while` loop with its `else`."""
    outer = frame.breaks, frame.continues
    frame.breaks = done = machine.space.never
    known, steps = len(machine.space.variables), machine.steps
    for _ in range(machine.budget.iterations):
        holds = operations.truth(machine, machine.run.evaluate(machine, frame, node.test))
        done = done | (machine.live - holds)
        machine.live = machine.live & holds
        if machine.live.impossible:
            break
        if undecided(machine, known) or machine.exhausting(steps):
            break
        frame.continues = machine.space.never
        machine.run.execute(machine, frame, node.body)
        machine.live = machine.live | frame.continues
    breaks = frame.breaks
    frame.breaks, frame.continues = outer
    if not machine.live.impossible:
        breaks = breaks | unknown_loop(machine, frame, node, None)
    machine.live = machine.live | done
    machine.run.execute(machine, frame, node.orelse)
    machine.live = machine.live | breaks


def undecided(machine: Machine, known: int) -> bool:
    """Whether there are so many conditions that nobody can decide since then that going on says nothing."""
    fresh = sum(variable.opaque for variable in machine.space.variables[known:])
    return fresh > machine.budget.undecided


def unknown_loop(machine: Machine, frame: Frame, node: n.For | n.While, target: n.Expr | None) -> Guard:
    """A loop whose turns are not known: what its body may write becomes unknown; its launches are still seen.

    The paths that leave it by `break` are given back, and are not live.
    """
    origin = machine.origin(frame, node.span)
    changed = Unknown(Reason.LOOP, "changed in a loop", origin=origin)
    entered = machine.space.condition("loop runs")
    before = machine.live
    machine.widened.append((origin.place, "loop not unrolled"))
    machine.doubt()
    for name in assigned_names(node.body):
        if name in frame.names:
            changes.forget_name(machine, frame, name, changed, only_grown(node.body, name))
    if frame.turn is not None and any(isinstance(inner, n.Yield) for inner in walk(node.body)):
        frame.lost = True
    if machine.thorough:
        _own_copies(machine, frame, node.body)
    elif not frame.module.program.launches:
        _skip_body(machine, frame, node, before & entered, changed)
        machine.live = machine.live | (before - entered)
        return machine.space.never
    bound = frozenset(assigned_names(node.body))

    def grown(name: str) -> bool:
        return name not in bound or only_grown(node.body, name)

    places = changes.Places()
    for attempt in range(_TRIES):
        since = machine.begin()
        breaks = _run_once(machine, frame, node, target, before & entered)
        if not places.add(since.journal, machine.heap) or attempt == _TRIES - 1:
            machine.end(since)
            break
        machine.undo(since)
        changes.forget(machine, places, changed, grown)
    machine.live = machine.live | breaks | (before - entered)
    changes.forget(machine, places, changed, grown)
    machine.live = machine.live - breaks
    return breaks


def _run_once(machine: Machine, frame: Frame, node: n.For | n.While, target: n.Expr | None, live: Guard) -> Guard:
    machine.enter(frame)
    outer = frame.breaks, frame.continues
    frame.breaks = frame.continues = machine.space.never
    mark = len(machine.failures)
    machine.live = live
    if not live.impossible:
        if target is not None:
            origin = machine.origin(frame, node.span)
            assign(machine, frame, target, Unknown(Reason.LOOP, "loop variable", origin=origin))
        machine.run.execute(machine, frame, node.body)
    machine.live = machine.live | frame.continues
    machine.revive(mark)
    breaks = frame.breaks
    frame.breaks, frame.continues = outer
    return breaks


def _loosen_object(machine: Machine, ref: Ref, changed: Unknown) -> None:
    target = machine.object(ref)
    if isinstance(target, ListObject):
        target.tail = changed
    elif isinstance(target, DictObject):
        target.unknown = changed
    elif isinstance(target, InstanceObject):
        spoil(machine, ref, machine.live, 0)


def _skip_body(machine: Machine, frame: Frame, node: n.For | n.While, live: Guard, changed: Unknown) -> None:
    """A loop in a file that launches nothing is not worth a run.

    It may return, and what can be read off it is unknown: the names it binds, the objects whose methods it calls.
    """
    machine.live = live
    if isinstance(node, n.For):
        for name in target_names(node.target):
            machine.write(frame, name, Unknown(Reason.LOOP, "loop variable"))
    for name in assigned_names(node.body):
        machine.write(frame, name, Unknown(Reason.LOOP, "changed in a loop"))
    for owner in walk_calls(node.body):
        value = frame.names.get(owner)
        if isinstance(value, Ref):
            _loosen_object(machine, value, changed)
    for statement in walk(node.body):
        if isinstance(statement, n.Return):
            returned = machine.live & machine.space.condition("loop returns")
            machine.enter(frame)
            frame.returns.append((returned, Unknown(Reason.LOOP, "returned from a loop")))
            machine.live = machine.live - returned
