"""Reading and growing lists, tuples and dicts whose elements are guarded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Text, Unknown, Value, options_of
from miles_lint.fold import environment
from miles_lint.fold.convert import TooMany, alternatives, from_python
from miles_lint.fold.heap import (
    AnyKey,
    ClassObject,
    DictObject,
    EnvironmentObject,
    InstanceObject,
    LazyObject,
    ListObject,
)
from miles_lint.fold.machine import Machine


def type_of(value: Value) -> type | None:
    """The Python type of a scalar or string; None where it is not known."""
    if isinstance(value, Text):
        return str
    if isinstance(value, Known):
        return type(value.value)
    return value.type if isinstance(value, Unknown) else None


_LOOKED_BACK = 64
"""Elements of a long list after which it is looked whether those before have stayed."""
_SHORT = 8
"""Elements of a tuple that is compared as a whole."""
Turn = Callable[[Value], None]
Elements = list[tuple[Guard, Value]]


def constant(value: Value, depth: int = 3) -> object:
    """A string, a number or a tuple of them as Python compares it; None for what may be equal to others."""
    if isinstance(value, Text):
        return value.plain
    if isinstance(value, Known):
        return value.value if isinstance(value.value, (int, float)) else None
    if isinstance(value, Items) and value.kind == "tuple" and len(value.items) <= _SHORT and depth:
        parts = [constant(item, depth - 1) if guard.certain else None for guard, item in value.items]
        return None if None in parts else tuple(parts)
    return None


def unclear(machine: Machine, value: Value, count: int) -> Guard:
    """The condition, under `live`, on which a value is not known and compared with so many that this says nothing."""
    found = machine.space.never
    if count > machine.budget.alternatives:
        for guard, leaf in options_of(value, machine.live):
            if isinstance(leaf, (Unknown, Text, Items)) and constant(leaf) is None:
                found = found | guard
    return found


def elements_of(machine: Machine, value: Value) -> tuple[tuple[Guard, Value], ...] | None:
    """The guarded elements of a list, tuple or set; None for anything else."""
    if isinstance(value, Items):
        return value.items
    if isinstance(value, Ref):
        target = machine.object(value)
        if isinstance(target, ListObject) and target.kind != "iterator":
            return tuple(target.items)
    return None


def each(machine: Machine, value: Value, turn: Turn) -> bool:
    """Call back with every element that a loop over a value would see, under the condition on which it does.

    Paths that leave `live` in a turn see no more of them. False when the elements are not known, perhaps after
    some turns.
    """
    live, after = machine.live, machine.space.never
    for guard, leaf in options_of(value, live):
        machine.live = guard
        if not _each(machine, leaf, turn):
            machine.live = live
            machine.doubt()
            return False
        after = after | machine.live
    machine.live = after
    return True


def _each(machine: Machine, leaf: Value, turn: Turn) -> bool:
    target = machine.object(leaf) if isinstance(leaf, Ref) else None
    if isinstance(target, LazyObject):
        return drive(machine, target, turn)
    if isinstance(target, ListObject) and target.kind != "set":
        return target.tail is None and _in_turn(machine, target, turn)
    if isinstance(leaf, Ref) and isinstance(target, InstanceObject):
        return machine.run.iterate_object(machine, leaf, turn)
    elements = _elements(machine, leaf)
    if elements is None or len(elements) > machine.budget.iterations:
        return False
    for guard, element in elements:
        _one_turn(machine, guard, element, turn)
    return True


def _one_turn(machine: Machine, guard: Guard, element: Value, turn: Turn) -> None:
    before = machine.live
    mark = len(machine.failures)
    machine.live = before & guard
    if not machine.live.impossible:
        turn(element)
    machine.live = machine.live | (before - guard)
    machine.revive(mark)


def _in_turn(machine: Machine, target: ListObject, turn: Turn) -> bool:
    """A list may grow while it is read; one that changes before the place of reading is not followed."""
    seen: list[Guard] = []
    while len(seen) < len(target.items) and not machine.live.impossible:
        guard, element = target.items[len(seen)]
        if target.kind == "iterator":
            target.items[len(seen)] = (guard - machine.live, element)
            seen.append(target.items[len(seen)][0])
        else:
            seen.append(guard)
        if len(seen) > machine.budget.iterations:
            return False
        _one_turn(machine, guard, element, turn)
        kept = target.items
        if target.tail is not None or len(kept) < len(seen):
            return False
        watched = len(seen) < _LOOKED_BACK or len(seen) % _LOOKED_BACK == 0
        if target.kind != "iterator" and watched and _moved(kept, seen):
            return False
    return target.kind == "iterator" or not _moved(target.items, seen)


def _moved(items: Elements, seen: list[Guard]) -> bool:
    return any(here[0] is not there for here, there in zip(items, seen))


def drive(machine: Machine, target: LazyObject, turn: Turn) -> bool:
    """Read an iterator to its end under `live`; where it was read before there is nothing left."""
    before, live = target.spent, machine.live
    if not (live & target.stopped).impossible:
        return False
    target.spent = before | live
    fresh = machine.live = live - before
    known = machine.live.impossible or target.drive(machine, turn)
    target.stopped = target.stopped | ((fresh - machine.live) if known else fresh)
    machine.live = machine.live | (live & before)
    return known


def iterate(machine: Machine, value: Value, ordered: bool = True) -> Elements | None:
    """The guarded elements that a loop over a value would see; None when they are not known.

    The order of a set is not known: its elements are not either, unless the order does not matter.
    """
    found: Elements = []
    live, after = machine.live, machine.space.never
    for guard, leaf in options_of(value, live):
        target = machine.object(leaf) if isinstance(leaf, Ref) else None
        if isinstance(target, (LazyObject, InstanceObject)) or (
            isinstance(target, ListObject) and target.kind == "iterator"
        ):
            machine.live = guard
            known = _each(machine, leaf, lambda element: found.append((machine.live, element)))
            after = after | machine.live
            if not known:
                machine.live = live
                machine.doubt()
                return None
            continue
        elements = _elements(machine, leaf, ordered)
        if elements is None:
            machine.live = live
            machine.doubt()
            return None
        found.extend((under & guard, element) for under, element in elements if not (under & guard).impossible)
        after = after | guard
    machine.live = after
    return found if len(found) <= machine.budget.iterations else None


_ELEMENT = Unknown(Reason.OUTSIDE, "element of a set")


def _shuffled(items: Elements) -> Elements:
    """The elements of a set as a loop sees them: any of them at any place."""
    if len(items) < 2:
        return items
    types = {type_of(value) for _, value in items}
    kind = types.pop() if len(types) == 1 else None
    return [(guard, replace(_ELEMENT, type=kind)) for guard, _ in items]


def _elements(machine: Machine, leaf: Value, ordered: bool = True) -> Elements | None:
    always = machine.space.always
    if isinstance(leaf, Items):
        items = list(leaf.items)
        return _shuffled(items) if ordered and leaf.kind == "set" else items
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, ListObject):
            items = list(target.items)
            items = _shuffled(items) if ordered and target.kind == "set" else items
            return items if target.tail is None else None
        if isinstance(target, DictObject) and target.unknown is None:
            return [(guard, from_python(machine, key, None)) for guard, key in keys(machine, target)]
        if isinstance(target, ClassObject):
            return list(members(machine, leaf)) or None
        return None
    if isinstance(leaf, Text):
        plain = leaf.plain
        if plain is not None and len(plain) <= machine.budget.iterations:
            return [(always, machine.text(char)) for char in plain]
    return None


def members(machine: Machine, cls: Ref) -> Iterator[tuple[Guard, Value]]:
    """The members of an enumeration, another name of the same member left out."""
    target = machine.object(cls)
    seen: set[Value] = set()
    for value in target.names.values() if isinstance(target, ClassObject) else ():
        if is_member(machine, cls, value) and value not in seen:
            seen.add(value)
            yield machine.space.always, value


def is_member(machine: Machine, cls: Ref, value: Value) -> bool:
    """Whether a value is a member of an enumeration."""
    member = machine.object(value) if isinstance(value, Ref) else None
    return isinstance(member, InstanceObject) and member.cls == cls.cell


def keys(machine: Machine, target: DictObject) -> list[tuple[Guard, object]]:
    """The keys of a dict in order, each under the condition on which it stands at that place.

    A key keeps the place of its first write since it was last not there.
    """
    present: dict[object, Guard] = {}
    found: list[tuple[Guard, object]] = []
    for guard, key, value, _ in target.entries:
        here = present.get(key, machine.space.never)
        if value is None:
            present[key] = here - guard
            found = [(under - guard, known) if known == key else (under, known) for under, known in found]
            continue
        new = guard - here
        if not new.impossible:
            present[key] = here | guard
            found.append((new, key))
    return [(guard, key) for guard, key in found if not guard.impossible]


def set_entry(machine: Machine, target: DictObject, key: Value, new: Value | None, origin: Origin | None) -> None:
    """`target[key] = new` (or deletion) under `live`."""
    try:
        for guard, obj in alternatives(machine, key, machine.live):
            if isinstance(obj, (Unknown, Ref, Callee)) or obj.__hash__ is None:
                held = AnyKey(obj if isinstance(obj, Unknown) else key)
                target.entries.append((guard, held, new, origin))
                target.unknown = Unknown(Reason.SUBSCRIPT, "unknown key", origin=origin)
            else:
                target.entries.append((guard, obj, new, origin))
                _tell(machine, target, guard, obj, new)
    except TooMany as many:
        blur(machine, target, Unknown(Reason.BUDGET, f"key: {many}" if str(many) else "key", origin=origin))
    _settle(machine, target)


_CROWDED = 256


def _settle(machine: Machine, target: DictObject) -> None:
    """Leave out writes that others have replaced, where there are many, and the contents of a dict past the budget."""
    entries = target.entries
    if len(entries) <= _CROWDED or (len(entries) % _CROWDED and len(entries) <= machine.budget.items):
        return
    if target.unknown is None and all(guard is entries[0][0] and item is not None for guard, _, item, _ in entries):
        last = {key: (value, origin) for _, key, value, origin in entries}
        target.entries = [(entries[0][0], key, *held) for key, held in last.items()]
    if len(target.entries) > machine.budget.items:
        target.entries = []
        target.unknown = Unknown(Reason.BUDGET, "dict too large", origin=target.origin)


def _tell(machine: Machine, target: DictObject, guard: Guard, key: object, new: Value | None) -> None:
    if target.written is not None:
        live, machine.live = machine.live, guard
        target.written(machine, key, new)
        machine.live = live


def blur(machine: Machine, target: DictObject, why: Unknown) -> None:
    """Any key may have been written or deleted under `live`."""
    _tell(machine, target, machine.live, None, None)
    if (target.born - machine.live).impossible:
        target.entries = []
    else:
        target.entries.append((machine.live, AnyKey(), why, None))
    target.unknown = why


def merge_into(machine: Machine, target: DictObject, value: Value) -> None:
    """`target.update(value)` under `live`."""
    live = machine.live
    for guard, leaf in options_of(value, live):
        machine.live = guard
        source = machine.object(leaf) if isinstance(leaf, Ref) else None
        if isinstance(source, EnvironmentObject):
            source = environment.snapshot(machine, None)
        if isinstance(source, DictObject):
            machine.work(len(source.entries))
            if source.unknown is not None:
                blur(machine, target, source.unknown)
            for under, key, item, origin in list(source.entries):
                target.entries.append((under & guard, key, item, origin))
                _tell(machine, target, under & guard, key, item)
            _settle(machine, target)
        else:
            _merge_pairs(machine, target, leaf)
    machine.live = live


def _merge_pairs(machine: Machine, target: DictObject, leaf: Value) -> None:
    live = machine.live
    pairs = iterate(machine, leaf)
    if pairs is None:
        blur(machine, target, leaf if isinstance(leaf, Unknown) else Unknown(Reason.OPERATION, "unknown pairs"))
        return
    for guard, pair in pairs:
        machine.live = live & guard
        items = iterate(machine, pair)
        if items is None or len(items) != 2:
            blur(machine, target, Unknown(Reason.CALL, "dict of unknown pairs"))
        else:
            set_entry(machine, target, items[0][1], items[1][1], None)
    machine.live = live


def repeat(machine: Machine, value: Value, count: Value) -> Value | None:
    """`list * count`: the same elements again; None when that is no repetition of a known list."""
    if isinstance(value, Items):
        elements, kind = list(value.items), value.kind
    else:
        held = machine.object(value) if isinstance(value, Ref) else None
        if not isinstance(held, ListObject) or held.tail is not None or held.kind not in ("list", "tuple"):
            return None
        elements, kind = list(held.items), held.kind
    try:
        counts = alternatives(machine, count, machine.live)
    except TooMany:
        return None
    if not all(isinstance(times, int) for _, times in counts):
        return None
    made: Elements = []
    longest = max((times for _, times in counts if isinstance(times, int)), default=0)
    if longest * len(elements) > machine.budget.items:
        return None
    for turn in range(longest):
        inside = machine.space.never
        for guard, times in counts:
            if isinstance(times, int) and times > turn:
                inside = inside | guard
        made.extend((guard & inside, element) for guard, element in elements)
    kept = [item for item in made if not item[0].impossible]
    if kind == "tuple":
        return Items(tuple(kept), kind)
    return machine.allocate(ListObject(kept, machine.live))
