"""What a call that is not understood may have changed."""

from __future__ import annotations

from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Reason, Ref, Unknown, options_of
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import ANY, DictObject, InstanceObject, ListObject
from miles_lint.fold.machine import Machine


def havoc(machine: Machine, args: Arguments) -> None:
    """Something that is not understood has been handed these values: what they refer to may have changed."""
    for value in args.values():
        for guard, leaf in options_of(value, machine.live):
            if isinstance(leaf, Ref):
                spoil(machine, leaf, guard, 0)


def spoil(machine: Machine, ref: Ref, guard: Guard, depth: int) -> None:
    target = machine.object(ref)
    before, machine.live = machine.live, guard
    changed = Unknown(Reason.CALL, "changed by a call that is not understood")
    if isinstance(target, ListObject):
        target.items, target.tail = [], changed
    elif isinstance(target, DictObject):
        target.entries, target.unknown = [], changed
    elif isinstance(target, InstanceObject) and target.watch is not None:
        target.watch.append((guard, ANY, changed, None))
    elif isinstance(target, InstanceObject) and not target.native:
        target.havoc = changed
        for name, old in target.fields.items():
            if depth < 3:
                for under, leaf in options_of(old, guard):
                    if isinstance(leaf, Ref) and leaf != ref:
                        spoil(machine, leaf, under, depth + 1)
            target.fields[name] = machine.guarded(
                old, replace(changed, detail=f"{changed.detail}: {name}"), target.born
            )
    machine.live = before
