"""Methods of strings, lists, dicts, the environment, and of plain objects such as paths and matches."""

from __future__ import annotations

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
from miles_lint.fold import environment, operations
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import add, extend, iterate, merge_into, set_entry
from miles_lint.fold.convert import OverBudget, as_text, lift
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import DictObject, EnvironmentObject, Frame, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.subscripts import entry
from miles_lint.source import Span

_SIZED = frozenset(("ljust", "rjust", "center", "zfill", "expandtabs"))
_STR_TYPES = {"split": list, "rsplit": list, "splitlines": list, "partition": tuple, "rpartition": tuple}
_STR_BOOL = frozenset(
    ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower", "isspace", "isidentifier")
)
_STR_INT = frozenset(("find", "rfind", "index", "count"))


def call_method(machine: Machine, frame: Frame, owner: Value, name: str, args: Arguments, span: Span) -> Value:
    """`owner.name(...)` for an owner that is no object of the program."""
    origin = machine.origin(frame, span)
    if args.unknown is not None:
        havoc(machine, args.prepend((owner,)))
        return Unknown(Reason.CALL, f"{name}()", None, None, origin)
    if isinstance(owner, Text):
        return _text_method(machine, owner, name, args, origin)
    if isinstance(owner, Known):
        return _known_method(machine, owner, name, args, origin)
    if isinstance(owner, Ref):
        target = machine.object(owner)
        if isinstance(target, ListObject):
            return _list_method(machine, owner, target, name, args, origin)
        if isinstance(target, DictObject):
            return _dict_method(machine, owner, target, name, args, origin)
        if isinstance(target, EnvironmentObject):
            return _environment_method(machine, name, args, origin)
    if isinstance(owner, Items):
        return lift(machine, name, lambda o, *a: getattr(o, name)(*a), [owner, *args.positional], origin)
    if isinstance(owner, Unknown) and owner.type is str:
        return lift(machine, name, lambda o: o, [owner, *args.positional], origin, _result_type(name))
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
        return lift(machine, "format", _format, [owner, *args.values()], origin, str, tuple(args.keywords))

    def run(text: str, *rest: object, **named: object) -> object:
        if name in _SIZED and any(isinstance(r, int) and r > 10_000 for r in rest):
            raise OverBudget(f"{name} too wide")
        if name == "replace" and len(rest) >= 2 and isinstance(rest[1], str):
            if len(text) * (len(rest[1]) + 1) > machine.budget.text * 10:
                raise OverBudget("replace too long")
        return getattr(text, name)(*rest, **named)

    if not hasattr(str, name):
        machine.fail()
        return Unknown(Reason.ATTRIBUTE, f"str.{name}", None, None, origin)
    return lift(machine, name, run, [owner, *args.values()], origin, _result_type(name), tuple(args.keywords))


def _format(text: str, *args: object, **named: object) -> str:
    if operations.wide_format(text):
        raise OverBudget("format width too large")
    return text.format(*args, **named)


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
) -> Text:
    pieces: list[Piece] = []
    some = machine.space.never
    for guard, element in elements:
        pieces.extend(separator.under(guard & some).pieces)
        pieces.extend(as_text(machine, element, origin).under(guard).pieces)
        some = some | guard
    if tail is not None:
        pieces.extend(separator.under(some).pieces)
        pieces.append(Hole(tail, machine.space.always, tail.origin or origin))
    return Text(tuple(pieces))


_PATH_OUTSIDE = frozenset(
    ("exists", "is_file", "is_dir", "read_text", "read_bytes", "stat", "iterdir", "glob", "rglob", "open")
)


def _known_method(machine: Machine, owner: Known, name: str, args: Arguments, origin: Origin) -> Value:
    if isinstance(owner.value, PurePosixPath):
        if name in ("resolve", "expanduser", "absolute"):
            return owner
        if name in _PATH_OUTSIDE or not hasattr(owner.value, name):
            kind = bool if name.startswith(("exists", "is_")) else str if name == "read_text" else None
            return Unknown(Reason.OUTSIDE, f"{owner.value}.{name}()", kind, None, origin)
    if name.startswith("_"):
        return Unknown(Reason.ATTRIBUTE, name, None, None, origin)
    return lift(
        machine,
        name,
        lambda o, *a, **k: getattr(o, name)(*a, **k),
        [owner, *args.values()],
        origin,
        None,
        tuple(args.keywords),
    )


