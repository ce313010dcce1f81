"""Operators and truth of folded values."""

from __future__ import annotations

from miles_lint.domain.guard import OTHER, Guard, Variable
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import BINARY, Term
from miles_lint.domain.value import (
    Callee,
    Choice,
    Hole,
    Items,
    Known,
    Reason,
    Ref,
    Text,
    Unknown,
    Value,
    choose,
    options_of,
)
from miles_lint.fold import environment, typeforms
from miles_lint.fold.containers import elements_of
from miles_lint.fold.convert import OverBudget, TooMany, combinations, from_python, lift, make_term, term_of
from miles_lint.fold.heap import DictObject, InstanceObject, ListObject
from miles_lint.fold.machine import Machine

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"))
_NEGATED = {"!=": "==", "not in": "in", "is not": "is"}


def truth(machine: Machine, value: Value) -> Guard:
    """The condition, under `live`, on which Python would take a value for true."""
    space = machine.space
    found = space.never
    for guard, leaf in options_of(value, machine.live):
        found = found | (guard & _leaf_truth(machine, leaf))
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
    return space.always


def _any_present(machine: Machine, items: tuple[tuple[Guard, Value], ...]) -> Guard:
    found = machine.space.never
    for guard, _ in items:
        found = found | guard
    return found


def _any_key(machine: Machine, target: DictObject) -> Guard:
    found = machine.space.never
    for key in dict.fromkeys(key for _, key, _, _ in target.entries):
        present = machine.space.never
        for guard, written, value, _ in target.entries:
            if written == key:
                present = present | guard if value is not None else present - guard
        found = found | present
    return found


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


def compare(machine: Machine, op: str, left: Value, right: Value, origin: Origin | None) -> Guard:
    """The condition, under `live`, on which a comparison holds; an exception ends that path."""
    if op in ("in", "not in"):
        found = _contains(machine, left, right)
        return found if op == "in" else machine.live - found
    space = machine.space
    found = space.never
    try:
        for guard, (a, b) in combinations(machine, [left, right], machine.live):
            found = found | (guard & _compare_objects(machine, op, a, b, guard))
    except TooMany:
        return space.condition("too many alternatives to compare")
    return found


def _compare_objects(machine: Machine, op: str, a: object, b: object, guard: Guard) -> Guard:
    space = machine.space
    if not isinstance(a, Unknown) and not isinstance(b, Unknown):
        if op in ("is", "is not"):
            same = a is b if isinstance(a, Ref) or isinstance(b, Ref) else (a == b and type(a) is type(b))
            if isinstance(a, Ref) and isinstance(b, Ref):
                same = a == b
            return space.always if same == (op == "is") else space.never
        if isinstance(a, (Ref, Callee)) or isinstance(b, (Ref, Callee)):
            if a == b and op in ("==", "!="):
                return space.always if op == "==" else space.never
            if op in ("==", "!=") and typeforms.definite(machine, a) and typeforms.definite(machine, b):
                return space.always if op == "!=" else space.never
            return space.condition("comparison of objects")
        try:
            return space.always if BINARY[op](a, b) else space.never
        except Exception:
            machine.require(~guard)
            return space.never
    if isinstance(b, Unknown) and not isinstance(a, Unknown) and op in ("==", "!=", "is", "is not"):
        a, b = b, a
    if isinstance(a, Unknown) and not isinstance(b, Unknown):
        decided = _decide(machine, op, a, b)
        if decided is not None:
            return space.always if decided else space.never
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
    space = machine.space
    found = space.never
    for guard, leaf in options_of(container, machine.live):
        before = machine.live
        machine.live = guard
        found = found | (guard & _leaf_contains(machine, item, leaf))
        machine.live = machine.live | (before - guard)
    return found


def _leaf_contains(machine: Machine, item: Value, leaf: Value) -> Guard:
    space = machine.space
    elements: tuple[tuple[Guard, Value], ...] | None = None
    if isinstance(leaf, Items):
        elements = leaf.items
    elif isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, ListObject):
            elements = tuple(target.items)
            if target.tail is not None:
                return space.condition("in an unknown list")
        elif isinstance(target, DictObject):
            if target.unknown is not None:
                return space.condition("in an unknown dict")
            return _has_key(machine, target, item)
        elif isinstance(target, InstanceObject):
            return space.condition("in an object")
        else:
            return environment_has(machine, item)
    if elements is not None:
        found = space.never
        for guard, element in elements:
            found = found | (guard & compare(machine, "==", item, element, None))
        return found
    result = lift(machine, "in", lambda a, b: a in b, [item, leaf], None, bool)
    return truth(machine, result)


def _has_key(machine: Machine, target: DictObject, item: Value) -> Guard:
    found = machine.space.never
    for guard, key, value, _ in target.entries:
        same = guard & compare(machine, "==", item, from_python(machine, key, None), None)
        found = found | same if value is not None else found - same
    return found


def environment_has(machine: Machine, item: Value) -> Guard:
    name = item.plain if isinstance(item, Text) else None
    if name is None:
        return machine.space.condition("environment variable is set")
    present, _ = environment.read(machine, name)
    return present


def unary(machine: Machine, op: str, value: Value, origin: Origin | None) -> Value:
    if op == "not":
        return from_guard(machine, machine.live - truth(machine, value))
    functions = {"-": lambda a: -a, "+": lambda a: +a, "~": lambda a: ~a}
    return lift(machine, op, functions[op], [value], origin)


