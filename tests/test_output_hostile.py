"""Values that hold anything: no format breaks, no terminal is driven, no line is split."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from miles_lint.cli import main
from miles_lint.options import FORMATS

RECIPE = (Path(__file__).parent / "fixtures" / "doors" / "run_fully_async.py").read_text()
BAD = "--rollout-function-path miles.rollout.fully_async_rollout.FullyAsyncRolloutFn "
ODD = "--lr ]]>&<x\\ud800\\x00\\x07 --num-rollout \\u2028\\x85 --num-epoch \x1b[31mred\x9b1m\x7f%0A|\\r\\n "
_DRIVES = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xed[\xa0-\xbf]|\xe2\x80[\xa8\xa9]")


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "recipe.py"
    path.write_text(RECIPE.replace(BAD, BAD + ODD), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_any_format(name: str, recipe: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--isolated", "--output-format", name, "recipe.py"]) == 1
    out, err = capsysbinary.readouterr()
    assert err == b""
    assert not _DRIVES.search(out)
    assert out.decode().count("MIL") >= 3
    if name in ("json", "gitlab", "rdjson", "sarif"):
        json.loads(out)
    elif name == "junit":
        ElementTree.fromstring(out)
    elif name in ("pylint", "github", "azure", "json-lines"):
        assert all("MIL" in line for line in out.decode().splitlines())


@pytest.mark.parametrize(
    "arguments", [["fold"], ["fold", "--output-format", "json"], ["--fix", "--diff"]], ids=" ".join
)
def test_other_commands(arguments: list[str], recipe: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main([*arguments, "recipe.py"]) in (0, 1)
    out, err = capsysbinary.readouterr()
    assert b"failed" not in err and out
    if arguments[-1] == "json":
        json.loads(out)


def test_flake8(recipe: Path) -> None:
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "MIL", "recipe.py"]
    done = subprocess.run(command, cwd=recipe.parent, capture_output=True)
    assert (done.returncode, done.stderr) == (1, b"")
    assert not _DRIVES.search(done.stdout)
    assert all(b"recipe.py:" in line for line in done.stdout.splitlines())
