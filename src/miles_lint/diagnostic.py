"""What a rule reports: a finding, its other places, and the repair it offers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from miles_lint.source import Place, Span


class Severity(IntEnum):
    """How bad a finding is; `INFO` findings are off unless their rule is selected by name or prefix."""

    INFO = 0
    WARNING = 1
    ERROR = 2


class Applicability(IntEnum):
    """How far a fix may be trusted, ordered as in ruff 0.17.6."""

    DISPLAY_ONLY = 0
    UNSAFE = 1
    SAFE = 2

    @property
    def label(self) -> str:
        """The lowercase word that ruff 0.17.6 prints in JSON."""
        return self.name.lower().replace("_", "")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the text at `span` by `text`; an insertion has an empty span, a deletion an empty text."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One repair: `edits` are sorted, do not overlap and all lie in the diagnostic's own file."""

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability


@dataclass(frozen=True, slots=True)
class Note:
    """Another place that a finding speaks of."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `noqa_row` is the 1-based row on which a `# noqa` silences it, None when none can.

    `secrets` are places whose text no output may show.
    """

    code: str
    name: str
    severity: Severity
    message: str
    place: Place
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    noqa_row: int | None = None
    default_on: bool = True
    secrets: tuple[Place, ...] = ()

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        return (self.place.path, self.place.span.start, self.place.span.end, self.code)


@dataclass(frozen=True, slots=True)
class Report:
    """What one check of one file found; nothing is dropped silently.

    `unknowns` are the holes of its launches, as (place, reason in words), for `--statistics` and `fold`.
    """

    path: str
    diagnostics: tuple[Diagnostic, ...] = ()
    suppressed: tuple[Diagnostic, ...] = ()
    unknowns: tuple[tuple[Place, str], ...] = ()
