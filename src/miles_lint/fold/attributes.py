"""`value.name`, reading and writing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import Term
from miles_lint.domain.value import (
    Callee,
    Items,
    Known,
    Reason,
    Ref,
    Text,
    Unknown,
    Value,
    choose,
    options_of,
)
from miles_lint.fold import modules, special, typeforms
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.constants import external_constant
from miles_lint.fold.events import Kind
from miles_lint.fold.havoc import spoil
from miles_lint.fold.heap import (
    ClassObject,
    DictObject,
    Frame,
    FunctionObject,
    InstanceObject,
    Module,
    ViewObject,
)
from miles_lint.fold.lifting import lift
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import find as find
from miles_lint.fold.mro import foreign, linearize, opaque_base
from miles_lint.fold.telling import tell
from miles_lint.fold.writes import put_field


def get(machine: Machine, value: Value, name: str, origin: Origin) -> Value:
    """An attribute of a value; one that is known to be missing ends the path."""
    if not hasattr(value, "options"):
        return _leaf(machine, value, name, origin)
    results: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(value, machine.live):
        before = machine.live
        machine.live = guard
        made = _leaf(machine, leaf, name, origin)
        results.append((machine.live, made))
        machine.live = machine.live | (before - guard)
    return machine.bounded(choose(results)) if results else Unknown(Reason.ATTRIBUTE, name, origin=origin)


def _leaf(machine: Machine, leaf: Value, name: str, origin: Origin) -> Value:
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, InstanceObject):
            return _of_instance(machine, leaf, target, name, origin)
        if isinstance(target, ClassObject):
            return _of_class(machine, leaf, name, origin)
        return Callee("method", name, None, (leaf,))
    if isinstance(leaf, Callee):
        return _of_callee(machine, leaf, name, origin)
    if isinstance(leaf, Known):
        if leaf.value is None:
            machine.fail(AttributeError)
            return Unknown(Reason.ATTRIBUTE, f"None.{name}", origin=origin)
        member = getattr(leaf.value, name, None) if not name.startswith("_") else None
        if member is not None and not callable(member):
            return lift(machine, name, lambda owner: getattr(owner, name), [leaf], origin)
        return Callee("method", name, None, (leaf,))
    if isinstance(leaf, (Text, Items)):
        return Callee("method", name, None, (leaf,))
    if isinstance(leaf, Unknown):
        if leaf.type is str:
            return Callee("method", name, None, (leaf,))
        machine.doubt()
        term = Term("attribute", (leaf.term, name)) if leaf.term is not None else None
        detail = f"{leaf.detail}.{name}" if leaf.detail else name
        return Unknown(leaf.reason, detail, None, term, origin)
    return Unknown(Reason.ATTRIBUTE, name, origin=origin)


def _of_callee(machine: Machine, leaf: Callee, name: str, origin: Origin) -> Value:
    if isinstance(leaf.target, Module):
        return modules.attribute(machine, leaf.target, name, origin)
    if leaf.kind == "external":
        qualified = f"{leaf.name}.{name}"
        if qualified == "os.environ":
            return machine.environ
        constant = external_constant(machine, qualified)
        return constant if constant is not None else Callee("external", qualified)
    found = typeforms.attribute(machine, leaf, name)
    if found is None and isinstance(leaf.target, FunctionObject):
        found = leaf.target.fields.get(name)
    if found is not None:
        return machine.narrow(found)
    if leaf.kind == "super":
        assert leaf.bound
        return _from_bases(machine, leaf, name, origin)
    if name in ("__name__", "__qualname__"):
        return machine.text(leaf.name.rpartition(".")[2], origin)
    if leaf.kind == "app":
        return Callee("app-method", name, leaf.target, leaf.bound)
    if leaf.kind == "builtin":
        return Callee("builtin", f"{leaf.name}.{name}")
    return Unknown(Reason.ATTRIBUTE, f"{leaf.name}.{name}", origin=origin)


def _of_instance(machine: Machine, ref: Ref, target: InstanceObject, name: str, origin: Origin) -> Value:
    found = find(machine, target.cls, name)
    held = target.fields.get(name)
    if held is None or (isinstance(found, Callee) and found.kind == "property"):
        return _beyond_fields(machine, ref, target, name, found, origin)
    gone = target.absent.get(name, machine.space.never) & machine.live
    if gone.impossible:
        return machine.narrow(held)
    there = machine.live - gone
    if found is None and special.method(machine, ref, "__getattr__") is None and not there.impossible:
        machine.require(there, AttributeError)
        return machine.narrow(held)
    machine.live = gone
    other = _beyond_fields(machine, ref, target, name, found, origin)
    options = [*options_of(other, machine.live), *options_of(held, there)]
    machine.live = machine.live | there
    return choose(options)


def _beyond_fields(
    machine: Machine, ref: Ref, target: InstanceObject, name: str, found: Value | None, origin: Origin
) -> Value:
    """An attribute that an object does not hold itself: from its class, or made up."""
    if found is not None:
        return bind(machine, found, ref, origin)
    value = special.as_tuple(machine, ref) if name in ("count", "index") else special.member_value(machine, ref)
    if value is not None:
        return get(machine, value, name, origin)
    cls = machine.heap[target.cls]
    assert isinstance(cls, ClassObject)
    if name == "__dict__":
        return machine.allocate(ViewObject(partial(_namespace, ref)))
    if name == "__class__":
        return Ref(target.cls)
    if target.havoc is not None:
        return replace(target.havoc, detail=f"{target.havoc.detail}: {name}", origin=origin)
    base = opaque_base(machine, target.cls)
    if base:
        return Callee("external", f"{base}.{name}")
    dynamic = special.method(machine, ref, "__getattr__")
    if dynamic is not None and not special.is_stub(dynamic):
        return special.invoke(machine, dynamic, ref, machine.text(name, origin))
    if target.opaque is not None or special.defines(machine, ref, "__getattr__"):
        return Unknown(Reason.ATTRIBUTE, f"{cls.name}.{name}", origin=origin)
    if foreign(machine, target.cls):
        return Unknown(Reason.ATTRIBUTE, f"{cls.name}.{name}", origin=origin)
    own = (name for owner in linearize(machine, target.cls) for name in owner.names)
    known = tuple(dict.fromkeys((*target.fields, *own)))
    places = (cls.origin,) if cls.origin is not None else ()
    tell(machine, Kind.ATTRIBUTE, origin, name, owner=cls.name, options=known, places=places)
    machine.fail(AttributeError)
    return Unknown(Reason.ATTRIBUTE, f"{cls.name} has no {name}", origin=origin)


def _namespace(ref: Ref, machine: Machine) -> DictObject:
    """`vars(object)`: what is written to it is written to the object."""
    target = machine.object(ref)
    assert isinstance(target, InstanceObject)
    never = machine.space.never
    entries: list[tuple[Guard, object, Value | None, Origin | None]] = [
        (target.born - target.absent.get(key, never), key, value, None) for key, value in target.fields.items()
    ]
    return DictObject(entries, target.born, target.havoc, None, partial(_put_named, ref))


def _put_named(ref: Ref, machine: Machine, key: object, new: Value | None) -> None:
    target = machine.object(ref)
    assert isinstance(target, InstanceObject)
    if not isinstance(key, str):
        spoil(machine, ref, machine.live, 0)
    elif new is None:
        target.absent[key] = target.absent.get(key, machine.space.never) | machine.live
    else:
        put_field(machine, target, key, new)


def bind(machine: Machine, found: Value, ref: Ref, origin: Origin) -> Value:
    """What an attribute found on a class gives for an instance: a property's value, a bound method, or itself."""
    if isinstance(found, Callee):
        if found.kind == "property" and isinstance(found.target, FunctionObject):
            return machine.run.call_function(
                machine, found.target, Arguments((ref,)), origin.place.span, origin.place.path
            )
        if found.kind == "cached-property" and isinstance(found.target, FunctionObject):
            made = machine.run.call_function(
                machine, found.target, Arguments((ref,)), origin.place.span, origin.place.path
            )
            owner = machine.object(ref)
            if isinstance(owner, InstanceObject) and isinstance(found.name, str):
                put_field(machine, owner, found.name, made)
            return made
        if found.kind == "function":
            return replace(found, bound=(ref, *found.bound))
        if found.kind == "classmethod":
            target = machine.object(ref)
            cell = target.cls if isinstance(target, InstanceObject) else ref.cell
            return replace(found, kind="function", bound=(Ref(cell), *found.bound))
        if found.kind == "staticmethod":
            return replace(found, kind="function")
    return machine.narrow(found)


