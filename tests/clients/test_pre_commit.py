"""The hooks, run by the real pre-commit in a repository of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tools import script

ROOT = Path(__file__).parent.parent.parent
PIECES = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """This project as a repository with one commit, and an environment in which pre-commit keeps its things."""
    script("pre-commit")
    root = tmp_path_factory.mktemp("hooks")
    for path in (*(ROOT / "src").rglob("*"), *(ROOT / name for name in PIECES)):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = root / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    environment = {
        **os.environ,
        "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit")),
        "GIT_CONFIG_GLOBAL": "/dev/null",
    }
    for name in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{name}_NAME": "test", f"GIT_{name}_EMAIL": "test@example.invalid"}
    _git(root, environment, "init", "-q")
    _git(root, environment, "add", "-A")
    _git(root, environment, "commit", "-qm", "hooks")
    return root, environment


def _git(root: Path, environment: dict[str, str], *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=root, env=environment, check=True, capture_output=True, text=True
    ).stdout


def _run(project: Path, hooks: tuple[Path, dict[str, str]], hook: str) -> subprocess.CompletedProcess[str]:
    repository, environment = hooks
    command = [script("pre-commit"), "try-repo", str(repository), hook, "--all-files", "--verbose"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    if "InstallationError" in done.stdout or "CalledProcessError" in done.stdout + done.stderr:
        pytest.skip("pre-commit cannot install the hook here: " + done.stdout.strip().splitlines()[-1])
    return done


def test_hooks(project: Path, hooks: tuple[Path, dict[str, str]], fixed_text: str) -> None:
    (project / "notes.txt").write_text("execute_train --rollout-function-path\n")
    _git(project, hooks[1], "init", "-q")
    _git(project, hooks[1], "add", "-A")
    done = _run(project, hooks, "miles-lint")
    assert done.returncode == 1
    assert "recipe.py" in done.stdout
    assert "MIL001" in done.stdout
    done = _run(project, hooks, "miles-lint-fix")
    assert (done.returncode, "Found 1 error (1 fixed, 0 remaining)." in done.stdout) == (1, True)
    assert (project / "recipe.py").read_text() == fixed_text
    _git(project, hooks[1], "add", "-A")
    assert _run(project, hooks, "miles-lint").returncode == 0
