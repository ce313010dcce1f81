"""Commands that a recipe runs itself: kept as they were when they were run."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Items, Ref, Text, Value, options_of
from miles_lint.fold.containers import elements_of
from miles_lint.fold.machine import Machine
from miles_lint.fold.printing import as_text
from miles_lint.fold.records import Command
from miles_lint.source import Place

_SCRIPT = "train"
_SHELLS = frozenset(("bash", "sh", "/bin/bash", "/bin/sh"))


def record(machine: Machine, given: Value, site: Place) -> None:
    """Remember a command text or a list of words; `bash -c text` counts as the text."""
    for guard, leaf in options_of(given, machine.live):
        if isinstance(leaf, Text):
            _keep(machine, leaf, guard, site)
            continue
        elements = elements_of(machine, leaf) if isinstance(leaf, (Ref, Items)) else None
        if elements is None:
            continue
        words = tuple((under, as_text(machine, value)) for under, value in elements)
        if len(words) > 2 and words[0][1].plain in _SHELLS and (words[1][1].plain or "").endswith("c"):
            _keep(machine, words[2][1], guard, site)
        else:
            _keep(machine, words, guard, site)


def _keep(machine: Machine, given: Text | tuple[tuple[Guard, Text], ...], guard: Guard, site: Place) -> None:
    texts = (given,) if isinstance(given, Text) else tuple(text for _, text in given)
    if any(_SCRIPT in text.shown() for text in texts):
        machine.commands.append(Command(given, guard & machine.assumed, site, machine.via))
