"""Decorators: what a definition is after them."""

from __future__ import annotations

from dataclasses import replace

from miles_lint.domain.value import Callee, Choice, Reason, Ref, Unknown, Value
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import Frame, FunctionObject
from miles_lint.fold.helper_names import summarised
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n

_KINDS = {
    "property": "property",
    "staticmethod": "staticmethod",
    "classmethod": "classmethod",
    "abc.abstractproperty": "property",
    "functools.cached_property": "cached-property",
    "contextlib.contextmanager": "context",
    "contextlib.asynccontextmanager": "context",
    "functools.cache": "cached",
    "functools.lru_cache": "cached",
}


def decorate(machine: Machine, frame: Frame, decorator: n.Expr, value: Value) -> Value:
    """A definition after one decorator; one that is not understood is taken to change nothing."""
    if isinstance(decorator, n.Attribute) and decorator.name in ("setter", "getter", "deleter"):
        return _accessor(machine, frame, decorator, value)
    applied = machine.narrow(machine.run.evaluate(machine, frame, decorator))
    if not isinstance(applied, Callee) or not isinstance(value, Callee):
        return value
    if applied.kind in ("builtin", "external", "maker") and applied.name in _KINDS:
        return replace(value, kind=_KINDS[applied.name]) if value.kind == "function" else value
    if applied.name == "functools.singledispatch":
        return Unknown(Reason.CALL, f"{value.name}()", origin=machine.origin(frame, decorator.span))
    if applied.kind == "named":
        return replace(value, name=applied.name)
    if applied.kind in ("register", "app-method"):
        machine.registered.append((applied.name if applied.kind == "register" else "", value))
        return value
    if applied.kind == "function" and isinstance(applied.target, FunctionObject):
        if not summarised(applied.target.qualified):
            made = machine.run.call(machine, frame, applied, Arguments((value,)), decorator.span)
            return made if isinstance(made, (Callee, Choice, Ref)) else value
    return value


def _accessor(machine: Machine, frame: Frame, decorator: n.Attribute, value: Value) -> Value:
    """`@name.setter`: the property, with a function for writing beside the one for reading."""
    old = machine.narrow(machine.run.evaluate(machine, frame, decorator.value))
    known = isinstance(old, Callee) and isinstance(old.target, FunctionObject)
    if not known or not isinstance(value, Callee) or not isinstance(value.target, FunctionObject):
        return value
    assert isinstance(old, Callee) and isinstance(old.target, FunctionObject)
    if decorator.name == "setter":
        return replace(old, target=replace(old.target, setter=value.target))
    return old if decorator.name == "deleter" else replace(old, target=replace(value.target, setter=old.target.setter))
