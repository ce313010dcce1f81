"""What a stretch of execution changes: copies of everything it touched, to compare with or to go back to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from miles_lint.domain.value import Value
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

_PARTS: dict[type, tuple[str, ...]] = {
    ListObject: ("items", "tail"),
    DictObject: ("entries", "unknown"),
    ClassObject: ("names", "fields"),
    InstanceObject: ("fields", "havoc", "absent"),
    EnvironmentObject: ("names", "written", "unknown"),
    LazyObject: ("spent", "stopped"),
}
_SCOPE = ("names", "returns", "breaks", "continues")


@dataclass(eq=False, slots=True)
class Journal:
    """`cells` are heap objects as they were at the first touch; `frames` the scopes, likewise.

    Objects made since then, at `length` and above, are not of interest.
    """

    length: int
    cells: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    frames: dict[int, tuple[Frame, tuple[Any, ...]]] = field(default_factory=dict)

    def touch(self, cell: int, target: HeapObject) -> None:
        """Keep an object as it is, unless that was done before."""
        if cell < self.length and cell not in self.cells:
            parts = _PARTS.get(type(target), ())
            self.cells[cell] = tuple(_copied(getattr(target, part)) for part in parts)

    def enter(self, frame: Frame) -> None:
        """Keep a scope as it is, unless that was done before."""
        if id(frame) not in self.frames:
            self.frames[id(frame)] = (frame, tuple(_copied(getattr(frame, part)) for part in _SCOPE))

    def changed(self, heap: list[HeapObject]) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects that are not what they were: their cells, and what each changed part was."""
        for cell, parts in self.cells.items():
            target = heap[cell]
            before = dict(zip(_PARTS.get(type(target), ()), parts))
            old = {part: was for part, was in before.items() if not _same(was, getattr(target, part))}
            if old:
                yield cell, old

    def renamed(self) -> Iterator[tuple[Frame, str, Value | None]]:
        """The names that hold something else than they did, and what they held."""
        for frame, (names, *_) in self.frames.values():
            for name, value in frame.names.items():
                if names.get(name) is not value:
                    yield frame, name, names.get(name)

    def undo(self, heap: list[HeapObject]) -> None:
        """Put everything back."""
        for cell, parts in self.cells.items():
            target = heap[cell]
            for part, was in zip(_PARTS.get(type(target), ()), parts):
                setattr(target, part, _copied(was))
        for frame, scope in self.frames.values():
            for part, was in zip(_SCOPE, scope):
                setattr(frame, part, _copied(was))


def _copied(part: Any) -> Any:
    if isinstance(part, list):
        return list(part)
    return dict(part) if isinstance(part, dict) else part


def _same(was: Any, now: Any) -> bool:
    if isinstance(was, list):
        return len(was) == len(now) and all(a is b for a, b in zip(was, now))
    if isinstance(was, dict):
        return len(was) == len(now) and all(now.get(key) is value for key, value in was.items())
    return was is now
