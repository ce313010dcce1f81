"""Methods of strings, lists, dicts, the environment, and of plain objects such as paths and matches."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import (
    Chars,
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
from miles_lint.fold import environment, limits, operations, regexes, special
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.collection_methods import dict_method, list_method
from miles_lint.fold.containers import iterate, merge_into
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import DictObject, EnvironmentObject, Frame, ListObject
from miles_lint.fold.lifting import lift
from miles_lint.fold.machine import Machine
from miles_lint.fold.printing import as_text
from miles_lint.source import Span

_STR_TYPES = {"split": list, "rsplit": list, "splitlines": list, "partition": tuple, "rpartition": tuple}
_STR_BOOL = frozenset(
    ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower", "isspace", "isidentifier")
)
_STR_INT = frozenset(("find", "rfind", "index", "count"))


def call_method(machine: Machine, frame: Frame, owner: Value, name: str, args: Arguments, span: Span) -> Value:
    """`owner.name(...)` for an owner that is no object of the program."""
    origin = machine.origin(frame, span)
    if args.unknown is not None:
        machine.doubt()
        havoc(machine, args.prepend((owner,)))
        return Unknown(Reason.CALL, f"{name}()", None, None, origin)
    if isinstance(owner, Text):
        return _text_method(machine, owner, name, args, origin)
    if isinstance(owner, Known):
        return _known_method(machine, owner, name, args, origin)
    if isinstance(owner, Ref):
        target = machine.object(owner)
        if isinstance(target, ListObject):
            return list_method(machine, frame, owner, target, name, args, span)
        if isinstance(target, DictObject):
            return dict_method(machine, owner, target, name, args, origin)
        if isinstance(target, EnvironmentObject):
            return _environment_method(machine, name, args, origin)
    if isinstance(owner, Items):
        return lift(machine, name, lambda o, *a: getattr(o, name)(*a), [owner, *args.positional], origin)
    if isinstance(owner, Unknown) and owner.type is None:
        machine.mutated(owner)
    if isinstance(owner, Unknown) and owner.type is str:
        return lift(machine, name, lambda o: o, [owner, *args.positional], origin, _result_type(name))
    machine.doubt()
    havoc(machine, args)
    return Unknown(Reason.CALL, f"{name}()", None, None, origin)


def _result_type(name: str) -> type:
    if name in _STR_BOOL:
        return bool
    if name in _STR_INT:
        return int
    return _STR_TYPES.get(name, str)


def _text_method(machine: Machine, owner: Text, name: str, args: Arguments, origin: Origin) -> Value:
    if name == "join" and len(args.positional) == 1:
        return join(machine, owner, args.positional[0], origin)
    if name in ("strip", "lstrip", "rstrip") and not args.positional:
        stripped = _strip(owner, name)
        if stripped is not None:
            return stripped
    if name == "format":
        return lift(machine, "format", limits.format_text, [owner, *args.values()], origin, str, tuple(args.keywords))

    def run(text: str, *rest: object, **named: object) -> object:
        return limits.method(text, name, rest, named)

    if not hasattr(str, name):
        machine.fail()
        return Unknown(Reason.ATTRIBUTE, f"str.{name}", None, None, origin)
    return lift(machine, name, run, [owner, *args.values()], origin, _result_type(name), tuple(args.keywords))


def _strip(owner: Text, name: str) -> Text | None:
    """Strip blanks at the ends without losing pieces; None when an end is not plain characters."""
    pieces = list(owner.pieces)
    for side in (0, -1):
        if (name == "lstrip" and side) or (name == "rstrip" and not side):
            continue
        while pieces:
            piece = pieces[side]
            if not isinstance(piece, Chars) or not piece.guard.certain:
                return None
            kept = piece.text.lstrip() if side == 0 else piece.text.rstrip()
            if not kept:
                pieces.pop(side)
                continue
            start = len(piece.text) - len(kept) if side == 0 else 0
            pieces[side] = piece.slice(start, start + len(kept))
            break
    return Text(tuple(pieces))


def join(machine: Machine, separator: Text, sequence: Value, origin: Origin) -> Value:
    """`separator.join(sequence)` with each element's pieces and guard kept."""
    results: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(sequence, machine.live):
        before = machine.live
        machine.live = guard
        elements = iterate(machine, leaf)
        tail = None
        if elements is None and isinstance(leaf, Ref):
            target = machine.object(leaf)
            if isinstance(target, ListObject):
                elements, tail = list(target.items), target.tail
        machine.live = before
        if elements is None:
            detail = leaf.detail if isinstance(leaf, Unknown) and leaf.detail else "join of an unknown sequence"
            hole = Hole(Unknown(Reason.LOOP, detail, str, None, origin), machine.space.always, origin)
            results.append((guard, Text((hole,))))
            continue
        results.append((guard, _joined(machine, separator, elements, tail, origin)))
    return choose(results) if results else Text()


