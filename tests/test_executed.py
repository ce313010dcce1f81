"""Real recipes at random knobs: what they launch must be among what the fold describes. Needs MILES_ROOT."""

from __future__ import annotations

import os
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from miles_lint.launch import Launch
from miles_lint.recipe import fold_file
from miles_lint.source import Source
from tests.oracles.cover import explain, words_at
from tests.oracles.recipe_runs import Case, Run, random_environment, run, variables_of

ROOT = os.environ.get("MILES_ROOT", "")
pytestmark = pytest.mark.skipif(not ROOT, reason="MILES_ROOT names no trainer checkout")
FOLDERS = ("examples", "scripts", "tests/e2e")
RUNS_PER_ENTRY = int(os.environ.get("EXECUTED_RUNS", "6"))
HELPER_SETS = frozenset(
    (
        *("CUDA_DEVICE_MAX_CONNECTIONS", "MASTER_ADDR", "NCCL_NVLS_ENABLE", "PYTHONPATH", "PYTHONUNBUFFERED"),
        "no_proxy",
    )
)
"""Variables of the job that the helper sets by itself, or extends: what the recipe gave cannot be told apart."""


@cache
def fold(path: Path) -> tuple[Launch, ...]:
    return fold_file(Source.from_text(str(path), path.read_text()))


def recipes() -> list[Path]:
    root = Path(ROOT).resolve()
    found = (path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py")))
    return [path for path in found if "execute_train" in (text := path.read_text()) or "ray job submit" in text]


def cases(path: Path, choose: random.Random) -> list[Case]:
    """Every folded entry at its defaults and at random knobs."""
    made = []
    for entry in dict.fromkeys(launch.entry for launch in fold(path)):
        made.append(Case(path, entry))
        if entry != "__main__" or variables_of(path):
            seeds = [choose.randrange(1 << 30) for _ in range(RUNS_PER_ENTRY)]
            made += [Case(path, entry, {}, random_environment(path, choose), seed) for seed in seeds]
    return made


def disagreement(done: Run) -> str | None:
    """Why some submitted command is described by no folded launch of that entry."""
    launches = [launch for launch in fold(done.case.path) if launch.entry == done.case.entry]
    for real in done.submitted:
        reasons = []
        for launch in launches:
            names = [name for name, _ in launch.environment if name in real.environment and name not in HELPER_SETS]
            own = {name: real.environment[name] for name in names}
            reason = explain(
                launch,
                done.assignment,
                real.argv,
                train_script=real.train_script,
                environment={} if "extra_env_vars" in done.fields else own,
            )
            if reason is None:
                break
            reasons.append(str(reason))
        else:
            return f"{done.case.path}:{done.case.entry} at {done.assignment}: {'; '.join(reasons)}"
    return None


def test_real_launches_are_described_at_random_knobs(capsys: pytest.CaptureFixture[str]) -> None:
    choose = random.Random(20260821)
    jobs = [case for path in recipes() for case in cases(path, choose)]
    done = run(Path(ROOT).resolve(), jobs, timeout=900)
    tally: Counter[str] = Counter()
    known: Counter[str] = Counter()
    wrong: list[str] = []
    for result in done:
        changed = "changed" if result.assignment else "default"
        if not result.submitted:
            tally[f"{changed}: no launch"] += 1
            continue
        reason = disagreement(result)
        for launch in fold(result.case.path):
            if launch.entry == result.case.entry:
                words = words_at(launch, result.assignment)
                known["words"] += len(words)
                known["known"] += sum(word is not None for word in words)
        tally[f"{changed}: {'described' if reason is None else 'WRONG'}"] += 1
        if reason is not None:
            wrong.append(reason)
    with capsys.disabled():
        print(f"\n{len({case.path for case in jobs})} recipes, {len(jobs)} runs:", dict(sorted(tally.items())))
        print(f"of {known['words']} folded words {known['known'] / known['words']:.1%} are known at those knobs")
        print(*wrong, sep="\n")
    assert not wrong
    assert tally["changed: described"] >= 200
