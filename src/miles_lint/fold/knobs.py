"""Knobs: the inputs of a recipe, each a variable of the fold with its listed values and its default."""

from __future__ import annotations

from miles_lint.domain.guard import OTHER, Guard, Variable
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import symbol
from miles_lint.domain.value import Callee, Choice, Known, Reason, Ref, Text, Unknown, Value, choose
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.classes import all_fields, finish
from miles_lint.fold.convert import from_python
from miles_lint.fold.heap import ClassObject, Frame, FunctionObject, InstanceObject, Module
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n
from miles_lint.source import Span

_TYPES: dict[str, type] = {"str": str, "int": int, "float": float, "bool": bool, "Path": str}
_LISTED = 24


def instance(machine: Machine, frame: Frame, cls: Ref, span: Span, given: dict[str, Value] | None = None) -> Value:
    """An object of an argument class as a command line would fill it: every field is a knob."""
    target = machine.object(cls)
    assert isinstance(target, ClassObject)
    made = InstanceObject(cls.cell, {}, machine.live, origin=machine.origin(frame, span), knobs=True)
    me = machine.allocate(made)
    for name, item in all_fields(machine, cls.cell).items():
        scope = item.frame if isinstance(item.frame, Frame) else frame
        if given is not None and name in given:
            made.fields[name] = given[name]
            continue
        default = item.default
        if item.factory is not None:
            default = machine.run.call(machine, frame, item.factory, Arguments(), span)
        if not item.init:
            if default is not None:
                made.fields[name] = default
            continue
        made.fields[name] = knob(machine, scope, name, item.annotation, default, item.origin)
    return finish(machine, frame, me, span)


def parameters(machine: Machine, frame: Frame, function: FunctionObject, span: Span) -> Arguments:
    """The arguments that a command line gives to a function: an object for a class, a knob for a scalar."""
    keywords: dict[str, Value] = {}
    for param in function.params:
        if param.kind in ("*", "**"):
            continue
        annotation = param.annotation
        cls = (
            machine.run.evaluate(machine, function.frame, annotation)
            if isinstance(annotation, (n.Name, n.Attribute))
            else None
        )
        if isinstance(annotation, n.Literal):
            name = "".join(run.text for run in annotation.runs)
            cls = (
                machine.run.evaluate(machine, function.frame, n.Name(name, annotation.span))
                if name.isidentifier()
                else None
            )
        if isinstance(cls, Ref) and isinstance(machine.object(cls), ClassObject):
            keywords[param.name] = instance(machine, frame, cls, span)
            continue
        default = function.defaults.get(param.name)
        origin = machine.origin(function.frame, param.span)
        keywords[param.name] = knob(machine, function.frame, param.name, annotation, default, origin)
    return Arguments((), keywords)


def knob(
    machine: Machine, frame: Frame, name: str, annotation: n.Expr | None, default: Value | None, origin: Origin
) -> Value:
    """The value of one knob: each listed value under its test, an unknown for all others."""
    if name in machine.assignments:
        return from_python(machine, machine.assignments[name], origin)
    if isinstance(default, Callee):
        if default.kind != "required":
            return default
        default = None
    kind, listed, optional, closed = describe(annotation, frame.module)
    if kind is None and default is not None:
        kind = _type_of(default)
    values: list[object] = []
    defaults = _plain_default(machine, default)
    if defaults is not None:
        values.append(defaults[0])
    for value in listed if closed or kind is bool else sorted(listed, key=repr):
        if not any(value == v and type(value) is type(v) for v in values):
            values.append(value)
    if optional and not any(v is None for v in values):
        values.append(None)
    if not closed and kind is not bool:
        for value in _mentioned(machine, frame.module, name, kind):
            if not any(value == v and type(value) is type(v) for v in values):
                values.append(value)
    whole = ((closed or kind is bool) and defaults is not None) or (closed and bool(values))
    if defaults is None and default is not None:
        values.insert(0, _Computed(default))
    if not whole:
        values.append(OTHER)
    variable = machine.space.knob(name, tuple(values), 0, origin.place)
    return _value(machine, variable, default, kind, origin)


