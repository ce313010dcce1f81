"""Python operations on folded values: on every combination of what they may be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import Term
from miles_lint.domain.value import (
    Callee,
    Items,
    Reason,
    Ref,
    Unknown,
    Value,
    choose,
)
from miles_lint.fold.convert import Pure, TooMany, alternatives, from_python
from miles_lint.fold.heap import LazyObject, ListObject
from miles_lint.fold.limits import OverBudget
from miles_lint.fold.machine import Machine


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
