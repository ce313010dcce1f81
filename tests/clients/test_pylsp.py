"""python-lsp-server with python-lsp-ruff, pointed at `miles-lint-ruff`, over its real protocol."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp import Client

OTHERS = ("pycodestyle", "pyflakes", "mccabe", "pylint", "flake8", "jedi_completion", "jedi_hover", "autopep8", "yapf")


@pytest.fixture
def client(stand_in: str, project: Path) -> Iterator[Client]:
    for name in ("pylsp", "pylsp_ruff"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    plugins: dict[str, Any] = {name: {"enabled": False} for name in OTHERS}
    plugins["ruff"] = {"enabled": True, "executable": stand_in, "formatEnabled": False}
    configuration = {"pylsp": {"plugins": plugins}}
    with Client([sys.executable, "-m", "pylsp"], project, configuration) as started:
        started.notify("workspace/didChangeConfiguration", {"settings": configuration})
        yield started


def test_diagnostic_quick_fix_disable_and_fix_all(client: Client, recipe_text: str, fixed_text: str) -> None:
    uri = client.open("recipe.py", recipe_text)
    found: list[dict[str, Any]] = []
    while not found:
        found = [each for each in client.diagnostics(uri) if each.get("code") == "MIL001"]
    assert (len(found), found[0]["source"]) == (1, "ruff")
    row = recipe_text[: recipe_text.index("--rollout-function-path")].count("\n")
    assert found[0]["range"]["start"] == {"line": row, "character": 9}
    actions = {action["title"]: action for action in client.actions(uri, found[0]["range"], found)}
    quick = next(
        action for title, action in actions.items() if title.startswith("Ruff (MIL001)") and "isable" not in title
    )
    assert client.applied(quick, uri, recipe_text) == fixed_text
    disable = next(action for title, action in actions.items() if "isable" in title)
    assert client.applied(disable, uri, recipe_text).split("\n")[row].endswith("# noqa: MIL001")
    everything = next(action for title, action in actions.items() if title.startswith("Ruff: Fix All"))
    assert client.applied(everything, uri, recipe_text) == fixed_text


@pytest.mark.parametrize("text", ["execute_train(\n", "x = 'é😀'\r\n", "print('execute_train')\n", None])
def test_other_texts_are_left_alone(text: str | None, client: Client, project: Path, recipe_text: str) -> None:
    if text is None:
        (project / "miles-lint.toml").write_text("extend-exclude = ['other.py']\n")
    whole = recipe_text if text is None else text
    uri = client.open("other.py", whole)
    codes = [each.get("code") for each in client.diagnostics(uri)]
    assert codes == (["invalid-syntax"] if text == "execute_train(\n" else [])
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": whole.count("\n"), "character": 0}}
    for action in client.actions(uri, everywhere, []):
        assert client.applied(action, uri, whole) == whole
