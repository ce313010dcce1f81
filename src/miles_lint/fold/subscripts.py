"""`value[index]`: lists, tuples, dicts, strings, the environment."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Text, Unknown, Value, choose, options_of
from miles_lint.fold import environment, operations, special, typeforms
from miles_lint.fold.containers import constant, unclear
from miles_lint.fold.convert import TooMany, alternatives, from_python
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import AnyKey, ClassObject, DictObject, EnvironmentObject, ListObject
from miles_lint.fold.lifting import lift, make_term, term_of
from miles_lint.fold.machine import Machine
from miles_lint.fold.telling import tell


def subscript(machine: Machine, value: Value, index: Value, origin: Origin) -> Value:
    """The element at an index or key; a key that cannot be there ends the path, as KeyError would."""
    results: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(value, machine.live):
        before = machine.live
        machine.live = guard
        made = _leaf(machine, leaf, index, origin)
        results.append((machine.live, made))
        machine.live = machine.live | (before - guard)
    return machine.bounded(choose(results)) if results else Unknown(Reason.SUBSCRIPT, origin=origin)


def _leaf(machine: Machine, leaf: Value, index: Value, origin: Origin) -> Value:
    if isinstance(leaf, Callee):
        return typeforms.parametrised(leaf, index)
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, DictObject):
            return entry(machine, target, index, origin)
        if isinstance(target, EnvironmentObject):
            return machine.narrow(environment.get(machine, index, None, origin))
        if isinstance(target, ListObject):
            items = tuple(target.items) if target.tail is None else None
            return _element(machine, leaf, items, index, origin)
        held = special.as_tuple(machine, leaf)
        if held is not None:
            return _element(machine, held, held.items, index, origin)
        function = special.method(machine, leaf, "__getitem__")
        if function is not None:
            return special.invoke(machine, function, leaf, index)
        if isinstance(target, ClassObject) and isinstance(index, Text) and index.plain is not None:
            found = target.names.get(index.plain)
            if isinstance(found, Ref) and special.is_enumeration(machine, leaf.cell):
                return found
    if isinstance(leaf, Items):
        return _element(machine, leaf, leaf.items, index, origin)
    if isinstance(leaf, (Text, Known)):
        if isinstance(index, Callee):
            return lift(machine, "[:]", lambda s, a, b, c: s[a:b:c], [leaf, *index.bound], origin, str)
        return lift(machine, "[]", lambda s, i: s[i], [leaf, index], origin)
    machine.doubt()
    if isinstance(leaf, Unknown):
        plain = index.plain if isinstance(index, Text) else index.value if isinstance(index, Known) else None
        term = make_term("index", leaf.term, term_of(plain)) if leaf.term is not None and plain is not None else None
        return Unknown(leaf.reason, leaf.detail, None, term, origin)
    return Unknown(Reason.SUBSCRIPT, origin=origin)


_PLAIN = frozenset((str, int, float, bool, tuple, type(None)))


def entry(machine: Machine, target: DictObject, index: Value, origin: Origin, default: Value | None = None) -> Value:
    """A dict's value for a key; without a default a missing key ends the path."""
    live = machine.live
    left, missing = live, machine.space.never
    plain = constant(index)
    found: list[tuple[Guard, Value]] = []
    machine.work(len(target.entries))
    open_end = unclear(machine, index, len(target.entries))
    if not open_end.impossible:
        machine.doubt()
        many = f"more than {machine.budget.alternatives} alternatives"
        found.append((open_end, Unknown(Reason.BUDGET, many, None, None, origin)))
        left = live - open_end
    for guard, key, value, _ in reversed(target.entries):
        if left.impossible:
            break
        if plain is not None and type(key) in _PLAIN and plain != key:
            continue
        inside = left & guard
        if inside.impossible:
            continue
        machine.live = inside
        if isinstance(key, AnyKey):
            hit = inside if key.value is None else inside & operations.compare(machine, "==", index, key.value, origin)
        elif plain is not None and type(key) in _PLAIN:
            hit = inside
        else:
            hit = inside & operations.compare(machine, "==", index, from_python(machine, key, None), origin)
        if value is None:
            missing = missing | hit
        elif not hit.impossible:
            found.append((hit, value))
        left = left - hit
    machine.live = live
    if target.unknown is not None:
        machine.doubt()
        found.append((left, Unknown(target.unknown.reason, target.unknown.detail, None, None, origin)))
    else:
        missing = missing | left
    if default is not None:
        found.append((missing, default))
    elif not missing.impossible:
        _tell_missing(machine, target, index, missing, origin)
        machine.require(live - missing, KeyError)
    found = [(guard, value) for guard, value in found if not guard.impossible]
    return machine.bounded(choose(found)) if found else Unknown(Reason.SUBSCRIPT, "missing key", origin=origin)


def _tell_missing(machine: Machine, target: DictObject, index: Value, left: Guard, origin: Origin) -> None:
    """Remember each key that is looked up on the paths of `left` and certainly not there."""
    written = (key for _, key, value, _ in target.entries if value is not None and not isinstance(key, AnyKey))
    options = tuple(dict.fromkeys(map(str, written)))
    places = (target.origin,) if target.origin is not None else ()
    try:
        wanted = alternatives(machine, index, left)
    except TooMany:
        return
    for guard, key in wanted:
        if not isinstance(key, (Unknown, Ref, Callee)):
            tell(machine, Kind.KEY, origin, str(key), guard=guard, options=options, places=places)


def _element(
    machine: Machine, leaf: Value, items: tuple[tuple[Guard, Value], ...] | None, index: Value, origin: Origin
) -> Value:
    if items is None:
        machine.doubt()
        return Unknown(Reason.SUBSCRIPT, "element of an unknown list", origin=origin)
    certain = all(machine.live.implies(guard) for guard, _ in items)
    if not certain:
        return lift(machine, "[]", lambda s, i: s[i], [leaf, index], origin)
    if isinstance(index, Callee):
        bounds = [b.value for b in index.bound if isinstance(b, Known) and isinstance(b.value, (int, type(None)))]
        if len(bounds) != 3:
            return Unknown(Reason.SUBSCRIPT, "slice", origin=origin)
        kept = items[slice(*bounds)]
        if isinstance(leaf, Items):
            return Items(kept, leaf.kind, origin)
        return machine.allocate(ListObject(list(kept), machine.live, origin=origin))
    results: list[tuple[Guard, Value]] = []
    try:
        for guard, position in alternatives(machine, index, machine.live):
            if isinstance(position, Unknown) or not isinstance(position, int):
                results.append((guard, Unknown(Reason.SUBSCRIPT, "unknown index", origin=origin)))
            elif -len(items) <= position < len(items):
                results.append((guard, items[position][1]))
            else:
                machine.require(~guard)
    except TooMany:
        return Unknown(Reason.BUDGET, "index", origin=origin)
    return choose(results) if results else Unknown(Reason.SUBSCRIPT, "no such element", origin=origin)
