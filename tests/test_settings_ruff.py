"""Rule selection and file patterns against the real ruff, on random settings files and command lines."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import SimpleNamespace

import pytest
from ruff_bridge import ruff

from miles_lint import selection
from miles_lint.globs import Glob, fits
from miles_lint.selection import Selection
from miles_lint.settings import Settings, apply_table

CODES = ("F401", "F403", "F541", "F811", "F841")
TEXT = "import os\nfrom sys import *\nimport re\nimport re\nx = f'a'\ndef f():\n    y = 1\nprint(re)\n"
RULES = tuple(
    SimpleNamespace(code=code.replace("F", "MIL"), name=code.lower(), default_on=code != "F403") for code in CODES
)
SELECTORS = ("ALL", "F", "F4", "F40", "F8", *CODES)
KEYS = ("select", "ignore", "extend-select", "fixable", "unfixable")


def _layer(chance: random.Random) -> dict[str, list[str]]:
    keys = [key for key in KEYS if chance.random() < 0.4]
    return {key: chance.choices(SELECTORS, k=chance.choice((0, 1, 1, 2, 2, 3))) for key in keys}


def _ours(layer: dict[str, list[str]]) -> Selection:
    table = {key: tuple(each.replace("F", "MIL") for each in value) for key, value in layer.items()}
    return Selection(
        table.get("select"),
        table.get("extend-select", ()),
        table.get("ignore", ()),
        table.get("fixable"),
        (),
        table.get("unfixable", ()),
    )


@pytest.mark.parametrize("seed", range(80))
def test_selection(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    config, command = _layer(chance), _layer(chance)
    command = {key: value for key, value in command.items() if value}
    (tmp_path / "a.py").write_text(TEXT)
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in config.items()]
    (tmp_path / "ruff.toml").write_text("[lint]\n" + "".join(lines))
    base = ["check", "a.py", "--output-format", "json"]
    options = [f"--{key}={','.join(value)}" for key, value in command.items()]
    done = ruff(*base, *options, cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    shown = json.loads(done.stdout)
    layers = (_ours(config), _ours(command))
    on = selection.enabled(layers, RULES)
    assert {each["code"].replace("F", "MIL") for each in shown if each["code"] in CODES} == on
    able = selection.fixable(layers, RULES)
    for each in shown:
        if each["code"] in ("F401", "F541", "F841"):
            assert (each["fix"] is not None) == (each["code"].replace("F", "MIL") in able)


PATHS = ("a.py", "sub/a.py", "sub/deep/b.py", "sub/deep/a_test.py", "test_sub/c.py", "x[1].py")
PATTERNS = (
    *("a.py", "*.py", "sub", "sub/", "sub/*", "sub/**", "**/a.py", "**/deep/**", "*_test.py", "test*", "./sub/a.py"),
    *("sub/deep", "*/b.py", "x[[]1].py", "[a-b].py", "[!a].py", "{a,c}.py", "sub/{a,deep/b}.py", "?.py", "nothing"),
    *("sub/deep/", "s*b", "../*/sub/a.py", "deep", "**/sub"),
)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_per_file_ignores(pattern: str, tmp_path: Path) -> None:
    root = tmp_path / "proj"
    for path in PATHS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("import os\n")
    config = f"[lint]\nselect = ['F401']\n[lint.per-file-ignores]\n{json.dumps(pattern)} = ['F401']\n"
    (root / "ruff.toml").write_text(config)
    shown = {each["filename"] for each in json.loads(ruff("check", "--output-format", "json", cwd=root).stdout)}
    glob = (Glob(pattern, str(root)),)
    assert {path for path in PATHS if not fits(glob, str(root / path))} == {
        path for path in PATHS if str(root / path) in shown
    }


def test_settings_of_one_table_reach_the_rules(fake_rules: None) -> None:
    settings = apply_table(Settings(), {"select": ["MIL0"], "ignore": ["MIL003"]}, "the CLI", "/p")
    assert settings.enabled("/p/a.py") == {"MIL001", "MIL002"}
    settings = apply_table(settings, {"per-file-ignores": {"a.py": ["MIL00"], "!b.py": ["MIL002"]}}, "the CLI", "/p")
    assert settings.enabled("/p/a.py") == set()
    assert settings.enabled("/p/b.py") == {"MIL001", "MIL002"}
    assert settings.enabled("/p/c.py") == {"MIL001"}
