"""Class creation and instances: dataclasses, enums, and plain classes."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Callee, Known, Reason, Ref, Text, Unknown, Value, choose, options_of
from miles_lint.fold import special
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import members
from miles_lint.fold.fields import asked, collect_fields
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import ClassObject, DictObject, Field, Frame, FunctionObject, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import find, linearize, opaque_base
from miles_lint.fold.operations import compare
from miles_lint.fold.passing import present
from miles_lint.fold.signatures import Parameter, tell_mismatches
from miles_lint.program import nodes as n
from miles_lint.source import Span

_DATACLASS = ("dataclass", "dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attrs.define", "attr.s")
_MODELS = ("BaseModel", "StrictBaseModel")
_FIELD_BASES = ("NamedTuple", "TypedDict", *_MODELS)
_ENUM_BASES = ("Enum", "StrEnum", "IntEnum")
_SCALARS = ("str", "int")


def create_class(machine: Machine, frame: Frame, node: n.ClassDef) -> Value:
    """The class of a `class` statement: its body is run in a scope of its own, annotations become fields."""
    bases = [_one_base(machine, machine.run.evaluate(machine, frame, base)) for base in node.bases]
    qualified = f"{frame.module.name}.{node.name}"
    opaque = ""
    for base in bases:
        if not isinstance(base, Ref):
            name = base.name if isinstance(base, Callee) else "an unknown class"
            if name.rpartition(".")[2] not in ("object", "ABC", "Generic", "Protocol", *_FIELD_BASES, *_ENUM_BASES):
                opaque = name
    if _mixed(machine, bases) and opaque in _SCALARS:
        opaque = ""
    made = ClassObject(
        node.name, qualified, bases, {}, {}, False, machine.live, machine.origin(frame, node.name_span), opaque
    )
    ref = machine.allocate(made)
    inner = Frame(frame.module, made.names, frame, machine.live, qualified, class_body=True)
    machine.run.execute(machine, inner, node.body)
    for value in made.names.values():
        if isinstance(value, Callee) and isinstance(value.target, FunctionObject) and value.target.owner is None:
            value.target.owner = ref.cell
    base_names = {b.name.rpartition(".")[2] for b in bases if isinstance(b, Callee)}
    decorators = [
        machine.run.evaluate(machine, frame, d.func if isinstance(d, n.Call) else d) for d in node.decorators
    ]
    is_dataclass = any(isinstance(d, Callee) and d.name in _DATACLASS for d in decorators)
    inherited = any(cls.dataclass for cls in linearize(machine, ref.cell)[1:])
    models = any("model" in cls.behaves for cls in linearize(machine, ref.cell))
    made.dataclass = is_dataclass or bool(base_names & set(_FIELD_BASES)) or (inherited and not node.decorators)
    made.behaves = _behaviour(base_names, special.is_enumeration(machine, ref.cell))
    made.frozen = asked(node, "frozen") or "NamedTuple" in base_names
    made.ordered = asked(node, "order") or "NamedTuple" in base_names
    made.compares = not asked(node, "eq", False)
    if is_dataclass or models or base_names & set(_FIELD_BASES):
        collect_fields(machine, frame, node, made, inner)
    elif "enum" in made.behaves:
        _make_members(machine, made, ref)
    _announce(machine, ref, node, frame)
    return ref


def _behaviour(bases: set[str], enumeration: bool) -> tuple[str, ...]:
    """What the objects of a class are besides, by the names of its bases."""
    found: list[str] = [name for name in ("str", "int", "list", "dict") if name in bases]
    if "NamedTuple" in bases:
        found.append("tuple")
    if bases & set(_MODELS):
        found.append("model")
    if bases & set(_ENUM_BASES) or enumeration:
        found.append("enum")
    if bases & {"StrEnum", "IntEnum"}:
        found += ["str" if "StrEnum" in bases else "int", "plain"]
    return tuple(found)


def _announce(machine: Machine, ref: Ref, node: n.ClassDef, frame: Frame) -> None:
    """`__init_subclass__` of a base hears of the class and its keywords."""
    for cls in linearize(machine, ref.cell)[1:]:
        hook = cls.names.get("__init_subclass__")
        if isinstance(hook, Callee) and isinstance(hook.target, FunctionObject):
            keywords = {a.keyword: machine.run.evaluate(machine, frame, a.value) for a in node.keywords if a.keyword}
            given = Arguments((ref,), keywords)
            machine.run.call_function(machine, hook.target, given, node.name_span, frame.module.path)
            return


def _mixed(machine: Machine, bases: list[Value]) -> bool:
    """Whether a class is an enumeration whose members are strings or numbers besides."""
    names = {base.name.rpartition(".")[2] for base in bases if isinstance(base, Callee)}
    own = any(isinstance(base, Ref) and special.is_enumeration(machine, base.cell) for base in bases)
    return own or bool(names & set(_ENUM_BASES))


def _one_base(machine: Machine, value: Value) -> Value:
    """A base class; one that is imported from several places under one name is the first of them."""
    leaves = [leaf for _, leaf in options_of(value, machine.live)]
    names = {leaf.name.rpartition(".")[2] if isinstance(leaf, Callee) else "" for leaf in leaves}
    return leaves[0] if len(leaves) == 1 or (len(names) == 1 and "" not in names) else value


def _make_members(machine: Machine, made: ClassObject, ref: Ref) -> None:
    """Every plain name of an enumeration is a member; a value that was there before is another name of its member."""
    members: list[tuple[Value, Ref]] = []
    last = 0
    for name, written in list(made.names.items()):
        automatic = isinstance(written, Callee) and written.kind == "auto"
        if (isinstance(written, Callee) and not automatic) or name.startswith("_"):
            continue
        value = written
        if automatic:
            value = machine.text(name.lower()) if "str" in made.behaves else Known(last + 1)
        if isinstance(value, Known) and isinstance(value.value, int):
            last = value.value
        known = next((ref for held, ref in members if same_scalar(held, value)), None)
        if known is None:
            member = InstanceObject(ref.cell, {"value": value, "name": machine.text(name)}, made.born)
            if "__init__" in made.names or "__new__" in made.names:
                member.opaque = Unknown(Reason.CALL, f"{made.name}.{name}")
            known = machine.allocate(member)
            members.append((value, known))
        made.names[name] = known


def same_scalar(one: Value, two: Value) -> bool:
    """Whether two known scalars or strings are equal."""
    if isinstance(one, Text) and isinstance(two, Text):
        return one.plain is not None and one.plain == two.plain
    return isinstance(one, Known) and isinstance(two, Known) and one.value == two.value


def all_fields(machine: Machine, cell: int) -> dict[str, Field]:
    """The fields of a dataclass and its bases, bases first, as `dataclasses` orders them."""
    found: dict[str, Field] = {}
    for cls in reversed(linearize(machine, cell)):
        found.update(cls.fields)
    return found


def instantiate(machine: Machine, ref: Ref, args: Arguments, frame: Frame, span: Span) -> Value:
    """A new object of a class of the program."""
    cls = machine.object(ref)
    assert isinstance(cls, ClassObject)
    origin = machine.origin(frame, span)
    if find(machine, ref.cell, "__new__") is not None:
        machine.doubt()
        havoc(machine, args)
        return Unknown(Reason.CALL, f"{cls.name}()", origin=origin)
    if "TypedDict" in {base.name.rpartition(".")[2] for base in cls.bases if isinstance(base, Callee)}:
        entries = [(args.presence.get(k, machine.live), k, v, origin) for k, v in args.keywords.items()]
        held = DictObject([], machine.live, args.unknown, origin)
        held.entries.extend(entries)
        return machine.allocate(held)
    made = InstanceObject(ref.cell, {}, machine.live, origin=origin)
    me = machine.allocate(made)
    init = find(machine, ref.cell, "__init__")
    if isinstance(init, Callee) and isinstance(init.target, FunctionObject):
        machine.run.call_function(machine, init.target, args.prepend((me,)), span, frame.module.path)
        return me
    if cls.dataclass:
        passed = _fill_fields(machine, frame, made, ref.cell, args, span)
        if passed is None:
            if find(machine, ref.cell, "__getattr__") is None:
                tell_mismatches(machine, _parameters(machine, ref.cell), args, origin, cls.name, cls.origin)
            machine.fail(TypeError)
            return Unknown(Reason.CALL, f"{cls.name}() with other arguments", origin=origin)
        return finish(machine, frame, me, span, tuple(passed))
    if special.is_enumeration(machine, ref.cell):
        return _member(machine, ref, args, span, frame)
    base = opaque_base(machine, ref.cell)
    if base or args.positional or args.keywords:
        made.opaque = Unknown(Reason.CALL, base or cls.name)
        for name, value in args.keywords.items():
            made.fields[name] = value
    return me


def _member(machine: Machine, ref: Ref, args: Arguments, span: Span, frame: Frame) -> Value:
    """The member of an enumeration that has a value; `Mode(member)` is the member itself."""
    unknown = Unknown(Reason.CALL, "member of an enumeration", origin=machine.origin(frame, span))
    wanted = args.get(0, "value")
    if wanted is None or find(machine, ref.cell, "_missing_") is not None:
        return unknown
    live = left = machine.live
    found: list[tuple[Guard, Value]] = []
    for _, value in members(machine, ref):
        member = machine.object(value) if isinstance(value, Ref) else None
        if isinstance(member, InstanceObject) and not left.impossible:
            machine.live = left
            holds = left & compare(machine, "==", wanted, member.fields["value"], None)
            holds = holds | (machine.live & compare(machine, "is", wanted, value, None))
            if not holds.impossible:
                found.append((holds, value))
            left = left - holds
    machine.live = live
    machine.require(~left, ValueError)
    return choose(found) if found else unknown


def _fill_fields(
    machine: Machine, frame: Frame, made: InstanceObject, cell: int, args: Arguments, span: Span
) -> list[Value] | None:
    """Give every field its value; those of `InitVar`s come back. None when Python would raise TypeError."""
    positional = list(args.positional)
    keywords = dict(args.keywords)
    fields = all_fields(machine, cell)
    taken = {name: positional.pop(0) for name, item in fields.items() if positional and item.init and not item.keyword}
    passed: list[Value] = []
    for name, item in fields.items():
        value = taken.get(name)
        if value is None and item.init and name in keywords:
            value = keywords.pop(name)
            if name in args.presence:
                value = present(machine, args, name, value, _default(machine, frame, item, span))
        if value is None:
            value = _default(machine, frame, item, span)
        if value is None and args.unknown is not None:
            value = Unknown(Reason.PARAMETER, name)
        if value is None:
            if item.init:
                return None
        elif item.passing:
            passed.append(value)
        else:
            made.fields[name] = value
    if keywords and opaque_base(machine, cell):
        made.fields.update(keywords)
        keywords = {}
    return None if positional or keywords else passed


def _default(machine: Machine, frame: Frame, item: Field, span: Span) -> Value | None:
    if item.factory is not None:
        return machine.run.call(machine, frame, item.factory, Arguments(), span)
    return item.default


def _parameters(machine: Machine, cell: int) -> tuple[Parameter, ...]:
    """The parameters of the `__init__` that a dataclass gets."""
    return tuple(
        Parameter(name, "positional", item.default is None and item.factory is None)
        for name, item in all_fields(machine, cell).items()
        if item.init
    )


def finish(machine: Machine, frame: Frame, me: Ref, span: Span, passed: tuple[Value, ...] = ()) -> Value:
    """Run `__post_init__` of a filled dataclass instance."""
    made = machine.object(me)
    assert isinstance(made, InstanceObject)
    post = find(machine, made.cls, "__post_init__")
    if isinstance(post, Callee) and isinstance(post.target, FunctionObject):
        machine.run.call_function(machine, post.target, Arguments((me, *passed)), span, frame.module.path)
    return me
