"""Imports: modules of the checkout are folded on demand, all others are external names."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from difflib import get_close_matches

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Choice, Reason, Unknown, Value, choose
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import Frame, Module
from miles_lint.fold.helper_names import OF_HELPER, PATCHED_IN, summarised
from miles_lint.fold.machine import Machine
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n

_SLIP = 0.92
_PRELUDE = os.path.join(os.path.dirname(__file__), "prelude", "")


def find(machine: Machine, importer: Module, dotted: str, level: int = 0) -> Value:
    """What `import dotted` gives: a module of the checkout, or an external name."""
    name = _absolute(importer, dotted, level)
    found = load(machine, name, importer)
    return Callee("external", name) if found is None else Callee("module", name, found)


def doubt(machine: Machine, dotted: str) -> None:
    """An import may fail, but for one of the standard library."""
    if dotted.partition(".")[0] not in sys.stdlib_module_names:
        machine.doubt()


def _absolute(importer: Module, dotted: str, level: int) -> str:
    if level == 0:
        return dotted
    parts = importer.name.split(".")
    keep = len(parts) - level + (1 if importer.package else 0)
    base = ".".join(parts[: max(keep, 0)])
    return ".".join(part for part in (base, dotted) if part)


def load(machine: Machine, name: str, importer: Module) -> Module | None:
    key = f"{name}@{importer.file}" if importer.eager else name
    if key in machine.modules:
        return machine.modules[key]
    found = machine.loader.module(name, importer)
    if found is not None:
        same = next((m for m in machine.modules.values() if m is not None and m.file == found.file), None)
        found = same if same is not None else prepare(machine, found)
    machine.modules[key] = found
    return found


def prepare(machine: Machine, module: Module) -> Module:
    """Give a module its scope and the index of the statements that bind its names."""
    always = machine.space.always
    module.frame = Frame(module, {}, None, always, module.name)
    module.frame.names["__name__"] = machine.text(module.name)
    module.frame.names["__file__"] = machine.text(module.file)
    return module


def module_name(machine: Machine, module: Module, name: str) -> Value | None:
    """A global of a module: what its statements bound, or what a star import brought."""
    frame = module.frame
    if frame is None:
        return None
    if not module.eager:
        _run_binders(machine, module, name)
    found = frame.names.get(name)
    if found is not None:
        return settle(machine, frame, name, found)
    stars = [i for i in module.binders.get("*", ()) if i not in module.done] if not module.eager else []
    for index in stars:
        _run(machine, module, index)
    for star in module.stars:
        if isinstance(star, Callee) and isinstance(star.target, Module):
            found = module_name(machine, star.target, name)
            if found is not None:
                return found
    return None


def _run_binders(machine: Machine, module: Module, name: str) -> None:
    for index in module.binders.get(name, ()):
        statement = module.program.statement(index)
        if isinstance(statement, n.ImportFrom):
            if (index, name) not in module.done:
                module.done.add((index, name))
                own = tuple(alias for alias in statement.aliases if (alias.asname or alias.name) == name)
                _run_statement(machine, module, replace(statement, aliases=own))
        elif index not in module.done:
            _run(machine, module, index)


def _run(machine: Machine, module: Module, index: int) -> None:
    module.done.add(index)
    _run_statement(machine, module, module.program.statement(index))


def _run_statement(machine: Machine, module: Module, statement: n.Stmt) -> None:
    assert module.frame is not None
    live, via, depth = machine.live, machine.via, machine.depth
    machine.live = machine.space.always
    journals, machine.journals = machine.journals, []
    machine.catch()
    handlers, machine.handlers = machine.handlers, machine.catching
    try:
        machine.run.execute(machine, module.frame, (statement,))
    finally:
        machine.handlers = handlers
        machine.caught()
        machine.journals = journals
        machine.live, machine.via, machine.depth = live, via, depth


def settle(machine: Machine, frame: Frame, name: str, value: Value) -> Value:
    """A name as it is used: one that a `from` import bound is looked up in its module now, and kept."""
    if isinstance(value, Callee) and value.kind == "deferred":
        assert isinstance(value.target, tuple)
        module, origin = value.target
        frame.names[name] = value = attribute(machine, module, value.name, origin)
    elif isinstance(value, Choice) and any(isinstance(o, Callee) and o.kind == "deferred" for _, o in value.options):
        options = []
        for guard, leaf in value.options:
            if isinstance(leaf, Callee) and leaf.kind == "deferred":
                assert isinstance(leaf.target, tuple)
                options.append((guard, attribute(machine, leaf.target[0], leaf.name, leaf.target[1])))
            else:
                options.append((guard, leaf))
        frame.names[name] = value = choose(options)
    return value


def attribute(machine: Machine, module: Module, name: str, origin: Origin) -> Value:
    """`module.name`."""
    found = module_name(machine, module, name)
    if found is not None:
        return machine.narrow(found)
    if module.package:
        inner = load(machine, f"{module.name}.{name}", module)
        if inner is not None:
            return Callee("module", inner.name, inner)
    if name in ("__name__", "__file__", "__doc__"):
        return Unknown(Reason.NAME, name, str, None, origin)
    if absent(machine, module, name):
        tell(machine, Kind.MEMBER, origin, name, owner=module.name, options=_offered(module))
    if summarised(f"{module.name}.{name}"):
        return Callee("external", f"{module.name}.{name}")
    return Unknown(Reason.NAME, f"{module.name}.{name}", None, None, origin)


def absent(machine: Machine, module: Module, name: str) -> bool:
    """Whether a file that was read certainly binds no such name, and no file of its package has it.

    Of the helper that stands in for one that is not at hand only names are told that are a slip in one it has.
    """
    program = module.program
    if module.file.startswith(_PRELUDE):
        return not summarised(f"{module.name}.{name}") and bool(get_close_matches(name, _offered(module), 1, _SLIP))
    if program.empty or program.dynamic or f"{module.name}.{name}".endswith(PATCHED_IN):
        return False
    if name in module.binders or "__getattr__" in module.binders or name in ("__name__", "__file__", "__doc__"):
        return False
    return not (module.package and load(machine, f"{module.name}.{name}", module) is not None)


def _offered(module: Module) -> tuple[str, ...]:
    return (*module.binders, *(OF_HELPER if module.file.startswith(_PRELUDE) else ()))


def import_all(machine: Machine, frame: Frame, source: Value) -> None:
    """`from source import *`: names are looked up when they are first asked for."""
    frame.module.stars.append(source)


def load_file(machine: Machine, path: str) -> Module | None:
    """The module in a file, loaded once per fold."""
    known = next((m for m in machine.modules.values() if m is not None and m.file == path), None)
    if known is not None:
        return known
    found = machine.loader.file(path)
    if found is not None:
        machine.modules[f"file:{path}"] = prepare(machine, found)
    return found
