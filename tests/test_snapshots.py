"""The fold against the trainer's own recordings, token by token. Needs MILES_ROOT.

A recording that differs is wrong unless it is stale: the recipe, run in the sandbox, does not do what was recorded
but what the fold says. At 31f1ca961 two are, `scripts/amd/run_deepseek_v4.py` `train` and `full_train` (02098f1e5
changed one value in `--train-env-vars`).
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from miles_lint.launch import Launch
from miles_lint.recipe import fold_file
from miles_lint.source import Source
from tests.oracles.cover import explain, words_at
from tests.oracles.recipe_runs import Case, run
from tests.oracles.recordings import Checkout, Recording, frozen

ROOT = os.environ.get("MILES_ROOT", "")
pytestmark = pytest.mark.skipif(
    not (Path(ROOT) / "tests/snapshots/launch_scripts").is_dir() or not ROOT,
    reason="MILES_ROOT names no trainer checkout with recordings",
)


@dataclass
class Score:
    """Tokens of one family, and its recordings that are not matched to the last token."""

    exact: int = 0
    recordings: int = 0
    matched: int = 0
    unknown: int = 0
    wrong: int = 0
    remarks: list[str] = field(default_factory=list)
    wrong_names: set[str] = field(default_factory=set)
    stale_names: set[str] = field(default_factory=set)

    def add(self, name: str, expected: Sequence[str], words: Sequence[str | None], reason: str | None) -> None:
        self.recordings += 1
        if reason is None:
            matched = sum(word is not None for word in words)
            unknown, wrong = len(expected) - matched, 0
        else:
            matched, wrong = _differences(expected, words)
            unknown = max(len(expected) - matched - wrong, 0)
            self.wrong_names.add(name)
        self.exact += unknown == wrong == 0
        self.matched, self.unknown, self.wrong = self.matched + matched, self.unknown + unknown, self.wrong + wrong
        if unknown or wrong:
            self.remarks.append(f"{name}: {matched} matched, {unknown} unknown, {wrong} WRONG {reason or ''}")

    def __str__(self) -> str:
        tokens = f"tokens {self.matched} matched, {self.unknown} unknown, {self.wrong} WRONG"
        stale = [f"stale, by running it: {name}" for name in sorted(self.stale_names)]
        return "\n  ".join([f"{self.exact}/{self.recordings} exact; {tokens}", *self.remarks, *stale])


def _differences(expected: Sequence[str], words: Sequence[str | None]) -> tuple[int, int]:
    matcher = difflib.SequenceMatcher(a=list(expected), b=list(words), autojunk=False)
    matched = sum(block.size for block in matcher.get_matching_blocks())
    wrong = 0
    for kind, start, stop, begin, end in matcher.get_opcodes():
        if kind != "equal" and None not in words[begin:end]:
            wrong += max(stop - start, end - begin)
    return matched, wrong or 1


def score(checkout: Checkout, recordings: Iterator[Recording]) -> Score:
    total = Score()
    for recording in recordings:
        launches = fold_file(
            Source.from_text(str(recording.recipe), recording.recipe.read_text()),
            environment=recording.environment,
            assignments=recording.assignments,
            entry=recording.entry,
        )
        dated = [frozen(launch, checkout.run_id) for launch in launches]
        for real in recording.submitted:
            attempts = [(explain(one, {}, real.argv, train_script=real.train_script), one) for one in dated]
            found = next((attempt for attempt in attempts if attempt[0] is None), attempts[0] if attempts else None)
            if found is None:
                total.add(recording.name, real.argv, [None] * len(real.argv), "no launch folded")
            else:
                reason = None if found[0] is None else str(found[0])
                total.add(recording.name, real.argv, words_at(found[1], {}), reason)
        if recording.name in total.wrong_names and is_stale(checkout, recording, launches):
            total.stale_names.add(recording.name)
    return total


def is_stale(checkout: Checkout, recording: Recording, launches: Sequence[Launch]) -> bool:
    """Whether the recipe, run now, does not launch what was recorded but (if anything) what the fold says."""
    case = Case(recording.recipe, recording.entry, recording.assignments, recording.environment)
    (now,) = run(checkout.root, [case])
    recorded = [real.argv for real in recording.submitted]
    described = all(any(explain(launch, {}, real.argv) is None for launch in launches) for real in now.submitted)
    return described and [words_with(real.argv, checkout.run_id) for real in now.submitted] != recorded


def words_with(argv: Sequence[str], run_id: str) -> tuple[str, ...]:
    """The words with every fresh run id replaced."""
    return tuple(re.sub(r"\d{6}-\d{6}-\d{3}", run_id, word) for word in argv)


def show(title: str, total: Score, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{title}: {total}")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(Path(ROOT).resolve(), tmp_path_factory.mktemp("sandbox"))


def model_recipe(model_type: str) -> str:
    return (
        "import miles.utils.external_utils.command_utils as U\n"
        f'U.execute_train(train_args="", num_gpus_per_node=8, megatron_model_type="{model_type}")\n'
    )


def test_model_definitions(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    total = Score()
    path = checkout.root / "scripts/recipe_of_a_test.py"
    for model_type, expected in checkout.model_args():
        (launch,) = fold_file(Source.from_text(str(path), model_recipe(model_type)))
        reason = explain(launch, {}, expected)
        total.add(model_type, expected, words_at(launch, {}), None if reason is None else str(reason))
    show("model definitions", total, capsys)
    assert total.recordings > 60
    assert total.exact == total.recordings


def test_launch_scripts(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    total = score(checkout, checkout.launches())
    show("launch scripts", total, capsys)
    assert total.recordings > 30
    assert total.wrong_names == total.stale_names
    assert total.exact == total.recordings - len(total.wrong_names)


def test_self_executing_launchers(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    total = score(checkout, checkout.self_executing())
    show("self-executing launchers", total, capsys)
    assert total.recordings >= 19
    assert total.exact == total.recordings
