"""Whether a value counts as true, and on which condition."""

from __future__ import annotations

from functools import reduce

from miles_lint.domain.guard import Guard, Variable
from miles_lint.domain.term import Term, symbol
from miles_lint.domain.value import (
    Callee,
    Hole,
    Items,
    Known,
    Ref,
    Text,
    Unknown,
    Value,
    options_of,
)
from miles_lint.fold import special
from miles_lint.fold.constants import CONVERTERS
from miles_lint.fold.heap import (
    DictObject,
    InstanceObject,
    ListObject,
)
from miles_lint.fold.machine import Machine

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"))
_NEGATED = {"!=": "==", "not in": "in", "is not": "is"}


def truth(machine: Machine, value: Value) -> Guard:
    """The condition, under `live`, on which Python would take a value for true."""
    if isinstance(value, Known):
        return machine.space.always if value.value else machine.space.never
    found, live = machine.space.never, machine.live
    for guard, leaf in options_of(value, live):
        machine.live = guard
        found = found | (guard & _leaf_truth(machine, leaf))
        live = live - (guard - machine.live)
    machine.live = live
    return found


def _leaf_truth(machine: Machine, leaf: Value) -> Guard:
    space = machine.space
    if isinstance(leaf, Known):
        return space.always if leaf.value else space.never
    if isinstance(leaf, Text):
        found = space.never
        for piece in leaf.pieces:
            inside = piece.guard
            if isinstance(piece, Hole):
                inside = inside & unknown_truth(machine, piece.unknown)
            found = found | inside
        return found
    if isinstance(leaf, Items):
        return _any_present(machine, leaf.items)
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, InstanceObject):
            return _object_truth(machine, leaf)
        if isinstance(target, ListObject) and target.kind == "iterator":
            return space.always
        if isinstance(target, ListObject):
            found = _any_present(machine, tuple(target.items))
            return found if target.tail is None else found | unknown_truth(machine, target.tail)
        if isinstance(target, DictObject) and target.unknown is None:
            return _any_key(machine, target)
        if isinstance(target, DictObject):
            return space.condition("dict is not empty")
        return space.always
    if isinstance(leaf, Unknown):
        return unknown_truth(machine, leaf)
    if isinstance(leaf, Callee) and leaf.kind == "external" and leaf.name not in CONVERTERS:
        return condition(machine, Term("truth", (symbol("import", leaf.name),)))
    return space.always


def _object_truth(machine: Machine, ref: Ref) -> Guard:
    for name in ("__bool__", "__len__"):
        function = special.method(machine, ref, name)
        if function is not None:
            return truth(machine, special.invoke(machine, function, ref))
        if special.defines(machine, ref, name):
            return machine.space.condition("truth of an object")
    elements = special.as_tuple(machine, ref)
    value = elements if elements is not None else special.member_value(machine, ref)
    if value is not None:
        return truth(machine, value)
    unclear = special.unclear(machine, ref) and not special.native(machine, ref)
    return machine.space.condition("truth of an object") if unclear else machine.space.always


def _any_present(machine: Machine, items: tuple[tuple[Guard, Value], ...]) -> Guard:
    return reduce(Guard.__or__, (guard for guard, _ in reversed(items)), machine.space.never)


def _any_key(machine: Machine, target: DictObject) -> Guard:
    present: dict[object, Guard] = {}
    for guard, key, value, _ in target.entries:
        before = present.get(key, machine.space.never)
        present[key] = before | guard if value is not None else before - guard
    return reduce(Guard.__or__, reversed(present.values()), machine.space.never)


def unknown_truth(machine: Machine, unknown: Unknown) -> Guard:
    if unknown.term is None:
        return machine.space.condition(unknown.detail or unknown.reason.value)
    variable = knob_of(machine, unknown.term)
    if variable is not None and unknown.type is str and "" in variable.domain:
        return machine.space.always
    if variable is not None and unknown.type in (int, float) and 0 in variable.domain:
        return machine.space.always
    if unknown.term.op in _COMPARISONS:
        return condition(machine, unknown.term)
    return condition(machine, Term("truth", (unknown.term,)))


def condition(machine: Machine, term: Term) -> Guard:
    """The opaque condition of a term; a negated comparison is the negation of the plain one."""
    plain = _NEGATED.get(term.op)
    if plain is not None:
        return ~condition(machine, Term(plain, term.operands))
    if term.op == "not" and isinstance(term.operands[0], Term):
        return ~condition(machine, term.operands[0])
    return machine.space.condition(str(term), term, term)


def knob_of(machine: Machine, term: object) -> Variable | None:
    """The variable whose unlisted values a symbol stands for."""
    if isinstance(term, Term) and term.op == "symbol" and term.operands[0] in ("knob", "env"):
        return machine.space.named(str(term.operands[1]))
    return None
