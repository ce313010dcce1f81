"""Which handler takes which exception."""

from __future__ import annotations

import builtins
from collections.abc import Callable

from miles_lint.domain.value import Callee, Items, Ref, Value
from miles_lint.fold.containers import elements_of
from miles_lint.fold.heap import ClassObject, InstanceObject
from miles_lint.fold.machine import Machine, Raised
from miles_lint.fold.mro import linearize

Matcher = Callable[[Raised], "bool | None"]


def anything(kind: Raised) -> bool | None:
    """A bare `except`."""
    return True


def kind_of(machine: Machine, value: Value) -> Raised:
    """The class of an exception that is raised: of Python, or of the program; None where it is not known."""
    if isinstance(value, Callee) and value.kind in ("builtin", "exception"):
        return _of_python(value.name)
    target = machine.object(value) if isinstance(value, Ref) else None
    if isinstance(target, InstanceObject):
        return Ref(target.cls)
    return value if isinstance(target, ClassObject) and isinstance(value, Ref) else None


def _of_python(name: str) -> type | None:
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def matcher(machine: Machine, handled: Value) -> Matcher:
    """Says of an exception class whether `except handled` takes it; None for perhaps."""
    elements = elements_of(machine, handled)
    if elements is not None or isinstance(handled, Items):
        parts = [matcher(machine, element) for _, element in elements or ()]

        def any_part(kind: Raised) -> bool | None:
            answers = [part(kind) for part in parts]
            return True if True in answers else None if None in answers else False

        return any_part
    return lambda kind: _takes(machine, handled, kind)


def _takes(machine: Machine, handled: Value, kind: Raised) -> bool | None:
    wanted = _of_python(handled.name) if isinstance(handled, Callee) and handled.kind == "builtin" else None
    if wanted in (Exception, BaseException) and not (isinstance(kind, type) and not issubclass(kind, wanted)):
        return True
    if isinstance(kind, Ref):
        return _takes_own(machine, handled, wanted, kind)
    if isinstance(kind, type):
        if wanted is not None:
            return issubclass(kind, wanted)
        if isinstance(handled, Callee) and handled.kind == "external":
            return True if handled.name == f"{kind.__module__}.{kind.__qualname__}" else None
        return False if isinstance(handled, Ref) else None
    return False if isinstance(handled, Ref) else None


def _takes_own(machine: Machine, handled: Value, wanted: type | None, kind: Ref) -> bool | None:
    order = linearize(machine, kind.cell)
    if isinstance(handled, Ref):
        if machine.heap[handled.cell] in order:
            return True
    elif wanted is None:
        return None
    for base in (base for cls in order for base in cls.bases if not isinstance(base, Ref)):
        foreign = _of_python(base.name) if isinstance(base, Callee) and base.kind == "builtin" else None
        if foreign is None:
            return None
        if wanted is not None and issubclass(foreign, wanted):
            return True
    return False
