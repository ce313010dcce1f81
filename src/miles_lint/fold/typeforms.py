"""Types as values: what an annotation evaluates to, and what `typing` tells about it."""

from __future__ import annotations

import types

from miles_lint.domain.value import Callee, Items, Known, Ref, Text, Unknown, Value
from miles_lint.fold.heap import ClassObject, DictObject, InstanceObject, ListObject
from miles_lint.fold.machine import Machine

NONE_TYPE = Callee("builtin", "NoneType")
UNION = Callee("external", "typing.Union")
UNION_TYPE = Callee("external", "types.UnionType")
MISSING = Callee("external", "dataclasses.MISSING")
MISSING_TYPE = Callee("external", "dataclasses._MISSING_TYPE")
_TYPE = Callee("builtin", "type")
_NAMES = frozenset(
    ("str", "int", "float", "bool", "list", "tuple", "dict", "set", "frozenset", "bytes", "object", "type", "NoneType")
)
_FORMS = ("typing.", "types.", "typing_extensions.", "collections.abc.", "dataclasses.", "argparse.", "signal.")
_ENUMS = (Callee("external", "signal.Signals"), Callee("external", "http.HTTPStatus"))
_CONCRETE = {"List": "list", "Tuple": "tuple", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Type": "type"}


def is_form(value: object) -> bool:
    """Whether a callee is a builtin type or a form of `typing`: two of them are one object when they are equal."""
    if not isinstance(value, Callee):
        return False
    if value.kind == "builtin":
        return value.name in _NAMES
    return value.kind == "alias" or (value.kind == "external" and value.name.startswith(_FORMS))


def definite(machine: Machine, value: object) -> bool:
    """Whether a value equals another such value only when the fold calls them equal."""
    if isinstance(value, Callee):
        return is_form(value) or value.kind in ("function", "native", "builtin", "module")
    if isinstance(value, Ref):
        return not isinstance(machine.object(value), InstanceObject)
    return not isinstance(value, Unknown)


def is_type(machine: Machine, value: Value) -> bool:
    """Whether a value may stand in an annotation."""
    if isinstance(value, Ref):
        return isinstance(machine.object(value), ClassObject)
    return is_form(value) or value in _ENUMS


def parametrised(leaf: Callee, index: Value) -> Value:
    """`leaf[index]` for a type; anything else is taken to be the same when subscripted."""
    if not is_form(leaf):
        return leaf
    given = tuple(value for _, value in index.items) if isinstance(index, Items) else (index,)
    tail = leaf.name.rpartition(".")[2]
    if tail == "Optional":
        return union(*given, Known(None))
    if tail == "Union":
        return union(*given)
    origin = Callee("builtin", _CONCRETE[tail]) if tail in _CONCRETE else leaf
    return Callee("alias", origin.name, origin, given)


def union(*members: Value, origin: Callee = UNION) -> Callee:
    """`Union[…]`, or `X | Y` with the other origin; unions inside are spread, None is its type."""
    flat: list[Value] = []
    for member in members:
        if isinstance(member, Callee) and member.kind == "alias" and member.target in (UNION, UNION_TYPE):
            flat.extend(member.bound)
        else:
            flat.append(NONE_TYPE if isinstance(member, Known) and member.value is None else member)
    return Callee("alias", origin.name, origin, tuple(dict.fromkeys(flat)))


def either(machine: Machine, left: Value, right: Value) -> Value | None:
    """`left | right` of two types; None when they are no types."""

    def fits(value: Value) -> bool:
        return is_type(machine, value) or (isinstance(value, Known) and value.value is None)

    if fits(left) and fits(right) and (is_type(machine, left) or is_type(machine, right)):
        return union(left, right, origin=UNION_TYPE)
    return None


def origin_of(value: Value) -> Value:
    """`typing.get_origin`."""
    if isinstance(value, Callee) and value.kind == "alias" and isinstance(value.target, Callee):
        return value.target
    return Known(None)


def arguments_of(machine: Machine, value: Value) -> Items:
    """`typing.get_args`."""
    given = value.bound if isinstance(value, Callee) and value.kind == "alias" else ()
    return Items(tuple((machine.space.always, item) for item in given))


def attribute(machine: Machine, value: Callee, name: str) -> Value | None:
    """An attribute of a parametrised type; None for one that is not modelled."""
    if value.kind != "alias":
        return None
    if name == "__args__":
        return arguments_of(machine, value)
    return origin_of(value) if name == "__origin__" else None


def has_attribute(value: Value, name: str) -> bool | None:
    """Whether a type has `__args__` or `__origin__`; None for other questions."""
    if isinstance(value, Callee) and name in ("__args__", "__origin__") and is_form(value):
        return value.kind == "alias"
    if isinstance(value, Callee) and value.kind == "external" and value.name == "types":
        return hasattr(types, name)
    return None


def type_of(machine: Machine, value: Value) -> Value | None:
    """`type(value)`; None when it cannot be told."""
    if isinstance(value, Text):
        return Callee("builtin", "str")
    if isinstance(value, Known):
        name = type(value.value).__name__
        return Callee("builtin", name) if name in _NAMES else None
    if isinstance(value, Items):
        return Callee("builtin", value.kind)
    if value == MISSING:
        return MISSING_TYPE
    if isinstance(value, Unknown):
        return Callee("builtin", value.type.__name__) if value.type is not None else None
    if isinstance(value, Ref):
        target = machine.object(value)
        if isinstance(target, InstanceObject):
            return Ref(target.cls)
        if isinstance(target, ListObject):
            return Callee("builtin", target.kind)
        if isinstance(target, DictObject):
            return Callee("builtin", "dict")
    return None


def is_instance(machine: Machine, leaf: Value, cls: Value) -> bool | None:
    """`isinstance` of types, of scalars against classes, and of the mark for a missing default; None elsewhere."""
    if cls == MISSING_TYPE:
        return None if isinstance(leaf, Unknown) else leaf == MISSING
    if cls == _TYPE:
        if isinstance(leaf, Callee):
            known = leaf.kind == "builtin" and leaf.name in _NAMES
            return known or leaf in _ENUMS if is_form(leaf) else None
        return None if isinstance(leaf, Unknown) else is_type(machine, leaf)
    if isinstance(cls, Ref) and isinstance(leaf, (Text, Known, Items)):
        return False
    if isinstance(leaf, Callee) and is_form(leaf) and isinstance(cls, (Callee, Ref)):
        return cls == Callee("builtin", "object")
    return None


def is_subclass(machine: Machine, value: Value, cls: Value) -> bool | None:
    """`issubclass` where both sides are known; a class with a base that is not known answers None."""
    if isinstance(value, Callee) and value.kind == "builtin":
        return value == cls or (value.name == "bool" and cls == Callee("builtin", "int"))
    if value in _ENUMS and isinstance(cls, Callee):
        return cls.name.rpartition(".")[2] in ("Enum", "IntEnum")
    if not isinstance(value, Ref):
        return None
    stack: list[Value] = [value]
    opaque = False
    while stack:
        current = stack.pop()
        if current == cls or (
            isinstance(current, Callee)
            and isinstance(cls, Callee)
            and current.name.rpartition(".")[2] == cls.name.rpartition(".")[2]
        ):
            return True
        target = machine.object(current) if isinstance(current, Ref) else None
        if isinstance(target, ClassObject):
            stack.extend(target.bases)
        else:
            opaque = opaque or not (isinstance(current, Callee) and (is_form(current) or current.name == "abc.ABC"))
    return None if opaque else False
