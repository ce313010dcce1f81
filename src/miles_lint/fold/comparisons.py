"""Truth and comparison of folded values: conditions."""

from __future__ import annotations

from miles_lint.domain.guard import OTHER, Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import BINARY
from miles_lint.domain.value import (
    Callee,
    Choice,
    Items,
    Known,
    Reason,
    Ref,
    Text,
    Unknown,
    Value,
    options_of,
)
from miles_lint.fold import environment, special, typeforms
from miles_lint.fold.containers import elements_of, iterate, unclear
from miles_lint.fold.convert import TooMany, from_python
from miles_lint.fold.heap import (
    ClassObject,
    DictObject,
    EnvironmentObject,
    InstanceObject,
    LazyObject,
    ListObject,
)
from miles_lint.fold.lifting import combinations, lift, make_term, term_of
from miles_lint.fold.machine import Machine
from miles_lint.fold.truths import condition, knob_of, truth


def compare(machine: Machine, op: str, left: Value, right: Value, origin: Origin | None) -> Guard:
    """The condition, under `live`, on which a comparison holds; an exception ends that path."""
    if op in ("in", "not in"):
        found = _contains(machine, left, right)
        return found if op == "in" else machine.live - found
    if op in ("is", "is not"):
        found = _identical(machine, left, right)
        return found if op == "is" else machine.live - found
    if not (_holds_objects(machine, left) or _holds_objects(machine, right)):
        return _compare_plain(machine, op, left, right)
    found, live = machine.space.never, machine.live
    outermost, before = not machine.comparing, machine.compared
    machine.comparing = True
    for guard, one in options_of(left, live):
        for under, two in options_of(right, guard):
            machine.live = under
            found = found | (under & _compare_leaves(machine, op, one, two, origin))
            live = live - (under - machine.live)
    machine.live = live
    if outermost:
        machine.comparing, machine.compared = False, before
    return found


def _compare_plain(machine: Machine, op: str, left: Value, right: Value) -> Guard:
    found = machine.space.never
    try:
        for guard, (a, b) in combinations(machine, [left, right], machine.live):
            found = found | (guard & _compare_objects(machine, op, a, b, guard))
    except TooMany as many:
        return machine.space.condition(f"comparison: {many}" if str(many) else "too many alternatives to compare")
    return found


def _holds_objects(machine: Machine, value: Value) -> bool:
    """Whether a value is, or has in it, an object that may compare as it likes."""
    queue, seen = [value], set()
    while queue:
        held = queue.pop()
        if isinstance(held, (Known, Text, Unknown)):
            continue
        if isinstance(held, Choice):
            queue.extend(leaf for _, leaf in held.options)
            continue
        key = held.cell if isinstance(held, Ref) else -id(held)
        if key in seen:
            continue
        seen.add(key)
        if isinstance(held, Ref) and special.instance(machine, held) is not None:
            if special.member_value(machine, held) is None:
                return True
            continue
        queue.extend(element for _, element in elements_of(machine, held) or ())
    return False


_REFLECTED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_METHODS = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", ">": "__gt__", "<=": "__le__", ">=": "__ge__"}


def _compare_leaves(machine: Machine, op: str, one: Value, two: Value, origin: Origin | None) -> Guard:
    for value, other, name in ((one, two, _METHODS[op]), (two, one, _METHODS[_REFLECTED[op]])):
        if isinstance(value, Ref) and special.instance(machine, value) is not None:
            function = special.method(machine, value, name)
            if function is not None:
                return truth(machine, special.invoke(machine, function, value, other))
            if op == "!=" and special.method(machine, value, "__eq__") is not None:
                return machine.live - compare(machine, "==", one, two, origin)
    sequences = [_as_sequence(machine, value) for value in (one, two)]
    if sequences[0] is not None and sequences[1] is not None:
        return _compare_sequences(machine, op, sequences[0], sequences[1], origin)
    objects = [value for value in (one, two) if isinstance(value, Ref) and special.instance(machine, value)]
    if not objects:
        return _compare_plain(machine, op, one, two)
    if one == two and op in ("==", "!="):
        return machine.space.always if op == "==" else machine.space.never
    if isinstance(one, Ref) and isinstance(two, Ref):
        fields = _fields(machine, op, one, two)
        if fields is not None:
            return compare(machine, op, *fields, origin)
    unclear = any(special.unclear(machine, ref) for ref in objects) or any(isinstance(v, Unknown) for v in (one, two))
    if unclear or any(special.defines(machine, ref, _METHODS[op]) for ref in objects):
        return machine.space.condition("comparison of objects")
    if op in ("==", "!="):
        return machine.space.never if op == "==" else machine.space.always
    machine.doubt()
    return machine.space.condition("comparison of objects")


