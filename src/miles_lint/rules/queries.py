"""Questions that several rules ask of a binding."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Assignment, Binding
from miles_lint.binding.values import alternatives
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Text, Value, options_of
from miles_lint.launch import Argument


def winners(binding: Binding, dest: str) -> Iterator[tuple[Guard, Assignment]]:
    """Every use of a flag with the condition under which nothing later replaces it.

    A switch once given stays given; a value may be replaced by an unknown part of the argv behind it.
    """
    left = binding.launch.space.always
    for use in reversed(binding.uses(dest)):
        won = use.guard & left
        if use.values:
            won = won - binding.opened_after(use.index)
        if not won.impossible:
            yield won, use
            left = left - use.guard


def spellings(text: Text, live: Guard) -> Iterator[tuple[Guard, str]]:
    """The strings that a text certainly is, each with its condition; alternatives with holes are left out."""
    for guard, fragments in alternatives(text, live) or ():
        known = [part for part in fragments if part is not None]
        if len(known) == len(fragments):
            yield guard, "".join(known)


def equals(value: Value, wanted: str, live: Guard) -> Guard:
    """The condition on which a value certainly is that string."""
    found = live.space.never
    for guard, leaf in options_of(value, live):
        if isinstance(leaf, Text):
            for under, spelled in spellings(leaf, guard):
                if spelled == wanted:
                    found = found | under
    return found


def configured(binding: Binding) -> Guard:
    """The condition on which a file of settings may be named, which can set every flag."""
    return binding.may("custom_config_path") | binding.may("config")


def origin_of(argument: Argument) -> Origin | None:
    """Where an argument begins in the source."""
    return next(argument.origins(), None)
