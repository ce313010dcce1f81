"""Input that cannot be checked is told clearly; the other files are checked, and nothing is written."""

from __future__ import annotations

import builtins
import json
import os
from pathlib import Path
from typing import Any

import pytest
from doors import Cli


@pytest.fixture
def mess(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """One good finding among everything that can be wrong with a file."""
    cli.write("good.py", "bad_call()\n")
    cli.write("empty.py", "")
    cli.write("mark.py", "\ufeff")
    cli.write("broken.py", "bad_call(\n")
    (cli.root / "latin.py").write_bytes(b"bad_call('\xe9')\n")
    (cli.root / "nul.py").write_bytes(b"bad_call()\x00\n")
    (cli.root / "loop.py").symlink_to("loop.py")
    (cli.root / "dangling.py").symlink_to("nowhere.py")
    (cli.root / "round").mkdir()
    (cli.root / "round" / "trip").symlink_to(cli.root / "round")
    (cli.root / "dir.py").mkdir()
    cli.write("secret.py", "bad_call()\n")
    real = builtins.open

    def guarded(file: Any, *arguments: Any, **options: Any) -> Any:
        if str(file).endswith("secret.py"):
            raise PermissionError(13, "Permission denied")
        return real(file, *arguments, **options)

    monkeypatch.setattr(builtins, "open", guarded)
    return cli


EXPECTED = {
    "broken.py": ("invalid-syntax", "'(' was never closed"),
    "dangling.py": ("E902", "No such file or directory (os error 2)"),
    "good.py": ("MIL001", "`bad_call` is bad"),
    "latin.py": ("E902", "stream did not contain valid UTF-8"),
    "loop.py": ("E902", "Too many levels of symbolic links (os error 40)"),
    "secret.py": ("E902", "Permission denied (os error 13)"),
}


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() and path.name != "secret.py" else b""
        for path in root.rglob("*")
        if not path.is_symlink()
    }


def test_everything_at_once(mess: Cli) -> None:
    before = snapshot(mess.root)
    ran = mess("--output-format", "json")
    found = {Path(each["filename"]).name: (each["code"], each["message"]) for each in json.loads(ran.out)}
    found.pop("nul.py", None)
    assert found == EXPECTED
    assert (ran.code, ran.err) == (1, "")
    assert snapshot(mess.root) == before


@pytest.mark.parametrize(
    "name", ["full", "concise", "grouped", "junit", "github", "gitlab", "pylint", "rdjson", "azure", "sarif"]
)
def test_every_format_says_it(name: str, mess: Cli) -> None:
    text = mess("--output-format", name).text
    assert all(path in text for path in EXPECTED)
    assert "Traceback" not in text


@pytest.mark.parametrize("path", sorted(EXPECTED))
def test_one_by_one(path: str, mess: Cli) -> None:
    code, message = EXPECTED[path]
    ran = mess("--output-format", "concise", path)
    assert (ran.code, ran.err) == (1, "")
    assert ran.text.startswith(f"{path}:1:") and code in ran.text and message in ran.text


def test_repairing_writes_only_what_was_repaired(mess: Cli) -> None:
    before = snapshot(mess.root)
    assert mess("--fix").code == 1
    after = snapshot(mess.root)
    assert after.pop("good.py") == b"good_call()\n"
    assert before.pop("good.py") == b"bad_call()\n"
    assert after == before


@pytest.mark.parametrize("path", ["empty.py", "mark.py"])
def test_nothing_in_a_file_is_nothing_to_say(path: str, mess: Cli) -> None:
    assert (mess(path).code, mess(path).text) == (0, "All checks passed!\n")


def test_no_python_at_all(cli: Cli) -> None:
    cli.write("docs/a.txt", "bad_call()\n")
    ran = cli("docs")
    assert (ran.code, ran.text) == (0, "All checks passed!\n")
    assert ran.err == "warning: No Python files found under the given path(s)\n"


def test_a_directory_that_cannot_be_listed(mess: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def guarded(path: Any) -> Any:
        if str(path).endswith("round"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found = {Path(each["filename"]).name: each["message"] for each in json.loads(mess("--output-format", "json").out)}
    assert found["round"] == "Permission denied (os error 13)"
    assert found["good.py"] == "`bad_call` is bad"


def test_a_report_that_cannot_be_written(mess: Cli) -> None:
    ran = mess("good.py", "--output-file", "good.py/found.txt")
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err == "miles-lint failed\n  Cause: Failed to write good.py/found.txt\n  Cause: File exists\n"
