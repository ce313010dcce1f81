"""What a launch adds to the environment of its job: the variables of a dict, then those of the configuration."""

from __future__ import annotations

import json
from collections.abc import Iterable

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Hole, Known, Reason, Ref, Text, Unknown, Value, options_of
from miles_lint.fold.convert import TooMany, text_alternatives
from miles_lint.fold.heap import AnyKey, DictObject, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.records import Sink
from miles_lint.launch import Variant

Variables = tuple[tuple[str, tuple[Variant, ...]], ...]
Others = tuple[tuple[Guard, Unknown], ...]
_FIELD = "extra_env_vars"
_UNKNOWN = Unknown(Reason.OPERATION, _FIELD)


def job_environment(machine: Machine, sink: Sink) -> tuple[Variables, Others]:
    """The variables, each as it is last set, and where there may be others (resolve_extra_env_vars at 31f1ca961)."""
    made = _Environment(machine)
    for guard, leaf in options_of(sink.keywords.get(_FIELD, Known(None)), machine.space.always):
        made.mapping(guard, leaf)
    for guard, leaf in options_of(sink.keywords.get("config", Known(None)), machine.space.always):
        target = machine.object(leaf) if isinstance(leaf, Ref) else None
        if isinstance(target, InstanceObject):
            for under, field in options_of(target.fields.get(_FIELD, Text()), guard):
                made.text(under, field)
    return tuple((name, tuple(variants)) for name, variants in made.found.items() if variants), tuple(made.others)


class _Environment:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.found: dict[str, list[Variant]] = {}
        self.others: list[tuple[Guard, Unknown]] = []

    def mapping(self, guard: Guard, leaf: Value) -> None:
        """`**leaf`, or no variables for None."""
        target = self.machine.object(leaf) if isinstance(leaf, Ref) else None
        if isinstance(leaf, Known) and leaf.value is None:
            return
        if not isinstance(target, DictObject):
            self.anything(guard, leaf if isinstance(leaf, Unknown) else _UNKNOWN)
            return
        for written, key, value, origin in target.entries:
            inside = written & guard
            if inside.impossible:
                continue
            if isinstance(key, AnyKey):
                self.anything(inside, _UNKNOWN if target.unknown is None else target.unknown)
            elif isinstance(key, str):
                self.put(key, inside, value, origin)
        if target.unknown is not None:
            self.others.append((guard, target.unknown))

    def put(self, name: str, guard: Guard, value: Value | None, origin: Origin | None) -> None:
        """Set a variable under a guard; None deletes it."""
        kept = _without(self.found.get(name, ()), guard)
        self.found[name] = kept if value is None else [*kept, Variant(guard, value, origin)]

    def anything(self, guard: Guard, why: Unknown) -> None:
        """Any variable may be set, or set anew."""
        self.others.append((guard, why))
        for name in self.found:
            self.found[name] = _without(self.found[name], guard)

    def text(self, guard: Guard, leaf: Value) -> None:
        """A text with a JSON object, or with words `NAME=value`; one that the user passes may name anything."""
        if isinstance(leaf, Unknown):
            self.others.append((guard, leaf))
        if not isinstance(leaf, Text):
            return
        hole = next((piece.unknown for piece in leaf.pieces if isinstance(piece, Hole)), None)
        origin = next((piece.origin for piece in leaf.pieces if isinstance(piece, Chars)), None)
        try:
            found = text_alternatives(self.machine, leaf, guard)
        except TooMany:
            found = [(guard, Unknown(Reason.BUDGET, _FIELD))]
        for under, text in found:
            parsed = None if isinstance(text, Unknown) else _parsed(text)
            if parsed is None:
                self.anything(under, _UNKNOWN if hole is None else hole)
                continue
            for name, value in parsed.items():
                self.put(name, under, self.machine.text(value), origin)


def _without(variants: Iterable[Variant], guard: Guard) -> list[Variant]:
    left = [Variant(each.guard - guard, each.value, each.key_origin) for each in variants]
    return [each for each in left if not each.guard.impossible]


def _parsed(text: str) -> dict[str, str] | None:
    """The variables that a text names; None where that is not clear."""
    try:
        made = json.loads(text)
    except ValueError:
        pairs = [item.split("=") for item in text.split(" ") if item.strip()]
        return {pair[0]: pair[1] for pair in pairs} if all(len(pair) > 1 for pair in pairs) else None
    if not isinstance(made, dict) or not all(isinstance(value, str) for value in made.values()):
        return None
    return made
