"""The `check` command: files or standard input in, findings and repairs out."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace

from miles_lint import sniff
from miles_lint.cli import present
from miles_lint.cli.deliver import Delivery
from miles_lint.cli.parsing import Invocation
from miles_lint.cli.resolve import Resolver
from miles_lint.cli.run import Job, Outcome, count_together, examine, gather, processors, repair_elsewhere, run
from miles_lint.diagnostic import Report
from miles_lint.files import ChangedError, FileText, ReadError, decode, discover, excluded, write
from miles_lint.lint import io_error
from miles_lint.noqa import directives, names_code
from miles_lint.selection import OWN_PREFIX
from miles_lint.settings import Settings
from miles_lint.source import Source
from miles_lint.suppress import add_noqa


def check(invocation: Invocation, program: str) -> int:
    """Run `check` and return its exit code. Raises `UsageError`, `Failure` or `SettingsError`."""
    if invocation.on("no-cache"):
        os.environ["MILES_LINT_NO_CACHE"] = "true"
    if invocation.value("cache-dir"):
        os.environ["MILES_LINT_CACHE_DIR"] = os.path.abspath(invocation.value("cache-dir"))
    if invocation.on("watch") and not invocation.stdin:
        from miles_lint.cli.watch import watch

        return watch(lambda: Session(invocation, program))
    session = Session(invocation, program)
    if invocation.on("show-settings"):
        return session.show_settings()
    if invocation.stdin:
        return 0 if invocation.on("show-files") else session.check_stdin()
    return session.check_files()


class Session:
    """One invocation: its settings and where its output goes."""

    def __init__(self, invocation: Invocation, program: str) -> None:
        self.invocation = invocation
        self.program = program
        self.cwd = os.getcwd()
        self.resolver = Resolver(invocation, self.cwd)
        self.settings = self._settings()
        self.delivery = Delivery(invocation, self.settings)
        self.fix = self.delivery.fix
        self.quiet, self.silent = invocation.on("quiet"), invocation.on("silent")
        self.noqa = not invocation.on("ignore-noqa")
        self.unwritten = 0

    def _settings(self) -> Settings:
        name = self.invocation.value("stdin-filename")
        return self.resolver.for_file(os.path.abspath(name)) if name else self.resolver.for_directory(self.cwd)

    def files(self) -> tuple[str, ...]:
        """The files that the paths of the invocation mean."""
        return discover(self.invocation.paths or (".",), self.resolver.for_directory)

    def watched(self) -> tuple[str, ...]:
        """The files to check, and the settings files that tell which and how."""
        return (*self.files(), *self.resolver.files())

    def show_settings(self) -> int:
        """Print the settings of the first file that the paths mean."""
        settings = next(map(self.resolver.for_file, self.files()), self.settings)
        present.put(present.shown_settings(settings))
        return 0

    def check_files(self) -> int:
        """Check, repair or list the files of the invocation."""
        paths = self.files()
        if not paths:
            self.warn("warning: No Python files found under the given path(s)")
        if self.invocation.on("show-files"):
            present.put("".join(f"{path}\n" for path in paths))
            return 0
        if self.invocation.on("add-noqa"):
            return self._add_noqa(self._run(paths, False))
        outcomes = self._run(paths, self.fix)
        elsewhere = repair_elsewhere(outcomes) if self.fix else None
        failed = self._tell_failures(outcomes)
        if self.delivery.diff:
            return max(self.delivery.print_diffs(elsewhere or outcomes, False), failed)
        written = self._write(elsewhere or outcomes)
        failed = max(failed, self.unwritten)
        if elsewhere is None:
            outcomes = written
        elif not failed:
            outcomes = self._write(count_together(elsewhere, self._run(paths, True)))
            failed = self.unwritten
        return max(self.delivery.report(outcomes, False), failed)

    def _run(self, paths: Sequence[str], fix: bool) -> list[Outcome]:
        jobs = int(self.invocation.value("jobs") or processors())
        outcomes = gather(run(paths, self.resolver.for_file, fix, self.noqa, jobs), self.noqa)
        if self.invocation.on("verbose"):
            launching = sum(sniff.might_launch(each.source.text) for each in outcomes if each.source)
            self.warn(
                f"debug: {len(outcomes)} files, {launching} that might launch, settings of {self.settings.origin}"
            )
        return outcomes

    def check_stdin(self) -> int:
        """Check standard input; with a repair, standard output is the whole source or its diff and nothing else."""
        name: str | None = self.invocation.value("stdin-filename")
        for other in self.invocation.paths:
            if other != "-":
                self.warn(f"warning: Ignoring file {other} in favor of standard input.")
        if self.invocation.on("add-noqa"):
            return 0
        path = os.path.abspath(name) if name else "-"
        content = sys.stdin.buffer.read()
        outcome = self._examine_stdin(path, content, name is not None)
        failed = self._tell_failures([outcome])
        if self.delivery.diff:
            return max(self.delivery.print_diffs([outcome], True), failed)
        if self.fix:
            text = outcome.source.full_text.encode("utf-8") if outcome.source and outcome.fixed else content
            sys.stdout.flush()
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
        return max(self.delivery.report([outcome], self.fix), failed)

    def _examine_stdin(self, path: str, content: bytes, named: bool) -> Outcome:
        try:
            source = decode(path, content)
        except ReadError as error:
            return Outcome(path, self.settings, Report(path, (io_error(path, str(error)),)))
        if named and self.settings.force_exclude and excluded(path, self.settings):
            return Outcome(path, self.settings, Report(path), source)
        if not sniff.might_launch(source.text):
            return Outcome(path, self.settings, Report(path), source)
        outcome = examine(Job(source, self.settings, self.fix, self.noqa))
        return replace(gather([outcome], self.noqa)[0], original=FileText(source, content))

    def warn(self, text: str) -> None:
        """Tell something on standard error unless asked to be quiet."""
        if not (self.quiet or self.silent):
            print(text, file=sys.stderr)

    def _tell_failures(self, outcomes: Sequence[Outcome]) -> int:
        failed = 0
        for outcome in outcomes:
            if outcome.failure:
                print(f"error: {outcome.path}: internal error: {outcome.failure}", file=sys.stderr)
                failed = 2
            if outcome.fixed and outcome.fixed.broken:
                self.warn(f"warning: {outcome.path}: a repair that does not parse was undone")
            if self.noqa and outcome.source and names_code(outcome.source.text, OWN_PREFIX):
                self._warn_of_comments(outcome.source)
        return failed

    def _warn_of_comments(self, source: Source) -> None:
        name = self.delivery.context((), True).relative(source.path)
        for row, _, message in directives(source).warnings:
            if OWN_PREFIX in source.line(row).rpartition("#")[2]:
                self.warn(f"warning: {message.format(name)}")

    def _write(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Write what was repaired; of a file that cannot be written nothing is said but that."""
        left: list[Outcome] = []
        for outcome in outcomes:
            original, source = outcome.original, outcome.source
            if original and source and outcome.fixed and source != original.source:
                if self._replace(original, source):
                    self.unwritten = 2
                    outcome = Outcome(outcome.path, outcome.settings, Report(outcome.path), failure="not written")
            left.append(outcome)
        return left

    def _replace(self, original: FileText, source: Source) -> int:
        try:
            write(original, source)
        except (ChangedError, OSError) as error:
            why = error.strerror or error if isinstance(error, OSError) else error
            print(f"error: Failed to write {original.source.path}: {why}", file=sys.stderr)
            return 2
        return 0

    def _add_noqa(self, outcomes: Sequence[Outcome]) -> int:
        total = failed = 0
        for outcome in outcomes:
            if outcome.source and outcome.original:
                reason = str(self.invocation.value("add-noqa-reason") or "")
                text, count = add_noqa(outcome.source, outcome.report.diagnostics, reason)
                if count and self._replace(outcome.original, replace(outcome.source, text=text)):
                    failed = 2
                else:
                    total += count
        if total:
            self.warn(f"Added {total} noqa {'directive' if total == 1 else 'directives'}.")
        return max(self._tell_failures(outcomes), failed)
