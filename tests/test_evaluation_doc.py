"""Every example of docs/evaluation.md is executed and prints what stands there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from launches import Run

from miles_lint.domain.value import Reason
from miles_lint.fold.budget import Budget

PAGE = (Path(__file__).parents[1] / "docs" / "evaluation.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"```(python|console)\n(.*?)```\n", re.DOTALL)
_NAMED = re.compile(r"# ([\w./-]+\.py)\n")


@dataclass(frozen=True)
class Example:
    """Files, and commands with what they print."""

    row: int
    files: dict[str, str]
    commands: tuple[tuple[str, str], ...]


def examples() -> Iterator[Example]:
    files: dict[str, str] = {}
    for block in _BLOCK.finditer(PAGE):
        kind, text = block.groups()
        if kind == "python":
            named = _NAMED.match(text)
            files[named[1] if named else "recipe.py"] = text
            continue
        parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
        yield Example(PAGE.count("\n", 0, block.start()) + 1, files, tuple(zip(parts[1::2], parts[2::2])))
        files = {}


EXAMPLES = tuple(examples())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"row{example.row}")
def test_it_prints_what_the_page_says(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    run = Run(tmp_path, capsysbinary)
    for name, text in example.files.items():
        run.write(name, text)
    assert example.files and example.commands
    for command, printed in example.commands:
        program, *arguments = shlex.split(command)
        done = run(*arguments)
        assert program == "miles-lint"
        assert done.out + done.err == printed


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 12


def test_every_reason_is_explained() -> None:
    told = set(re.findall(r"^\| ([\w ]+?) \| ", PAGE, re.MULTILINE))
    assert {reason.value for reason in Reason} <= told


def test_the_budgets_are_those_in_force() -> None:
    budget = Budget()
    for name, value in (
        ("alternatives of one value", budget.alternatives),
        ("turns of one loop", budget.iterations),
        ("depth of calls", budget.depth),
        ("characters of one computed text", budget.text),
        ("pieces of one text", budget.pieces),
        ("bits of one computed number", budget.number_bits),
        ("depth of one value", budget.nesting),
        ("items of one container", budget.items),
        ("steps of one entry point", budget.steps),
    ):
        assert f"| {name} | {value:,} |" in PAGE
