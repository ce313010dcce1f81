"""Python's builtin functions and types, and decorators."""

from __future__ import annotations

import builtins
from collections.abc import Callable

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import (
    Callee,
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
from miles_lint.fold import containers, iterators, limits, lists, operations, special
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import elements_of, iterate, merge_into
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import DictObject, Frame, ListObject
from miles_lint.fold.introspection import (
    TYPES,
    call_getattr,
    call_hasattr,
    call_isinstance,
    call_issubclass,
    call_setattr,
    call_type,
    call_vars,
)
from miles_lint.fold.lifting import lift
from miles_lint.fold.machine import Machine
from miles_lint.fold.ordering import extreme, in_order
from miles_lint.fold.printing import as_text
from miles_lint.fold.scopes import globals_of, run_text
from miles_lint.source import Span

BUILTINS: dict[str, Value] = {
    name: Callee("builtin", name) for name in dir(builtins) if not name.startswith("_") and name not in ("copyright",)
}
BUILTINS["__name__"] = Unknown(Reason.NAME, "__name__", str)

_PURE: dict[str, tuple[Callable[..., object], type | None]] = {
    "int": (int, int),
    "float": (float, float),
    "abs": (abs, None),
    "round": (limits.rounded, None),
    "divmod": (divmod, tuple),
    "sum": (limits.total, None),
    "ord": (ord, int),
    "chr": (chr, str),
    "hex": (hex, str),
    "bin": (bin, str),
    "oct": (oct, str),
    "repr": (repr, str),
    "format": (limits.format_value, str),
    "pow": (limits.power, None),
    "bytes": (limits.make_bytes, bytes),
    "ascii": (ascii, str),
}
_HARMLESS = frozenset(
    (
        "print",
        "id",
        "hash",
        "callable",
        "input",
        "open",
        "breakpoint",
        "help",
        "memoryview",
        "dir",
        "locals",
        "globals",
    )
)


def call_builtin(machine: Machine, frame: Frame, name: str, args: Arguments, span: Span) -> Value:
    """A call of a builtin function or type."""
    origin = machine.origin(frame, span)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(machine, frame, args, origin, span)
    if name in _PURE and args.unknown is None:
        function, kind = _PURE[name]
        keywords = tuple(args.keywords)
        if not any(isinstance(v, Callee) for v in args.values()):
            return _kept(name, args, lift(machine, name, function, list(args.values()), origin, kind, keywords))
    if name.partition(".")[0] in BUILTINS and name[:1].isupper():
        return Callee("exception", name, None, args.positional)
    machine.doubt()
    if name not in _HARMLESS and name not in _PURE:
        havoc(machine, args)
    return Unknown(Reason.CALL, f"{name}()", TYPES.get(name), None, origin)


def _kept(name: str, args: Arguments, made: Value) -> Value:
    """`int(x)` of an unknown that is an int already is that unknown."""
    if name in ("int", "float") and len(args.positional) == 1:
        given = args.positional[0]
        if isinstance(given, Unknown) and given.type is TYPES[name]:
            return given
    return made


def _str(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if len(args.positional) != 1 or args.keywords:
        return Text() if not args.values() else lift(machine, "str", str, list(args.values()), origin, str)
    return as_text(machine, machine.narrow(args.positional[0]), origin)


def _bool(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if not args.positional:
        return Known(False)
    return operations.from_guard(machine, operations.truth(machine, args.positional[0]))


def _len(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    value = machine.narrow(args.positional[0]) if args.positional else Known(0)
    if isinstance(value, Ref):
        function = special.method(machine, value, "__len__")
        if function is not None:
            return special.invoke(machine, function, value)
        held = special.as_tuple(machine, value)
        members = tuple(containers.members(machine, value))
        value = Items(members) if members else value if held is None else held
    elements = elements_of(machine, value)
    if elements is not None and all(machine.live.implies(guard) for guard, _ in elements):
        target = machine.object(value) if isinstance(value, Ref) else None
        if not (isinstance(target, ListObject) and target.tail is not None):
            return Known(len(elements), origin)
    return lift(machine, "len", len, [value], origin, int)


def _sequence(kind: str) -> Callable[[Machine, Frame, Arguments, Origin, Span], Value]:
    def make(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
        if not args.positional:
            return (
                Items((), "tuple", origin)
                if kind == "tuple"
                else machine.allocate(ListObject([], machine.live, None, kind, origin))
            )
        before = machine.live
        copies: list[tuple[Guard, Value]] = []
        for guard, leaf in options_of(args.positional[0], before):
            machine.live = guard
            copies.append((guard, copied(machine, leaf, origin)))
        machine.live = before
        return choose(copies)

    def copied(machine: Machine, leaf: Value, origin: Origin) -> Value:
        elements = iterate(machine, leaf, ordered=kind != "set")
        if elements is None:
            term = leaf.term if isinstance(leaf, Unknown) else None
            tail = Unknown(Reason.LOOP, f"{kind} of an unknown sequence", None, term, origin)
            return machine.allocate(ListObject([], machine.live, tail, kind, origin))
        if kind == "tuple":
            return Items(tuple(elements), kind, origin)
        made = ListObject([], machine.live, None, kind, origin)
        lists.grow(machine, made, elements)
        return machine.allocate(made)

    return make


def _dict(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    made = DictObject([], machine.live, args.unknown, origin)
    for value in args.positional[:1]:
        merge_into(machine, made, value)
    for key, value in args.keywords.items():
        made.entries.append((machine.live, key, value, origin))
    return machine.allocate(made)


def _range(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    return lift(machine, "range", limits.make_range, list(args.positional), origin)


def _sorted(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if not args.positional:
        return Unknown(Reason.CALL, "sorted()", list, None, origin)
    elements = iterate(machine, args.positional[0], ordered=False)
    made = in_order(machine, frame, elements, args, span) if elements is not None else None
    if made is not None:
        return machine.allocate(ListObject(made, machine.live, None, "list", origin))
    return Unknown(Reason.CALL, "sorted()", list, None, origin)


def _extreme(name: str) -> Callable[[Machine, Frame, Arguments, Origin, Span], Value]:
    function = max if name == "max" else min

    def choose_one(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
        given: list[tuple[Guard, Value]] | None = [(machine.space.always, value) for value in args.positional]
        if len(args.positional) == 1:
            given = iterate(machine, args.positional[0], ordered=False)
        plain = given is not None and not any(isinstance(value, (Ref, Items)) for _, value in given)
        if given is None or (plain and not args.keywords):
            operands = list(args.values()) if given is None else _operands(args, given)
            return lift(machine, name, function, operands, origin, None, tuple(args.keywords))
        found = extreme(machine, frame, given, args, name == "max", span)
        if found is None:
            return Unknown(Reason.CALL, f"{name}()", None, None, origin)
        default = args.keywords.get("default")
        empty = machine.space.never
        results: list[tuple[Guard, Value]] = []
        for guard, value in found:
            kept = default if value is None else value
            if kept is None:
                empty = empty | guard
            else:
                results.append((guard, kept))
        machine.require(~empty, ValueError)
        return choose(results) if results else Unknown(Reason.CALL, f"{name}()", None, None, origin)

    return choose_one


def _operands(args: Arguments, given: list[tuple[Guard, Value]]) -> list[Value]:
    return [Items(tuple(given))] if len(args.positional) == 1 else list(args.positional)


def _noop(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    return Known(None)


_Special = Callable[[Machine, Frame, Arguments, Origin, Span], Value]
_SPECIAL: dict[str, _Special] = {
    "str": _str,
    "bool": _bool,
    "len": _len,
    "list": _sequence("list"),
    "tuple": _sequence("tuple"),
    "set": _sequence("set"),
    "frozenset": _sequence("set"),
    "dict": _dict,
    "range": _range,
    "enumerate": iterators.enumerated,
    "zip": iterators.zipped,
    "map": iterators.mapped,
    "filter": iterators.filtered,
    "any": iterators.decided("any"),
    "all": iterators.decided("all"),
    "reversed": iterators.backwards,
    "sorted": _sorted,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "getattr": call_getattr,
    "hasattr": call_hasattr,
    "setattr": call_setattr,
    "object.__setattr__": call_setattr,
    "isinstance": call_isinstance,
    "issubclass": call_issubclass,
    "next": iterators.following,
    "iter": iterators.iterator,
    "exec": run_text,
    "globals": globals_of,
    "eval": run_text,
    "type": call_type,
    "vars": call_vars,
    "noop": _noop,
    "print": _noop,
}