def _as_sequence(machine: Machine, value: Value) -> tuple[tuple[Guard, Value], ...] | None:
    """The elements of a list or tuple; None for a set and everything else."""
    elements = special.as_tuple(machine, value) if isinstance(value, Ref) else None
    if elements is not None:
        return elements.items
    target = machine.object(value) if isinstance(value, Ref) else value
    if isinstance(target, (ListObject, Items)) and target.kind in ("list", "tuple"):
        return None if isinstance(target, ListObject) and target.tail is not None else tuple(target.items)
    return None


def _compare_sequences(
    machine: Machine,
    op: str,
    one: tuple[tuple[Guard, Value], ...],
    two: tuple[tuple[Guard, Value], ...],
    origin: Origin | None,
) -> Guard:
    space, live = machine.space, machine.live
    fixed = all((live - guard).impossible for guard, _ in (*one, *two))
    if not fixed:
        return space.condition("comparison of objects")
    equal, decided = live, space.never
    machine.compared += 1 + min(len(one), len(two))
    if machine.compared > machine.budget.items:
        return space.condition("comparison: value too large")
    for (_, a), (_, b) in zip(one, two):
        machine.live = equal
        same = equal & compare(machine, "==", a, b, origin)
        if op not in ("==", "!="):
            machine.live = equal - same
            decided = decided | (machine.live & compare(machine, op, a, b, origin))
        equal = same
    machine.live = live
    if op in ("==", "!="):
        found = equal if len(one) == len(two) else space.never
        return found if op == "==" else live - found
    shorter = BINARY[op](len(one), len(two))
    return decided | (equal if shorter else space.never)


def _fields(machine: Machine, op: str, one: Ref, two: Ref) -> tuple[Value, Value] | None:
    """The fields of two instances of one dataclass, which compare as tuples do; None for other objects."""
    first, second = special.instance(machine, one), special.instance(machine, two)
    if first is None or second is None or first.cls != second.cls:
        return None
    cls = special.class_of(machine, first)
    if not cls.dataclass or not (cls.compares if op in ("==", "!=") else cls.ordered):
        return None
    always = machine.space.always
    names = special.field_names(machine, first.cls)
    if not all(name in first.fields and name in second.fields for name in names):
        return None
    rows = (tuple((always, made.fields[name]) for name in names) for made in (first, second))
    left, right = (Items(row) for row in rows)
    return left, right


def _identical(machine: Machine, left: Value, right: Value) -> Guard:
    found = machine.space.never
    for guard, one in options_of(left, machine.live):
        for under, two in options_of(right, guard):
            found = found | (under & _same_object(machine, one, two))
    return found


_SINGLE = (type(None), bool, type(...))


def _same_object(machine: Machine, one: Value, two: Value) -> Guard:
    space = machine.space
    if one is two and not isinstance(one, Unknown):
        return space.always
    singles = [v for v in (one, two) if isinstance(v, Known) and isinstance(v.value, _SINGLE)]
    if isinstance(one, Unknown) or isinstance(two, Unknown):
        if singles or (isinstance(one, Unknown) and isinstance(two, Unknown)):
            return _compare_plain(machine, "is", one, two)
        return space.condition("is the same object")
    if isinstance(one, Ref) or isinstance(two, Ref):
        return space.always if one == two else space.never
    if isinstance(one, Callee) or isinstance(two, Callee):
        if one == two:
            return space.always
        definite = typeforms.definite(machine, one) and typeforms.definite(machine, two)
        return space.never if definite else space.condition("is the same object")
    if singles:
        same = isinstance(one, Known) and isinstance(two, Known) and one.value is two.value
        return space.always if same else space.never
    if isinstance(one, Known) and isinstance(two, Known) and one.value != two.value:
        return space.never
    return space.condition("is the same object")


