"""Reading and growing lists, tuples and dicts whose elements are guarded."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Items, Reason, Ref, Text, Unknown, Value, options_of
from miles_lint.fold.convert import TooMany, alternatives, from_python
from miles_lint.fold.heap import ClassObject, DictObject, EnvironmentObject, InstanceObject, ListObject
from miles_lint.fold.machine import Machine


def elements_of(machine: Machine, value: Value) -> tuple[tuple[Guard, Value], ...] | None:
    """The guarded elements of a list, tuple or set; None for anything else."""
    if isinstance(value, Items):
        return value.items
    if isinstance(value, Ref):
        target = machine.object(value)
        if isinstance(target, ListObject):
            return tuple(target.items)
    return None


def merge_into(machine: Machine, target: DictObject, value: Value) -> None:
    """`target.update(value)` under `live`."""
    for guard, leaf in options_of(value, machine.live):
        source = machine.object(leaf) if isinstance(leaf, Ref) else None
        if isinstance(source, DictObject):
            target.entries.extend((under & guard, key, item, origin) for under, key, item, origin in source.entries)
            if source.unknown is not None:
                target.unknown = source.unknown
        elif not isinstance(source, EnvironmentObject):
            target.unknown = leaf if isinstance(leaf, Unknown) else Unknown(Reason.OPERATION, "merged dict")
        else:
            target.unknown = Unknown(Reason.ENVIRONMENT, "os.environ")


def iterate(machine: Machine, value: Value) -> list[tuple[Guard, Value]] | None:
    """The guarded elements that a loop over a value would see; None when they are not known."""
    found: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(value, machine.live):
        elements = _elements(machine, leaf)
        if elements is None:
            return None
        found.extend((under & guard, element) for under, element in elements if not (under & guard).impossible)
    return found if len(found) <= machine.budget.iterations else None


def _elements(machine: Machine, leaf: Value) -> list[tuple[Guard, Value]] | None:
    always = machine.space.always
    if isinstance(leaf, Items):
        return list(leaf.items)
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, ListObject):
            return list(target.items) if target.tail is None else None
        if isinstance(target, DictObject) and target.unknown is None:
            return [(guard, key) for guard, key in _keys(machine, target)]
        if isinstance(target, ClassObject):
            members = [(always, m) for m in target.names.values() if is_member(machine, leaf, m)]
            return members or None
        return None
    if isinstance(leaf, Text):
        plain = leaf.plain
        if plain is not None and len(plain) <= machine.budget.iterations:
            return [(always, machine.text(char)) for char in plain]
    return None


def is_member(machine: Machine, cls: Ref, value: Value) -> bool:
    """Whether a value is a member of an enumeration."""
    member = machine.object(value) if isinstance(value, Ref) else None
    return isinstance(member, InstanceObject) and member.cls == cls.cell


def _keys(machine: Machine, target: DictObject) -> list[tuple[Guard, Value]]:
    found: dict[object, Guard] = {}
    for guard, key, value, _ in target.entries:
        before = found.get(key, machine.space.never)
        found[key] = before - guard if value is None else before | guard
    return [(guard, from_python(machine, key, None)) for key, guard in found.items() if not guard.impossible]


def set_entry(machine: Machine, target: DictObject, key: Value, new: Value | None, origin: Origin | None) -> None:
    """`target[key] = new` (or deletion) under `live`."""
    try:
        for guard, obj in alternatives(machine, key, machine.live):
            if isinstance(obj, (Unknown, Ref, Callee)) or obj.__hash__ is None:
                target.unknown = Unknown(Reason.SUBSCRIPT, "unknown key", origin=origin)
            else:
                target.entries.append((guard, obj, new, origin))
    except TooMany:
        target.unknown = Unknown(Reason.BUDGET, "key", origin=origin)
    if len(target.entries) > machine.budget.items:
        target.unknown = Unknown(Reason.BUDGET, "dict too large", origin=origin)
        target.entries = []


def extend(machine: Machine, target: ListObject, value: Value) -> None:
    """`list.extend(value)` under `live`."""
    for guard, leaf in options_of(value, machine.live):
        before = machine.live
        machine.live = guard
        elements = iterate(machine, leaf)
        machine.live = before
        if elements is None and isinstance(leaf, Ref):
            source = machine.object(leaf)
            if isinstance(source, ListObject) and source.tail is not None:
                target.items.extend((under & guard, element) for under, element in source.items)
                target.tail = source.tail
                continue
        if elements is None:
            target.tail = Unknown(Reason.LOOP, "extended by an unknown sequence")
        else:
            add(target, [(under & guard, element) for under, element in elements])


def add(target: ListObject, items: list[tuple[Guard, Value]]) -> None:
    """Append guarded elements; behind an unknown rest nothing is known."""
    if target.tail is None:
        target.items.extend(items)
