"""Comparisons of a knob with what its annotation does not list: they never hold."""

from __future__ import annotations

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Known, Ref, Text, Unknown, Value
from miles_lint.fold.classes import all_fields
from miles_lint.fold.convert import TooMany, alternatives
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import ClassObject, Frame, InstanceObject
from miles_lint.fold.knobs import describe
from miles_lint.fold.machine import Machine
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n


def tell_outside(machine: Machine, frame: Frame, subject: n.Expr, other: Value, origin: Origin) -> None:
    """Remember a comparison of `args.field` with a constant that the field's `Literal` does not have.

    Silent where the field may have been given another value since, and in files other than the class's own,
    which may serve several classes.
    """
    if not (isinstance(subject, n.Attribute) and isinstance(subject.value, n.Name)):
        return
    wanted = other.plain if isinstance(other, Text) else other.value if isinstance(other, Known) else None
    owner = machine.narrow(machine.run.evaluate(machine, frame, subject.value))
    made = machine.object(owner) if isinstance(owner, Ref) else None
    if wanted is None or not isinstance(made, InstanceObject) or not made.knobs:
        return
    cls = machine.object(Ref(made.cls))
    item = all_fields(machine, made.cls).get(subject.name)
    if item is None or not isinstance(cls, ClassObject) or item.origin.place.path != frame.module.path:
        return
    _, listed, _, closed = describe(item.annotation, frame.module)
    known = _leaves(machine, made.fields.get(subject.name))
    if closed and known is not None and not any(_same(wanted, value) for value in (*listed, *known)):
        shown = tuple(str(value) for value in listed)
        tell(machine, Kind.DOMAIN, origin, subject.name, owner=str(wanted), options=shown, places=(item.origin,))


def _same(one: object, two: object) -> bool:
    return type(one) is type(two) and one == two


def _leaves(machine: Machine, value: Value | None) -> tuple[object, ...] | None:
    """The constants that a value can be; None when it can be anything else."""
    if value is None:
        return None
    try:
        found = tuple(constant for _, constant in alternatives(machine, value, machine.space.always))
    except TooMany:
        return None
    return None if any(isinstance(constant, (Unknown, Ref, Callee)) for constant in found) else found
