"""Python's builtin functions and types, and decorators."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import replace
from typing import Any

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
from miles_lint.fold import attributes, operations, typeforms
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import elements_of, iterate, merge_into, set_entry
from miles_lint.fold.convert import OverBudget, as_text, lift
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import ClassObject, DictObject, Frame, FunctionObject, InstanceObject, ListObject
from miles_lint.fold.helper_names import summarised
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import linearize, opaque_base
from miles_lint.program import nodes as n
from miles_lint.source import Span

BUILTINS: dict[str, Value] = {
    name: Callee("builtin", name) for name in dir(builtins) if not name.startswith("_") and name not in ("copyright",)
}
BUILTINS["__name__"] = Unknown(Reason.NAME, "__name__", str)

_TYPES: dict[str, type] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "bytes": bytes,
}
_PURE: dict[str, tuple[Callable[..., object], type | None]] = {
    "int": (int, int),
    "float": (float, float),
    "abs": (abs, None),
    "round": (round, None),
    "divmod": (divmod, tuple),
    "min": (min, None),
    "max": (max, None),
    "sum": (sum, None),
    "ord": (ord, int),
    "chr": (chr, str),
    "hex": (hex, str),
    "bin": (bin, str),
    "oct": (oct, str),
    "repr": (repr, str),
    "format": (format, str),
    "pow": (pow, None),
    "hash": (hash, int),
    "bytes": (lambda *a: _bytes(*a), bytes),
    "ascii": (ascii, str),
}
_HARMLESS = frozenset(
    ("print", "id", "callable", "input", "open", "breakpoint", "help", "memoryview", "dir", "locals", "globals")
)


def _bytes(*args: Any) -> object:
    if args and isinstance(args[0], int):
        raise OverBudget("bytes of a size")
    return bytes(*args)


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
        return Unknown(Reason.CALL, name, origin=origin)
    if name not in _HARMLESS and name not in _PURE:
        havoc(machine, args)
    return Unknown(Reason.CALL, f"{name}()", _TYPES.get(name), None, origin)


def _kept(name: str, args: Arguments, made: Value) -> Value:
    """`int(x)` of an unknown that is an int already is that unknown."""
    if name in ("int", "float") and len(args.positional) == 1:
        given = args.positional[0]
        if isinstance(given, Unknown) and given.type is _TYPES[name]:
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
    elements = elements_of(machine, value)
    if elements is not None and all((machine.live - guard).impossible for guard, _ in elements):
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
        made: list[tuple[Guard, Value]] = []
        before = machine.live
        for guard, leaf in options_of(args.positional[0], before):
            machine.live = guard
            made.append((guard, copied(machine, leaf, origin)))
        machine.live = before
        return choose(made)

    def copied(machine: Machine, leaf: Value, origin: Origin) -> Value:
        elements = iterate(machine, leaf)
        if elements is None:
            term = leaf.term if isinstance(leaf, Unknown) else None
            tail = Unknown(Reason.LOOP, f"{kind} of an unknown sequence", None, term, origin)
            return machine.allocate(ListObject([], machine.live, tail, kind, origin))
        if kind == "tuple":
            return Items(tuple(elements), kind, origin)
        return machine.allocate(ListObject(elements, machine.live, None, kind, origin))

    return make


def _dict(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    made = DictObject([], machine.live, args.unknown, origin)
    if args.positional:
        source = machine.narrow(args.positional[0])
        if isinstance(source, Ref) and isinstance(machine.object(source), DictObject):
            merge_into(machine, made, source)
        else:
            pairs = iterate(machine, source)
            if pairs is None:
                made.unknown = Unknown(Reason.CALL, "dict of unknown pairs", origin=origin)
            for guard, pair in pairs or []:
                items = elements_of(machine, pair)
                if items is None or len(items) != 2:
                    made.unknown = Unknown(Reason.CALL, "dict of unknown pairs", origin=origin)
                    continue
                with machine.under(guard):
                    set_entry(machine, made, items[0][1], items[1][1], origin)
    for key, value in args.keywords.items():
        made.entries.append((machine.live, key, value, origin))
    return machine.allocate(made)


def _range(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    def make(*bounds: Any) -> object:
        made = range(*bounds)
        if len(made) > machine.budget.items:
            raise OverBudget("range too long")
        return made

    return lift(machine, "range", make, list(args.positional), origin)


def _enumerate(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    elements = iterate(machine, args.positional[0]) if args.positional else None
    start = args.get(1, "start", Known(0))
    if elements is None or not isinstance(start, Known) or not all((machine.live - g).impossible for g, _ in elements):
        return Unknown(Reason.LOOP, "enumerate", None, None, origin)
    first = start.value if isinstance(start.value, int) else 0
    always = machine.space.always
    return Items(
        tuple((always, Items(((always, Known(first + i)), (always, v)))) for i, (_, v) in enumerate(elements))
    )


def _zip(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    columns = [iterate(machine, value) for value in args.positional]
    always = machine.space.always
    rows: list[tuple[Guard, Value]] = []
    for column in columns:
        if column is None or not all((machine.live - guard).impossible for guard, _ in column):
            return Unknown(Reason.LOOP, "zip", None, None, origin)
    for row in zip(*(column for column in columns if column is not None)):
        rows.append((always, Items(tuple((always, value) for _, value in row))))
    return Items(tuple(rows))


def _map(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    elements = iterate(machine, args.positional[1]) if len(args.positional) == 2 else None
    if elements is None:
        return Unknown(Reason.LOOP, "map", None, None, origin)
    made: list[tuple[Guard, Value]] = []
    for guard, element in elements:
        with machine.under(guard) as possible:
            if possible:
                made.append((guard, machine.run.call(machine, frame, args.positional[0], Arguments((element,)), span)))
    return machine.allocate(ListObject(made, machine.live, origin=origin))


def _filter(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    elements = iterate(machine, args.positional[1]) if len(args.positional) == 2 else None
    if elements is None:
        return Unknown(Reason.LOOP, "filter", None, None, origin)
    made: list[tuple[Guard, Value]] = []
    for guard, element in elements:
        with machine.under(guard) as possible:
            if possible:
                test = args.positional[0]
                kept = element
                if not (isinstance(test, Known) and test.value is None):
                    kept = machine.run.call(machine, frame, test, Arguments((element,)), span)
                made.append((guard & operations.truth(machine, kept), element))
    return machine.allocate(ListObject(made, machine.live, origin=origin))


def _any_all(word: str) -> Callable[[Machine, Frame, Arguments, Origin, Span], Value]:
    def decide(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
        elements = iterate(machine, args.positional[0]) if args.positional else None
        if elements is None:
            return Unknown(Reason.CALL, word, bool, None, origin)
        found = machine.space.never
        for guard, element in elements:
            with machine.under(guard) as possible:
                if possible:
                    holds = operations.truth(machine, element)
                    found = found | (guard & (holds if word == "any" else machine.live - holds))
        return operations.from_guard(machine, found if word == "any" else machine.live - found)

    return decide


def _reversed(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    elements = iterate(machine, args.positional[0]) if args.positional else None
    if elements is None:
        return Unknown(Reason.LOOP, "reversed", None, None, origin)
    return Items(tuple(reversed(elements)), "tuple", origin)


def _sorted(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if args.keywords.keys() - {"reverse"} or not args.positional:
        return Unknown(Reason.CALL, "sorted()", list, None, origin)
    return lift(machine, "sorted", sorted, list(args.values()), origin, list, tuple(args.keywords))


def _getattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if len(args.positional) < 2 or not isinstance(args.positional[1], Text):
        return Unknown(Reason.CALL, "getattr()", None, None, origin)
    name = args.positional[1].plain
    if name is None:
        return Unknown(Reason.ATTRIBUTE, "getattr()", None, None, origin)
    owner = args.positional[0]
    if len(args.positional) == 2:
        return attributes.get(machine, owner, name, origin)
    results: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(owner, machine.live):
        has = _has(machine, leaf, name)
        missing = machine.space.never if has is None else guard - has
        results.append((missing, args.positional[2]))
        with machine.under(guard - missing) as possible:
            if possible:
                results.append((guard - missing, attributes.get(machine, leaf, name, origin)))
    return choose(results)


def _has(machine: Machine, leaf: Value, name: str) -> Guard | None:
    """The condition on which a value has an attribute; None when that is not known."""
    space = machine.space
    if isinstance(leaf, Known):
        return space.always if hasattr(leaf.value, name) else space.never
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, InstanceObject):
            if name in target.fields:
                return ~target.absent.get(name, space.never)
            if attributes.find(machine, target.cls, name) is not None:
                return space.always
            closed = target.havoc is None and target.opaque is None and not opaque_base(machine, target.cls)
            return space.never if closed else None
    answer = typeforms.has_attribute(leaf, name)
    return None if answer is None else space.always if answer else space.never


def _hasattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = args.positional[1].plain if len(args.positional) == 2 and isinstance(args.positional[1], Text) else None
    has = _has(machine, machine.narrow(args.positional[0]), name) if name is not None else None
    if has is None:
        return Unknown(Reason.ATTRIBUTE, f"hasattr {name}", bool, None, origin)
    return operations.from_guard(machine, has)


def _setattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = args.positional[1].plain if len(args.positional) == 3 and isinstance(args.positional[1], Text) else None
    if name is None:
        havoc(machine, args)
    else:
        attributes.put(machine, args.positional[0], name, args.positional[2], origin)
    return Known(None)


def _isinstance(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if len(args.positional) != 2:
        return Unknown(Reason.CALL, "isinstance()", bool, None, origin)
    return operations.from_guard(machine, is_instance(machine, args.positional[0], args.positional[1]))


def is_instance(machine: Machine, value: Value, cls: Value) -> Guard:
    """The condition, under `live`, on which a value is an instance of a class or one of several."""
    space = machine.space
    found = space.never
    classes = elements_of(machine, cls)
    if classes is not None:
        for _, each in classes:
            found = found | is_instance(machine, value, each)
        return found
    for guard, leaf in options_of(value, machine.live):
        answer = _is_leaf_instance(machine, leaf, cls)
        if answer is None:
            answer_guard = space.condition("isinstance")
        else:
            answer_guard = space.always if answer else space.never
        found = found | (guard & answer_guard)
    return found


def _is_leaf_instance(machine: Machine, leaf: Value, cls: Value) -> bool | None:
    answer = typeforms.is_instance(machine, leaf, cls)
    if answer is not None:
        return answer
    if isinstance(cls, Ref) and isinstance(leaf, Ref):
        target = machine.object(leaf)
        wanted = machine.object(cls)
        if isinstance(target, InstanceObject) and isinstance(wanted, ClassObject):
            return wanted in linearize(machine, target.cls) or (None if opaque_base(machine, target.cls) else False)
        return False
    if isinstance(cls, Callee) and cls.kind == "builtin" and cls.name in _TYPES:
        wanted_type = _TYPES[cls.name]
        if isinstance(leaf, Text):
            return wanted_type is str
        if isinstance(leaf, Known):
            return isinstance(leaf.value, wanted_type)
        if isinstance(leaf, Unknown):
            return None if leaf.type is None else issubclass(leaf.type, wanted_type)
        if isinstance(leaf, Items):
            return wanted_type is tuple
        if isinstance(leaf, Ref):
            target = machine.object(leaf)
            if isinstance(target, ListObject):
                return wanted_type.__name__ == target.kind
            return isinstance(target, DictObject) and wanted_type is dict
    return None


def _next(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    elements = iterate(machine, args.positional[0]) if args.positional else None
    if elements is None:
        return Unknown(Reason.CALL, "next()", None, None, origin)
    left = machine.live
    results: list[tuple[Guard, Value]] = []
    for guard, element in elements:
        inside = left & guard
        if not inside.impossible:
            results.append((inside, element))
            left = left - guard
    if not left.impossible:
        if len(args.positional) > 1:
            results.append((left, args.positional[1]))
        else:
            machine.require(~left)
    return choose(results) if results else Unknown(Reason.CALL, "next()", None, None, origin)


def _type(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    value = machine.narrow(args.positional[0]) if len(args.positional) == 1 else None
    found = typeforms.type_of(machine, value) if value is not None else None
    return found if found is not None else Unknown(Reason.CALL, "type()", None, None, origin)


def _issubclass(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    found: bool | None = None
    if len(args.positional) == 2:
        found = typeforms.is_subclass(machine, machine.narrow(args.positional[0]), machine.narrow(args.positional[1]))
    return Known(found) if found is not None else Unknown(Reason.CALL, "issubclass()", bool, None, origin)


def _vars(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if len(args.positional) != 1:
        return Unknown(Reason.CALL, "vars()", dict, None, origin)
    return attributes.get(machine, args.positional[0], "__dict__", origin)


def _noop(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    return Known(None)


def _iter(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    return args.positional[0] if args.positional else Unknown(Reason.CALL, "iter()")


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
    "enumerate": _enumerate,
    "zip": _zip,
    "map": _map,
    "filter": _filter,
    "any": _any_all("any"),
    "all": _any_all("all"),
    "reversed": _reversed,
    "sorted": _sorted,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "object.__setattr__": _setattr,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "next": _next,
    "iter": _iter,
    "type": _type,
    "vars": _vars,
    "noop": _noop,
    "print": _noop,
}


def decorate(machine: Machine, frame: Frame, decorator: n.Expr, value: Value) -> Value:
    """A definition after one decorator; one that is not understood is taken to change nothing."""
    if isinstance(decorator, n.Attribute) and decorator.name in ("setter", "getter", "deleter"):
        return value
    applied = machine.narrow(machine.run.evaluate(machine, frame, decorator))
    if not isinstance(applied, Callee) or not isinstance(value, Callee):
        return value
    if applied.kind == "builtin" and applied.name in ("property", "staticmethod", "classmethod"):
        return replace(value, kind=applied.name)
    if applied.name in ("functools.cached_property", "cached_property"):
        return replace(value, kind="property")
    if applied.kind in ("register", "app-method"):
        machine.registered.append((applied.name if applied.kind == "register" else "", value))
        return value
    if applied.kind == "function" and isinstance(applied.target, FunctionObject):
        if not summarised(applied.target.qualified):
            made = machine.run.call(machine, frame, applied, Arguments((value,)), decorator.span)
            return made if isinstance(made, Callee) else value
    return value
