"""Three-valued truth."""

from __future__ import annotations

from enum import Enum
from typing import NoReturn


class Truth(Enum):
    """YES, NO or MAYBE. It refuses `bool()`: the caller must say what MAYBE means to it."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"

    @classmethod
    def of(cls, fact: bool) -> Truth:
        return cls.YES if fact else cls.NO

    def __bool__(self) -> NoReturn:
        raise TypeError("a Truth has three values: compare it with Truth.YES, Truth.NO or Truth.MAYBE")

    def __and__(self, other: Truth) -> Truth:
        if Truth.NO in (self, other):
            return Truth.NO
        return Truth.YES if self is other is Truth.YES else Truth.MAYBE

    def __or__(self, other: Truth) -> Truth:
        return ~(~self & ~other)

    def __invert__(self) -> Truth:
        return _NEGATED[self]


_NEGATED = {Truth.YES: Truth.NO, Truth.NO: Truth.YES, Truth.MAYBE: Truth.MAYBE}