def _compare_objects(machine: Machine, op: str, a: object, b: object, guard: Guard) -> Guard:
    space = machine.space
    if not isinstance(a, Unknown) and not isinstance(b, Unknown):
        if isinstance(a, (Ref, Callee)) or isinstance(b, (Ref, Callee)):
            if a == b and op in ("==", "!="):
                return space.always if op == "==" else space.never
            if op in ("==", "!=") and typeforms.definite(machine, a) and typeforms.definite(machine, b):
                return space.always if op == "!=" else space.never
            return space.condition("comparison of objects")
        try:
            return space.always if BINARY[op](a, b) else space.never
        except Exception as error:
            machine.require(~guard, type(error))
            return space.never
    if isinstance(b, Unknown) and not isinstance(a, Unknown) and op in ("==", "!=", "is", "is not"):
        a, b = b, a
    if isinstance(a, Unknown) and not isinstance(b, Unknown):
        decided = _decide(machine, op, a, b)
        if decided is not None:
            return space.always if decided else space.never
    if op in ("<", "<=", ">", ">="):
        machine.doubt()
    term = make_term(op, term_of(a), term_of(b))
    if term is None:
        known = a if isinstance(a, Unknown) else b
        assert isinstance(known, Unknown)
        return space.condition(f"{known.detail or known.reason.value} {op} …")
    return condition(machine, term)


def _decide(machine: Machine, op: str, unknown: Unknown, other: object) -> bool | None:
    """A comparison that the type or the listed values of an unknown already settle."""
    if op not in ("==", "!=", "is", "is not"):
        return None
    equal_is = op in ("==", "is")
    if other is None and unknown.type is not None:
        return not equal_is
    if unknown.type is str and other is not None and not isinstance(other, (str, Ref)):
        return not equal_is
    if unknown.type in (int, float) and isinstance(other, str):
        return not equal_is
    variable = knob_of(machine, unknown.term)
    if variable is not None:
        listed = [value for value in variable.domain if value is not OTHER]
        if any(value == other and type(value) is type(other) for value in listed):
            return not equal_is
    return None


def _contains(machine: Machine, item: Value, container: Value) -> Guard:
    found = machine.space.never
    live = machine.live
    for guard, leaf in options_of(container, live):
        machine.live = guard
        found = found | (guard & _leaf_contains(machine, item, leaf))
        live = live - (guard - machine.live)
    machine.live = live
    return found


def _leaf_contains(machine: Machine, item: Value, leaf: Value) -> Guard:
    space = machine.space
    target = machine.object(leaf) if isinstance(leaf, Ref) else None
    if isinstance(target, DictObject):
        return space.condition("in an unknown dict") if target.unknown is not None else _has_key(machine, target, item)
    if isinstance(target, EnvironmentObject):
        return environment.has(machine, item)
    if isinstance(leaf, Ref) and isinstance(target, InstanceObject):
        function = special.method(machine, leaf, "__contains__")
        if function is not None:
            return truth(machine, special.invoke(machine, function, leaf, item))
        if special.defines(machine, leaf, "__contains__") or special.unclear(machine, leaf):
            return space.condition("in an object")
    if isinstance(target, ListObject) and target.tail is not None:
        if target.tail.term is None or target.items:
            return space.condition("in an unknown list")
        return _leaf_contains(machine, item, target.tail)
    if isinstance(leaf, (Text, Known, Unknown, Callee)):
        result = lift(machine, "in", lambda a, b: a in b, [item, leaf], None, bool)
        return truth(machine, result)
    elements = iterate(machine, leaf, ordered=False)
    if isinstance(target, LazyObject):
        target.stopped = target.stopped | machine.live
    elif isinstance(target, ListObject) and target.kind == "iterator":
        target.tail = Unknown(Reason.LOOP, "what is left of an iterator")
    if elements is None:
        return space.condition("in an unknown sequence")
    if not unclear(machine, item, len(elements)).impossible:
        return space.condition("in a sequence of too many")
    found = space.never
    word = item.plain if isinstance(item, Text) else None
    for guard, element in elements:
        other = element.plain if word is not None and isinstance(element, Text) else None
        if other is not None:
            found = found | guard if other == word else found
            continue
        same = compare(machine, "==", item, element, None)
        found = found | (guard & same)
    if isinstance(target, ClassObject):
        return found | space.condition("in an enumeration")
    return found


def _has_key(machine: Machine, target: DictObject, item: Value) -> Guard:
    if not unclear(machine, item, len(target.entries)).impossible:
        return machine.space.condition("in a dict of too many")
    found = machine.space.never
    for guard, key, value, _ in target.entries:
        same = guard & compare(machine, "==", item, from_python(machine, key, None), None)
        found = found | same if value is not None else found - same
    return found
