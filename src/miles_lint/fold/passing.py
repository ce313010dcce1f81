"""What a parameter gets when the keyword for it is not always passed."""

from __future__ import annotations

from miles_lint.domain.value import Value, choose
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.machine import Machine


def present(machine: Machine, args: Arguments, name: str, value: Value, default: Value | None) -> Value:
    """The value passed where it is, else the default; without one the path ends there."""
    there = args.presence.get(name)
    if there is None:
        return value
    if default is None:
        machine.require(there, TypeError)
        return value
    return choose(((there & machine.live, value), (machine.live - there, default)))
