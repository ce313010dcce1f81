"""Operators of folded values."""

from __future__ import annotations

from collections.abc import Callable

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import BINARY
from miles_lint.domain.value import (
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
from miles_lint.fold import limits, special, typeforms
from miles_lint.fold.comparisons import compare as compare
from miles_lint.fold.containers import elements_of, merge_into, repeat
from miles_lint.fold.heap import DictObject, ListObject
from miles_lint.fold.lifting import lift, make_term, term_of
from miles_lint.fold.machine import Machine
from miles_lint.fold.truths import condition as condition
from miles_lint.fold.truths import knob_of as knob_of
from miles_lint.fold.truths import truth as truth

_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
_NAMES = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "|": "or",
    "&": "and",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
    "@": "matmul",
}


def _percent(a: object, b: object) -> object:
    return limits.percent(a, b) if isinstance(a, (str, bytes)) else BINARY["%"](a, b)


def _unknown_operator(a: object, b: object) -> object:
    raise limits.OverBudget("operator")


_OPERATORS: dict[str, Callable[..., object]] = {
    **BINARY,
    "*": limits.times,
    "**": limits.power,
    "<<": limits.shift,
    "%": _percent,
}


def unary(machine: Machine, op: str, value: Value, origin: Origin | None) -> Value:
    """`not`, `-`, `+` or `~`."""
    if op == "not":
        return from_guard(machine, machine.live - truth(machine, value))
    functions = {"-": lambda a: -a, "+": lambda a: +a, "~": lambda a: ~a}
    if isinstance(value, Ref):
        function = special.method(machine, value, _UNARY[op])
        if function is not None:
            return special.invoke(machine, function, value)
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
        return machine.sized(left + right, max(len(left.pieces), len(right.pieces)))
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


def own_operator(machine: Machine, op: str, a: Value, b: Value, in_place: bool = False) -> Value | None:
    """What an operator of the program's own classes gives; None when neither operand has one."""
    name = _NAMES.get(op, "")
    tried = ((a, b, "__i"),) if in_place else ((a, b, "__"), (b, a, "__r"))
    for value, other, prefix in tried:
        if isinstance(value, Ref):
            function = special.method(machine, value, f"{prefix}{name}__")
            if function is not None:
                return special.invoke(machine, function, value, other)
    return None


def _leaves(machine: Machine, op: str, a: Value, b: Value, origin: Origin | None) -> Value:
    if isinstance(a, Ref) or isinstance(b, Ref):
        own = own_operator(machine, op, a, b)
        if own is not None:
            return own
        a, b = (_elements(machine, value) for value in (a, b))
    if op == "+":
        if isinstance(a, Text) and isinstance(b, Text):
            return machine.sized(a + b, max(len(a.pieces), len(b.pieces)))
        if _no_text(a, b) or _no_text(b, a):
            machine.fail(TypeError)
            return Unknown(Reason.OPERATION, "+", origin=origin)
        if (isinstance(a, Unknown) and a.type is not str) or (isinstance(b, Unknown) and b.type is not str):
            machine.doubt()
        if isinstance(a, Text) and isinstance(b, Unknown):
            return machine.sized(a + Text((Hole(b, machine.space.always, b.origin or origin),)), len(a.pieces))
        if isinstance(a, Unknown) and isinstance(b, Text):
            return machine.sized(Text((Hole(a, machine.space.always, a.origin or origin),)) + b, len(b.pieces))
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
            made = DictObject(list(one.entries), machine.live, one.unknown, origin)
            merge_into(machine, made, b)
            return machine.allocate(made)
    if op == "*":
        for value, count in ((a, b), (b, a)):
            repeated = repeat(machine, value, count)
            if repeated is not None:
                return repeated
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return _symbolic(machine, op, a, b, origin)
    return lift(machine, op, _OPERATORS.get(op, _unknown_operator), [a, b], origin)


def _no_text(text: Value, other: Value) -> bool:
    """Whether a string is added to something that is known to be none."""
    return isinstance(text, Text) and isinstance(other, Unknown) and other.type not in (None, str)


def _elements(machine: Machine, value: Value) -> Value:
    """A named tuple as the tuple that it is; anything else as it is."""
    elements = special.as_tuple(machine, value) if isinstance(value, Ref) else None
    return value if elements is None else elements


def _concatenated(machine: Machine, a: Value, b: Value, origin: Origin | None) -> Value | None:
    first, second = elements_of(machine, a), elements_of(machine, b)
    if first is None or second is None:
        return None
    if len(first) + len(second) > machine.budget.items:
        long = Unknown(Reason.BUDGET, "sequence too long", tuple if isinstance(a, Items) else None, None, origin)
        return long if isinstance(a, Items) else machine.allocate(ListObject([], machine.live, long, origin=origin))
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
    machine.doubt()
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
