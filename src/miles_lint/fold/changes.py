"""What may have changed where it is not known how far, or how often, some code has run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Hole, Ref, Text, Unknown, Value
from miles_lint.fold import environment, lists
from miles_lint.fold.containers import blur
from miles_lint.fold.heap import (
    ClassObject,
    DictObject,
    EnvironmentObject,
    Frame,
    HeapObject,
    InstanceObject,
    LazyObject,
    ListObject,
)
from miles_lint.fold.journal import Journal
from miles_lint.fold.machine import Machine

_FEW = 8


@dataclass(eq=False)
class Places:
    """Names of scopes and heap objects that some code changes.

    `parts` are the attributes of objects; `remade` are lists that do more than grow.
    """

    names: set[tuple[int, str]] = field(default_factory=set)
    parts: set[tuple[int, str]] = field(default_factory=set)
    cells: set[int] = field(default_factory=set)
    remade: set[int] = field(default_factory=set)
    frames: dict[int, Frame] = field(default_factory=dict)

    def add(self, journal: Journal, heap: list[HeapObject]) -> bool:
        """Remember what was changed; whether something was not remembered before."""
        before = self._size()
        for frame, name, _ in journal.renamed():
            self.names.add((id(frame), name))
            self.frames[id(frame)] = frame
        for cell, old in journal.changed(heap):
            target = heap[cell]
            self.cells.add(cell)
            self.parts.update((cell, name) for name in _changed_names(target, old))
            if isinstance(target, ListObject) and not grew(target, old):
                self.remade.add(cell)
        return before != self._size()

    def _size(self) -> tuple[int, ...]:
        return len(self.names), len(self.parts), len(self.cells), len(self.remade)


def _changed_names(target: HeapObject, old: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for part in ("fields", "absent", "names"):
        if part in old:
            was, now = old[part], getattr(target, part)
            found += [name for name in {**was, **now} if was.get(name) is not now.get(name)]
    return found


def grew(target: ListObject, old: dict[str, Any]) -> bool:
    """Whether a list kept what it had, and got nothing but more elements at its end."""
    was = old.get("items", target.items)
    return len(was) <= len(target.items) and all(a is b for a, b in zip(was, target.items))


def forget(machine: Machine, places: Places, why: Unknown, grown: Callable[[str], bool]) -> None:
    """Nothing is known any more of these places under `live`; a text that only grows keeps what it had."""
    for owner, name in places.names:
        forget_name(machine, places.frames[owner], name, why, grown(name))
    for cell in places.cells:
        target = machine.object(Ref(cell))
        if isinstance(target, (InstanceObject, ClassObject)):
            held = target.fields if isinstance(target, InstanceObject) else target.names
            for name in (name for owner, name in places.parts if owner == cell and name in held):
                held[name] = machine.guarded(held[name], why, target.born)
        elif isinstance(target, ListObject) and cell not in places.remade:
            target.tail = why
        elif isinstance(target, ListObject):
            lists.lose(machine, target, why)
        elif isinstance(target, DictObject):
            blur(machine, target, why)
        elif isinstance(target, EnvironmentObject):
            environment.forget(machine, why)
        elif isinstance(target, LazyObject):
            target.stopped = target.stopped | machine.live


def forget_name(machine: Machine, frame: Frame, name: str, why: Unknown, grown: bool = False) -> None:
    """A name holds anything under `live`; a text that only grows begins with what it is."""
    old = frame.names.get(name)
    made: Value = why
    if grown and isinstance(old, Text) and old.pieces:
        made = Text((*old.pieces, Hole(why, machine.space.always, why.origin)))
    machine.enter(frame)
    frame.names[name] = machine.guarded(old, made, frame.entry)


def interrupt(machine: Machine, journal: Journal, surprised: Guard, why: Unknown) -> None:
    """Code was run to its end although it may have stopped anywhere on the paths of `surprised`."""
    live, machine.live = machine.live, surprised
    for frame, name, old in list(journal.renamed()):
        machine.enter(frame)
        if old is not None:
            frame.names[name] = machine.guarded(frame.names[name], why, frame.entry)
    for cell, old_parts in list(journal.changed(machine.heap)):
        _interrupt_object(machine, machine.object(Ref(cell)), old_parts, why)
    machine.live = live


def _interrupt_object(machine: Machine, target: HeapObject, old: dict[str, Any], why: Unknown) -> None:
    if isinstance(target, ListObject):
        kept = len(old.get("items", target.items))
        if grew(target, old) and target.kind == "list" and len(target.items) - kept <= _FEW:
            fresh = target.items[kept:]
            target.items = target.items[:kept] + [(_perhaps(machine, guard), value) for guard, value in fresh]
        else:
            lists.lose(machine, target, why)
    elif isinstance(target, DictObject):
        was = old.get("entries", target.entries)
        fresh_entries = target.entries[len(was) :]
        if len(fresh_entries) <= _FEW and all(a is b for a, b in zip(was, target.entries)):
            target.entries = target.entries[: len(was)]
            for guard, key, value, origin in fresh_entries:
                target.entries.append((_perhaps(machine, guard), key, value, origin))
        else:
            blur(machine, target, why)
    elif isinstance(target, (InstanceObject, ClassObject)):
        held = target.fields if isinstance(target, InstanceObject) else target.names
        for name in (name for name in _changed_names(target, old) if name in held):
            held[name] = machine.guarded(held[name], why, target.born)
    elif isinstance(target, EnvironmentObject):
        for name in _changed_names(target, old):
            environment.forget_one(machine, name, why)
    elif isinstance(target, LazyObject):
        target.stopped = target.stopped | machine.live


def _perhaps(machine: Machine, guard: Guard) -> Guard:
    """A guard that holds on the live paths under a further condition that nobody can decide."""
    inside = guard & machine.live
    return guard if inside.impossible else guard - (inside - machine.space.condition("before the exception"))
