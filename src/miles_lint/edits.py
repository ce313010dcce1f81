"""Text edits: check, merge and apply them, and repair a source until nothing more can be repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Report
from miles_lint.source import Source

PASSES = 10


class OverlappingEdits(ValueError):
    """Two edits want the same characters, or one lies outside the text."""


def apply(source: Source, edits: Iterable[Edit]) -> str:
    """The text of `source` (without byte order mark) after `edits`, which may come in any order.

    Raises `OverlappingEdits` when two of them overlap; insertions at one place keep their order.
    """
    pieces: list[str] = []
    last = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        start, end = edit.span.start, edit.span.end
        if start < last or end < start or end > len(source.text):
            raise OverlappingEdits(f"{source.path}: edit {start}-{end} overlaps or leaves the text")
        pieces += (source.text[last:start], edit.text)
        last = end
    return "".join((*pieces, source.text[last:]))


def compatible(diagnostics: Iterable[Diagnostic], minimum: Applicability) -> tuple[Diagnostic, ...]:
    """Those findings whose fixes can be applied together, first come first served by position.

    A fix that touches or overlaps an accepted one waits for the next pass, as in ruff 0.17.6; one whose
    edits are all accepted already counts as applied.
    """
    chosen: list[Diagnostic] = []
    accepted: set[Edit] = set()
    last = -1
    for diagnostic in sorted(filter(lambda found: fixes(found, minimum), diagnostics), key=_first_edit):
        edits = _edits(diagnostic)
        if accepted.issuperset(edits):
            chosen.append(diagnostic)
        elif edits[0].span.start > last:
            chosen.append(diagnostic)
            accepted.update(edits)
            last = max(edit.span.end for edit in edits)
    return tuple(chosen)


def fixes(diagnostic: Diagnostic, minimum: Applicability) -> bool:
    """Whether the finding has a fix trusted at least as far as `minimum`."""
    fix = diagnostic.fix
    return fix is not None and bool(fix.edits) and fix.applicability >= minimum


@dataclass(frozen=True, slots=True)
class FixResult:
    """A repaired source, what was repaired as (code, name, count), and the report on the result.

    `broken` says that a pass was undone because its result did not parse; `report` then speaks of the
    text before that pass.
    """

    source: Source
    applied: tuple[tuple[str, str, int], ...]
    report: Report
    broken: bool = False

    @property
    def count(self) -> int:
        """How many findings were repaired, over all passes."""
        return sum(count for _, _, count in self.applied)


def fix_source(source: Source, check: Callable[[Source], Report], minimum: Applicability) -> FixResult:
    """Apply fixes trusted at least as far as `minimum`, pass by pass, until none is left or `PASSES` are made.

    `check` is asked again after each pass and must give the report with selection and suppression applied.
    """
    report = check(source)
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(PASSES):
        chosen = compatible((found for found in report.diagnostics if found.place.path == source.path), minimum)
        if not chosen:
            break
        edits = {edit for diagnostic in chosen for edit in _edits(diagnostic)}
        text = apply(source, edits)
        if text == source.text:
            break
        fixed = replace(source, text=text)
        following = check(fixed)
        if any(found.code == "invalid-syntax" for found in following.diagnostics):
            return FixResult(source, _counted(counts), report, True)
        counts.update((diagnostic.code, diagnostic.name) for diagnostic in chosen)
        source, report = fixed, following
    return FixResult(source, _counted(counts), report)


def _counted(counts: Counter[tuple[str, str]]) -> tuple[tuple[str, str, int], ...]:
    return tuple((code, name, count) for (code, name), count in sorted(counts.items()))


def _edits(diagnostic: Diagnostic) -> tuple[Edit, ...]:
    return diagnostic.fix.edits if diagnostic.fix else ()


def _first_edit(diagnostic: Diagnostic) -> tuple[int, int, str]:
    span = _edits(diagnostic)[0].span
    return span.start, span.end, diagnostic.code