class _Computed:
    """The domain element of a default that is itself not a plain constant."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "<default>"


def _value(machine: Machine, variable: Variable, default: Value | None, kind: type | None, origin: Origin) -> Value:
    options: list[tuple[Guard, Value]] = []
    for index, value in enumerate(variable.domain):
        test = machine.space.test(variable, frozenset((index,)))
        made: Value
        if value is OTHER:
            made = Unknown(Reason.KNOB, variable.name, kind, symbol("knob", variable.name), origin)
        elif index == variable.default and default is not None:
            made = _settled(machine, default, variable, kind, origin)
        elif isinstance(value, _Computed):
            made = value.value
        else:
            made = from_python(machine, value, origin)
        options.append((test, made))
    return choose(options)


def _settled(machine: Machine, default: Value, variable: Variable, kind: type | None, origin: Origin) -> Value:
    """A default that is itself partly unknown: its unknown part is the knob's own unknown, one name for both."""
    if not isinstance(default, Choice):
        return default
    own = Unknown(Reason.KNOB, variable.name, kind, symbol("knob", variable.name), origin)
    return choose((guard, own if isinstance(leaf, Unknown) else leaf) for guard, leaf in default.options)


def _plain_default(machine: Machine, default: Value | None) -> tuple[object] | None:
    """The default as one plain constant in a tuple; None when there is none or it is not one."""
    if isinstance(default, Text):
        plain = default.plain
        return None if plain is None else (plain,)
    if isinstance(default, Known) and isinstance(default.value, (type(None), bool, int, float, str)):
        return (default.value,)
    return None


def _type_of(default: Value) -> type | None:
    if isinstance(default, Text):
        return str
    if isinstance(default, Known) and isinstance(default.value, (bool, int, float)):
        return type(default.value)
    return default.type if isinstance(default, Unknown) else None


def _mentioned(machine: Machine, module: Module, name: str, kind: type | None) -> list[object]:
    found = machine.mentions.get(name, set()) | module.program.mentioned(name)
    fitting = [v for v in found if kind is None or (isinstance(v, kind) and isinstance(v, bool) == (kind is bool))]
    return sorted(fitting, key=repr)[:_LISTED]


Described = tuple["type | None", list[object], bool, bool]


def describe(annotation: n.Expr | None, module: Module) -> Described:
    """An annotation read as (type, listed values, may be None, nothing else is allowed)."""
    if annotation is None:
        return None, [], False, False
    if isinstance(annotation, n.Constant) and annotation.value is None:
        return None, [], True, True
    if isinstance(annotation, (n.Name, n.Attribute)):
        name = annotation.id if isinstance(annotation, n.Name) else annotation.name
        kind = _TYPES.get(name)
        return kind, [False, True] if kind is bool else [], False, kind is bool
    if isinstance(annotation, n.Literal):
        return _TYPES.get("".join(run.text for run in annotation.runs)), [], False, False
    if isinstance(annotation, n.Binary) and annotation.op == "|":
        return _either(describe(annotation.left, module), describe(annotation.right, module))
    if isinstance(annotation, n.Subscript):
        head = annotation.value
        name = head.id if isinstance(head, n.Name) else head.name if isinstance(head, n.Attribute) else ""
        inner = annotation.index.elements if isinstance(annotation.index, n.Sequence) else (annotation.index,)
        if name == "Literal":
            values = [_constant(element) for element in inner]
            if ... in values:
                return None, [], False, False
            kinds = {type(value) for value in values if value is not None}
            return kinds.pop() if len(kinds) == 1 else None, values, None in values, True
        if name == "Optional":
            return _either(describe(inner[0], module), (None, [], True, True))
        if name == "Annotated":
            return describe(inner[0], module)
        if name == "Union":
            described = describe(inner[0], module)
            for element in inner[1:]:
                described = _either(described, describe(element, module))
            return described
    return None, [], False, False


def _either(first: Described, second: Described) -> Described:
    kind = first[0] if first[0] is not None else second[0]
    if first[0] is not None and second[0] is not None and first[0] is not second[0]:
        kind = None
    return kind, [*first[1], *second[1]], first[2] or second[2], first[3] and second[3]


def _constant(element: n.Expr) -> object:
    if isinstance(element, n.Constant):
        return element.value
    if isinstance(element, n.Literal):
        return "".join(run.text for run in element.runs)
    if isinstance(element, n.Joined) and all(isinstance(part, n.Literal) for part in element.parts):
        return "".join(run.text for part in element.parts if isinstance(part, n.Literal) for run in part.runs)
    return ...
