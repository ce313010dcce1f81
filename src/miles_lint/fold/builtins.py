"""Python's builtin functions and types, and decorators."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import replace
from functools import partial

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
from miles_lint.fold import attributes, containers, iterators, limits, lists, operations, special, typeforms
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import elements_of, iterate, merge_into
from miles_lint.fold.convert import TooMany, as_text, lift, text_alternatives
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import ClassObject, DictObject, Frame, InstanceObject, ListObject, ViewObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import linearize, opaque_base
from miles_lint.fold.ordering import extreme, in_order
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


def _name(machine: Machine, args: Arguments) -> str | None:
    """The name of an attribute that is the second argument, where there is but one under `live`."""
    told = machine.narrow(args.positional[1]) if len(args.positional) > 1 else None
    if not isinstance(told, Text):
        return None
    try:
        found = text_alternatives(machine, told, machine.live)
    except TooMany:
        return None
    name = found[0][1] if len(found) == 1 else None
    return name if isinstance(name, str) else None


def _getattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = _name(machine, args)
    if name is None:
        return Unknown(Reason.ATTRIBUTE, "getattr()", None, None, origin)
    owner = args.positional[0]
    if len(args.positional) == 2:
        return attributes.get(machine, owner, name, origin)
    if isinstance(owner, Ref) and _has(machine, owner, name) is machine.space.never:
        return args.positional[2]
    certain = isinstance(owner, Ref) and _has(machine, owner, name) is not None
    machine.catch()
    value = attributes.get(machine, owner, name, origin)
    results = [(guard, leaf if certain else _loose(leaf)) for guard, leaf in options_of(value, machine.live)]
    for guard, kind in machine.caught():
        if kind is AttributeError:
            results.append((guard, args.positional[2]))
            machine.live = machine.live | guard
        else:
            live = machine.live
            machine.throw([(guard, kind)])
            machine.live = live
    return choose(results)


def _loose(leaf: Value) -> Value:
    """An attribute of something unknown may be the default instead: it has no symbolic form."""
    return replace(leaf, term=None) if isinstance(leaf, Unknown) and leaf.type is None else leaf


def _has(machine: Machine, leaf: Value, name: str) -> Guard | None:
    """The condition on which a value has an attribute; None when that is not known."""
    space = machine.space
    if isinstance(leaf, Known):
        return space.always if hasattr(leaf.value, name) else space.never
    if isinstance(leaf, Ref):
        target = machine.object(leaf)
        if isinstance(target, InstanceObject):
            if attributes.find(machine, target.cls, name) is not None:
                return space.always
            if name in target.fields:
                return ~target.absent.get(name, space.never)
            dynamic = special.method(machine, leaf, "__getattr__")
            if dynamic is not None and not special.is_stub(dynamic):
                return None
            closed = target.havoc is None and target.opaque is None and not opaque_base(machine, target.cls)
            return space.never if closed else None
    answer = typeforms.has_attribute(leaf, name)
    return None if answer is None else space.always if answer else space.never


def _hasattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = _name(machine, args) if len(args.positional) == 2 else None
    has = _has(machine, machine.narrow(args.positional[0]), name) if name is not None else None
    if has is None:
        return Unknown(Reason.ATTRIBUTE, f"hasattr {name}", bool, None, origin)
    return operations.from_guard(machine, has)


def _setattr(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    name = _name(machine, args) if len(args.positional) == 3 else None
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
        doubtful = space.condition("isinstance") if answer is None else space.never
        found = found | (guard & (space.always if answer else doubtful))
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
            if isinstance(target, InstanceObject):
                plain = special.behaves(machine, leaf, cls.name)
                return plain or (None if opaque_base(machine, target.cls) else False)
            if isinstance(target, ListObject):
                return wanted_type.__name__ == target.kind
            return isinstance(target, DictObject) and wanted_type is dict
    return None


def _type(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    value = machine.narrow(args.positional[0]) if len(args.positional) == 1 else None
    found = typeforms.type_of(machine, value) if value is not None else None
    return found if found is not None else Unknown(Reason.CALL, "type()", None, None, origin)


def _issubclass(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    found: bool | None = None
    if len(args.positional) == 2:
        found = _is_subclass(machine, machine.narrow(args.positional[0]), machine.narrow(args.positional[1]))
    return Known(found) if found is not None else Unknown(Reason.CALL, "issubclass()", bool, None, origin)


def _is_subclass(machine: Machine, value: Value, cls: Value) -> bool | None:
    several = elements_of(machine, cls)
    if several is not None:
        answers = [_is_subclass(machine, value, each) for _, each in several]
        return True if True in answers else None if None in answers else False
    if isinstance(value, Callee) and isinstance(cls, Callee) and value.kind == cls.kind == "builtin":
        one, two = getattr(builtins, value.name, None), getattr(builtins, cls.name, None)
        return issubclass(one, two) if isinstance(one, type) and isinstance(two, type) else None
    return typeforms.is_subclass(machine, value, cls)


def _vars(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    if len(args.positional) != 1:
        return Unknown(Reason.CALL, "vars()", dict, None, origin)
    return attributes.get(machine, args.positional[0], "__dict__", origin)


def _noop(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    return Known(None)


def _globals(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`globals()`: what is written to it is a name of the module."""
    module = frame.module.frame
    if module is None:
        return Unknown(Reason.CALL, "globals()", dict, None, origin)
    return machine.allocate(ViewObject(partial(_module_names, module)))


def _module_names(module: Frame, machine: Machine) -> DictObject:
    always = machine.space.always
    unknown = Unknown(Reason.CALL, "globals()")
    made = DictObject([], always, unknown, None, partial(_write_name, module))
    made.entries.extend((always, name, value, None) for name, value in module.names.items())
    return made


def _write_name(module: Frame, machine: Machine, key: object, new: Value | None) -> None:
    if isinstance(key, str):
        deleted = Unknown(Reason.NAME, f"{key} was deleted")
        machine.write(module, key, deleted if new is None else new)
        return
    for name in list(module.names):
        machine.write(module, name, Unknown(Reason.NAME, "a global whose name is not known"))


def _run_text(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`exec` and `eval`: they may change whatever the scopes around them can see."""
    scope: Frame | None = frame
    while scope is not None:
        for value in list(scope.names.values()):
            havoc(machine, Arguments((value,)))
        scope = scope.outer
    return Unknown(Reason.CALL, "code in a text", None, None, origin)


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
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "object.__setattr__": _setattr,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "next": iterators.following,
    "iter": iterators.iterator,
    "exec": _run_text,
    "globals": _globals,
    "eval": _run_text,
    "type": _type,
    "vars": _vars,
    "noop": _noop,
    "print": _noop,
}
