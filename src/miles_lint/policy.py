"""When a violation is told: certain at the default knobs, or after changing one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from miles_lint.domain.guard import OTHER, Guard, Variable, nearest_to_defaults


@dataclass(frozen=True, slots=True)
class Speak:
    """The violation is certain; `condition` says when, and is empty at the defaults."""

    condition: str = ""


def certain(violated: Guard, launch: Guard, all_knobs: bool = False) -> Speak | None:
    """Whether to report a violation of a launch, and under which words.

    At the defaults (moved as little as the launch demands), else after one knob is set to another listed
    value, else, on request, after several are. Opaque conditions are never chosen: the violation must hold
    whatever they are, wherever the launch is reached.
    """
    if violated.impossible or (violated & launch).impossible:
        return None
    base = nearest_to_defaults(launch)
    if _holds(violated, launch, base):
        return Speak()
    for variable in violated.support():
        for index in _others(variable, base):
            choice = nearest_to_defaults(launch, {variable: index})
            if _holds(violated, launch, choice):
                return Speak(f"when {_words(variable, index)}")
    if all_knobs:
        return _combination(violated, launch, base)
    return None


def _holds(violated: Guard, launch: Guard, choice: dict[Variable, int]) -> bool:
    reached = launch.restrict(choice)
    return not reached.impossible and reached.implies(violated.restrict(choice))


def _others(variable: Variable, base: dict[Variable, int]) -> Iterator[int]:
    """The other values that a user can give a knob of finite domain; an environment variable can be unset."""
    environment = variable.name.startswith("env:")
    if variable.opaque or (OTHER in variable.domain and not environment):
        return
    for index, value in enumerate(variable.domain):
        if index != base.get(variable) and value is not OTHER and (environment or value is not None):
            yield index


def _combination(violated: Guard, launch: Guard, base: dict[Variable, int]) -> Speak | None:
    for cube in (violated & launch).cubes():
        fixed = {variable: min(indices) for variable, indices in cube.items() if not variable.opaque}
        if any(variable.domain[index] is OTHER for variable, index in fixed.items()):
            continue
        choice = nearest_to_defaults(launch, fixed)
        if _holds(violated, launch, choice):
            changed = [_words(v, i) for v, i in fixed.items() if i != base.get(v)]
            return Speak(f"when {' and '.join(changed)}")
    return None


def _words(variable: Variable, index: int) -> str:
    value = variable.domain[index]
    if variable.name.startswith("env:"):
        name = variable.name[4:]
        return f"`{name}` is not set" if value is None else f"`{name}={value}` is set"
    name = variable.name.replace("_", "-")
    if value is True:
        return f"`--{name}` is passed"
    if value is False:
        return f"`--no-{name}` is passed"
    return f"`--{name} {value}` is passed"
