"""Braces in plain literals: `{name}` where `name` is one that an f-string would have found."""

from __future__ import annotations

import re

from miles_lint.fold.events import Kind
from miles_lint.fold.heap import Frame
from miles_lint.fold.machine import Machine
from miles_lint.fold.modules import module_name
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n
from miles_lint.source import Place, Span

_FIELD = re.compile(r"\{([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[[^\[\]{}]*\])*(?:![rsa])?(?::[^{}]*)?\}")


def tell_names(machine: Machine, frame: Frame, literal: n.Literal, run: n.Run) -> None:
    """Remember each `{name…}` in a run of characters whose name is bound here.

    In an f-string every brace of the text is written twice, so it is in no run of exact characters.
    """
    for found in _FIELD.finditer(run.text):
        if _bound(machine, frame, found.group(1)):
            start = run.span.start + found.start()
            origin = machine.origin(frame, Span(start, start + len(found.group())))
            place = Place(frame.module.path, literal.span)
            tell(machine, Kind.TEMPLATE, origin, found.group(1), owner=literal.prefix, literal=place)


def _bound(machine: Machine, frame: Frame, name: str) -> bool:
    scope: Frame | None = frame
    while scope is not None:
        if name in scope.names:
            return True
        scope = scope.outer
    return module_name(machine, frame.module, name) is not None
