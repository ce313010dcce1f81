"""What a program does wrong while it is folded, or seems to: data for rules, which have no syntax to look at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.source import Place

if TYPE_CHECKING:
    from miles_lint.fold.machine import Machine


class Kind(Enum):
    """What happens. The kinds in `RAISING` end the program there, the others leave it running."""

    ATTRIBUTE = "an attribute that the object does not have"
    KEYWORD = "a keyword that the callee does not take"
    ARGUMENT = "a parameter without a value"
    KEY = "a key that the table does not have"
    NAME = "a name that is bound nowhere"
    REFUSED = "an assert or raise"
    TEMPLATE = "a known name in the braces of a plain literal"
    CONTAINER = "a tuple or list formatted as text"
    UNUSED = "flags in a variable that nothing reads"
    DOMAIN = "a comparison with what the knob cannot be"
    CONFIG = "a configuration that a launch does not pass on"
    MODEL = "a model definition that does not exist"
    IMPORT_TIME = "an environment variable read on import"


RAISING = frozenset((Kind.ATTRIBUTE, Kind.KEYWORD, Kind.ARGUMENT, Kind.KEY, Kind.NAME, Kind.REFUSED))


@dataclass(frozen=True, slots=True)
class Event:
    """One of them: it happens on those paths of `guard` that the program lets get so far, which are in `reach`.

    `subject` is the name it is about, `owner` what should have it (a class, function or table), `options` the
    names that it has. `places` are further places, `literal` is the string literal in question.
    """

    kind: Kind
    guard: Guard
    reach: Guard
    origin: Origin
    subject: str
    owner: str = ""
    options: tuple[str, ...] = ()
    places: tuple[Origin, ...] = ()
    literal: Place | None = None


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
