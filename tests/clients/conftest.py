"""Real clients: where they are, and a project for them to open."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

import pytest
from tools import script

RECIPE = Path(__file__).parent.parent / "fixtures" / "doors" / "run_fully_async.py"
BAD = "--rollout-function-path miles.rollout.fully_async_rollout.FullyAsyncRolloutFn "
GOOD = "--fully-async "


@pytest.fixture
def recipe_text() -> str:
    return RECIPE.read_text()


@pytest.fixture
def fixed_text(recipe_text: str) -> str:
    """The recipe after its repair: one argument replaced, every other byte as it was."""
    assert recipe_text.count(BAD) == 1
    return recipe_text.replace(BAD, GOOD)


@pytest.fixture
def project(tmp_path: Path, recipe_text: str) -> Path:
    """A directory with one recipe."""
    (tmp_path / "recipe.py").write_text(recipe_text)
    return tmp_path


@pytest.fixture(scope="session")
def stand_in() -> str:
    """`miles-lint-ruff`, which clients are told is ruff."""
    return script("miles-lint-ruff")


@pytest.fixture(scope="session")
def ruff_lsp(request: pytest.FixtureRequest) -> str:
    """`ruff-lsp` in an environment of its own (it needs pygls below 2), made once and kept in pytest's cache.

    `RUFF_LSP` names one that is there already.
    """
    given = os.environ.get("RUFF_LSP")
    if given:
        return given
    home = request.config.cache.mkdir("ruff-lsp")  # type: ignore[union-attr]
    executable = home / "bin" / "ruff-lsp"
    if not executable.exists():
        venv.create(home, with_pip=True, clear=True)
        install = [str(home / "bin" / "python"), "-m", "pip", "install", "-q", "ruff-lsp==0.0.62", "pygls<2"]
        done = subprocess.run(install, capture_output=True, text=True)
        if done.returncode or not executable.exists():
            pytest.skip(f"ruff-lsp cannot be installed: {done.stderr.strip().splitlines()[-1:]}")
    return str(executable)
