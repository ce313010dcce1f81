"""`os.environ`: knobs for what the caller may have set, and the writes of the program, in order."""

from __future__ import annotations

from miles_lint.domain.guard import OTHER, Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import symbol
from miles_lint.domain.value import Known, Reason, Text, Unknown, Value, choose, options_of
from miles_lint.fold.convert import TooMany, alternatives
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import DictObject, EnvironmentObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.telling import tell

_UNSET = Known(None)
_FORGOTTEN = Unknown(Reason.ENVIRONMENT, "a variable whose name is not known")


def _environ(machine: Machine) -> EnvironmentObject:
    target = machine.object(machine.environ)
    assert isinstance(target, EnvironmentObject)
    return target


def _initial(machine: Machine, name: str) -> Value:
    """What the variable holds when the recipe starts: unset by default, or anything."""
    forgotten = _environ(machine).unknown
    if forgotten is not None:
        return _anything(machine, name, forgotten)
    if name in machine.environment:
        return machine.text(machine.environment[name])
    if f"env:{name}" in machine.assignments:
        given = machine.assignments[f"env:{name}"]
        return _UNSET if given is None else machine.text(str(given))
    variable = machine.space.knob(f"env:{name}", (None, OTHER))
    unknown = Unknown(Reason.ENVIRONMENT, f"${name}", str, symbol("env", f"env:{name}"))
    space = machine.space
    return choose(((space.test(variable, frozenset((0,))), _UNSET), (space.test(variable, frozenset((1,))), unknown)))


def _anything(machine: Machine, name: str, why: Unknown) -> Value:
    is_set = machine.space.condition(f"${name} is set")
    return choose(((~is_set, _UNSET), (is_set, Unknown(why.reason, f"${name}", str, None, why.origin))))


def _current(machine: Machine, name: str) -> Value:
    environ = _environ(machine)
    value = environ.names.get(name)
    if value is None:
        value = environ.names[name] = _initial(machine, name)
    return value


def read(machine: Machine, name: str) -> tuple[Guard, Value]:
    """The condition on which a variable is set (under `live`), and its value where it is."""
    present = machine.space.never
    kept: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(_current(machine, name), machine.live):
        if not isinstance(leaf, Known):
            present = present | guard
            kept.append((guard, leaf))
    return present, choose(kept) if kept else _UNSET


def get(machine: Machine, key: Value, default: Value | None, origin: Origin | None) -> Value:
    """The variable of a name; where it is not set the default, or without one the end of the path."""
    live = machine.live
    found: list[tuple[Guard, Value]] = []
    for guard, name in _names(machine, key):
        if name is None:
            machine.doubt()
            detail = "os.environ[…]"
            found.append(
                (guard, Unknown(Reason.ENVIRONMENT, detail, None if default is not None else str, None, origin))
            )
            continue
        machine.live = guard & live
        if machine.depth == 0 and machine.importing and machine.entry != "__main__" and origin is not None:
            tell(machine, Kind.IMPORT_TIME, origin, name)
        present, value = read(machine, name)
        found.extend(options_of(value, present))
        missing = machine.live - present
        machine.live = live
        if default is not None:
            found.extend(options_of(default, missing))
        else:
            machine.require(~missing, KeyError)
            live = machine.live
    return choose(found) if found else Unknown(Reason.ENVIRONMENT, "os.environ[…]", str, None, origin)


def has(machine: Machine, key: Value) -> Guard:
    """The condition, under `live`, on which a variable of that name is set."""
    found = machine.space.never
    for guard, name in _names(machine, key):
        present = machine.space.condition("environment variable is set") if name is None else read(machine, name)[0]
        found = found | (guard & present)
    return found


def put(machine: Machine, key: Value, value: Value | None, origin: Origin | None) -> None:
    """Set the variable of a name under `live`; None deletes it."""
    live = machine.live
    for guard, name in _names(machine, key):
        machine.live = guard & live
        if name is None:
            forget(machine, _FORGOTTEN)
        else:
            written = key.pieces[0].origin if isinstance(key, Text) and key.pieces else origin
            write(machine, name, value, written)
    machine.live = live


def _names(machine: Machine, key: Value) -> list[tuple[Guard, str | None]]:
    """The names that a key can be under `live`; None for one that is not known."""
    plain = key.plain if isinstance(key, Text) else None
    if plain is not None:
        return [(machine.live, plain)]
    try:
        return [
            (guard, name if isinstance(name, str) else None)
            for guard, name in alternatives(machine, key, machine.live)
        ]
    except TooMany:
        return [(machine.live, None)]


def write(machine: Machine, name: str, value: Value | None, origin: Origin | None) -> None:
    """Set one variable under `live`; None deletes it."""
    environ = _environ(machine)
    made = _UNSET if value is None else value
    environ.names[name] = machine.guarded(_current(machine, name), made, machine.space.always)
    if value is not None:
        environ.written.append((name, machine.live, value, origin))


def forget(machine: Machine, why: Unknown) -> None:
    """Any variable may have been set or deleted under `live`."""
    environ = _environ(machine)
    for name in environ.names:
        forget_one(machine, name, why)
    environ.unknown = why


def forget_one(machine: Machine, name: str, why: Unknown) -> None:
    """This variable may have been set or deleted under `live`."""
    names = _environ(machine).names
    names[name] = machine.guarded(names[name], _anything(machine, name, why), machine.space.always)


def snapshot(machine: Machine, origin: Origin | None) -> DictObject:
    """A dict of all variables as they are: those that the program has named, over an unknown rest."""
    environ = _environ(machine)
    made = DictObject([], machine.live, Unknown(Reason.ENVIRONMENT, "os.environ"), origin)
    for name, value in environ.names.items():
        for guard, leaf in options_of(value, machine.live):
            made.entries.append((guard, name, None if isinstance(leaf, Known) else leaf, origin))
    return made


def written(machine: Machine) -> tuple[tuple[str, Guard, Value, Origin | None], ...]:
    """The writes so far, oldest first."""
    return tuple(_environ(machine).written)


def update(machine: Machine, made: DictObject) -> None:
    """Write every entry of a dict under `live`."""
    live = machine.live
    if made.unknown is not None:
        forget(machine, made.unknown)
    for guard, key, value, origin in made.entries:
        machine.live = live & guard
        if isinstance(key, str) and value is not None and not machine.live.impossible:
            write(machine, key, value, origin)
    machine.live = live
