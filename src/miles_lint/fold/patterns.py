"""`match` patterns."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Items, Known, Ref, Value, choose, options_of
from miles_lint.fold import attributes, operations
from miles_lint.fold.builtins import is_instance
from miles_lint.fold.heap import Frame, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n


def match(machine: Machine, frame: Frame, pattern: n.Pattern, subject: Value) -> Guard:
    """The condition, under `live`, on which a pattern matches; its captures are written on the way."""
    space = machine.space
    if pattern.kind == "wildcard":
        return space.always
    if pattern.kind == "capture":
        assert pattern.name is not None
        machine.write(frame, pattern.name, subject)
        return space.always
    if pattern.kind in ("value", "singleton"):
        assert pattern.expr is not None
        op = "==" if pattern.kind == "value" else "is"
        value = machine.run.evaluate(machine, frame, pattern.expr)
        return operations.compare(machine, op, subject, value, machine.origin(frame, pattern.expr.span))
    if pattern.kind == "or":
        found = space.never
        for part in pattern.parts:
            found = found | match(machine, frame, part, subject)
        return found
    if pattern.kind == "as":
        matched = match(machine, frame, pattern.parts[0], subject)
        if pattern.name is not None:
            machine.write(frame, pattern.name, subject)
        return matched
    if pattern.kind == "sequence":
        return _sequence(machine, frame, pattern, subject)
    if pattern.kind == "class":
        return _class(machine, frame, pattern, subject)
    return space.condition("pattern not understood")


def _sequence(machine: Machine, frame: Frame, pattern: n.Pattern, subject: Value) -> Guard:
    space = machine.space
    if any(part.kind == "star" for part in pattern.parts):
        return space.condition("starred pattern")
    found = space.never
    columns: list[list[tuple[Guard, Value]]] = [[] for _ in pattern.parts]
    for guard, leaf in options_of(subject, machine.live):
        elements = _fixed(machine, leaf, guard)
        if elements is None:
            return space.condition("sequence pattern")
        if len(elements) == len(pattern.parts):
            found = found | guard
            for column, element in zip(columns, elements):
                column.append((guard, element))
    for part, column in zip(pattern.parts, columns):
        if column:
            found = found & match(machine, frame, part, choose(column))
    return found


def _fixed(machine: Machine, leaf: Value, guard: Guard) -> list[Value] | None:
    if isinstance(leaf, Known):
        return []
    items: tuple[tuple[Guard, Value], ...] | None = None
    if isinstance(leaf, Items):
        items = leaf.items
    elif isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, ListObject) and target.tail is None:
            items = tuple(target.items)
    if items is None or not all((guard - present).impossible for present, _ in items):
        return None
    return [value for _, value in items]


def _class(machine: Machine, frame: Frame, pattern: n.Pattern, subject: Value) -> Guard:
    assert pattern.expr is not None
    cls = machine.run.evaluate(machine, frame, pattern.expr)
    matched = is_instance(machine, subject, cls)
    count = len(pattern.parts) - len(pattern.keywords)
    origin = machine.origin(frame, pattern.expr.span)
    if count == 1 and not pattern.keywords:
        return matched & match(machine, frame, pattern.parts[0], subject)
    if count:
        return machine.space.condition("positional class pattern")
    before = machine.live
    machine.live = before & matched
    for name, part in zip(pattern.keywords, pattern.parts):
        if machine.live.impossible:
            break
        value = attributes.get(machine, subject, name, origin)
        matched = matched & match(machine, frame, part, value)
        machine.live = before & matched
    machine.live = before
    return matched
