"""What `dataclasses` and `typing` tell a program about its own classes."""

from __future__ import annotations

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Unknown, Value
from miles_lint.fold import typeforms
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.classes import all_fields
from miles_lint.fold.heap import ClassObject, DictObject, Field, Frame, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.source import Span


def _class_of(machine: Machine, value: Value | None) -> int | None:
    """The cell of a class given as itself or as an instance; None for anything else."""
    value = None if value is None else machine.narrow(value)
    target = machine.object(value) if isinstance(value, Ref) else None
    if isinstance(target, InstanceObject):
        return target.cls
    return value.cell if isinstance(value, Ref) and isinstance(target, ClassObject) else None


def annotation_of(machine: Machine, item: Field) -> Value:
    """The evaluated annotation of a field."""
    if item.annotation is None or not isinstance(item.frame, Frame):
        return Unknown(Reason.NAME, f"type of {item.name}")
    return machine.run.evaluate(machine, item.frame, item.annotation)


def fields(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    """`dataclasses.fields`: one object a field, bases first."""
    cell = _class_of(machine, args.get(0, "class_or_instance"))
    if cell is None:
        return Unknown(Reason.CALL, "dataclasses.fields()", tuple, None, origin)
    always = machine.space.always
    cls = machine.allocate(ClassObject("Field", "dataclasses.Field", [], {}, {}, False, always))
    found: list[Value] = []
    for name, item in all_fields(machine, cell).items():
        empty = DictObject([], always)
        told: dict[str, Value] = {
            "name": machine.text(name),
            "type": annotation_of(machine, item),
            "default": item.default if item.default is not None else typeforms.MISSING,
            "default_factory": item.factory if item.factory is not None else typeforms.MISSING,
            "init": Known(item.init),
            "metadata": item.metadata if item.metadata is not None else machine.allocate(empty),
        }
        found.append(machine.allocate(InstanceObject(cls.cell, told, machine.live, origin=item.origin)))
    return Items(tuple((always, value) for value in found))


def type_hints(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    """`typing.get_type_hints` of a dataclass, extras kept as asked for."""
    cell = _class_of(machine, args.get(0, "obj"))
    if cell is None:
        return Unknown(Reason.CALL, "typing.get_type_hints()", dict, None, origin)
    extras = args.keywords.get("include_extras")
    made = DictObject([], machine.live, origin=origin)
    for name, item in all_fields(machine, cell).items():
        hint = annotation_of(machine, item)
        if not (isinstance(extras, Known) and extras.value) and isinstance(hint, Callee):
            hint = hint.bound[0] if hint.kind == "alias" and hint.name.endswith(".Annotated") else hint
        made.entries.append((machine.live, name, hint, item.origin))
    return machine.allocate(made)


def is_dataclass(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    cell = _class_of(machine, args.get(0, "obj"))
    target = machine.heap[cell] if cell is not None else None
    if not isinstance(target, ClassObject):
        return Unknown(Reason.CALL, "dataclasses.is_dataclass()", bool, None, origin)
    return Known(target.dataclass)


def get_origin(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    value = args.get(0, "tp")
    return typeforms.origin_of(machine.narrow(value)) if value is not None else Known(None)


def get_args(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    value = args.get(0, "tp")
    return typeforms.arguments_of(machine, machine.narrow(value)) if value is not None else Items(())
