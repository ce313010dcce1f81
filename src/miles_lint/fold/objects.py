"""Objects of the program as containers: iteration."""

from __future__ import annotations

from miles_lint.domain.value import Ref
from miles_lint.fold import special
from miles_lint.fold.containers import Turn, each
from miles_lint.fold.machine import Machine


def iterate_object(machine: Machine, ref: Ref, turn: Turn) -> bool:
    """Call back with every element that a loop over an object sees; False when they are not known."""
    elements = special.as_tuple(machine, ref)
    if elements is not None:
        return each(machine, elements, turn)
    function = special.method(machine, ref, "__iter__")
    if function is None:
        return False
    made = special.invoke(machine, function, ref)
    return made != ref and each(machine, made, turn)
