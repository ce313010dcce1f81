"""Copies of values: shallow, deep, and of a dataclass as plain dicts."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Choice, Items, Reason, Ref, Unknown, Value
from miles_lint.fold import special
from miles_lint.fold.heap import DictObject, InstanceObject, LazyObject, ListObject
from miles_lint.fold.machine import Machine

_LIMIT = 12


def shallow(machine: Machine, value: Value) -> Value:
    """`copy.copy`: a new object with the same parts."""
    if isinstance(value, Choice):
        return Choice(tuple((guard, shallow(machine, leaf)) for guard, leaf in value.options))
    target = machine.object(value) if isinstance(value, Ref) else None
    if isinstance(target, InstanceObject) and isinstance(value, Ref):
        if special.behaves(machine, value, "enum"):
            return value
        if special.defines(machine, value, "__copy__") or target.native:
            return Unknown(Reason.CALL, "copy.copy()")
        return machine.allocate(
            InstanceObject(
                target.cls,
                dict(target.fields),
                machine.live,
                target.havoc,
                target.opaque,
                target.origin,
                absent=dict(target.absent),
            )
        )
    if isinstance(target, ListObject):
        return machine.allocate(ListObject(list(target.items), machine.live, target.tail, target.kind, target.origin))
    if isinstance(target, DictObject):
        return machine.allocate(DictObject(list(target.entries), machine.live, target.unknown, target.origin))
    return value


def deep(machine: Machine, value: Value) -> Value:
    """`copy.deepcopy`: parts that are shared stay shared between the copies."""
    return _Deep(machine, False).copy(value, 0)


def as_dict(machine: Machine, value: Value) -> Value:
    """`dataclasses.asdict`: dataclasses become dicts, at every depth."""
    return _Deep(machine, True).copy(value, 0)


class _Deep:
    def __init__(self, machine: Machine, dicts: bool) -> None:
        self.machine = machine
        self.dicts = dicts
        self.made: dict[int, Ref] = {}

    def copy(self, value: Value, depth: int) -> Value:
        if isinstance(value, Choice):
            return Choice(tuple((guard, self.copy(leaf, depth)) for guard, leaf in value.options))
        if isinstance(value, Items):
            return Items(self.elements(value.items, depth), value.kind, value.origin)
        if not isinstance(value, Ref):
            return value
        if value.cell in self.made:
            return self.made[value.cell]
        if depth > _LIMIT:
            return Unknown(Reason.BUDGET, "nested too deeply to copy")
        return self.object(value, depth + 1)

    def elements(self, items: tuple[tuple[Guard, Value], ...], depth: int) -> tuple[tuple[Guard, Value], ...]:
        return tuple((guard, self.copy(item, depth)) for guard, item in items)

    def object(self, ref: Ref, depth: int) -> Value:
        machine = self.machine
        target = machine.object(ref)
        if isinstance(target, ListObject) and target.kind != "iterator":
            fresh = ListObject([], machine.live, target.tail, target.kind, target.origin)
            self.made[ref.cell] = machine.allocate(fresh)
            fresh.items = list(self.elements(tuple(target.items), depth))
            return self.made[ref.cell]
        if isinstance(target, DictObject):
            copied = DictObject([], machine.live, target.unknown, target.origin)
            self.made[ref.cell] = machine.allocate(copied)
            for guard, key, item, origin in target.entries:
                copied.entries.append((guard, key, None if item is None else self.copy(item, depth), origin))
            return self.made[ref.cell]
        if isinstance(target, InstanceObject):
            return self.instance(ref, target, depth)
        return Unknown(Reason.CALL, "copy") if isinstance(target, (ListObject, LazyObject)) else ref

    def instance(self, ref: Ref, target: InstanceObject, depth: int) -> Value:
        machine = self.machine
        cls = special.class_of(machine, target)
        if special.behaves(machine, ref, "enum"):
            return ref
        if self.dicts and cls.dataclass and not special.behaves(machine, ref, "tuple"):
            made = DictObject([], machine.live, target.havoc, target.origin)
            self.made[ref.cell] = machine.allocate(made)
            for name in special.field_names(machine, target.cls) or tuple(target.fields):
                if name in target.fields:
                    present = target.born - target.absent.get(name, machine.space.never)
                    made.entries.append((present, name, self.copy(target.fields[name], depth), target.origin))
            return self.made[ref.cell]
        if special.defines(machine, ref, "__deepcopy__") or target.native:
            return Unknown(Reason.CALL, "copy.deepcopy()")
        copied = InstanceObject(
            target.cls, {}, machine.live, target.havoc, target.opaque, target.origin, absent=dict(target.absent)
        )
        self.made[ref.cell] = machine.allocate(copied)
        for name, item in target.fields.items():
            copied.fields[name] = self.copy(item, depth)
        return self.made[ref.cell]
