"""What a program does wrong while it is folded, or seems to: data for rules, which have no syntax to look at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.source import Place


class Kind(Enum):
    """What happens. The kinds in `RAISING` end the program there, the others leave it running."""

    ATTRIBUTE = "an attribute that the object does not have"
    KEYWORD = "a keyword that the callee does not take"
    ARGUMENT = "a parameter without a value"
    KEY = "a key that the table does not have"
    NAME = "a name that is bound nowhere"
    MEMBER = "a name that the module does not bind"
    REFUSED = "an assert or raise"
    TEMPLATE = "a known name in the braces of a plain literal"
    CONTAINER = "a tuple or list formatted as text"
    UNUSED = "flags in a variable that nothing reads"
    DOMAIN = "a comparison with what the knob cannot be"
    CONFIG = "a configuration that a launch does not pass on"
    MODEL = "a model definition that does not exist"
    IMPORT_TIME = "an environment variable read on import"


RAISING = frozenset((Kind.ATTRIBUTE, Kind.KEYWORD, Kind.ARGUMENT, Kind.KEY, Kind.NAME, Kind.MEMBER, Kind.REFUSED))


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