def _list_method(
    machine: Machine, owner: Ref, target: ListObject, name: str, args: Arguments, origin: Origin
) -> Value:
    if name in ("append", "add") and len(args.positional) == 1:
        if len(target.items) >= machine.budget.items:
            target.tail = Unknown(Reason.BUDGET, "list too long", origin=origin)
        add(target, [(machine.live, args.positional[0])])
        return Known(None)
    if name in ("extend", "update") and len(args.positional) == 1:
        extend(machine, target, args.positional[0])
        return Known(None)
    if name == "copy":
        return machine.allocate(ListObject(list(target.items), machine.live, target.tail, target.kind, origin))
    if name == "insert" and len(args.positional) == 2:
        position = args.positional[0]
        if isinstance(position, Known) and position.value == 0:
            target.items.insert(0, (machine.live, args.positional[1]))
            return Known(None)
    if name in ("index", "count"):
        return lift(machine, name, lambda o, *a: getattr(o, name)(*a), [owner, *args.positional], origin, int)
    if name in ("union", "intersection", "difference", "issubset", "issuperset"):
        return lift(machine, name, lambda o, *a: getattr(set(o), name)(*a), [owner, *args.positional], origin)
    if name == "pop" and not args.positional and target.items and target.tail is None and target.items[-1][0].certain:
        if (~machine.live & target.born).impossible:
            return target.items.pop()[1]
    changed = Unknown(Reason.CALL, f"list changed by {name}()", origin=origin)
    target.items, target.tail = [], changed
    return changed


def _dict_method(
    machine: Machine, owner: Ref, target: DictObject, name: str, args: Arguments, origin: Origin
) -> Value:
    if name in ("get", "pop") and args.positional:
        default = args.get(1, "default")
        if default is None and name == "get":
            default = Known(None)
        found = entry(machine, target, args.positional[0], origin, default)
        if name == "pop":
            set_entry(machine, target, args.positional[0], None, origin)
        return found
    if name == "setdefault" and args.positional:
        default = args.get(1, "default", Known(None))
        assert default is not None
        found = entry(machine, target, args.positional[0], origin, default)
        set_entry(machine, target, args.positional[0], found, origin)
        return found
    if name == "update":
        for value in args.positional:
            merge_into(machine, target, value)
        for key, value in args.keywords.items():
            target.entries.append((machine.live, key, value, origin))
        return Known(None)
    if name == "copy":
        return machine.allocate(DictObject(list(target.entries), machine.live, target.unknown, origin))
    if name in ("keys", "items", "values"):
        keys = iterate(machine, owner)
        if keys is None:
            return Unknown(Reason.LOOP, f"{name} of an unknown dict", None, None, origin)
        made: list[tuple[Guard, Value]] = []
        for guard, each in keys:
            with machine.under(guard) as possible:
                if not possible:
                    continue
                item = each if name == "keys" else entry(machine, target, each, origin)
                always = machine.space.always
                made.append((guard, Items(((always, each), (always, item))) if name == "items" else item))
        return machine.allocate(ListObject(made, machine.live, origin=origin))
    changed = Unknown(Reason.CALL, f"dict changed by {name}()", origin=origin)
    target.entries, target.unknown = [], changed
    return changed


def _environment_method(machine: Machine, name: str, args: Arguments, origin: Origin) -> Value:
    key = args.positional[0].plain if args.positional and isinstance(args.positional[0], Text) else None
    if name in ("get", "pop", "setdefault", "__getitem__") and key is not None:
        default = args.get(1, "default", Known(None))
        assert default is not None
        found = get_variable(machine, key, default)
        if name == "pop":
            environment.delete(machine, key)
        elif name == "setdefault":
            environment.write(machine, key, found, origin)
        return found
    if name == "update" and args.positional:
        source = machine.narrow(args.positional[0])
        target = machine.object(source) if isinstance(source, Ref) else None
        if isinstance(target, DictObject):
            for guard, written, value, where in target.entries:
                if isinstance(written, str) and value is not None:
                    with machine.under(guard) as possible:
                        if possible:
                            environment.write(machine, written, value, where)
            return Known(None)
    if name == "copy":
        unknown = Unknown(Reason.ENVIRONMENT, "os.environ")
        return machine.allocate(DictObject([], machine.live, unknown, origin))
    return Unknown(Reason.ENVIRONMENT, f"os.environ.{name}()", None, None, origin)


def get_variable(machine: Machine, name: str, default: Value) -> Value:
    """`os.environ.get(name, default)`."""
    present, value = environment.read(machine, name)
    missing = machine.live - present
    return choose([*options_of(value, present), *options_of(default, missing)])
