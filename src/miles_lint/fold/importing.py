"""Functions of the library that import modules."""

from __future__ import annotations

from pathlib import PurePosixPath

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Known, Reason, Text, Unknown, Value
from miles_lint.fold import modules
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import Frame
from miles_lint.fold.machine import Machine
from miles_lint.source import Span


def import_module(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    name = args.positional[0].plain if args.positional and isinstance(args.positional[0], Text) else None
    machine.doubt()
    if name is None:
        return Unknown(Reason.IMPORT, "importlib.import_module()", None, None, origin)
    return modules.find(machine, frame.module, name)


def spec(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    location = args.get(1, "location")
    path = location.plain if isinstance(location, Text) else None
    if isinstance(location, Known) and isinstance(location.value, PurePosixPath):
        path = str(location.value)
    return Callee("external", "importlib.spec", path)


def module_from_spec(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    spec = machine.narrow(args.positional[0]) if args.positional else None
    if isinstance(spec, Callee) and spec.name == "importlib.spec" and isinstance(spec.target, str):
        module = modules.load_file(machine, spec.target)
        if module is not None:
            return Callee("module", module.name, module)
    return Unknown(Reason.IMPORT, "module loaded by path", None, None, origin)


def extend_path(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    for value in args.positional:
        path = value.plain if isinstance(value, Text) else None
        if path is not None:
            machine.loader.extend_path(path)
    return Known(None)
