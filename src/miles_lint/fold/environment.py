"""`os.environ`: knobs for what the caller may have set, and the writes of the program, in order."""

from __future__ import annotations

from miles_lint.domain.guard import OTHER, Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import symbol
from miles_lint.domain.value import Known, Reason, Unknown, Value, choose, options_of
from miles_lint.fold.heap import EnvironmentObject
from miles_lint.fold.machine import Machine

_UNSET = Known(None)


def _environ(machine: Machine) -> EnvironmentObject:
    target = machine.object(machine.environ)
    assert isinstance(target, EnvironmentObject)
    return target


def _initial(machine: Machine, name: str) -> Value:
    """What the variable holds when the recipe starts: unset by default, or anything."""
    if name in machine.environment:
        return machine.text(machine.environment[name])
    if f"env:{name}" in machine.assignments:
        given = machine.assignments[f"env:{name}"]
        return _UNSET if given is None else machine.text(str(given))
    variable = machine.space.knob(f"env:{name}", (None, OTHER))
    unknown = Unknown(Reason.ENVIRONMENT, f"${name}", str, symbol("env", f"env:{name}"))
    space = machine.space
    return choose(((space.test(variable, frozenset((0,))), _UNSET), (space.test(variable, frozenset((1,))), unknown)))


def read(machine: Machine, name: str) -> tuple[Guard, Value]:
    """The condition on which a variable is set (under `live`), and its value where it is."""
    environ = _environ(machine)
    value = environ.names.get(name)
    if value is None:
        value = environ.names[name] = _initial(machine, name)
    present = machine.space.never
    kept: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(value, machine.live):
        if not isinstance(leaf, Known):
            present = present | guard
            kept.append((guard, leaf))
    return present, choose(kept) if kept else _UNSET


def write(machine: Machine, name: str, value: Value, origin: Origin | None) -> None:
    environ = _environ(machine)
    old = environ.names.get(name)
    if old is None:
        old = _initial(machine, name)
    environ.names[name] = machine.guarded(old, value, machine.space.always)
    environ.written.append((name, machine.live, value, origin))


def delete(machine: Machine, name: str) -> None:
    environ = _environ(machine)
    old = environ.names.get(name)
    if old is None:
        old = _initial(machine, name)
    environ.names[name] = machine.guarded(old, _UNSET, machine.space.always)


def written(machine: Machine) -> tuple[tuple[str, Guard, Value, Origin | None], ...]:
    """The writes so far, oldest first."""
    return tuple(_environ(machine).written)
