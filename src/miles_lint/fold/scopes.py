"""Builtins that read and write names of a scope."""

from __future__ import annotations

from functools import partial

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import (
    Reason,
    Unknown,
    Value,
)
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import DictObject, Frame, ViewObject
from miles_lint.fold.machine import Machine
from miles_lint.source import Span


def globals_of(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`globals()`: what is written to it is a name of the module."""
    module = frame.module.frame
    if module is None:
        return Unknown(Reason.CALL, "globals()", dict, None, origin)
    return machine.allocate(ViewObject(partial(_module_names, module)))


def _module_names(module: Frame, machine: Machine) -> DictObject:
    always = machine.space.always
    unknown = Unknown(Reason.CALL, "globals()")
    made = DictObject([], always, unknown, None, partial(_write_name, module))
    made.entries.extend((always, name, value, None) for name, value in module.names.items())
    return made


def _write_name(module: Frame, machine: Machine, key: object, new: Value | None) -> None:
    if isinstance(key, str):
        deleted = Unknown(Reason.NAME, f"{key} was deleted")
        machine.write(module, key, deleted if new is None else new)
        return
    for name in list(module.names):
        machine.write(module, name, Unknown(Reason.NAME, "a global whose name is not known"))


def run_text(machine: Machine, frame: Frame, args: Arguments, origin: Origin, span: Span) -> Value:
    """`exec` and `eval`: they may change whatever the scopes around them can see."""
    scope: Frame | None = frame
    while scope is not None:
        for value in list(scope.names.values()):
            havoc(machine, Arguments((value,)))
        scope = scope.outer
    return Unknown(Reason.CALL, "code in a text", None, None, origin)
