"""What is not known about launches, with reason and place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Hole, Reason, Text, Unknown
from miles_lint.show.view import View
from miles_lint.source import Place


@dataclass(frozen=True)
class Gap:
    """Something that is not known: how it stands in the text, why, what is said about it, and where."""

    shown: str
    reason: str
    detail: str
    place: Place | None

    @property
    def input(self) -> bool:
        """Whether it is only what the caller of the recipe passes."""
        return self.reason in (Reason.KNOB.value, Reason.ENVIRONMENT.value)


def gaps(views: Iterable[View], widened: Iterable[tuple[Place, str]]) -> tuple[Gap, ...]:
    """The holes of what the views show, each place once, and what the fold gave up."""
    found: dict[Gap, None] = {}
    for view in views:
        for unknown, origin in _holes(view):
            origin = origin or unknown.origin
            place = origin.place if origin is not None else None
            found.setdefault(Gap(str(unknown), unknown.reason.value, unknown.detail, place))
    for place, reason in widened:
        found.setdefault(Gap("", reason, "", place))
    return tuple(found)


def _holes(view: View) -> Iterator[tuple[Unknown, Origin | None]]:
    settings = [*view.driver, *view.model_type, *(each for _, found in view.environment for each in found)]
    for setting in settings:
        if isinstance(setting.value, Unknown):
            yield setting.value, setting.origin
        elif isinstance(setting.value, Text):
            yield from _in_text(setting.value)
    for word in view.words:
        for option in word.options:
            yield from _in_text(option.text)


def _in_text(text: Text) -> Iterator[tuple[Unknown, Origin | None]]:
    for piece in text.pieces:
        if isinstance(piece, Hole):
            yield piece.unknown, piece.origin
