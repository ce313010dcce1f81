"""When a violation is told: certain at the default knobs, or after changing one of them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from miles_lint.domain.defaults import nearest_to_defaults
from miles_lint.domain.guard import OTHER, Guard, Variable

Choice = dict[Variable, int]


@dataclass(frozen=True, slots=True)
class Speak:
    """The violation is certain; `condition` says when, and is empty at the defaults."""

    condition: str = ""


def certain(violated: Guard, launch: Guard, all_knobs: bool = False) -> Speak | None:
    """Whether to report a violation of a launch, and under which words.

    At the defaults (moved as little as the launch demands), else after exactly one knob is set to another listed
    value, else, on request, after several are. Opaque conditions are never chosen: the violation must hold
    whatever they are, wherever the launch is reached.
    """
    if violated.excludes(launch):
        return None
    base = nearest_to_defaults(launch)
    if _holds(violated, launch, base):
        return Speak()
    for variable in violated.support():
        for index in _others(variable, base, launch):
            if _holds(violated, launch, {**base, variable: index}):
                return Speak(_when(((variable, index),)))
    return _combination(violated, launch, base) if all_knobs else None


def _holds(violated: Guard, launch: Guard, choice: Choice) -> bool:
    reached = launch.restrict(choice)
    return not reached.impossible and reached.implies(violated.restrict(choice))


def _others(variable: Variable, base: Choice, launch: Guard) -> Iterator[int]:
    """The other values that a user can give a knob of finite domain; an environment variable can be unset.

    A domain is finite too when nothing but its listed values reaches the launch.
    """
    environment = variable.name.startswith("env:")
    if variable.opaque or (OTHER in variable.domain and not environment and not _refuses_others(launch, variable)):
        return
    for index, value in enumerate(variable.domain):
        sayable = value is not OTHER and (environment or value is not None)
        if sayable and index not in (variable.default, base.get(variable)):
            yield index


def _refuses_others(launch: Guard, variable: Variable) -> bool:
    return launch.restrict({variable: variable.domain.index(OTHER)}).impossible


def _combination(violated: Guard, launch: Guard, base: Choice) -> Speak | None:
    """One way to reach the violation by several knobs, near the defaults, if listed values alone can."""
    space = launch.space
    target = _someway(launch) - _someway(launch - violated)
    for variable in target.support():
        listed = {base[variable], *_others(variable, base, launch)}
        target = target & space.test(variable, frozenset(listed))
    if target.impossible:
        return None
    choice = nearest_to_defaults(target)
    return Speak(_when((variable, index) for variable, index in choice.items() if index != base[variable]))


def _someway(guard: Guard) -> Guard:
    """The choices of knobs under which a guard holds for some outcome of the opaque conditions."""
    for variable in guard.support():
        if variable.opaque:
            outcomes = [guard.restrict({variable: index}) for index in range(len(variable.domain))]
            guard = outcomes[0] | outcomes[1]
    return guard


def _when(changes: Iterable[tuple[Variable, int]]) -> str:
    return "when " + " and ".join(_words(variable, variable.domain[index]) for variable, index in changes)


def _words(variable: Variable, value: object) -> str:
    if variable.name.startswith("env:"):
        name = variable.name[4:]
        return f"`{name}` is not set" if value is None else f"`{name}={shlex.quote(str(value))}` is set"
    name = variable.name.replace("_", "-")
    if isinstance(value, bool):
        return f"`--{name if value else f'no-{name}'}` is passed"
    return f"`--{name} {shlex.quote(str(value))}` is passed"
