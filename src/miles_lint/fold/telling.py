"""Remembering events as a fold goes on."""

from __future__ import annotations

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.fold.events import RAISING, Event, Kind
from miles_lint.fold.machine import Machine
from miles_lint.source import Place


def tell(
    machine: Machine,
    kind: Kind,
    origin: Origin,
    subject: str,
    *,
    guard: Guard | None = None,
    owner: str = "",
    options: tuple[str, ...] = (),
    places: tuple[Origin, ...] = (),
    literal: Place | None = None,
) -> None:
    """Remember an event on the live paths, or those of `guard`; an exception that may be caught is none."""
    if kind in RAISING and machine.catching:
        return
    happens = machine.live if guard is None else guard
    if not happens.impossible:
        made = Event(kind, happens, machine.assumed, origin, subject, owner, options, places, literal)
        machine.events.append(made)
