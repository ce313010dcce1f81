"""What is printed where, and with which exit code: findings, diffs and summaries, to a stream or a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from miles_lint.cli import present
from miles_lint.cli.errors import Failure
from miles_lint.cli.parsing import Invocation
from miles_lint.cli.run import Outcome
from miles_lint.diagnostic import Diagnostic
from miles_lint.output import HUMAN
from miles_lint.output.context import Context
from miles_lint.settings import Settings


class Delivery:
    """Gives the outcomes of one invocation to its user."""

    def __init__(self, invocation: Invocation, settings: Settings) -> None:
        self._invocation = invocation
        self._settings = settings
        self._brief = invocation.on("quiet") or invocation.on("silent")
        self._file: str | None = invocation.value("output-file")
        self.diff = invocation.on("diff")
        self.fix_only = self.diff or settings.fix_only
        self.fix = self.fix_only or settings.fix

    def context(self, outcomes: Sequence[Outcome], stderr: bool = False, to_file: bool = False) -> Context:
        """How findings of these outcomes are printed."""
        return present.make_context(outcomes, self._settings, self._invocation.value("color"), to_file, stderr)

    def print_diffs(self, outcomes: Sequence[Outcome], stdin: bool) -> int:
        """Print the repairs as diffs to standard output, whatever the output file; 1 if there are any."""
        context = self.context(outcomes)
        diffs = [
            present.diff(each.original.source.full_text, each.source.full_text, context.relative(each.path), context)
            for each in outcomes
            if each.original and each.source and each.source != each.original.source
        ]
        present.put("".join(diffs))
        told = self._settings.output_format in HUMAN and not self._brief
        summary = present.fix_only_summary(_found(outcomes), _fixed(outcomes), self._settings, True) if told else ""
        self._emit(summary, stdin)
        return int(bool(diffs) and not self._invocation.on("exit-zero"))

    def report(self, outcomes: Sequence[Outcome], stderr: bool) -> int:
        """Print findings and summary, and return the exit code that they mean."""
        told = not self._invocation.on("silent") or self._invocation.on("statistics")
        self._emit(self._text(outcomes, stderr) if told else "", stderr)
        if _fixed(outcomes) and self._invocation.on("exit-non-zero-on-fix"):
            return 1
        if self._invocation.on("exit-zero") or self.fix_only:
            return 0
        return int(any(found.severity >= self._settings.fail_on for found in _found(outcomes)))

    def _text(self, outcomes: Sequence[Outcome], stderr: bool) -> str:
        diagnostics, fixed, settings = _found(outcomes), _fixed(outcomes), self._settings
        context = self.context(outcomes, stderr, self._file is not None)
        broken = any(outcome.failure for outcome in outcomes)
        human = settings.output_format in HUMAN and not self._brief and bool(diagnostics or fixed or not broken)
        listed = ""
        if settings.show_fixes and self.fix and settings.output_format in HUMAN:
            listed = present.fixed_list(outcomes, context)
        if self.fix_only:
            return listed + (present.fix_only_summary(diagnostics, fixed, settings, False) if human else "")
        if self._invocation.on("statistics"):
            table = present.statistics(outcomes, diagnostics, settings)
            tail = present.summary(diagnostics, fixed, settings, context) if human and (diagnostics or fixed) else ""
            return table + tail
        body = present.findings(diagnostics, settings, context)
        tail = present.summary(diagnostics, fixed, settings, context) if human else ""
        return body + listed + tail

    def _emit(self, text: str, stderr: bool) -> None:
        """Write to the output file, where one is named; it exists in any case, also when all goes elsewhere."""
        if self._file is None or stderr:
            present.put(text, stderr)
        if self._file is not None:
            _write(Path(self._file), "" if stderr else text)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(present.encoded(text))
    except OSError as error:
        raise Failure(f"Failed to write {path}", error.strerror or str(error)) from None


def _found(outcomes: Sequence[Outcome]) -> list[Diagnostic]:
    return [found for outcome in outcomes for found in outcome.report.diagnostics]


def _fixed(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome.fixed.count for outcome in outcomes if outcome.fixed)
