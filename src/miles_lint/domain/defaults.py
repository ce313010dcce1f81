"""The assignment of knobs that is nearest to their defaults."""

from __future__ import annotations

from collections.abc import Mapping

from miles_lint.domain.guard import Guard, Variable


def nearest_to_defaults(guard: Guard, fixed: Mapping[Variable, int] | None = None) -> dict[Variable, int]:
    """Every knob of a feasible guard at its default, or at the first value that keeps the guard feasible.

    A default that is refused (an assert, a raise) moves to a value that passes; `fixed` is honoured first.
    """
    choice: dict[Variable, int] = dict(fixed or {})
    space = guard.space
    guard = guard.restrict(choice)
    for variable in guard.support():
        if variable.default is None or variable in choice:
            continue
        order = sorted(range(len(variable.domain)), key=lambda index: index != variable.default)
        for index in order:
            narrowed = guard.restrict({variable: index})
            if not narrowed.impossible:
                guard = narrowed
                choice[variable] = index
                break
    for variable in space.variables:
        if variable.default is not None:
            choice.setdefault(variable, variable.default)
    return choice
