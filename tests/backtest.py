"""The trainer's history, looked at again: extraction and unknown flags at commits spread over its last ones.

`python -m tests.backtest --commits 32 --last 200` takes a worktree of MILES_ROOT through them. At each commit the
contract is extracted, every launcher is checked for unknown flags alone, and every finding is put to the parser
that the commit's own sources build: a flag that this parser declares is a false alarm.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from miles_lint.contract.extract import BACKENDS
from tests.oracles import trainer_parser
from tests.oracles.sources import PROJECT, Sources

RULES = ("MIL201", "MIL202", "MIL203", "MIL204", "MIL205")
"""Every way to say that a name is none of the parser's."""
_FLAG = re.compile(r"`(--[\w.-]+)`")
_TRAINS = re.compile(r"trains with `(\w+)`")


@dataclass(frozen=True, slots=True)
class Unknown:
    """An unknown flag that was reported: the launcher, the flag, the backends whose real parser declares it.

    Only backends that the finding speaks of count.
    """

    path: str
    code: str
    flag: str
    declared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen at one commit; `seconds` is the extraction."""

    commit: str
    flags: int
    constraints: int
    seconds: float
    findings: tuple[Unknown, ...]


def commits(root: Path, count: int, last: int) -> list[str]:
    """Commits spread evenly over the last ones of the trainer's main line, newest first."""
    found = _git(root, "rev-list", "--first-parent", f"--max-count={last}", "HEAD").split()
    return [found[index * (len(found) - 1) // max(count - 1, 1)] for index in range(min(count, len(found)))]


def look(worktree: Path, commit: str, environment: Mapping[str, str]) -> Look:
    """Extract and check at one commit. Raises `subprocess.CalledProcessError` where either fails."""
    _git(worktree, "checkout", "--quiet", "--detach", commit)
    start = time.perf_counter()
    contract = json.loads(_lint(worktree, environment, "contract", "flags", "--format", "json"))
    seconds = time.perf_counter() - start
    constraints = json.loads(_lint(worktree, environment, "contract", "constraints", "--format", "json"))
    assert commit.startswith(contract["revision"]), contract["revision"]
    arguments = ("check", "--isolated", "--select", ",".join(RULES), "--output-format", "json", "--exit-zero", ".")
    reported = json.loads(_lint(worktree, environment, *arguments))
    parsers = _real(worktree, environment) if reported else {}
    found = {_unknown(worktree, each, parsers) for each in reported}
    findings = tuple(sorted(found, key=lambda each: (each.path, each.flag)))
    return Look(commit[:9], len(contract["flags"]), len(constraints["constraints"]), seconds, findings)


def _real(worktree: Path, environment: Mapping[str, str]) -> dict[str, frozenset[str]]:
    sources = Sources.from_environment({**environment, "MILES_ROOT": str(worktree)})
    assert sources is not None
    folder = worktree / sources.package / "backends"
    names = [name for name in BACKENDS if any(folder.glob(f"**/{name}_utils/arguments.py"))]
    return {name: frozenset(trainer_parser.flags_of(trainer_parser.dump(sources, name))) for name in names}


def _unknown(worktree: Path, told: Mapping[str, str], parsers: Mapping[str, frozenset[str]]) -> Unknown:
    named = _FLAG.search(told["message"])
    flag = named.group(1) if named is not None else told["message"]
    trains = _TRAINS.search(told["message"])
    meant = [trains.group(1)] if trains is not None else list(parsers)
    declared = tuple(name for name in meant if flag in parsers.get(name, ()))
    return Unknown(os.path.relpath(told["filename"], worktree), told["code"], flag, declared)


def _lint(worktree: Path, environment: Mapping[str, str], *arguments: str) -> str:
    path = os.pathsep.join((str(PROJECT / "src"), str(PROJECT)))
    return _run([sys.executable, "-m", "miles_lint", *arguments], worktree, {**environment, "PYTHONPATH": path})


def _git(root: Path, *arguments: str) -> str:
    return _run(["git", *arguments], root, os.environ)


def _run(command: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return done.stdout


def looks(root: Path, chosen: list[str]) -> Iterator[Look]:
    """What is seen at each commit, in a worktree that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        worktree = Path(folder) / "trainer"
        environment = {**os.environ, "MILES_LINT_CACHE_DIR": str(Path(folder) / "cache")}
        _git(root, "worktree", "add", "--quiet", "--detach", str(worktree), chosen[0])
        try:
            for commit in chosen:
                yield look(worktree, commit, environment)
        finally:
            _git(root, "worktree", "remove", "--force", str(worktree))


def main() -> int:
    """Tell of each commit, then every flag that was reported; 1 where one of them is declared."""
    reader = argparse.ArgumentParser(description="Look at the trainer's history again.")
    reader.add_argument("--commits", type=int, default=32)
    reader.add_argument("--last", type=int, default=200)
    given = reader.parse_args()
    root = Path(os.environ.get("MILES_ROOT") or reader.error("MILES_ROOT names no trainer checkout"))
    seen: dict[tuple[str, str], list[str]] = {}
    wrong = 0
    for each in looks(root, commits(root, given.commits, given.last)):
        told = f"{each.flags} flags, {each.constraints} constraints in {each.seconds:.1f} s"
        print(f"{each.commit}: {told}, {len(each.findings)} unknown", flush=True)
        for one in each.findings:
            wrong += bool(one.declared)
            verdict = f"DECLARED by {', '.join(one.declared)}" if one.declared else "declared by no parser"
            seen.setdefault((one.flag, f"{one.code} {one.path}: {verdict}"), []).append(each.commit)
    for (flag, words), there in sorted(seen.items()):
        print(f"{flag}  {words}; at {len(there)} commits, {there[-1]} to {there[0]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
