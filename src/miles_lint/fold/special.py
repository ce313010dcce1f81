"""Objects of the program that behave like text, numbers and containers: the methods with special names."""

from __future__ import annotations

from miles_lint.domain.value import Callee, Items, Ref, Text, Value
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import ClassObject, FunctionObject, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import find, linearize, opaque_base
from miles_lint.program import nodes as n
from miles_lint.source import Span

_NOWHERE = Span(0, 0)


def instance(machine: Machine, value: object) -> InstanceObject | None:
    """The object that a reference is to, when it is one of a class of the program."""
    target = machine.object(value) if isinstance(value, Ref) else None
    return target if isinstance(target, InstanceObject) else None


def class_of(machine: Machine, made: InstanceObject) -> ClassObject:
    cls = machine.heap[made.cls]
    assert isinstance(cls, ClassObject)
    return cls


def method(machine: Machine, ref: Ref, name: str) -> FunctionObject | None:
    """A special method that the class of an object defines."""
    made = instance(machine, ref)
    found = find(machine, made.cls, name) if made is not None else None
    if isinstance(found, Callee) and found.kind == "function" and isinstance(found.target, FunctionObject):
        return found.target
    return None


def is_stub(function: FunctionObject) -> bool:
    """Whether a function only says that it is there: its body is `...`."""
    body = function.body
    statement = body[0] if isinstance(body, tuple) and len(body) == 1 else None
    return (
        isinstance(statement, n.ExprStmt)
        and isinstance(statement.value, n.Constant)
        and statement.value.value is Ellipsis
    )


def unclear(machine: Machine, ref: Ref) -> bool:
    """Whether an object may have special methods that are not seen: from a base outside, or by something else."""
    made = instance(machine, ref)
    if made is None:
        return True
    return made.native or made.opaque is not None or bool(opaque_base(machine, made.cls))


def defines(machine: Machine, ref: Ref, name: str) -> bool:
    """Whether the class of an object has that name at all, be it a method or something else."""
    made = instance(machine, ref)
    return made is not None and find(machine, made.cls, name) is not None


def invoke(machine: Machine, function: FunctionObject, ref: Ref, *args: Value) -> Value:
    """Call a special method; it counts as called where it is defined."""
    span = function.origin.place.span if function.origin is not None else _NOWHERE
    path = function.frame.module.path
    return machine.run.call_function(machine, function, Arguments((ref, *args)), span, path)


def behaves(machine: Machine, ref: Ref, what: str) -> bool:
    """Whether an object is one of an `enum`, or of a class made from `tuple`, `str`, `int`, `list` or `dict`.

    `plain` is an enumeration whose members are printed as their values.
    """
    made = instance(machine, ref)
    return made is not None and any(what in cls.behaves for cls in linearize(machine, made.cls))


def as_tuple(machine: Machine, ref: Ref) -> Items | None:
    """The elements of a named tuple; None for any other object."""
    made = instance(machine, ref)
    if made is None or not behaves(machine, ref, "tuple"):
        return None
    always = machine.space.always
    names = field_names(machine, made.cls)
    return Items(tuple((always, made.fields[name]) for name in names if name in made.fields))


def is_enumeration(machine: Machine, cell: int) -> bool:
    """Whether a class, or one of its bases, is an enumeration."""
    return any("enum" in cls.behaves for cls in linearize(machine, cell))


class MemberText(str):
    """A member of an enumeration of strings: text to every operation, but printed as Python prints it."""

    __slots__ = ("ref", "shown")
    shown: str
    ref: Ref

    def __str__(self) -> str:
        return self.shown

    def __format__(self, spec: str) -> str:
        return format(self.shown, spec)


class MemberNumber(int):
    """A member of an enumeration of numbers, likewise."""

    shown: str
    ref: Ref

    def __str__(self) -> str:
        return self.shown

    def __format__(self, spec: str) -> str:
        return format(self.shown if self.shown != int.__repr__(self) else int(self), spec)


def member_value(machine: Machine, ref: Ref) -> Value | None:
    """The value that a member of an enumeration is besides (`class Mode(str, Enum)`); None where it is only itself."""
    made = instance(machine, ref)
    if made is None or not behaves(machine, ref, "enum"):
        return None
    if behaves(machine, ref, "str") or behaves(machine, ref, "int"):
        return made.fields.get("value")
    return None


def member(machine: Machine, ref: Ref, value: object) -> object:
    """A plain object that stands for a member of an enumeration with that value."""
    made: MemberText | MemberNumber
    if isinstance(value, str):
        made = MemberText(value)
    elif isinstance(value, int):
        made = MemberNumber(value)
    else:
        return ref
    made.ref, made.shown = ref, member_name(machine, ref) or str(value)
    return made


def member_name(machine: Machine, ref: Ref) -> str | None:
    """How a member of an enumeration is printed; None for one that is printed as its value, and for other objects."""
    made = instance(machine, ref)
    if made is None or not behaves(machine, ref, "enum") or behaves(machine, ref, "plain"):
        return None
    name = made.fields.get("name")
    return f"{class_of(machine, made).name}.{name.plain}" if isinstance(name, Text) else None


def native(machine: Machine, ref: Ref) -> bool:
    """Whether an object is one of the fold's own, such as a parser."""
    made = instance(machine, ref)
    return made is not None and made.native


def field_names(machine: Machine, cell: int) -> tuple[str, ...]:
    """The fields of a dataclass and its bases, bases first."""
    return tuple(dict.fromkeys(name for cls in reversed(linearize(machine, cell)) for name in cls.fields))


def frozen(machine: Machine, cell: int) -> bool:
    """Whether the fields of a class's objects cannot be written."""
    return any(cls.frozen for cls in linearize(machine, cell))