def from_guard(machine: Machine, guard: Guard) -> Value:
    """The boolean that is true on `guard`."""
    true = guard & machine.live
    false = machine.live - guard
    if false.impossible:
        return Known(True)
    if true.impossible:
        return Known(False)
    return Choice(((true, Known(True)), (false, Known(False))))


def binary(machine: Machine, op: str, left: Value, right: Value, origin: Origin | None) -> Value:
    """An arithmetic or concatenating operator."""
    if isinstance(left, Text) and isinstance(right, Text) and op == "+":
        return left + right
    results: list[tuple[Guard, Value]] = []
    live = machine.live
    for guard, a in options_of(left, live):
        for under, b in options_of(right, guard):
            before = machine.live
            machine.live = under
            made = _leaves(machine, op, a, b, origin)
            results.append((machine.live, made))
            machine.live = machine.live | (before - under)
    return machine.bounded(choose(results)) if results else Unknown(Reason.OPERATION, op)


def _leaves(machine: Machine, op: str, a: Value, b: Value, origin: Origin | None) -> Value:
    if op == "+":
        if isinstance(a, Text) and isinstance(b, Text):
            return a + b
        if isinstance(a, Text) and isinstance(b, Unknown):
            return a + Text((Hole(b, machine.space.always, b.origin or origin),))
        if isinstance(a, Unknown) and isinstance(b, Text):
            return Text((Hole(a, machine.space.always, a.origin or origin),)) + b
        joined = _concatenated(machine, a, b, origin)
        if joined is not None:
            return joined
    if op == "/" and isinstance(a, Unknown) and a.type is None:
        return Unknown(a.reason, a.detail, None, None, origin)
    if op == "|":
        either = typeforms.either(machine, a, b)
        if either is not None:
            return either
    if op == "|" and isinstance(a, Ref) and isinstance(b, Ref):
        one, two = machine.object(a), machine.object(b)
        if isinstance(one, DictObject) and isinstance(two, DictObject):
            unknown = one.unknown if one.unknown is not None else two.unknown
            return machine.allocate(DictObject([*one.entries, *two.entries], machine.live, unknown, origin))
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return _symbolic(machine, op, a, b, origin)
    return lift(machine, op, _guarded_operator(machine, op), [a, b], origin)


def _concatenated(machine: Machine, a: Value, b: Value, origin: Origin | None) -> Value | None:
    first, second = elements_of(machine, a), elements_of(machine, b)
    if first is None or second is None:
        return None
    if isinstance(a, Items):
        return Items((*first, *second), a.kind, origin)
    tails = [
        o.tail for o in map(machine.object, (r for r in (a, b) if isinstance(r, Ref))) if isinstance(o, ListObject)
    ]
    tail = next((t for t in tails if t is not None), None)
    return machine.allocate(ListObject([*first, *second], machine.live, tail, origin=origin))


def _symbolic(machine: Machine, op: str, a: Value, b: Value, origin: Origin | None) -> Unknown:
    objects: list[object] = []
    for value in (a, b):
        if isinstance(value, Known):
            objects.append(value.value)
        elif isinstance(value, Text):
            objects.append(value.plain)
        else:
            objects.append(value)
    term = make_term(op, *map(term_of, objects)) if all(o is not None for o in objects) else None
    known = a if isinstance(a, Unknown) else b
    assert isinstance(known, Unknown)
    types = {o.type if isinstance(o, Unknown) else type(o) for o in objects}
    kind: type | None = None
    if types <= {int, bool} and op != "/":
        kind = int
    elif types <= {int, bool, float}:
        kind = float
    detail = str(term) if term is not None else known.detail
    return Unknown(known.reason, detail, kind, term, origin or known.origin)


def _guarded_operator(machine: Machine, op: str):  # type: ignore[no-untyped-def]
    plain = BINARY.get(op)
    budget = machine.budget

    def run(a: object, b: object) -> object:
        if plain is None:
            raise OverBudget(f"operator {op}")
        if op == "**" and isinstance(a, int) and isinstance(b, int) and b > 0:
            if a.bit_length() * b > budget.number_bits:
                raise OverBudget("number too large")
        elif op == "<<" and isinstance(a, int) and isinstance(b, int):
            if b > budget.number_bits or a.bit_length() + b > budget.number_bits:
                raise OverBudget("number too large")
        elif op == "*":
            for sized, count in ((a, b), (b, a)):
                if isinstance(sized, (str, bytes, list, tuple)) and isinstance(count, int):
                    limit = budget.text if isinstance(sized, (str, bytes)) else budget.items
                    if len(sized) * count > limit:
                        raise OverBudget("repetition too long")
            if isinstance(a, int) and isinstance(b, int) and a.bit_length() + b.bit_length() > budget.number_bits:
                raise OverBudget("number too large")
        elif op == "%" and isinstance(a, str) and _wide(a):
            raise OverBudget("format width too large")
        return plain(a, b)

    return run


def _wide(spec: str) -> bool:
    """Whether a format string asks for a width or precision of five digits or more."""
    run = 0
    for char in spec:
        run = run + 1 if char.isdigit() else 0
        if run >= 5:
            return True
    return "*" in spec


wide_format = _wide
