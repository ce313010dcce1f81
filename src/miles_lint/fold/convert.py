"""Between folded values and plain Python objects: what a pure operation is run on, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import PurePosixPath

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import (
    Callee,
    Chars,
    Choice,
    Hole,
    Items,
    Known,
    Piece,
    Reason,
    Ref,
    Text,
    Unknown,
    Value,
    options_of,
)
from miles_lint.fold import special
from miles_lint.fold.heap import DictObject, InstanceObject, ListObject
from miles_lint.fold.limits import size
from miles_lint.fold.machine import Machine

SCALARS = (type(None), bool, int, float, complex, bytes, type(...), PurePosixPath, re.Pattern, re.Match)


class TooMany(Exception):
    """More alternatives, or larger ones, than the budget allows; the text says which."""


def text_alternatives(machine: Machine, text: Text, live: Guard) -> list[tuple[Guard, str | Unknown]]:
    """The strings a text can be under `live`; every alternative with a hole is one `Unknown`."""
    whole = text.plain
    if whole is not None:
        return [(live, whole)]
    known: list[tuple[Guard, str]] = [(live, "")]
    unknown = machine.space.never
    hole: Hole | None = None
    for piece in _runs(text.pieces):
        following: dict[str, Guard] = {}
        for guard, so_far in known:
            inside = guard & piece.guard
            outside = guard - piece.guard
            if not inside.impossible:
                if isinstance(piece, Hole):
                    unknown, hole = unknown | inside, piece
                else:
                    grown = so_far + piece.text
                    following[grown] = following[grown] | inside if grown in following else inside
            if not outside.impossible:
                following[so_far] = following[so_far] | outside if so_far in following else outside
        if len(following) > machine.budget.alternatives:
            raise TooMany
        known = [(guard, grown) for grown, guard in following.items()]
    found: list[tuple[Guard, str | Unknown]] = list(known)
    if hole is not None:
        alone = hole.unknown.type is str and _only_piece_under(text, hole, unknown)
        term = hole.unknown.term if alone else None
        found.append((unknown, replace(hole.unknown, type=str, term=term)))
    return found


def _runs(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces with neighbours that stand under one guard put together."""
    for (guard, chars), group in groupby(pieces, lambda piece: (piece.guard, isinstance(piece, Chars))):
        if chars:
            yield Chars("".join(piece.text for piece in group if isinstance(piece, Chars)), guard)
        else:
            yield from group


def _only_piece_under(text: Text, hole: Hole, guard: Guard) -> bool:
    return all(piece is hole or piece.guard.excludes(guard) for piece in text.pieces)


Alternatives = list[tuple[Guard, object]]


class _Room:
    """What may still be made of one value: a container that is held in many places is made anew for each."""

    def __init__(self, machine: Machine) -> None:
        self.items = machine.budget.items
        self.text = 10 * machine.budget.text
        self.depth = machine.budget.nesting

    def take(self, made: Alternatives) -> None:
        self.items -= len(made)
        self.text -= sum(len(obj) for _, obj in made if isinstance(obj, (str, bytes)))
        if self.items < 0 or self.text < 0:
            raise TooMany("value too large")

    def enter(self) -> None:
        self.depth -= 1
        if self.depth < 0:
            raise TooMany("value nested too deeply")


def alternatives(machine: Machine, value: Value, live: Guard, room: _Room | None = None) -> Alternatives:
    """Plain objects a value can be under `live`; what is not known stays an `Unknown`. Raises `TooMany`."""
    if room is None:
        room = _Room(machine)
        made = alternatives(machine, value, live, room)
        machine.work(machine.budget.items - room.items)
        return made
    found: Alternatives = []
    for guard, leaf in options_of(value, live):
        if isinstance(leaf, Text):
            found.extend(text_alternatives(machine, leaf, guard))
        elif isinstance(leaf, Known):
            found.append((guard, leaf.value))
        elif isinstance(leaf, Items):
            found.extend(_sequences(machine, leaf.items, leaf.kind, guard, room))
        elif isinstance(leaf, Ref):
            found.extend(_objects(machine, leaf, guard, room))
        else:
            found.append((guard, leaf))
    room.take(found)
    if len(found) > machine.budget.alternatives:
        raise TooMany
    return found


def _spread(item: object) -> Unknown | None:
    """What is not known of a container that holds such an item: the reason stays, type and form do not."""
    if isinstance(item, Unknown):
        return replace(item, type=None, term=None)
    return Unknown(Reason.OPERATION, "object") if isinstance(item, (Ref, Callee)) else None


