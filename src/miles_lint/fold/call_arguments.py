"""The arguments of a call as they are written, splats taken apart."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import (
    Reason,
    Unknown,
    Value,
    choose,
)
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import iterate, keys, merge_into
from miles_lint.fold.heap import DictObject, Frame
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n
from miles_lint.source import Span


def arguments(machine: Machine, frame: Frame, args: tuple[n.Arg, ...]) -> Arguments:
    """The arguments of a call, splats unfolded where their contents are known."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    spans: dict[str, Span] = {}
    presence: dict[str, Guard] = {}
    loose: list[Value] = []
    unknown: Unknown | None = None
    for arg in args:
        value = machine.run.evaluate(machine, frame, arg.value)
        if arg.star == "*":
            elements = iterate(machine, value)
            if elements is None or not all(machine.live.implies(guard) for guard, _ in elements):
                unknown = Unknown(Reason.CALL, "unknown positional splat")
                loose.append(value)
            elif unknown is None:
                positional.extend(element for _, element in elements)
        elif arg.star == "**":
            if not _splat(machine, value, keywords, presence):
                unknown = Unknown(Reason.CALL, "unknown keyword splat") if unknown is None else unknown
                loose.append(value)
        elif arg.keyword is not None:
            keywords[arg.keyword] = value
            spans[arg.keyword] = arg.span
        elif unknown is None:
            positional.append(value)
        else:
            loose.append(value)
    return Arguments(tuple(positional), keywords, unknown, spans, presence, tuple(loose))


def _splat(machine: Machine, value: Value, keywords: dict[str, Value], presence: dict[str, Guard]) -> bool:
    """Add the entries of a dict to keywords, each with the condition it is there on; False when not known."""
    live = machine.live
    merged = DictObject([], live)
    merge_into(machine, merged, value)
    if merged.unknown is not None or not all(isinstance(key, str) for _, key, _, _ in merged.entries):
        return False
    written: dict[str, list[tuple[Guard, Value | None]]] = {}
    for guard, key, item, _ in reversed(merged.entries):
        written.setdefault(str(key), []).append((guard, item))
    for name in dict.fromkeys(str(key) for _, key in keys(machine, merged)):
        found: list[tuple[Guard, Value]] = []
        left, there = live, machine.space.never
        for guard, item in written[name]:
            inside = left & guard
            if inside.impossible:
                continue
            if item is not None:
                found.append((inside, item))
                there = there | inside
            left = left - inside
        if found:
            keywords[name] = machine.bounded(choose(found))
            if there is not live:
                presence[name] = there
    return True
