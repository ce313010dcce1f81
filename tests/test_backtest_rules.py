"""Upstream's own repairs: before each the mistake is told, after it it is not. Needs MILES_ROOT, with its history."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from miles_lint.lint import lint_alone
from miles_lint.settings import Settings
from miles_lint.source import Source

ROOT = os.environ.get("MILES_ROOT", "")
PARTS = ("miles", "scripts", "examples", "tests", "train.py", "train_async.py")
E2E = "tests/e2e/megatron/"
OPENENV = "examples/experimental/openenv/glm52_tbench2/"
AGENT = "examples/experimental/swe-agent-v2/"


def has_history() -> bool:
    return bool(ROOT) and os.path.exists(os.path.join(ROOT, ".git"))


pytestmark = pytest.mark.skipif(not has_history(), reason="MILES_ROOT names no checkout with its history")


@dataclass(frozen=True)
class Repair:
    """A commit, a launcher that it repairs, and the rule about it. `trainer` names another contract than its own."""

    commit: str
    path: str
    code: str
    trainer: str | None = None

    def __str__(self) -> str:
        return f"{self.commit}-{self.code}-{Path(self.path).stem}"


REPAIRS = (
    Repair("d0120463f", f"{OPENENV}run_glm5_2_744b_a40b_daytona.py", "MIL001"),
    Repair("1beaf6cff", f"{OPENENV}run_glm5_2_744b_a40b_daytona.py", "MIL301"),
    Repair("1beaf6cff", "scripts/run_inkling.py", "MIL301"),
    Repair("8da9c60e1", "scripts/run_deepseek_v4.py", "MIL506"),
    Repair("8da9c60e1", "scripts/amd/run_deepseek_v4.py", "MIL506"),
    Repair("8da9c60e1", "scripts/amd/run_qwen3_30b_a3b.py", "MIL505"),
    Repair("6a6843f1d", "scripts/run_glm45_355b_a32b.py", "MIL505"),
    Repair("6a6843f1d", "scripts/run_glm47_flash.py", "MIL303"),
    Repair("6a6843f1d", "scripts/run_qwen3_30b_a3b.py", "MIL404"),
    Repair("6a6843f1d", "scripts/amd/run_qwen3_30b_a3b.py", "MIL404"),
    Repair("968f2de4e", "scripts/run_glm47_flash.py", "MIL303"),
    Repair("968f2de4e", "scripts/run_qwen3_30b_a3b.py", "MIL404"),
    Repair("968f2de4e", "scripts/run_glm45_355b_a32b.py", "MIL505"),
    Repair("e80610bfd", "scripts/run_gemma_4_26b_a4b.py", "MIL209"),
    Repair("e80610bfd", "scripts/run_glm47_flash.py", "MIL209"),
    Repair("e80610bfd", "scripts/run_joy_ai_llm_flash.py", "MIL209"),
    Repair("e80610bfd", "scripts/run_kimi_k25.py", "MIL209"),
    Repair("e80610bfd", f"{E2E}test_kimi_k25_2layer_ci.py", "MIL209"),
    Repair("52ac174d9", "scripts/run_deepseek.py", "MIL202", "bundled"),
    Repair("52ac174d9", "scripts/run_glm45_355b_a32b.py", "MIL202", "bundled"),
    Repair("7276e1e77", f"{E2E}model_scripts/test_nemotron_3_ultra_4layer_ci.py", "MIL202"),
    Repair("5ed3fd170", "examples/experimental/formal_math/single_round/run_minimal.py", "MIL401"),
    Repair("4caa9b332", "examples/formal_math/single_round/run_minimal.py", "MIL401"),
    Repair("db9837bac", "tests/e2e/ckpt/test_qwen3_4B_ckpt.py", "MIL502"),
    Repair("93a384e85", "scripts/run_glm45_355b_a32b.py", "MIL503"),
    Repair("597375f31", f"{E2E}test_qwen3_5_35B_A3B_mtp/test_amd_mtp1_spec_v2_r3.py", "MIL304"),
    Repair("75d3c8b47", f"{AGENT}run-glm47-reasoning-async.py", "MIL401", "bundled"),
    Repair("9fd1be300", "scripts/run_kimi_k2.py", "MIL506"),
    Repair("9fd1be300", "scripts/amd/run_qwen3_4b.py", "MIL506"),
    Repair("978bddcad", f"{AGENT}run.py", "MIL202", "bundled"),
)


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A function that gives the files of a revision, each revision once."""

    @cache
    def tree(revision: str) -> Path:
        listed = git("ls-tree", "--name-only", revision).decode().split()
        folder = tmp_path_factory.mktemp("tree")
        archive = git("archive", revision, *(part for part in PARTS if part in listed))
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        return folder

    return tree


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True).stdout


def known(commit: str) -> bool:
    done = subprocess.run(["git", "-C", ROOT, "cat-file", "-e", f"{commit}^"], capture_output=True)
    return done.returncode == 0


def told(folder: Path, repair: Repair) -> int:
    """How often the rule speaks of the launcher at one revision."""
    path = folder / repair.path
    settings = replace(Settings(), trainer=repair.trainer)
    report = lint_alone(Source.from_text(str(path), path.read_text("utf-8")), settings)
    return sum(found.code == repair.code for found in report.diagnostics)


@pytest.mark.parametrize("repair", REPAIRS, ids=str)
def test_a_mistake_is_told_before_its_repair_and_not_after(extracted, repair: Repair) -> None:  # type: ignore[no-untyped-def]
    if not known(repair.commit):
        pytest.skip("the history at hand does not reach this commit")
    before, after = (told(extracted(f"{repair.commit}{side}"), repair) for side in ("^", ""))
    assert before > 0
    assert after == 0
