"""The plugin through the real flake8: same places as the command line, and nothing that ends its run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_flake8_path import Flake8Path

from miles_lint import flake8_plugin
from miles_lint.flake8_plugin import Plugin

RECIPE = (Path(__file__).parent / "fixtures" / "doors" / "run_fully_async.py").read_text()
ROW = RECIPE[: RECIPE.index("--rollout-function-path")].count("\n") + 1
CRASH = """
import miles_lint.lint


def check(source, settings):
    raise ZeroDivisionError("oh")


miles_lint.lint._check = check
"""
EXPECTED = f":{ROW}:10: MIL001 "


@pytest.fixture
def flake8(flake8_path: Flake8Path) -> Flake8Path:
    (flake8_path / "recipe.py").write_text(RECIPE)
    return flake8_path


def places(lines: list[str]) -> list[str]:
    return [":".join(line.split(" ")[:2]) for line in lines if " MIL" in line]


def test_is_listed(flake8: Flake8Path) -> None:
    done = flake8.run_flake8(["--version"])
    assert any("miles-lint" in line for line in done.out_lines)


def test_same_places_as_the_command_line(flake8: Flake8Path) -> None:
    for number in range(3):
        text = RECIPE.replace("/data/", f"/data/é😀{number}/").replace(
            "    execute()", "    execute()" + "\n" * number
        )
        (flake8 / f"r{number}.py").write_text(text)
    done = flake8.run_flake8(["--select", "MIL"])
    command = [sys.executable, "-m", "miles_lint", "--output-format", "concise", "-q", "--isolated"]
    ours = subprocess.run(command, cwd=flake8, capture_output=True, text=True).stdout.splitlines()
    assert sorted(places(done.out_lines)) == sorted(
        "./" + place for place in places([each.replace("[*] ", "") for each in ours])
    )
    assert len(ours) >= 4


@pytest.mark.skipif("MILES_ROOT" not in os.environ, reason="MILES_ROOT names no trainer checkout")
def test_same_places_in_a_checkout() -> None:
    folders = ["examples", "scripts", "tests/e2e"]
    shared = {"cwd": os.environ["MILES_ROOT"], "capture_output": True, "text": True}
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "MIL", *folders]
    theirs = subprocess.run(command, **shared).stdout  # type: ignore[call-overload]
    command = [sys.executable, "-m", "miles_lint", "--isolated", "-q", "--output-format", "concise", *folders]
    ours = subprocess.run(command, **shared).stdout.replace("[*] ", "")  # type: ignore[call-overload]
    assert sorted(places(theirs.splitlines())) == sorted(places(ours.splitlines())) != []


def test_several_processes(flake8: Flake8Path) -> None:
    for number in range(6):
        (flake8 / f"r{number}.py").write_text(RECIPE)
    alone = flake8.run_flake8(["--select", "MIL", "-j", "1", "--mil-extra-flags=--fleet-*"])
    shared = flake8.run_flake8(["--select", "MIL", "-j", "2", "--mil-extra-flags=--fleet-*"])
    assert alone.out_lines == shared.out_lines
    assert len([line for line in alone.out_lines if "MIL001" in line]) == 7


def test_standard_input(flake8: Flake8Path) -> None:
    command = [sys.executable, "-m", "flake8", "--select", "MIL", "--stdin-display-name", "sub/shown.py", "-"]
    done = subprocess.run(command, cwd=flake8, input=RECIPE.encode(), capture_output=True)
    assert done.stdout.decode().startswith(f"sub/shown.py{EXPECTED}")
    assert done.returncode == 1


def test_text_with_a_mark_and_other_newlines(flake8: Flake8Path) -> None:
    (flake8 / "recipe.py").write_bytes(b"\xef\xbb\xbf" + RECIPE.replace("\n", "\r\n").encode())
    done = flake8.run_flake8(["--select", "MIL001"])
    assert done.out_lines[0].startswith(f"./recipe.py{EXPECTED}")


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        ("", True),
        ("ignore = E501", True),
        ("extend-ignore = MIL001", False),
        ("extend-ignore = MIL", False),
        ("per-file-ignores =\n    recipe.py: MIL001", False),
    ],
)
def test_ignoring(config: str, shown: bool, flake8: Flake8Path) -> None:
    (flake8 / "setup.cfg").write_text(f"[flake8]\nmax-line-length = 200\n{config}\n")
    done = flake8.run_flake8()
    assert any("MIL001" in line for line in done.out_lines) == shown


def test_flake8_reads_its_own_suppressions(flake8: Flake8Path) -> None:
    line = RECIPE.split("\n")[ROW - 1]
    (flake8 / "recipe.py").write_text(RECIPE.replace(line, f"{line}  # noqa: MIL001"))
    assert flake8.run_flake8(["--select", "MIL001"]).out_lines == []
    assert flake8.run_flake8(["--select", "MIL001", "--disable-noqa"]).out_lines != []


def test_settings_of_ours_count(flake8: Flake8Path) -> None:
    (flake8 / "miles-lint.toml").write_text("ignore = ['MIL001']\n")
    assert not any("MIL001" in line for line in flake8.run_flake8().out_lines)
    assert any("MIL001" in line for line in flake8.run_flake8(["--select", "MIL001"]).out_lines)


def test_a_rule_that_crashes_does_not_end_the_run(flake8: Flake8Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (flake8 / "other.py").write_text("import os\n")
    (flake8 / "sitecustomize.py").write_text(CRASH)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(flake8), *filter(None, [os.environ.get("PYTHONPATH")])]))
    done = flake8.run_flake8(["--select", "MIL9,F401"])
    assert "./other.py:1:1: F401 'os' imported but unused" in done.out_lines
    assert "./recipe.py:1:1: MIL901 internal error: ZeroDivisionError: oh" in done.out_lines


def test_broken_settings_are_told_and_do_not_end_the_run(flake8: Flake8Path) -> None:
    (flake8 / "miles-lint.toml").write_text("selct = []\n")
    (flake8 / "other.py").write_text("import os\n")
    done = flake8.run_flake8(["--select", "MIL,F401"])
    assert any("F401" in line for line in done.out_lines)
    assert any("MIL901" in line and "did you mean `select`" in line for line in done.out_lines)


def test_rules_off_by_default_need_an_explicit_selection(fake_rules: None, monkeypatch: pytest.MonkeyPatch) -> None:
    flake8_plugin._settings_below.cache_clear()

    def codes(**options: object) -> list[str]:
        base = {
            "mil_trainer": None,
            "mil_extra_flags": [],
            "mil_all_knobs": False,
            "select": None,
            "extend_select": None,
        }
        Plugin.parse_options(SimpleNamespace(**{**base, **options}))  # type: ignore[arg-type]
        text = "bad_call(house_call)  # noqa\n"
        return [each[2][:6] for each in Plugin(ast.parse(text), [text], "a.py").run()]

    assert codes() == ["MIL001"]
    assert codes(select=["E", "F"]) == ["MIL001"]
    assert codes(extend_select=["MIL410"]) == ["MIL001", "MIL410"]
    assert codes(select=["M"]) == ["MIL001"]
    assert codes(select=["MIL"]) == ["MIL001"]
    assert codes(select=["MIL4", "MIL7"]) == ["MIL001", "MIL410"]
    assert codes(select=None) == ["MIL001"]
