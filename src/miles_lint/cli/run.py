"""Many files checked or repaired: read, sniffed, shared out over processes, and gathered again."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from miles_lint import sniff
from miles_lint.collector import paused_for_a_run, tidy
from miles_lint.diagnostic import Diagnostic, Report
from miles_lint.edits import FixResult, fix_once, merged
from miles_lint.files import FileText, ReadError, read
from miles_lint.lint import fix_alone, io_error, lint_alone, unused_suppressions
from miles_lint.settings import Settings
from miles_lint.source import Source
from miles_lint.suppress import UNUSED, suppress

_WORTH_A_POOL = 6


@dataclass(frozen=True, slots=True)
class Job:
    """One readable file to examine; `fix` repairs it in memory, `noqa` of False ignores its comments."""

    source: Source
    settings: Settings
    fix: bool = False
    noqa: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file: `source` is the text that `report` speaks of, None when it could not be read.

    `failure` is the message of a check that broke down.
    """

    path: str
    settings: Settings
    report: Report
    source: Source | None = None
    original: FileText | None = None
    fixed: FixResult | None = None
    failure: str | None = None


def examine(job: Job) -> Outcome:
    """Check or repair one source; an exception becomes a `failure`."""
    path, settings = job.source.path, job.settings
    tidy()
    try:
        if job.fix:
            fixed = fix_alone(job.source, settings, noqa=job.noqa)
            return Outcome(path, settings, fixed.report, fixed.source, fixed=fixed)
        return Outcome(path, settings, lint_alone(job.source, settings, noqa=job.noqa), job.source)
    except Exception as error:
        if os.environ.get("MILES_LINT_TRACEBACK"):
            raise
        return Outcome(path, settings, Report(path), job.source, failure=f"{type(error).__name__}: {error}")


def run(
    paths: Sequence[str], settings_for: Callable[[str], Settings], fix: bool, noqa: bool, jobs: int
) -> list[Outcome]:
    """Examine files; one that cannot be read is a finding, one that cannot launch anything is not parsed."""
    outcomes: dict[str, Outcome] = {}
    originals: dict[str, FileText] = {}
    waiting: list[Job] = []
    for path in paths:
        settings = settings_for(path)
        try:
            text = read(path)
        except ReadError as error:
            outcomes[path] = Outcome(path, settings, Report(path, (io_error(path, str(error)),)))
            continue
        if sniff.might_launch(text.source.text):
            originals[path] = text
            waiting.append(Job(text.source, settings, fix, noqa))
        else:
            outcomes[path] = Outcome(path, settings, Report(path), text.source, text)
    with paused_for_a_run():
        for outcome in _examine_all(waiting, jobs):
            outcomes[outcome.path] = replace(outcome, original=originals[outcome.path])
    return [outcomes[path] for path in paths]


def processors() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _examine_all(jobs: list[Job], workers: int) -> Iterable[Outcome]:
    if workers < 2 or len(jobs) < _WORTH_A_POOL:
        return map(examine, jobs)
    return _in_processes(jobs, min(workers, len(jobs) // 2))


def _in_processes(jobs: list[Job], workers: int) -> list[Outcome]:
    """As `examine` each, the longest texts first, so that no worker is left alone with one at the end.

    Contracts are read here first, so that forked workers share them and say nothing twice.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    import miles_lint.check  # noqa: F401  (loaded once here, so that forked workers share it)
    from miles_lint.contract.live import prepare

    for folder, trainer in {(os.path.dirname(job.source.path), job.settings.trainer) for job in jobs}:
        prepare(folder, trainer)
    sys.stdout.flush()
    sys.stderr.flush()
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        return list(pool.map(examine, sorted(jobs, key=lambda job: -len(job.source.text))))


def gather(outcomes: Sequence[Outcome], noqa: bool = True) -> list[Outcome]:
    """Give findings that one file makes in another checked file to that file, each only once.

    A finding in a file that is not checked is dropped: nobody asked about that file.
    """
    by_path = {outcome.path: outcome for outcome in outcomes}
    foreign: dict[str, list[Diagnostic]] = {}
    for outcome in outcomes:
        for found in outcome.report.diagnostics:
            if found.place.path != outcome.path and found.place.path in by_path:
                foreign.setdefault(found.place.path, []).append(found)
    return [_gathered(outcome, foreign.get(outcome.path, ()), noqa) for outcome in outcomes]


def _gathered(outcome: Outcome, foreign: Sequence[Diagnostic], noqa: bool) -> Outcome:
    own = [found for found in outcome.report.diagnostics if found.place.path == outcome.path]
    report = replace(outcome.report, diagnostics=tuple(own))
    if foreign and outcome.source:
        chosen = outcome.settings.choose(foreign, outcome.path)
        report = replace(report, diagnostics=tuple(found for found in (*own, *chosen) if found.code != UNUSED))
        if noqa:
            report = suppress(report, outcome.source)
            extra = unused_suppressions(outcome.source, report, outcome.settings)
            report = replace(report, diagnostics=(*report.diagnostics, *extra))
    unique = {(found.place, found.code, found.message): found for found in report.diagnostics}
    ordered = tuple(sorted(unique.values(), key=lambda found: found.sort_key))
    return replace(outcome, report=replace(report, diagnostics=ordered))


def repair_elsewhere(outcomes: Sequence[Outcome]) -> list[Outcome] | None:
    """Repairs, in memory, of findings that other files make in a file; None when there are none.

    The reports still speak of the texts before: check again once the texts are written.
    """
    repaired: list[Outcome] = []
    for outcome in outcomes:
        source = outcome.source
        if source is not None and outcome.original is not None:
            fixed, applied = fix_once(source, outcome.report.diagnostics, outcome.settings.minimum)
            if fixed != source:
                before = outcome.fixed.applied if outcome.fixed else ()
                result = FixResult(fixed, merged(before, applied), outcome.report)
                outcome = replace(outcome, source=fixed, fixed=result)
        repaired.append(outcome)
    return repaired if repaired != list(outcomes) else None


def count_together(earlier: Sequence[Outcome], later: Sequence[Outcome]) -> list[Outcome]:
    """The later outcomes of the same files, with the repairs of the earlier ones counted in."""
    joined: list[Outcome] = []
    for before, after in zip(earlier, later, strict=True):
        if before.fixed and after.fixed:
            after = replace(
                after, fixed=replace(after.fixed, applied=merged(before.fixed.applied, after.fixed.applied))
            )
        elif before.fixed and after.source:
            after = replace(after, fixed=FixResult(after.source, before.fixed.applied, after.report))
        joined.append(after)
    return joined
