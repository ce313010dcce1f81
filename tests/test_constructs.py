"""One snippet a construct: the fold must describe what running it gives, at several assignments.

The snippets are in `fixtures/constructs/*.txt`, separated by a line that starts with `###` and says what is
asked: `exact` (every word known at every assignment) or `covered`. A snippet sets `x`, the flags; lines above
`@@` belong to the argument dataclass, lines above `%%` to the module. `fixtures/launches/*.txt` holds whole
recipes, each under the name of its entry point, with `@@FIELDS` for the head of the argument dataclass.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from miles_lint.recipe import fold_file
from miles_lint.source import Source
from tests.oracles.agreement import disagreement
from tests.oracles.cover import words_at
from tests.oracles.stub_helper import run

FIXTURES = Path(__file__).parent / "fixtures"
IMPORTS = """\
import base64, collections, contextlib, dataclasses, enum, functools, itertools, json, math, os, re, shlex
import string, sys, textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, Optional
import typer
import miles.utils.external_utils.command_utils as U

app = typer.Typer()
FIN = dict(num_gpus_per_node=8, megatron_model_type=None)
"""
FIELDS = """\
@dataclass
class ScriptArgs(U.ExecuteTrainConfig):
    num_gpus: int = 2
    mode: Literal["a", "b", "c"] = "a"
    word: str = "w-1"
    on: bool = False
    opt: Optional[int] = None
    items: list[str] = field(default_factory=lambda: ["p"])
    extra_args: str = ""
"""
RECIPE = """\
{module}

@@FIELDS
{members}

@app.command()
@U.dataclass_cli
def train(args: ScriptArgs):
{body}
    U.execute_train(train_args="--train-backend fsdp " + x, config=args, **FIN)
"""
ASSIGNMENTS = (
    {},
    {"num_gpus": 4, "on": True},
    {"mode": "b", "word": "q-7layer"},
    {"mode": "c", "opt": 3, "on": True},
    {"num_gpus": 0, "opt": 0},
    {"num_gpus": 3, "mode": "b", "on": True, "opt": 9, "items": ["r", "s"]},
    {"extra_args": "--lr 3 --u", "on": True},
)


VARIABLES = ({}, {"env:A": "1"}, {"env:A": "x", "env:B": "2"}, {"env:B": "0"})


def parts(folder: str) -> Iterator[object]:
    for path in sorted((FIXTURES / folder).glob("*.txt")):
        for number, part in enumerate(("\n" + path.read_text()).split("\n### ")[1:], 1):
            wanted, _, text = part.partition("\n")
            yield pytest.param(wanted.strip(), text, id=f"{path.stem}-{number}")


def recipe(text: str) -> str:
    module, _, rest = text.rpartition("%%\n")
    members, _, module = module.rpartition("@@\n")
    body = "".join(f"    {line}\n" if line else "\n" for line in rest.rstrip().split("\n"))
    return whole(RECIPE.format(module=module, members=members.rstrip(), body=body))


def whole(text: str) -> str:
    return IMPORTS + text.replace("@@FIELDS\n", FIELDS)


@pytest.mark.parametrize(("wanted", "text"), list(parts("constructs")))
def test_a_snippet_does_what_its_fold_says(wanted: str, text: str) -> None:
    source = recipe(text)
    launches = fold_file(Source.from_text("recipe.py", source))
    for assignment in ASSIGNMENTS:
        outcome = run(source, "train", assignment)
        reason = disagreement(launches, "train", assignment, outcome.launches)
        assert reason is None, f"{text}\n{reason}"
        if wanted == "exact" and outcome.launches:
            (launch,) = launches
            assert words_at(launch, assignment) == shlex.split(outcome.launches[0].train_args), text
        else:
            assert wanted in ("exact", "covered")


@pytest.mark.parametrize(("entry", "text"), list(parts("launches")))
def test_a_recipe_launches_what_its_fold_says(entry: str, text: str) -> None:
    source = whole(text)
    launches = fold_file(Source.from_text("recipe.py", source))
    assert launches
    for assignment in VARIABLES if entry == "__main__" else ASSIGNMENTS:
        try:
            outcome = run(source, entry, assignment)
        except SystemExit:
            continue
        reason = disagreement(launches, entry, assignment, outcome.launches)
        assert reason is None, f"{text}\n{reason}"


def test_there_are_snippets() -> None:
    assert len(list(parts("constructs"))) > 300
    assert len(list(parts("launches"))) > 30
