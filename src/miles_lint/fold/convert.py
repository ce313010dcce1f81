"""Between folded values and plain Python objects: what a pure operation is run on, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import PurePosixPath

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import Term, symbol
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
    choose,
    options_of,
)
from miles_lint.fold import special
from miles_lint.fold.heap import DictObject, InstanceObject, LazyObject, ListObject
from miles_lint.fold.limits import OverBudget, size
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


def term_of(obj: object) -> object | None:
    """The symbolic form of an operand: a `Term`, a hashable constant in a tuple, or None when there is none."""
    if isinstance(obj, Unknown):
        return obj.term
    if isinstance(obj, (type(None), bool, int, float, str, PurePosixPath)):
        return (obj,)
    if isinstance(obj, tuple) and all(isinstance(item, (type(None), bool, int, float, str)) for item in obj):
        return (obj,)
    if isinstance(obj, (list, set, frozenset)) and all(
        isinstance(item, (type(None), bool, int, float, str)) for item in obj
    ):
        return (tuple(sorted(obj, key=repr)) if isinstance(obj, (set, frozenset)) else tuple(obj),)
    return None


_LONGEST_TERM = 64


def make_term(op: str, *operands: object) -> Term | None:
    """A term over operands as `term_of` gives them; None when one of them has no symbolic form, or it is too long."""
    parts: list[object] = []
    for operand in operands:
        if operand is None:
            return None
        parts.append(operand[0] if isinstance(operand, tuple) else operand)
    made = Term(op, tuple(parts))
    return made if made.size <= _LONGEST_TERM else None


def combinations(machine: Machine, values: list[Value], live: Guard) -> Iterator[tuple[Guard, tuple[object, ...]]]:
    """Every feasible combination of plain operands under `live`. Raises `TooMany`."""
    found: list[tuple[Guard, tuple[object, ...]]] = [(live, ())]
    for value in values:
        grown: list[tuple[Guard, tuple[object, ...]]] = []
        for guard, so_far in found:
            grown.extend((under, (*so_far, obj)) for under, obj in alternatives(machine, value, guard))
        if len(grown) > machine.budget.alternatives:
            raise TooMany
        found = grown
    yield from found


Pure = Callable[..., object]
_CALM = frozenset(
    (
        *("str", "repr", "len", "lower", "upper", "strip", "lstrip", "rstrip", "startswith", "endswith", "replace"),
        *("title", "capitalize", "isdigit", "isalpha", "find", "count", "split", "splitlines", "in", "[:]"),
    )
)


_SHOWING = frozenset(("str", "repr", "ascii", "format", "%", "{}"))


def _unordered(obj: object) -> bool:
    """Whether what an object prints depends on the order of a set, which is another one in every run."""
    if isinstance(obj, (set, frozenset)):
        return len(obj) > 1 or any(map(_unordered, obj))
    if isinstance(obj, dict):
        return any(map(_unordered, obj.values()))
    return isinstance(obj, (list, tuple)) and any(map(_unordered, obj))


def lift(
    machine: Machine,
    name: str,
    function: Pure,
    values: list[Value],
    origin: Origin | None,
    result_type: type | None = None,
    keywords: tuple[str, ...] = (),
) -> Value:
    """A pure function over every combination of its operands; an exception ends that path as it would in Python.

    The last operands are passed by the names in `keywords`.
    """
    results: list[tuple[Guard, Value]] = []
    positional = len(values) - len(keywords)
    values = [_read(machine, value) for value in values]
    try:
        for guard, objects in combinations(machine, values, machine.live):
            unknown = next((obj for obj in objects if isinstance(obj, (Unknown, Ref, Callee))), None)
            if unknown is not None:
                if name not in _CALM or not (isinstance(unknown, Unknown) and (unknown.type is str or name == "str")):
                    machine.doubt()
                term = make_term("call", (name,), *map(term_of, objects)) if not keywords else None
                detail = unknown.detail if isinstance(unknown, Unknown) and unknown.detail else name
                reason = unknown.reason if isinstance(unknown, Unknown) else Reason.OPERATION
                results.append((guard, Unknown(reason, detail, result_type, term, origin)))
                continue
            if name in _SHOWING and any(map(_unordered, objects)):
                results.append((guard, Unknown(Reason.OUTSIDE, "order of a set", result_type, None, origin)))
                continue
            try:
                made = function(*objects[:positional], **dict(zip(keywords, objects[positional:])))
            except TooMany:
                raise
            except (OverBudget, RecursionError, MemoryError) as over:
                machine.doubt()
                told = str(over) if isinstance(over, OverBudget) else f"{name}: value nested too deeply"
                results.append((guard, Unknown(Reason.BUDGET, told, result_type, None, origin)))
                continue
            except Exception as error:
                machine.require(~guard, type(error))
                continue
            results.append((guard, from_python(machine, made, origin)))
    except TooMany as many:
        detail = f"{name}: {str(many) or f'more than {machine.budget.alternatives} alternatives'}"
        return Unknown(Reason.BUDGET, detail, result_type, None, origin)
    return choose(results) if results else Unknown(Reason.OPERATION, name, result_type, None, origin)


def _read(machine: Machine, value: Value) -> Value:
    """An operand as an operation takes it: what is read once is read now."""
    target = machine.object(value) if isinstance(value, Ref) else None
    if not isinstance(target, LazyObject) and not (isinstance(target, ListObject) and target.kind == "iterator"):
        return value
    found: list[tuple[Guard, Value]] = []
    known = machine.run.each(machine, value, lambda element: found.append((machine.live, element)))
    return Items(tuple(found)) if known else Unknown(Reason.LOOP, "unknown sequence")


def as_text(machine: Machine, value: Value, origin: Origin | None = None) -> Text:
    """`str(value)` piece by piece: what is not known becomes a hole."""
    if isinstance(value, Text):
        return value
    always = machine.space.always
    if isinstance(value, Known):
        where = value.origin or origin
        return Text((Chars(str(value.value), always, where),))
    if isinstance(value, Unknown):
        return Text((Hole(value, always, value.origin or origin),))
    if isinstance(value, Choice):
        pieces = [as_text(machine, leaf, origin).under(guard).pieces for guard, leaf in value.options]
        return Text(tuple(piece for group in pieces for piece in group))
    if isinstance(value, Ref) and special.instance(machine, value) is not None:
        return _printed(machine, value, origin)
    if isinstance(value, Callee) and value.kind == "external":
        unknown = Unknown(Reason.IMPORT, value.name, None, symbol("import", value.name), origin)
        return Text((Hole(unknown, always, origin),))
    shown = lift(machine, "str", str, [value], origin, str)
    if isinstance(shown, (Text, Known, Choice)):
        return as_text(machine, shown, origin)
    return Text((Hole(shown if isinstance(shown, Unknown) else Unknown(Reason.OPERATION, "object"), always, origin),))


def _printed(machine: Machine, ref: Ref, origin: Origin | None) -> Text:
    """`str()` of an object: by its own method, or as a member of an enumeration."""
    unknown = Text((Hole(Unknown(Reason.OPERATION, "object", str), machine.space.always, origin),))
    name = special.member_name(machine, ref)
    if name is not None and not special.defines(machine, ref, "__str__"):
        return machine.text(name, origin)
    value = special.member_value(machine, ref)
    if value is not None and not special.defines(machine, ref, "__str__"):
        return as_text(machine, value, origin)
    method = special.method(machine, ref, "__str__") or special.method(machine, ref, "__repr__")
    if method is None or special.defines(machine, ref, "__format__"):
        return unknown
    made = special.invoke(machine, method, ref)
    return as_text(machine, made, origin) if _is_text(made) else unknown


def _is_text(value: Value) -> bool:
    return isinstance(value, Text) or (
        isinstance(value, Choice) and all(isinstance(leaf, Text) for _, leaf in value.options)
    )
