"""Methods of lists, sets and dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Items, Known, Reason, Ref, Text, Unknown, Value, choose
from miles_lint.fold import inplace, lists, operations
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import blur, iterate, keys, merge_into, set_entry
from miles_lint.fold.convert import TooMany, from_python
from miles_lint.fold.heap import DictObject, Frame, ListObject, ViewObject
from miles_lint.fold.lifting import lift
from miles_lint.fold.machine import Machine
from miles_lint.fold.ordering import in_order
from miles_lint.fold.subscripts import entry
from miles_lint.source import Span

_SET_OPERATORS = {"union": "|", "intersection": "&", "difference": "-", "symmetric_difference": "^"}
_SET_CHANGES = {
    "update": "|",
    "intersection_update": "&",
    "difference_update": "-",
    "symmetric_difference_update": "^",
}
_QUESTIONS = ("index", "count", "issubset", "issuperset", "isdisjoint")


def list_method(
    machine: Machine, frame: Frame, owner: Ref, target: ListObject, name: str, args: Arguments, span: Span
) -> Value:
    """`owner.name(...)` for a list, a set, or the tuple of a `*args`."""
    origin = machine.origin(frame, span)
    given = args.positional
    if name in ("append", "add") and len(given) == 1:
        lists.grow(machine, target, [(machine.live, given[0])])
        return Known(None)
    if name == "extend" and len(given) == 1:
        lists.extend(machine, target, given[0])
        return Known(None)
    if name == "copy":
        return machine.allocate(ListObject(list(target.items), machine.live, target.tail, target.kind, origin))
    if name in _QUESTIONS:
        return lift(machine, name, _question(name, target.kind), [owner, *given], origin)
    if target.kind == "set" and (name in _SET_OPERATORS or name in _SET_CHANGES):
        return _set_method(machine, target, name, given, origin)
    changed = Unknown(Reason.CALL, f"list changed by {name}()", origin=origin)
    if target.tail is None:
        try:
            made = _change(machine, frame, target, name, args, span)
        except TooMany:
            made = None
        if made is not None:
            return made
    lists.lose(machine, target, changed)
    return changed


def _question(name: str, kind: str) -> Callable[..., object]:
    def ask(owner: object, *args: object) -> object:
        return getattr(set(owner) if kind == "set" else owner, name)(*args)  # type: ignore[call-overload]

    return ask


def _set_method(machine: Machine, target: ListObject, name: str, given: tuple[Value, ...], origin: Origin) -> Value:
    made = target
    if name in _SET_OPERATORS:
        made = ListObject(list(target.items), machine.live, target.tail, "set", origin)
    op = _SET_OPERATORS.get(name) or _SET_CHANGES[name]
    for value in given:
        inplace.change_set(machine, op, made, value, origin)
    return machine.allocate(made) if name in _SET_OPERATORS else Known(None)


def _change(
    machine: Machine, frame: Frame, target: ListObject, name: str, args: Arguments, span: Span
) -> Value | None:
    """A method that changes a known list; None for one that is not understood. Raises `TooMany`."""
    given = args.positional
    if name == "clear" and not given:
        lists.rewrite(machine, target, [])
        return Known(None)
    if name == "reverse" and not given:
        lists.rewrite(machine, target, target.items[::-1])
        return Known(None)
    if name == "sort" and not given:
        made = in_order(machine, frame, list(target.items), args, span)
        if made is None:
            return None
        lists.rewrite(machine, target, made)
        return Known(None)
    if name in ("remove", "discard") and len(given) == 1:
        gone = lists.shrink(machine, target, given[0])
        if name == "remove":
            machine.require(gone, KeyError if target.kind == "set" else ValueError)
        return Known(None)
    if name == "pop" and target.kind == "list":
        return _pop(machine, target, given)
    if name == "insert" and len(given) == 2:
        where = lists.position(machine, given[0])
        if where == 0:
            lists.rewrite(machine, target, [(machine.live, given[1]), *target.items])
            return Known(None)
        if isinstance(where, int):
            lists.change(machine, target, lambda values: values.insert(where, given[1]))
            return Known(None)
    return None


def _pop(machine: Machine, target: ListObject, given: tuple[Value, ...]) -> Value | None:
    where = lists.position(machine, given[0]) if given else -1
    if where in (0, -1):
        found = lists.take(machine, target, first=where == 0)
        taken = machine.space.never
        for guard, _ in found:
            taken = taken | guard
        machine.require(taken, IndexError)
        return choose(found) if found else Known(None)
    if not isinstance(where, int):
        return None
    results = lists.change(machine, target, lambda values: values.pop(where))
    return choose((guard, values[0]) for guard, values in results) if results else Known(None)


def dict_method(machine: Machine, owner: Ref, target: DictObject, name: str, args: Arguments, origin: Origin) -> Value:
    """`owner.name(...)` for a dict."""
    given = args.positional
    if name in ("get", "pop") and given:
        default = args.get(1, "default", Known(None) if name == "get" else None)
        found = entry(machine, target, given[0], origin, default)
        if name == "pop":
            set_entry(machine, target, given[0], None, origin)
        return found
    if name == "setdefault" and given:
        default = args.get(1, "default", Known(None))
        found = entry(machine, target, given[0], origin, default)
        set_entry(machine, target, given[0], found, origin)
        return found
    if name == "update":
        for value in given:
            merge_into(machine, target, value)
        for key, value in args.keywords.items():
            set_entry(machine, target, machine.text(key), value, origin)
        return Known(None)
    if name == "copy":
        return machine.allocate(DictObject(list(target.entries), machine.live, target.unknown, origin))
    if name == "clear":
        lives = [(guard, key) for guard, key in keys(machine, target)] if target.unknown is None else None
        if lives is not None:
            for held in dict.fromkeys(key for _, key in lives):
                set_entry(machine, target, from_python(machine, held, origin), None, origin)
            return Known(None)
    if name in ("keys", "items", "values"):
        return view(machine, owner, target, name, origin)
    if name == "popitem" and target.unknown is None:
        return _pop_item(machine, target, origin)
    if name == "__contains__" and len(given) == 1:
        return operations.from_guard(machine, operations.compare(machine, "in", given[0], owner, origin))
    changed = Unknown(Reason.CALL, f"dict changed by {name}()", origin=origin)
    blur(machine, target, changed)
    return changed


def view(machine: Machine, owner: Ref, target: DictObject, name: str, origin: Origin) -> Value:
    """`keys()`, `values()` or `items()` of a dict: what it holds when it is looked at."""
    if target.unknown is not None:
        return Unknown(Reason.LOOP, f"{name} of an unknown dict", None, None, origin)
    return machine.allocate(ViewObject(partial(_viewed, owner, name, origin)))


def _viewed(owner: Ref, name: str, origin: Origin, machine: Machine) -> ListObject:
    target = machine.object(owner)
    known = iterate(machine, owner)
    if known is None or not isinstance(target, DictObject):
        unknown = Unknown(Reason.LOOP, f"{name} of an unknown dict", None, None, origin)
        return ListObject([], machine.live, unknown, origin=origin)
    made: list[tuple[Guard, Value]] = []
    always, live = machine.space.always, machine.live
    counts = Counter(key for _, key, _, _ in target.entries)
    single = {key: value for _, key, value, _ in target.entries if counts[key] == 1 and isinstance(key, str)}
    for guard, key in known:
        item = key
        held = single.get(key.plain or "") if isinstance(key, Text) and len(single) == len(target.entries) else None
        if name != "keys" and held is not None:
            machine.live = live & guard
            item = machine.narrow(held)
        elif name != "keys":
            machine.live = live & guard
            item = entry(machine, target, key, origin)
        made.append((guard, Items(((always, key), (always, item))) if name == "items" else item))
    machine.live = live
    return ListObject(made, machine.live, origin=origin)


def _pop_item(machine: Machine, target: DictObject, origin: Origin) -> Value:
    always = machine.space.always
    left = machine.live
    found: list[tuple[Guard, Value]] = []
    live = machine.live
    for guard, key in reversed(keys(machine, target)):
        hit = left & guard
        if hit.impossible:
            continue
        machine.live = hit
        name = from_python(machine, key, origin)
        found.append((hit, Items(((always, name), (always, entry(machine, target, name, origin))))))
        target.entries.append((hit, key, None, origin))
        left = left - hit
    machine.live = live
    machine.require(live - left, KeyError)
    return choose(found) if found else Known(None)
