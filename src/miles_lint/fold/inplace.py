"""`x += y` and its kin where they change an object instead of making one."""

from __future__ import annotations

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Reason, Ref, Unknown, Value
from miles_lint.fold import environment, lists, operations
from miles_lint.fold.containers import elements_of, iterate, merge_into, repeat
from miles_lint.fold.heap import DictObject, EnvironmentObject, InstanceObject, ListObject
from miles_lint.fold.machine import Machine

_SETS = ("|", "&", "-", "^")


def change(machine: Machine, op: str, ref: Ref, value: Value, origin: Origin) -> Value | None:
    """Change the object under `live` and give what its name holds afterwards; None when it is not changed so."""
    target = machine.object(ref)
    if isinstance(target, InstanceObject):
        return operations.own_operator(machine, op, ref, value, in_place=True)
    if isinstance(target, ListObject) and target.kind == "list" and op == "+":
        lists.extend(machine, target, value)
        return ref
    if isinstance(target, ListObject) and target.kind == "list" and op == "*":
        repeated = repeat(machine, ref, value)
        elements = elements_of(machine, repeated) if repeated is not None else None
        if elements is None:
            lists.lose(machine, target, Unknown(Reason.OPERATION, "repeated list", origin=origin))
        else:
            lists.rewrite(machine, target, list(elements))
        return ref
    if isinstance(target, ListObject) and target.kind == "set" and op in _SETS:
        change_set(machine, op, target, value, origin)
        return ref
    if isinstance(target, DictObject) and op == "|":
        merge_into(machine, target, value)
        return ref
    if isinstance(target, EnvironmentObject) and op == "|":
        made = DictObject([], machine.live)
        merge_into(machine, made, value)
        environment.update(machine, made)
        return ref
    return None


def change_set(machine: Machine, op: str, target: ListObject, value: Value, origin: Origin) -> None:
    """`set |= value`, or with `&`, `-` or `^`, under `live`."""
    elements = iterate(machine, value, ordered=False)
    if elements is None or target.tail is not None:
        lists.lose(machine, target, Unknown(Reason.OPERATION, f"set {op}=", origin=origin))
        return
    live = machine.live
    if op == "|":
        lists.grow(machine, target, elements)
        return
    kept = ListObject(list(target.items), live, kind="set")
    both = ListObject([], live, kind="set")
    for guard, element in elements:
        machine.live = live & guard
        gone = lists.shrink(machine, kept, element)
        both.items.extend([] if gone.impossible else [(gone, element)])
    machine.live = live
    if op == "&":
        lists.rewrite(machine, target, both.items)
        return
    made = list(kept.items)
    if op == "^":
        rest = ListObject([(guard & live, element) for guard, element in elements], live, kind="set")
        for guard, element in target.items:
            machine.live = live & guard
            lists.shrink(machine, rest, element)
        machine.live = live
        made += rest.items
    lists.rewrite(machine, target, made)
