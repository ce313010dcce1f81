"""A value as a string: what `str()` makes of it."""

from __future__ import annotations

from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import symbol
from miles_lint.domain.value import (
    Callee,
    Chars,
    Choice,
    Hole,
    Known,
    Reason,
    Ref,
    Text,
    Unknown,
    Value,
)
from miles_lint.fold import special
from miles_lint.fold.lifting import lift
from miles_lint.fold.machine import Machine


def as_text(machine: Machine, value: Value, origin: Origin | None = None) -> Text:
    """`str(value)` piece by piece: what is not known becomes a hole."""
    if isinstance(value, Text):
        return value
    always = machine.space.always
    if isinstance(value, Known):
        where = value.origin or origin
        return Text((Chars(str(value.value), always, where),))
    if isinstance(value, Unknown):
        return Text((Hole(value, always, value.origin or origin),))
    if isinstance(value, Choice):
        pieces = [as_text(machine, leaf, origin).under(guard).pieces for guard, leaf in value.options]
        return Text(tuple(piece for group in pieces for piece in group))
    if isinstance(value, Ref) and special.instance(machine, value) is not None:
        return _printed(machine, value, origin)
    if isinstance(value, Callee) and value.kind == "external":
        unknown = Unknown(Reason.IMPORT, value.name, None, symbol("import", value.name), origin)
        return Text((Hole(unknown, always, origin),))
    shown = lift(machine, "str", str, [value], origin, str)
    if isinstance(shown, (Text, Known, Choice)):
        return as_text(machine, shown, origin)
    return Text((Hole(shown if isinstance(shown, Unknown) else Unknown(Reason.OPERATION, "object"), always, origin),))


def _printed(machine: Machine, ref: Ref, origin: Origin | None) -> Text:
    """`str()` of an object: by its own method, or as a member of an enumeration."""
    unknown = Text((Hole(Unknown(Reason.OPERATION, "object", str), machine.space.always, origin),))
    name = special.member_name(machine, ref)
    if name is not None and not special.defines(machine, ref, "__str__"):
        return machine.text(name, origin)
    value = special.member_value(machine, ref)
    if value is not None and not special.defines(machine, ref, "__str__"):
        return as_text(machine, value, origin)
    method = special.method(machine, ref, "__str__") or special.method(machine, ref, "__repr__")
    if method is None or special.defines(machine, ref, "__format__"):
        return unknown
    made = special.invoke(machine, method, ref)
    return as_text(machine, made, origin) if _is_text(made) else unknown


def _is_text(value: Value) -> bool:
    return isinstance(value, Text) or (
        isinstance(value, Choice) and all(isinstance(leaf, Text) for _, leaf in value.options)
    )
