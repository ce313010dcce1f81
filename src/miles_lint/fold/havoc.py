"""What a call that is not understood may have changed."""

from __future__ import annotations

from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Callee, Reason, Ref, Unknown, Value, options_of
from miles_lint.fold import environment
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import blur
from miles_lint.fold.heap import (
    ANY,
    ClassObject,
    DictObject,
    Frame,
    FunctionObject,
    InstanceObject,
    LazyObject,
    ListObject,
)
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n
from miles_lint.program.walk import walk

_CHANGED = Unknown(Reason.CALL, "changed by a call that is not understood")


def havoc(machine: Machine, args: Arguments) -> None:
    """Something that is not understood has been handed these values: what they refer to may have changed."""
    for value in args.values():
        for guard, leaf in options_of(value, machine.live):
            if isinstance(leaf, Ref):
                spoil(machine, leaf, guard, 0)
            elif isinstance(leaf, Unknown) and leaf.type is None:
                machine.mutated(leaf)
            elif isinstance(leaf, Callee):
                _spoil_callee(machine, leaf, guard)


def _spoil_callee(machine: Machine, leaf: Callee, guard: Guard) -> None:
    """A function that somebody else may call, with what it is bound to."""
    if leaf.kind == "method":
        for bound in leaf.bound:
            if isinstance(bound, Ref):
                spoil(machine, bound, guard, 0)


def spoil(machine: Machine, ref: Ref, guard: Guard, depth: int) -> None:
    """Anything may have happened to an object where `guard` holds."""
    target = machine.object(ref)
    before, machine.live = machine.live, guard
    if isinstance(target, ListObject) and target.kind != "tuple":
        target.items, target.tail = [], _CHANGED
    elif isinstance(target, DictObject):
        blur(machine, target, _CHANGED)
    elif isinstance(target, LazyObject):
        target.stopped = target.stopped | guard
    elif isinstance(target, InstanceObject) and target.watch is not None:
        target.watch.append((guard, ANY, _CHANGED, None))
    elif isinstance(target, InstanceObject) and not target.native:
        target.havoc = _CHANGED
        for name, old in target.fields.items():
            if depth < 3:
                for under, leaf in options_of(old, guard):
                    if isinstance(leaf, Ref) and leaf != ref:
                        spoil(machine, leaf, under, depth + 1)
            made = replace(_CHANGED, detail=f"{_CHANGED.detail}: {name}")
            target.fields[name] = machine.guarded(old, made, target.born)
    machine.live = before


def spoil_reachable(machine: Machine, function: FunctionObject) -> None:
    """A function was not run: every object that its text can name may have changed, and the environment."""
    seen: set[int] = set()
    queue = [function]
    while queue:
        current = queue.pop()
        if id(current.body) in seen:
            continue
        seen.add(id(current.body))
        for node in walk(current.body):
            if isinstance(node, n.Name):
                queue.extend(_spoil_name(machine, current.frame, node.id))
            elif isinstance(node, n.Scope):
                for name in node.names:
                    _forget(machine, current.frame, name)
            elif isinstance(node, n.Attribute) and node.name in ("environ", "putenv"):
                environment.forget(machine, _CHANGED)


def _spoil_name(machine: Machine, frame: Frame, name: str) -> list[FunctionObject]:
    value = _held(frame, name)
    found: list[FunctionObject] = []
    for guard, leaf in options_of(value, machine.live) if value is not None else ():
        if isinstance(leaf, Callee) and isinstance(leaf.target, FunctionObject):
            found.append(leaf.target)
        elif isinstance(leaf, Ref):
            target = machine.object(leaf)
            spoil(machine, leaf, guard, 0)
            if isinstance(target, ClassObject):
                methods = [held.target for held in target.names.values() if isinstance(held, Callee)]
                found.extend(method for method in methods if isinstance(method, FunctionObject))
    return found


def _held(frame: Frame | None, name: str) -> Value | None:
    while frame is not None:
        if name in frame.names:
            return frame.names[name]
        frame = frame.outer
    return None


def _forget(machine: Machine, frame: Frame | None, name: str) -> None:
    while frame is not None:
        if name in frame.names:
            machine.enter(frame)
            frame.names[name] = machine.guarded(frame.names[name], _CHANGED, frame.entry)
        frame = frame.outer