def _joined(
    machine: Machine, separator: Text, elements: list[tuple[Guard, Value]], tail: Unknown | None, origin: Origin
) -> Text | Unknown:
    pieces: list[Piece] = []
    some = machine.space.never
    for guard, element in elements:
        pieces.extend(separator.under(guard & some).pieces)
        held = special.member_value(machine, element) if isinstance(element, Ref) else None
        pieces.extend(as_text(machine, element if held is None else held, origin).under(guard).pieces)
        some = some | guard
        if len(pieces) > machine.budget.pieces:
            break
    if tail is not None:
        more = machine.space.condition("more elements")
        pieces.extend(separator.under(some & more).pieces)
        pieces.append(Hole(tail, more, tail.origin or origin))
    return machine.sized(Text(tuple(pieces)))


_PATH_OUTSIDE = frozenset(
    ("exists", "is_file", "is_dir", "read_text", "read_bytes", "stat", "iterdir", "glob", "rglob", "open")
)


def _known_method(machine: Machine, owner: Known, name: str, args: Arguments, origin: Origin) -> Value:
    if isinstance(owner.value, PurePosixPath):
        if name in ("resolve", "expanduser", "absolute"):
            return owner
        if name in _PATH_OUTSIDE or not hasattr(owner.value, name):
            if not name.startswith(("exists", "is_")):
                machine.doubt()
            kind = bool if name.startswith(("exists", "is_")) else str if name == "read_text" else None
            return Unknown(Reason.OUTSIDE, f"{owner.value}.{name}()", kind, None, origin)
    if name.startswith("_"):
        return Unknown(Reason.ATTRIBUTE, name, None, None, origin)
    run = regexes.method if isinstance(owner.value, (re.Pattern, re.Match)) else limits.method
    return lift(
        machine,
        name,
        lambda o, *a, **k: run(o, name, a, k),
        [owner, *args.values()],
        origin,
        None,
        tuple(args.keywords),
    )


def _environment_method(machine: Machine, name: str, args: Arguments, origin: Origin) -> Value:
    key = args.positional[0] if args.positional else None
    if name in ("get", "pop", "setdefault", "__getitem__") and key is not None:
        default = args.get(1, "default", Known(None) if name in ("get", "setdefault") else None)
        found = environment.get(machine, key, default, origin)
        if name == "pop":
            environment.put(machine, key, None, origin)
        elif name == "setdefault":
            environment.put(machine, key, found, origin)
        return found
    if name == "__contains__" and key is not None:
        return operations.from_guard(machine, environment.has(machine, key))
    if name == "__setitem__" and len(args.positional) == 2 and key is not None:
        environment.put(machine, key, args.positional[1], origin)
        return Known(None)
    if name == "__delitem__" and key is not None:
        environment.put(machine, key, None, origin)
        return Known(None)
    if name == "update":
        made = DictObject([], machine.live, None, origin)
        for value in args.positional:
            merge_into(machine, made, value)
        environment.update(machine, made)
        for keyword, value in args.keywords.items():
            environment.write(machine, keyword, value, origin)
        return Known(None)
    if name == "copy":
        return machine.allocate(environment.snapshot(machine, origin))
    if name not in ("keys", "values", "items"):
        environment.forget(machine, Unknown(Reason.ENVIRONMENT, f"os.environ.{name}()", None, None, origin))
    return Unknown(Reason.ENVIRONMENT, f"os.environ.{name}()", None, None, origin)
