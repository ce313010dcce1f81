"""ruff-lsp, pointed at `miles-lint-ruff`, over its real protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp import Client

START: dict[str, int] = {"line": 0, "character": 0}


@pytest.fixture
def client(ruff_lsp: str, stand_in: str, project: Path) -> Iterator[Client]:
    settings = {"path": [stand_in], "importStrategy": "fromEnvironment", "logLevel": "error", "cwd": str(project)}
    settings |= {"workspace": project.as_uri(), "workspacePath": str(project)}
    options = {"settings": [settings], "globalSettings": {"path": [stand_in]}}
    with Client([ruff_lsp], project, options) as started:
        yield started


def test_diagnostic_quick_fix_disable_and_fix_all(client: Client, recipe_text: str, fixed_text: str) -> None:
    uri = client.open("recipe.py", recipe_text)
    found = [each for each in client.diagnostics(uri) if each["code"] == "MIL001"]
    assert len(found) == 1
    row = recipe_text[: recipe_text.index("--rollout-function-path")].count("\n")
    assert found[0]["range"]["start"] == {"line": row, "character": 9}
    actions = client.actions(uri, found[0]["range"], found)
    titles = [action["title"] for action in actions]
    quick = next(action for action in actions if action["title"].startswith("Ruff (MIL001): "))
    assert client.applied(quick, uri, recipe_text) == fixed_text
    disable = next(action for action in actions if action["title"] == "Ruff (MIL001): Disable for this line")
    silenced = client.applied(disable, uri, recipe_text)
    assert silenced.split("\n")[row].endswith("# noqa: MIL001"), titles
    everything = client.actions(uri, found[0]["range"], found, ["source.fixAll"])
    assert client.applied(everything[0], uri, recipe_text) == fixed_text


def test_after_the_repair_nothing_is_shown(client: Client, recipe_text: str, fixed_text: str) -> None:
    uri = client.open("recipe.py", recipe_text)
    assert [each["code"] for each in client.diagnostics(uri)] == ["MIL001"]
    client.change(uri, fixed_text, 2)
    assert client.diagnostics(uri) == []


@pytest.mark.parametrize(
    "text", ["def broken(:\n    execute_train('é😀')\n", "x = 1\r\n", "import b\nimport a\n", "execute_train(\n"]
)
def test_fix_all_and_organize_imports_never_touch_other_text(client: Client, text: str) -> None:
    uri = client.open("other.py", text)
    client.diagnostics(uri)
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    for kind in ("source.fixAll", "source.organizeImports"):
        for action in client.actions(uri, range_, [], [kind]):
            assert client.applied(action, uri, text) == text


def test_an_excluded_recipe_is_left_alone(client: Client, project: Path, recipe_text: str) -> None:
    (project / "miles-lint.toml").write_text("extend-exclude = ['other.py']\n")
    uri = client.open("other.py", recipe_text)
    assert client.diagnostics(uri) == []
    for kind in ("source.fixAll", "source.organizeImports"):
        for action in client.actions(uri, {"start": START, "end": START}, [], [kind]):
            assert client.applied(action, uri, recipe_text) == recipe_text
