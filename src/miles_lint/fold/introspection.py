"""Builtins that ask what an object is and has."""

from __future__ import annotations

import builtins
from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
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
from miles_lint.fold import attributes, operations, special, typeforms, writes
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import elements_of
from miles_lint.fold.convert import TooMany, text_alternatives
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import ClassObject, DictObject, Frame, InstanceObject, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import linearize, opaque_base
from miles_lint.source import Span

TYPES: dict[str, type] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "bytes": bytes,
}


def _name(machine: Machine, args: Arguments) -> str | None:
    """The name of an attribute that is the second argument, where there is but one under `live`."""
    told = machine.narrow(args.positional[1]) if len(args.positional) > 1 else None
    if not isinstance(told, Text):
        return None
    try:
        found = text_alternatives(machine, told, machine.live)
    except TooMany:
        return None
    name = found[0][1] if len(found) == 1 else None
    return name if isinstance(name, str) else None


def call_getattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = _name(machine, args)
    if name is None:
        return Unknown(Reason.ATTRIBUTE, "getattr()", None, None, origin)
    owner = args.positional[0]
    if len(args.positional) == 2:
        return attributes.get(machine, owner, name, origin)
    if isinstance(owner, Ref) and _has(machine, owner, name) is machine.space.never:
        return args.positional[2]
    certain = isinstance(owner, Ref) and _has(machine, owner, name) is not None
    machine.catch()
    value = attributes.get(machine, owner, name, origin)
    results = [(guard, leaf if certain else _loose(leaf)) for guard, leaf in options_of(value, machine.live)]
    for guard, kind in machine.caught():
        if kind is AttributeError:
            results.append((guard, args.positional[2]))
            machine.live = machine.live | guard
        else:
            live = machine.live
            machine.throw([(guard, kind)])
            machine.live = live
    return choose(results)


def _loose(leaf: Value) -> Value:
    """An attribute of something unknown may be the default instead: it has no symbolic form."""
    return replace(leaf, term=None) if isinstance(leaf, Unknown) and leaf.type is None else leaf


def _has(machine: Machine, leaf: Value, name: str) -> Guard | None:
    """The condition on which a value has an attribute; None when that is not known."""
    space = machine.space
    if isinstance(leaf, Known):
        return space.always if hasattr(leaf.value, name) else space.never
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, InstanceObject):
            if attributes.find(machine, target.cls, name) is not None:
                return space.always
            if name in target.fields:
                return ~target.absent.get(name, space.never)
            dynamic = special.method(machine, leaf, "__getattr__")
            if dynamic is not None and not special.is_stub(dynamic):
                return None
            closed = target.havoc is None and target.opaque is None and not opaque_base(machine, target.cls)
            return space.never if closed else None
    answer = typeforms.has_attribute(leaf, name)
    return None if answer is None else space.always if answer else space.never


def call_hasattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = _name(machine, args) if len(args.positional) == 2 else None
    has = _has(machine, machine.narrow(args.positional[0]), name) if name is not None else None
    if has is None:
        return Unknown(Reason.ATTRIBUTE, f"hasattr {name}", bool, None, origin)
    return operations.from_guard(machine, has)


def call_setattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = _name(machine, args) if len(args.positional) == 3 else None
    if name is None:
        havoc(machine, args)
    else:
        writes.put(machine, args.positional[0], name, args.positional[2], origin)
    return Known(None)


def call_isinstance(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if len(args.positional) != 2:
        return Unknown(Reason.CALL, "isinstance()", bool, None, origin)
    return operations.from_guard(machine, is_instance(machine, args.positional[0], args.positional[1]))


def is_instance(machine: Machine, value: Value, cls: Value) -> Guard:
    """The condition, under `live`, on which a value is an instance of a class or one of several."""
    space = machine.space
    found = space.never
    classes = elements_of(machine, cls)
    if classes is not None:
        for _, each in classes:
            found = found | is_instance(machine, value, each)
        return found
    for guard, leaf in options_of(value, machine.live):
        answer = _is_leaf_instance(machine, leaf, cls)
        doubtful = space.condition("isinstance") if answer is None else space.never
        found = found | (guard & (space.always if answer else doubtful))
    return found


def _is_leaf_instance(machine: Machine, leaf: Value, cls: Value) -> bool | None:
    answer = typeforms.is_instance(machine, leaf, cls)
    if answer is not None:
        return answer
    if isinstance(cls, Ref) and isinstance(leaf, Ref):
        target = machine.object(leaf)
        wanted = machine.object(cls)
        if isinstance(target, InstanceObject) and isinstance(wanted, ClassObject):
            return wanted in linearize(machine, target.cls) or (None if opaque_base(machine, target.cls) else False)
        return False
    if isinstance(cls, Callee) and cls.kind == "builtin" and cls.name in TYPES:
        wanted_type = TYPES[cls.name]
        if isinstance(leaf, Text):
            return wanted_type is str
        if isinstance(leaf, Known):
            return isinstance(leaf.value, wanted_type)
        if isinstance(leaf, Unknown):
            return None if leaf.type is None else issubclass(leaf.type, wanted_type)
        if isinstance(leaf, Items):
            return wanted_type is tuple
        if isinstance(leaf, Ref):
            target = machine.object(leaf)
            if isinstance(target, InstanceObject):
                plain = special.behaves(machine, leaf, cls.name)
                return plain or (None if opaque_base(machine, target.cls) else False)
            if isinstance(target, ListObject):
                return wanted_type.__name__ == target.kind
            return isinstance(target, DictObject) and wanted_type is dict
    return None


def call_type(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    value = machine.narrow(args.positional[0]) if len(args.positional) == 1 else None
    found = typeforms.type_of(machine, value) if value is not None else None
    return found if found is not None else Unknown(Reason.CALL, "type()", None, None, origin)


def call_issubclass(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    found: bool | None = None
    if len(args.positional) == 2:
        found = _is_subclass(machine, machine.narrow(args.positional[0]), machine.narrow(args.positional[1]))
    return Known(found) if found is not None else Unknown(Reason.CALL, "issubclass()", bool, None, origin)


def _is_subclass(machine: Machine, value: Value, cls: Value) -> bool | None:
    several = elements_of(machine, cls)
    if several is not None:
        answers = [_is_subclass(machine, value, each) for _, each in several]
        return True if True in answers else None if None in answers else False
    if isinstance(value, Callee) and isinstance(cls, Callee) and value.kind == cls.kind == "builtin":
        one, two = getattr(builtins, value.name, None), getattr(builtins, cls.name, None)
        return issubclass(one, two) if isinstance(one, type) and isinstance(two, type) else None
    return typeforms.is_subclass(machine, value, cls)


def call_vars(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if len(args.positional) != 1:
        return Unknown(Reason.CALL, "vars()", dict, None, origin)
    return attributes.get(machine, args.positional[0], "__dict__", origin)
