"""Class creation and instances: dataclasses, enums, and plain classes."""

from __future__ import annotations

from miles_lint.domain.value import Callee, Known, Reason, Ref, Unknown, Value, options_of
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import ClassObject, Field, Frame, FunctionObject, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import find, linearize, opaque_base
from miles_lint.fold.operations import compare
from miles_lint.fold.signatures import Parameter, tell_mismatches
from miles_lint.program import nodes as n
from miles_lint.source import Span

_DATACLASS = ("dataclass", "dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attrs.define", "attr.s")
_FIELD_BASES = ("NamedTuple", "BaseModel", "TypedDict", "StrictBaseModel")
_ENUM_BASES = ("Enum", "StrEnum", "IntEnum")


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
    made.dataclass = is_dataclass or bool(base_names & set(_FIELD_BASES)) or (inherited and not node.decorators)
    if made.dataclass:
        _collect_fields(machine, frame, node, made, inner)
    elif base_names & set(_ENUM_BASES):
        _make_members(machine, made, ref)
    return ref


def _one_base(machine: Machine, value: Value) -> Value:
    """A base class; one that is imported from several places under one name is the first of them."""
    leaves = [leaf for _, leaf in options_of(value, machine.live)]
    names = {leaf.name.rpartition(".")[2] if isinstance(leaf, Callee) else "" for leaf in leaves}
    return leaves[0] if len(leaves) == 1 or (len(names) == 1 and "" not in names) else value


def _collect_fields(machine: Machine, frame: Frame, node: n.ClassDef, made: ClassObject, inner: Frame) -> None:
    for statement in node.body:
        if not isinstance(statement, n.AnnAssign) or not isinstance(statement.target, n.Name):
            continue
        if _is_class_variable(statement.annotation):
            continue
        name = statement.target.id
        default = made.names.pop(name, None)
        factory: Value | None = None
        metadata: Value | None = None
        init = True
        if isinstance(default, Callee) and default.kind == "field":
            arguments = default.target
            assert isinstance(arguments, Arguments)
            factory = arguments.keywords.get("default_factory")
            metadata = arguments.keywords.get("metadata")
            given = arguments.keywords.get("init")
            init = not (isinstance(given, Known) and given.value is False)
            default = _field_default(arguments)
        origin = machine.origin(frame, statement.target.span)
        if default is None and factory is None and name in made.fields:
            default = made.fields[name].default
        made.fields[name] = Field(name, statement.annotation, default, factory, init, origin, inner, metadata)


def _field_default(arguments: Arguments) -> Value | None:
    default = arguments.get(0, "default")
    return None if isinstance(default, Known) and default.value is ... else default


def _is_class_variable(annotation: n.Expr) -> bool:
    head = annotation.value if isinstance(annotation, n.Subscript) else annotation
    name = head.id if isinstance(head, n.Name) else head.name if isinstance(head, n.Attribute) else ""
    return name == "ClassVar"


def _make_members(machine: Machine, made: ClassObject, ref: Ref) -> None:
    for name, value in list(made.names.items()):
        if isinstance(value, Callee) or name.startswith("_"):
            continue
        member = InstanceObject(ref.cell, {"value": value, "name": machine.text(name)}, made.born)
        made.names[name] = machine.allocate(member)


def all_fields(machine: Machine, cell: int) -> dict[str, Field]:
    """The fields of a dataclass and its bases, bases first, as `dataclasses` orders them."""
    found: dict[str, Field] = {}
    for cls in reversed(linearize(machine, cell)):
        for name, item in cls.fields.items():
            found[name] = item
        for name, value in cls.names.items():
            if name in found and name not in cls.fields and not isinstance(value, Callee):
                old = found[name]
                found[name] = Field(name, old.annotation, value, None, old.init, old.origin, old.frame, old.metadata)
    return found


def instantiate(machine: Machine, ref: Ref, args: Arguments, frame: Frame, span: Span) -> Value:
    """A new object of a class of the program."""
    cls = machine.object(ref)
    assert isinstance(cls, ClassObject)
    origin = machine.origin(frame, span)
    made = InstanceObject(ref.cell, {}, machine.live, origin=origin)
    me = machine.allocate(made)
    init = find(machine, ref.cell, "__init__")
    if isinstance(init, Callee) and isinstance(init.target, FunctionObject):
        machine.run.call_function(machine, init.target, args.prepend((me,)), span, frame.module.path)
        return me
    if cls.dataclass:
        if not _fill_fields(machine, frame, made, ref.cell, args, span):
            if find(machine, ref.cell, "__getattr__") is None:
                tell_mismatches(machine, _parameters(machine, ref.cell), args, origin, cls.name, cls.origin)
            machine.fail()
            return Unknown(Reason.CALL, f"{cls.name}() with other arguments", origin=origin)
        return finish(machine, frame, me, span)
    if any(isinstance(base, Callee) and base.name.rpartition(".")[2] in _ENUM_BASES for base in cls.bases):
        return _member(machine, ref, args, span, frame)
    base = opaque_base(machine, ref.cell)
    if base or args.positional or args.keywords:
        made.opaque = Unknown(Reason.CALL, base or cls.name)
        for name, value in args.keywords.items():
            made.fields[name] = value
    return me


def _member(machine: Machine, ref: Ref, args: Arguments, span: Span, frame: Frame) -> Value:
    cls = machine.object(ref)
    assert isinstance(cls, ClassObject)
    wanted = args.get(0, "value")
    for value in cls.names.values():
        if isinstance(value, Ref) and wanted is not None:
            member = machine.object(value)
            if isinstance(member, InstanceObject) and "value" in member.fields:
                holds = compare(machine, "==", wanted, member.fields["value"], None)
                if (machine.live - holds).impossible:
                    return value
    return Unknown(Reason.CALL, f"{cls.name}()", origin=machine.origin(frame, span))


def _fill_fields(machine: Machine, frame: Frame, made: InstanceObject, cell: int, args: Arguments, span: Span) -> bool:
    positional = list(args.positional)
    keywords = dict(args.keywords)
    for name, item in all_fields(machine, cell).items():
        if item.init and positional:
            made.fields[name] = positional.pop(0)
        elif item.init and name in keywords:
            made.fields[name] = keywords.pop(name)
        elif item.factory is not None:
            made.fields[name] = machine.run.call(machine, frame, item.factory, Arguments(), span)
        elif item.default is not None:
            made.fields[name] = item.default
        elif args.unknown is not None:
            made.fields[name] = Unknown(Reason.PARAMETER, name)
        elif item.init:
            return False
    if keywords and opaque_base(machine, cell):
        made.fields.update(keywords)
        keywords = {}
    return not positional and not keywords


def _parameters(machine: Machine, cell: int) -> tuple[Parameter, ...]:
    """The parameters of the `__init__` that a dataclass gets."""
    return tuple(
        Parameter(name, "positional", item.default is None and item.factory is None)
        for name, item in all_fields(machine, cell).items()
        if item.init
    )


def finish(machine: Machine, frame: Frame, me: Ref, span: Span) -> Value:
    """Run `__post_init__` of a filled dataclass instance."""
    made = machine.object(me)
    assert isinstance(made, InstanceObject)
    post = find(machine, made.cls, "__post_init__")
    if isinstance(post, Callee) and isinstance(post.target, FunctionObject):
        machine.run.call_function(machine, post.target, Arguments((me,)), span, frame.module.path)
    return me
