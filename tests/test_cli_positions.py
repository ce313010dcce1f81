"""Every option at every place of the command line, in each of its spellings, gives the same."""

from __future__ import annotations

import pytest
from doors import Cli
from ruff_bridge import ruff

from miles_lint.cli.options import CHECK, COUNT, FLAG, HIDDEN, LIST, VALUE, Option

VALUES = {
    "output-format": "concise",
    "output-file": "out.txt",
    "fail-on": "error",
    "trainer": "bundled",
    "extra-flags": "fleet-*",
    "select": "MIL001",
    "per-file-ignores": "a.py:MIL001",
    "extend-per-file-ignores": "a.py:MIL001",
    "stdin-filename": "a.py",
    "jobs": "2",
    "cache-dir": "cache",
    "config": "fail-on = 'error'",
    "color": "never",
    "extension": "ipynb:python",
    "line-length": "100",
    "target-version": "py310",
}
OURS_ALONE = {"fail-on", "all-knobs", "trainer", "extra-flags", "jobs", "add-noqa-reason", "config"}
EXPECTED = {"watch", "show-settings", "show-files", "add-noqa", "add-noqa-reason"}
OPTIONS = [option for option in CHECK if option.name not in EXPECTED]
TEXT = "bad_call(risky_call)\nodd_call()  # noqa\n"


def spellings(option: Option) -> list[list[str]]:
    names = [f"--{option.name}", *([f"-{option.short}"] if option.short else [])]
    if not option.takes_value:
        return [[name] for name in names]
    value = VALUES.get(option.name, "MIL0" if option.metavar == "RULE_CODE" else "a.py")
    return [[names[0], value], [f"{names[0]}={value}"], *([name, value] for name in names[1:])]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_anywhere(option: Option, cli: Cli) -> None:
    cli.write("a.py", TEXT)
    lines = [
        arguments
        for spelled in spellings(option)
        for arguments in (
            ["check", *spelled, "-"],
            ["check", "-", *spelled],
            ["check", "--no-cache", *spelled, "--", "-"],
            [*spelled, "-"],
            ["check", "--force-exclude", "-", *spelled, "--isolated"],
        )
    ]
    ran = [cli(*arguments, stdin=TEXT) for arguments in lines]
    assert all(each.code in (0, 1) for each in ran)
    assert len({(each.code, each.out, each.err) for each in ran}) == 1


@pytest.mark.parametrize(
    "option", [each for each in OPTIONS if each.name not in OURS_ALONE], ids=lambda option: option.name
)
def test_ruff_takes_it_too(option: Option, cli: Cli) -> None:
    cli.write("a.py", "import os\n")
    for spelled in spellings(option):
        theirs = [each.replace("MIL001", "F401").replace("MIL0", "F") for each in spelled]
        for arguments in (["check", *theirs, "-"], ["check", "-", *theirs]):
            assert ruff(*arguments, cwd=cli.root, stdin=b"import os\n").returncode in (0, 1), arguments


@pytest.mark.parametrize("option", [each for each in OPTIONS if each.negated], ids=lambda option: option.name)
def test_the_last_of_an_option_and_its_negation_counts(option: Option, cli: Cli) -> None:
    on, off = f"--{option.name}", f"--{option.negated}"
    assert cli(on, off, "-", stdin=TEXT).out == cli(off, "-", stdin=TEXT).out
    assert cli("-", off, on, stdin=TEXT).out == cli("-", on, stdin=TEXT).out


def test_every_kind_is_among_them() -> None:
    assert {option.kind for option in OPTIONS} == {FLAG, COUNT, LIST, HIDDEN, VALUE}