def _objects(machine: Machine, ref: Ref, guard: Guard, room: _Room) -> Alternatives:
    target = machine.object(ref)
    if isinstance(target, InstanceObject):
        return _instances(machine, ref, guard, room)
    if isinstance(target, ListObject) and target.tail is None and target.kind != "iterator":
        return _sequences(machine, tuple(target.items), target.kind, guard, room)
    if isinstance(target, DictObject) and target.unknown is None:
        room.enter()
        found: list[tuple[Guard, dict[object, object] | Unknown]] = [(guard, {})]
        for written, key, value, _ in target.entries:
            following: list[tuple[Guard, dict[object, object] | Unknown]] = []
            for so_far_guard, so_far in found:
                inside, outside = so_far_guard & written, so_far_guard - written
                if not outside.impossible:
                    following.append((outside, so_far))
                if inside.impossible:
                    continue
                if isinstance(so_far, Unknown):
                    following.append((inside, so_far))
                elif value is None:
                    following.append((inside, {k: v for k, v in so_far.items() if k != key}))
                else:
                    for under, item in alternatives(machine, value, inside, room):
                        spread = _spread(item)
                        following.append((under, {**so_far, key: item} if spread is None else spread))
            if len(following) > machine.budget.alternatives:
                raise TooMany
            found = following
        room.depth += 1
        return list(found)
    return [(guard, ref)]


def _sequences(
    machine: Machine, items: tuple[tuple[Guard, Value], ...], kind: str, guard: Guard, room: _Room
) -> Alternatives:
    room.enter()
    if len(items) > room.items:
        raise TooMany("value too large")
    found: list[tuple[Guard, list[object] | Unknown]] = [(guard, [])]
    for present, value in items:
        following: list[tuple[Guard, list[object] | Unknown]] = []
        for so_far_guard, so_far in found:
            inside, outside = so_far_guard & present, so_far_guard - present
            if not outside.impossible:
                following.append((outside, so_far))
            if inside.impossible:
                continue
            if isinstance(so_far, Unknown):
                following.append((inside, so_far))
                continue
            held = alternatives(machine, value, inside, room)
            if len(held) == 1 and outside.impossible and _spread(held[0][1]) is None:
                so_far.append(held[0][1])
                following.append((inside, so_far))
                continue
            for under, item in held:
                spread = _spread(item)
                following.append((under, [*so_far, item] if spread is None else spread))
        if len(following) > machine.budget.alternatives:
            raise TooMany
        found = following
    room.depth += 1
    return [(under, item if isinstance(item, Unknown) else _built(item, kind)) for under, item in found]


def _built(items: list[object], kind: str) -> object:
    if kind == "list":
        return items
    try:
        return set(items) if kind == "set" else tuple(items)
    except TypeError:
        return Unknown(Reason.OPERATION, "set")


def _instances(machine: Machine, ref: Ref, guard: Guard, room: _Room) -> Alternatives:
    """What an object is to an operation: a member of an enumeration its value, a named tuple its elements."""
    value = special.member_value(machine, ref)
    if value is not None:
        return [(under, special.member(machine, ref, obj)) for under, obj in alternatives(machine, value, guard, room)]
    elements = special.as_tuple(machine, ref)
    return [(guard, ref)] if elements is None else _sequences(machine, elements.items, "tuple", guard, room)


def from_python(machine: Machine, obj: object, origin: Origin | None) -> Value:
    """A folded value for a plain object made by a pure operation, unless it is too large to go on with."""
    if isinstance(obj, (list, tuple, set, frozenset, dict)):
        machine.work(8 * len(obj))
    if isinstance(obj, (list, tuple, set, frozenset, dict)) and len(obj) > machine.budget.items:
        return Unknown(Reason.BUDGET, f"{type(obj).__name__} too long", origin=origin)
    if isinstance(obj, (bytes, int)) and size(obj) > machine.budget.text:
        return Unknown(Reason.BUDGET, f"{type(obj).__name__} too long", type(obj), None, origin)
    if isinstance(obj, PurePosixPath) and len(str(obj)) > machine.budget.text:
        return Unknown(Reason.BUDGET, "path too long", origin=origin)
    if isinstance(obj, (special.MemberText, special.MemberNumber)):
        return obj.ref
    if isinstance(obj, str):
        if len(obj) > machine.budget.text:
            return Unknown(Reason.BUDGET, "text too long")
        return machine.text(obj, origin)
    if isinstance(obj, (tuple, set, frozenset, range)) or type(obj).__name__ == "_PathParents":
        items = sorted(obj, key=repr) if isinstance(obj, (set, frozenset)) else list(obj)  # type: ignore[call-overload]
        kind = "set" if isinstance(obj, (set, frozenset)) else "tuple"
        return Items(tuple((machine.space.always, from_python(machine, item, origin)) for item in items), kind, origin)
    if isinstance(obj, list):
        made = [(machine.space.always, from_python(machine, item, origin)) for item in obj]
        return machine.allocate(ListObject(made, machine.live, origin=origin))
    if isinstance(obj, dict):
        entries: list[tuple[Guard, object, Value | None, Origin | None]] = [
            (machine.space.always, key, from_python(machine, item, origin), origin) for key, item in obj.items()
        ]
        return machine.allocate(DictObject(entries, machine.live, origin=origin))
    if isinstance(obj, (Unknown, Ref, Callee, Items, Text, Known, Choice)):
        return obj
    if isinstance(obj, SCALARS):
        return Known(obj, origin)
    return Unknown(Reason.OPERATION, type(obj).__name__, origin=origin)


Pure = Callable[..., object]
