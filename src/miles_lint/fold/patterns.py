"""`match` patterns."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Text, Unknown, Value, choose, options_of
from miles_lint.fold import attributes, operations, special
from miles_lint.fold.heap import ClassObject, Frame, ListObject
from miles_lint.fold.introspection import is_instance
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import find
from miles_lint.program import nodes as n

_SELF = frozenset(("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"))


def match(machine: Machine, frame: Frame, pattern: n.Pattern, subject: Value) -> Guard:
    """The condition, under `live`, on which a pattern matches; its captures are written where it does."""
    matcher = _Matcher(machine, frame)
    live = machine.live
    matched = matcher.match(pattern, subject)
    for guard, name, value in matcher.captures:
        machine.live = live & matched & guard
        if not machine.live.impossible:
            machine.write(frame, name, value)
    machine.live = live
    return matched


class _Matcher:
    """One attempt: nothing is captured before all of a pattern has matched."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        self.machine, self.frame = machine, frame
        self.captures: list[tuple[Guard, str, Value]] = []

    def capture(self, name: str | None, value: Value, guard: Guard) -> None:
        if name is not None:
            self.captures.append((guard, name, value))

    def under(self, guard: Guard, pattern: n.Pattern, subject: Value) -> Guard:
        """Match under a further condition."""
        machine = self.machine
        live, machine.live = machine.live, machine.live & guard
        matched = self.match(pattern, subject) if not machine.live.impossible else machine.space.never
        machine.live = live
        return matched

    def match(self, pattern: n.Pattern, subject: Value) -> Guard:
        machine, live = self.machine, self.machine.live
        if pattern.kind in ("wildcard", "capture"):
            self.capture(pattern.name, subject, live)
            return live
        if pattern.kind in ("value", "singleton"):
            assert pattern.expr is not None
            op = "==" if pattern.kind == "value" else "is"
            value = machine.run.evaluate(machine, self.frame, pattern.expr)
            origin = machine.origin(self.frame, pattern.expr.span)
            return live & operations.compare(machine, op, subject, value, origin)
        if pattern.kind == "or":
            found = machine.space.never
            for part in pattern.parts:
                found = found | self.under(live - found, part, subject)
            return found
        if pattern.kind == "as":
            matched = self.match(pattern.parts[0], subject)
            self.capture(pattern.name, subject, matched)
            return matched
        if pattern.kind == "sequence":
            return self.sequence(pattern, subject)
        if pattern.kind == "class":
            return self.of_class(pattern, subject)
        return self.perhaps(pattern)

    def perhaps(self, pattern: n.Pattern) -> Guard:
        """A pattern that is not understood: it may match, and its captures are not known where it does."""
        matched = self.machine.live & self.machine.space.condition("pattern not understood")
        queue = [pattern]
        while queue:
            current = queue.pop()
            self.capture(current.name, Unknown(Reason.SYNTAX, f"{current.name} of a pattern"), matched)
            queue.extend(current.parts)
        return matched

    def sequence(self, pattern: n.Pattern, subject: Value) -> Guard:
        machine = self.machine
        star = next((index for index, part in enumerate(pattern.parts) if part.kind == "star"), None)
        before = len(pattern.parts) if star is None else star
        after = len(pattern.parts) - before - (star is not None)
        matched = machine.space.never
        columns: list[list[tuple[Guard, Value]]] = [[] for _ in pattern.parts]
        for guard, leaf in options_of(subject, machine.live):
            if isinstance(leaf, (Known, Text)):
                continue
            row = _fixed(machine, leaf, guard)
            if row is None:
                return self.perhaps(pattern)
            if len(row) < before + after or (star is None and len(row) > before):
                continue
            matched = matched | guard
            if star is not None:
                middle = [(machine.space.always, value) for value in row[before : len(row) - after]]
                row[before : len(row) - after] = [machine.allocate(ListObject(middle, guard))]
            for column, element in zip(columns, row):
                column.append((guard, element))
        for part, column in zip(pattern.parts, columns):
            if column:
                matched = self.under(matched, _plain(part), choose(column))
        return matched

    def of_class(self, pattern: n.Pattern, subject: Value) -> Guard:
        machine = self.machine
        assert pattern.expr is not None
        cls = machine.run.evaluate(machine, self.frame, pattern.expr)
        matched = machine.live & is_instance(machine, subject, cls)
        parts, names = list(pattern.parts), list(pattern.keywords)
        count = len(parts) - len(names)
        if count == 1 and isinstance(cls, Callee) and cls.kind == "builtin" and cls.name in _SELF:
            matched = self.under(matched, parts.pop(0), subject)
        elif count:
            order = _positions(machine, cls)
            if order is None or count > len(order):
                return self.perhaps(pattern)
            names = [*order[:count], *names]
        live = machine.live
        for name, part in zip(names, parts):
            machine.live = live & matched
            if machine.live.impossible:
                break
            value = attributes.get(machine, subject, name, machine.origin(self.frame, pattern.expr.span))
            matched = self.match(part, value)
        machine.live = live
        return matched


def _plain(part: n.Pattern) -> n.Pattern:
    """A star as the pattern that its list must match."""
    if part.kind != "star":
        return part
    return n.Pattern("wildcard" if part.name is None else "capture", None, part.name)


def _fixed(machine: Machine, leaf: Value, guard: Guard) -> list[Value] | None:
    """The elements of a list or tuple; None for what is not known."""
    items: tuple[tuple[Guard, Value], ...] | None = None
    elements = special.as_tuple(machine, leaf) if isinstance(leaf, Ref) else None
    if elements is not None:
        items = elements.items
    elif isinstance(leaf, Items) and leaf.kind != "set":
        items = leaf.items
    elif isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, ListObject) and target.tail is None and target.kind in ("list", "tuple"):
            items = tuple(target.items)
    if items is None or not all((guard - present).impossible for present, _ in items):
        return None
    return [value for _, value in items]


def _positions(machine: Machine, cls: Value) -> tuple[str, ...] | None:
    """The attributes that positional patterns of a class mean."""
    target = machine.object(cls) if isinstance(cls, Ref) else None
    if not isinstance(target, ClassObject) or not isinstance(cls, Ref):
        return None
    given = find(machine, cls.cell, "__match_args__")
    if given is None:
        return special.field_names(machine, cls.cell) if target.dataclass else None
    if not isinstance(given, Items):
        return None
    names = [value.plain for _, value in given.items if isinstance(value, Text)]
    return tuple(name for name in names if name is not None)
