"""What a machine records on its way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Text, Value
from miles_lint.fold.journal import Journal
from miles_lint.source import Place, Span


class OutOfSteps(Exception):
    """The fold took more steps than its budget allows."""


class GivenUp(Exception):
    """Going through the turns of a loop, named by its first argument, says nothing any more."""


@dataclass(slots=True)
class Sink:
    """A call of the launch helper: its keywords, the condition it is reached under, the environment written so far."""

    site: Place
    guard: Guard
    keywords: dict[str, Value]
    environment: tuple[tuple[str, Guard, Value, Origin | None], ...]
    via: tuple[Place, ...]
    entry: str
    signature: tuple[str, ...] = ()
    model_text: Value | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Command:
    """Something run by the machine's shell (a text) or without one (its words), as it was when it was run."""

    given: Text | tuple[tuple[Guard, Text], ...]
    guard: Guard
    site: Place
    via: tuple[Place, ...]


@dataclass(slots=True)
class Running:
    """A function that is being run: the steps and variables when it began, and whether a call of itself was not."""

    steps: int
    variables: int
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a stretch of execution began, to compare with or to go back to."""

    journal: Journal
    live: Guard
    assumed: Guard
    lengths: tuple[int, ...]
    thrown: tuple[int, ...]
