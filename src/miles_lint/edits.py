"""Text edits: check, merge and apply them, and repair a source until nothing more can be repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Report
from miles_lint.source import Source

PASSES = 10
Applied = tuple[tuple[str, str, int], ...]


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
    applied: Applied
    report: Report
    broken: bool = False

    @property
    def count(self) -> int:
        """How many findings were repaired, over all passes."""
        return sum(count for _, _, count in self.applied)


def fix_once(source: Source, diagnostics: Iterable[Diagnostic], minimum: Applicability) -> tuple[Source, Applied]:
    """One pass: the text after the fixes of findings in `source` that can be made together, and what they were."""
    chosen = compatible((found for found in diagnostics if found.place.path == source.path), minimum)
    edits = {edit for diagnostic in chosen for edit in _edits(diagnostic)}
    return replace(source, text=apply(source, edits)), merged(tuple((each.code, each.name, 1) for each in chosen))


def fix_source(source: Source, check: Callable[[Source], Report], minimum: Applicability) -> FixResult:
    """Apply fixes trusted at least as far as `minimum`, pass by pass, until none is left or `PASSES` are made.

    `check` is asked again after each pass and must give the report with selection and suppression applied.
    """
    report = check(source)
    total: Applied = ()
    for _ in range(PASSES):
        fixed, applied = fix_once(source, report.diagnostics, minimum)
        if fixed == source:
            break
        following = check(fixed)
        if any(found.code == "invalid-syntax" for found in following.diagnostics):
            return FixResult(source, total, report, True)
        source, report, total = fixed, following, merged(total, applied)
    return FixResult(source, total, report)


def merged(*counts: Applied) -> Applied:
    """Counts of repairs added up."""
    total: Counter[tuple[str, str]] = Counter()
    for code, name, count in (each for applied in counts for each in applied):
        total[code, name] += count
    return tuple((code, name, count) for (code, name), count in sorted(total.items()))


def _edits(diagnostic: Diagnostic) -> tuple[Edit, ...]:
    return diagnostic.fix.edits if diagnostic.fix else ()


def _first_edit(diagnostic: Diagnostic) -> tuple[int, int, str]:
    span = _edits(diagnostic)[0].span
    return span.start, span.end, diagnostic.code