def _of_class(machine: Machine, ref: Ref, name: str, origin: Origin) -> Value:
    found = find(machine, ref.cell, name)
    if found is not None:
        if isinstance(found, Callee) and found.kind in ("classmethod", "staticmethod"):
            return bind(machine, found, ref, origin)
        return machine.narrow(found)
    cls = machine.heap[ref.cell]
    assert isinstance(cls, ClassObject)
    if name in ("__name__", "__qualname__"):
        return machine.text(cls.name, origin)
    if name == "__bases__":
        return Items(tuple((machine.space.always, base) for base in cls.bases or (Callee("builtin", "object"),)))
    for owner in linearize(machine, ref.cell):
        if name in owner.fields and owner.fields[name].default is not None:
            default = owner.fields[name].default
            assert default is not None
            return default
    return Unknown(Reason.ATTRIBUTE, f"{cls.name}.{name}", origin=origin)


def super_of(machine: Machine, frame: Frame, origin: Origin) -> Value:
    """`super()` inside a method: looks in the bases of the class that owns the method."""
    scope: Frame | None = frame
    while scope is not None:
        owner = scope.names.get("__class__")
        if isinstance(owner, Ref):
            self_value = next(iter(scope.names.values()), None)
            if self_value is not None:
                return Callee("super", "super", None, (owner, self_value))
        scope = scope.outer
    return Unknown(Reason.CALL, "super()", origin=origin)


def _from_bases(machine: Machine, leaf: Callee, name: str, origin: Origin) -> Value:
    owner, instance = leaf.bound
    assert isinstance(owner, Ref)
    order = linearize(machine, owner.cell)
    made = machine.object(instance) if isinstance(instance, Ref) else None
    if isinstance(made, (InstanceObject, ClassObject)) and isinstance(instance, Ref):
        order = linearize(machine, made.cls if isinstance(made, InstanceObject) else instance.cell)
    own = machine.heap[owner.cell]
    rest = order[order.index(own) + 1 :] if isinstance(own, ClassObject) and own in order else order[1:]
    for cls in rest:
        if name in cls.names and isinstance(instance, Ref):
            return bind(machine, cls.names[name], instance, origin)
    if name in ("__init__", "__post_init__", "__init_subclass__", "__exit__"):
        return Callee("builtin", "noop")
    if name == "__setattr__" and isinstance(instance, Ref):
        return Callee("builtin", "object.__setattr__", None, (instance,))
    return Unknown(Reason.ATTRIBUTE, f"super().{name}", origin=origin)
