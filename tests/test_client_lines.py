"""The command lines that clients of ruff send, and what they read of the answer, as their sources have it."""

from __future__ import annotations

import json
import re

import pytest
from doors import Cli, Ran

TEXT = "bad_call('é😀')\nrisky_call = 1\n"
FIXED = TEXT.replace("bad_call", "good_call")


def ask(cli: Cli, line: str, text: str | None = TEXT) -> Ran:
    cli.write("a.py", TEXT)
    words = line.replace("FILE", str(cli.root / "a.py")).replace("DIR", str(cli.root / "kept")).split()
    return cli(*words, stdin=text, ruff=True)


@pytest.mark.parametrize(
    "line",
    [
        "check --force-exclude --quiet --stdin-filename FILE --no-fix --output-format json -",
        "check --output-format=json --stdin-filename FILE -",
        "check --config=fix=false --output-format=json --stdin-filename FILE -",
        "check --force-exclude --no-cache --no-fix --quiet --output-format json - --stdin-filename FILE",
        "check --quiet --exit-zero --output-format=json --extension=ipynb:python --no-fix --force-exclude "
        "--stdin-filename=FILE --line-length=88 --target-version=py310 --preview --isolated -- -",
        "check --cache-dir DIR --output-format json FILE",
    ],
    ids=["nvim-lint", "flycheck", "flycheck with settings", "ruff-lsp", "python-lsp-ruff", "trunk"],
)
def test_readers_of_json(line: str, cli: Cli) -> None:
    ran = ask(cli, line)
    assert ran.code in (0, 1) and ran.err == ""
    found = json.loads(ran.out)
    assert [each["code"] for each in found] == ["MIL001", "MIL002"]
    for each in found:
        assert each["filename"] == str(cli.root / "a.py")
        assert each["location"]["row"] == each["noqa_row"] == each["end_location"]["row"]
        assert each["fix"]["applicability"] in ("safe", "unsafe") and each["fix"]["message"]
        assert {"message", "url", "cell", "severity", "name"} <= set(each)
        assert [set(edit) for edit in each["fix"]["edits"]] == [{"content", "location", "end_location"}]


def test_ale(cli: Cli) -> None:
    version = cli("--version", ruff=True).text
    numbers = re.search(r"\d+\.\d+(?:\.\d+)?", version)
    assert numbers and tuple(map(int, numbers[0].split("."))) >= (0, 5, 0)
    ran = ask(cli, "check -q --no-fix --output-format json-lines --stdin-filename FILE -")
    found = [json.loads(line) for line in (ran.text + ran.err).splitlines()]
    assert [(each["code"], each["location"]["column"]) for each in found] == [("MIL001", 1), ("MIL002", 1)]
    assert ask(cli, "check --stdin-filename FILE --fix -").text == FIXED


def test_trunk_and_ruff_lsp_know_the_version(cli: Cli) -> None:
    version = cli("--version", ruff=True).text
    assert re.fullmatch(r"ruff \d+\.\d+\.\d+(?:\+[\w.]+)?\n", version)


def test_flymake(cli: Cli) -> None:
    ran = ask(cli, "check --output-format concise --exit-zero --quiet - --stdin-filename FILE")
    rows = [re.match(r"^(.*):(\d+):(\d+): ([A-Za-z0-9]+):? (.*)$", line) for line in ran.text.splitlines()]
    assert ran.code == 0
    assert [row and row[4] for row in rows] == ["MIL001", "MIL002"]


def test_efm(cli: Cli) -> None:
    ran = ask(cli, "check --quiet --output-format github --stdin-filename FILE")
    pattern = r"::error title=.*,file=(.*),line=(\d+),col=(\d+),endLine=\d+,endColumn=\d+::(.*):\d+:\d+: (.*)"
    pattern = pattern.replace("error", "(?:error|warning)", 1)
    assert all(re.fullmatch(pattern, line) for line in ran.text.splitlines())
    assert len(ran.text.splitlines()) == 2


def test_mega_linter(cli: Cli) -> None:
    assert re.search(r"Found ([0-9]+) error", ask(cli, "check FILE", None).text)
    ran = ask(cli, "check --output-format sarif --output-file found.sarif FILE", None)
    assert (ran.code, ran.out) == (1, b"")
    assert len(json.loads((cli.root / "found.sarif").read_text())["runs"][0]["results"]) == 2


@pytest.mark.parametrize("line", ["rule MIL001", "--explain MIL001"])
def test_explainers(line: str, cli: Cli) -> None:
    assert cli(*line.split(), ruff=True).text.startswith("# bad-call (MIL001)\n")
