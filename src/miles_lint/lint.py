"""One file as its user wants it checked: the check, the rules that are on, the findings that are not silenced."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from miles_lint import sniff
from miles_lint.diagnostic import Diagnostic, Report, Severity
from miles_lint.edits import FixResult, fix_source
from miles_lint.settings import Settings
from miles_lint.source import Place, Source, Span
from miles_lint.suppress import suppress, unused, used

Check = Callable[[Source, Settings], Report]
IO_ERROR = "E902"
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
INTERNAL_ERROR = "MIL901"


def lint_source(source: Source, settings: Settings, check: Check | None = None, noqa: bool = True) -> Report:
    """The findings to show for one source, in order; those silenced by comments are in `suppressed`.

    A text that cannot launch anything gives an empty report and is not parsed. Findings of other files are
    kept; whoever lints several files decides about them. `noqa` of False reads no suppression comment.
    """
    if not sniff.might_launch(source.text):
        return Report(source.path)
    report = (check or _check)(source, settings)
    ordered = sorted(map(_readable, report.diagnostics), key=lambda found: found.sort_key)
    chosen = settings.choose(ordered, source.path)
    report = replace(report, diagnostics=chosen)
    if any(found.code == "invalid-syntax" for found in chosen):
        return replace(report, diagnostics=tuple(found for found in chosen if found.code == "invalid-syntax"))
    return suppress(report, source) if noqa else report


def _readable(found: Diagnostic) -> Diagnostic:
    """A finding without characters that drive a terminal, end a line or are no character; values may hold any."""
    texts = (found.message, *(note.message for note in found.notes))
    if not any(map(_UNPRINTABLE.search, texts)):
        return found
    message, *others = (_UNPRINTABLE.sub(_escaped, text) for text in texts)
    notes = tuple(replace(note, message=text) for note, text in zip(found.notes, others, strict=True))
    return replace(found, message=message, notes=notes)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def _check(source: Source, settings: Settings) -> Report:
    from miles_lint.check import check

    return check(source, settings)


def unused_suppressions(source: Source, report: Report, settings: Settings) -> tuple[Diagnostic, ...]:
    """Findings about comments of `source` that silence nothing, when that rule is on for the file.

    `report.suppressed` must hold what the comments silenced, findings made from other files included.
    """
    if any(found.code == "invalid-syntax" for found in report.diagnostics):
        return ()
    on = settings.enabled(source.path)
    idle = unused(source, used(source, report.suppressed), on.__contains__)
    return settings.choose(idle, source.path)


def lint_alone(source: Source, settings: Settings, check: Check | None = None, noqa: bool = True) -> Report:
    """`lint_source` with unused suppressions, for one file that is checked by itself."""
    report = lint_source(source, settings, check, noqa)
    extra = unused_suppressions(source, report, settings) if noqa and sniff.might_launch(source.text) else ()
    found = (*report.diagnostics, *extra)
    return replace(report, diagnostics=tuple(sorted(found, key=lambda each: each.sort_key)))


def fix_alone(source: Source, settings: Settings, check: Check | None = None, noqa: bool = True) -> FixResult:
    """Repair one source as far as the settings allow."""
    return fix_source(source, lambda text: lint_alone(text, settings, check, noqa), settings.minimum)


def io_error(path: str, message: str) -> Diagnostic:
    """The finding that a file could not be read, as ruff 0.17.6 words and places it."""
    return Diagnostic(IO_ERROR, "io-error", Severity.ERROR, message, Place(path, Span(0, 0)))
