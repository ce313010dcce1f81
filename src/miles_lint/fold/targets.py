"""Assignment to names, attributes, elements and unpacking targets."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Reason, Unknown, Value, choose, options_of
from miles_lint.fold import writes
from miles_lint.fold.containers import iterate
from miles_lint.fold.heap import Frame, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n


def assign(machine: Machine, frame: Frame, target: n.Expr, value: Value) -> None:
    """Bind a value to a target under `live`."""
    if isinstance(target, n.Name):
        machine.write(frame, target.id, value)
    elif isinstance(target, n.Attribute):
        owner = machine.run.evaluate(machine, frame, target.value)
        writes.put(machine, owner, target.name, value, machine.origin(frame, target.span))
    elif isinstance(target, n.Subscript):
        owner = machine.run.evaluate(machine, frame, target.value)
        index = machine.run.evaluate(machine, frame, target.index)
        writes.put_item(machine, owner, index, value, machine.origin(frame, target.span))
    elif isinstance(target, n.Sequence):
        _unpack(machine, frame, target.elements, value)
    elif isinstance(target, n.Starred):
        assign(machine, frame, target.value, value)


def _unpack(machine: Machine, frame: Frame, targets: tuple[n.Expr, ...], value: Value) -> None:
    columns: list[list[tuple[Guard, Value]]] = [[] for _ in targets]
    for guard, leaf in options_of(value, machine.live):
        row = _row(machine, leaf, targets, guard)
        if row is None:
            machine.require(~guard, ValueError)
            continue
        for column, element in zip(columns, row):
            column.append((guard, element))
    for target, column in zip(targets, columns):
        assign(machine, frame, target, choose(column) if column else Unknown(Reason.SYNTAX, "unpacking"))


def _row(machine: Machine, leaf: Value, targets: tuple[n.Expr, ...], guard: Guard) -> list[Value] | None:
    """One element per target; None when the counts cannot match."""
    unknown: Value = Unknown(Reason.SYNTAX, "unpacked from an unknown value")
    if isinstance(leaf, Unknown):
        unknown = Unknown(leaf.reason, leaf.detail, origin=leaf.origin)
    before = machine.live
    machine.live = guard
    elements = iterate(machine, leaf)
    machine.live = before
    if elements is None or not all((guard - present).impossible for present, _ in elements):
        machine.doubt()
        return [unknown for _ in targets]
    values = [element for _, element in elements]
    star = next((i for i, target in enumerate(targets) if isinstance(target, n.Starred)), None)
    if star is None:
        return values if len(values) == len(targets) else None
    after = len(targets) - star - 1
    if len(values) < star + after:
        return None
    middle = values[star : len(values) - after]
    made = machine.allocate(ListObject([(machine.space.always, v) for v in middle], guard))
    return [*values[:star], made, *values[len(values) - after :]]
