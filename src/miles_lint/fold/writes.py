"""What is written to attributes and elements."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import (
    Callee,
    Reason,
    Ref,
    Unknown,
    Value,
    options_of,
)
from miles_lint.fold import environment, lists, special
from miles_lint.fold.containers import set_entry
from miles_lint.fold.havoc import spoil
from miles_lint.fold.heap import (
    ClassObject,
    DictObject,
    EnvironmentObject,
    FunctionObject,
    InstanceObject,
    ListObject,
)
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import find as find


def put(machine: Machine, value: Value, name: str, new: Value, origin: Origin) -> None:
    """`value.name = new` under `live`."""
    live = machine.live
    for guard, leaf in options_of(value, live):
        if isinstance(leaf, Callee) and isinstance(leaf.target, FunctionObject):
            old = leaf.target.fields.get(name)
            leaf.target.fields[name] = machine.guarded(old, new, machine.space.always)
        if not isinstance(leaf, Ref):
            if isinstance(leaf, Unknown):
                machine.mutated(leaf)
            continue
        target = machine.object(leaf)
        machine.live = guard
        if isinstance(target, InstanceObject):
            _put(machine, leaf, target, name, new, origin)
        elif isinstance(target, ClassObject):
            old = target.names.get(name)
            held = find(machine, leaf.cell, name) if old is None else old
            target.names[name] = machine.guarded(held, new, target.born)
        live = live - (guard - machine.live)
    machine.live = live


def _put(machine: Machine, ref: Ref, target: InstanceObject, name: str, new: Value, origin: Origin) -> None:
    found = find(machine, target.cls, name)
    own = special.method(machine, ref, "__setattr__")
    if own is not None:
        special.invoke(machine, own, ref, machine.text(name, origin), new)
    elif isinstance(found, Callee) and found.kind == "property":
        setter = found.target.setter if isinstance(found.target, FunctionObject) else None
        if setter is not None:
            special.invoke(machine, setter, ref, new)
        else:
            machine.fail(AttributeError)
    elif special.frozen(machine, target.cls):
        machine.fail(FrozenInstanceError)
    else:
        put_field(machine, target, name, new)
        if target.watch is not None:
            target.watch.append((machine.live, name, new, origin))


def put_field(machine: Machine, target: InstanceObject, name: str, new: Value) -> None:
    """Write a field of an object under `live`, whatever its class says."""
    never = machine.space.never
    absent = target.absent.get(name, never if name in target.fields else target.born) - machine.live
    if not absent.impossible:
        target.absent[name] = absent
    elif name in target.absent:
        del target.absent[name]
    target.fields[name] = machine.guarded(target.fields.get(name), new, target.born)


def drop(machine: Machine, value: Value, name: str) -> None:
    """`del value.name` under `live`."""
    live = machine.live
    for guard, leaf in options_of(value, live):
        target = machine.object(leaf) if isinstance(leaf, Ref) else None
        machine.live = guard
        if isinstance(target, InstanceObject) and name in target.fields:
            gone = target.absent.get(name, machine.space.never)
            target.absent[name] = gone | guard
            machine.require(~gone, AttributeError)
        elif isinstance(target, ClassObject) and name in target.names:
            why = Unknown(Reason.ATTRIBUTE, f"{name} was deleted")
            target.names[name] = machine.guarded(target.names[name], why, target.born)
        elif isinstance(target, InstanceObject):
            machine.fail(AttributeError)
        live = live - (guard - machine.live)
    machine.live = live


def put_item(machine: Machine, value: Value, index: Value, new: Value | None, origin: Origin) -> None:
    """`value[index] = new` under `live`; None deletes."""
    live = machine.live
    for guard, leaf in options_of(value, live):
        if not isinstance(leaf, Ref):
            if isinstance(leaf, Unknown):
                machine.mutated(leaf)
            continue
        target = machine.object(leaf)
        machine.live = guard
        if isinstance(target, DictObject):
            set_entry(machine, target, index, new, origin)
        elif isinstance(target, EnvironmentObject):
            environment.put(machine, index, new, origin)
        elif isinstance(target, ListObject):
            why = Unknown(Reason.SUBSCRIPT, "list written at an unknown index", origin=origin)
            lists.put_element(machine, target, index, new, why)
        elif isinstance(target, InstanceObject):
            _put_own_item(machine, leaf, index, new, origin)
        live = live - (guard - machine.live)
    machine.live = live


def _put_own_item(machine: Machine, ref: Ref, index: Value, new: Value | None, origin: Origin) -> None:
    name = "__delitem__" if new is None else "__setitem__"
    function = special.method(machine, ref, name)
    if function is not None:
        special.invoke(machine, function, ref, index, *(() if new is None else (new,)))
    elif special.defines(machine, ref, name) or special.unclear(machine, ref):
        spoil(machine, ref, machine.live, 0)
    else:
        machine.fail(TypeError)
