"""Standard input as editors need it: with a repair, standard output is the whole source and nothing else."""

from __future__ import annotations

import json

import pytest
from doors import Cli

WHOLE = [
    pytest.param("bad_call()\n", "good_call()\n", id="fixed"),
    pytest.param("odd_call()\n", "odd_call()\n", id="nothing to fix"),
    pytest.param("x = 1\n", "x = 1\n", id="no recipe"),
    pytest.param("bad_call(\n", "bad_call(\n", id="syntax error"),
    pytest.param("", "", id="empty"),
    pytest.param("\ufeff", "\ufeff", id="only a mark"),
    pytest.param(
        "\ufeffbad_call()\r\n\r\nx = 'é😀'", "\ufeffgood_call()\r\n\r\nx = 'é😀'", id="mark, CRLF, no last newline"
    ),
    pytest.param("bad_call()\rx = 1\r", "good_call()\rx = 1\r", id="CR"),
    pytest.param("bad_call()  # noqa\n", "bad_call()  # noqa\n", id="silenced"),
]
RUFF_LSP = ["check", "--force-exclude", "--no-cache", "--no-fix", "--quiet", "--output-format", "json", "-", "--fix"]
PYLSP = [
    "check",
    "--quiet",
    "--exit-zero",
    "--output-format=json",
    "--extension=ipynb:python",
    "--fix",
    "--force-exclude",
]


@pytest.mark.parametrize(("text", "fixed"), WHOLE)
@pytest.mark.parametrize("named", [True, False])
def test_the_whole_source(text: str, fixed: str, named: bool, cli: Cli) -> None:
    name = ["--stdin-filename", f"{cli.root}/a.py"] if named else []
    for arguments in (
        [*RUFF_LSP, *name],
        [*PYLSP, *name, "--", "-"],
        ["--fix-only", *name, "-"],
        ["-", "--fix", "-s", *name],
    ):
        assert cli(*arguments, stdin=text).out == fixed.encode()
    assert not (cli.root / "a.py").exists()


def test_not_utf8(cli: Cli) -> None:
    content = b"bad_call('\xe9')\n"
    ran = cli("--fix", "-", "--output-format", "json", stdin=content)
    assert (ran.code, ran.out) == (1, content)
    assert [each["code"] for each in json.loads(ran.err)] == ["E902"]
    assert (
        json.loads(cli("-", "--output-format", "json", stdin=content).out)[0]["message"]
        == "stream did not contain valid UTF-8"
    )


@pytest.mark.parametrize(
    "how", [["--exclude", "sub"], ["--extend-exclude", "a.py"], ["--config", "extend-exclude = ['sub/*']"]]
)
def test_an_excluded_file_is_echoed(how: list[str], cli: Cli) -> None:
    arguments = ["--force-exclude", *how, "--stdin-filename", "sub/a.py", "-"]
    assert cli(*arguments, "--fix", stdin="bad_call()\n").out == b"bad_call()\n"
    assert cli(*arguments, "--output-format", "json", stdin="bad_call()\n").text == "[]"
    assert cli(*arguments, "--diff", stdin="bad_call()\n").out == b""


def test_findings_go_to_the_other_stream_when_the_source_is_printed(cli: Cli) -> None:
    ran = cli("--fix", "--unsafe-fixes", "--output-format", "concise", "-", stdin="bad_call(odd_call)\n")
    assert (ran.code, ran.text) == (1, "good_call(odd_call)\n")
    assert ran.err == "-:1:11: MIL003 `odd_call` is odd\nFound 2 errors (1 fixed, 1 remaining).\n"


def test_settings_and_ignores_follow_the_name(cli: Cli) -> None:
    cli.write("sub/miles-lint.toml", "select = ['MIL003']\n[per-file-ignores]\n'quiet.py' = ['MIL']\n")
    text = "bad_call(odd_call)\n"
    found = json.loads(cli("--output-format", "json", "--stdin-filename", "sub/new.py", "-", stdin=text).out)
    assert [(each["code"], each["filename"]) for each in found] == [("MIL003", f"{cli.root}/sub/new.py")]
    assert cli("--stdin-filename", "sub/quiet.py", "-", stdin=text).code == 0
    assert {each["filename"] for each in json.loads(cli("--output-format", "json", "-", stdin=text).out)} == {"-"}


def test_paths_without_a_name(cli: Cli) -> None:
    for name, start in (
        ("sarif", '"uri": "-"'),
        ("github", "file=-,"),
        ("concise", "-:1:1:"),
        ("gitlab", '"path": "-"'),
    ):
        assert start in cli("--output-format", name, "-", stdin="bad_call()\n").text


def test_other_paths_are_ignored_with_a_warning(cli: Cli) -> None:
    ran = cli("--stdin-filename", "a.py", "b.py", "-", stdin="bad_call()\n")
    assert ran.err == "warning: Ignoring file b.py in favor of standard input.\n"
    assert cli("-q", "--stdin-filename", "a.py", "b.py", "-", stdin="bad_call()\n").err == ""


def test_diff(cli: Cli) -> None:
    ran = cli("--diff", "--stdin-filename", "a.py", "-", stdin="x = 1\r\nbad_call()")
    assert ran.out == (
        b"--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n x = 1\r\n-bad_call()\n\\ No newline at end of file\n"
        b"+good_call()\n\\ No newline at end of file\n\n"
    )
    assert ran.err == "Would fix 1 error.\n"
    assert cli("--diff", "-", stdin="bad_call()\n").out == b"@@ -1 +1 @@\n-bad_call()\n+good_call()\n\n"
