"""Snippets that a fold has got wrong, or might: each is run for real and must be described at every assignment.

They are in `fixtures/snippets/*.txt`, each below a line `### what it is about`. A snippet sets `x`, the flags, or
launches by itself; lines above `%%` belong to the module, lines above `@@` to the argument dataclass.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from miles_lint.recipe import fold_file
from miles_lint.source import Source
from tests.oracles.agreement import disagreement
from tests.oracles.generate.recipes import IMPORTS
from tests.oracles.stub_helper import run

FOLDER = Path(__file__).parent / "fixtures/snippets"
FIELDS = """\
    num_gpus: int = 2
    mode: Literal["a", "b", "c"] = "a"
    word: str = "w-1"
    on: bool = False
    opt: Optional[int] = None
    items: list[str] = field(default_factory=lambda: ["p"])
    extra_args: str = ""
"""
LAUNCH = (
    "    U.execute_train(train_args='--train-backend fsdp ' + x, num_gpus_per_node=8,"
    " megatron_model_type=None, config=args)\n"
)
ASSIGNMENTS: tuple[dict[str, object], ...] = (
    {},
    {"num_gpus": 4, "on": True},
    {"mode": "b", "word": "q-7layer"},
    {"mode": "c", "opt": 3, "on": True},
    {"num_gpus": 0, "opt": 0},
    {"num_gpus": 3, "mode": "b", "on": True, "opt": 9, "items": ["r", "s"]},
    {"extra_args": "--lr 3 --u", "on": True},
    {"word": "v w "},
    {"word": " k5"},
    {"word": "A", "on": True},
    {"env:FOO": "1"},
    {"env:FOO": "x", "on": True, "mode": "b"},
)


def snippets() -> Iterator[object]:
    for path in sorted(FOLDER.glob("*.txt")):
        for part in path.read_text().split("### ")[1:]:
            title, _, body = part.partition("\n")
            yield pytest.param(body.strip("\n"), id=f"{path.stem}: {title}")


def recipe(snippet: str) -> str:
    """The snippet as a whole recipe."""
    above, _, body = snippet.rpartition("%%\n")
    members, _, module = above.rpartition("@@\n")
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    launch = "" if "execute_train" in snippet else LAUNCH
    return (
        f"{IMPORTS}import dataclasses\n{module}\n@dataclass\nclass ScriptArgs(U.ExecuteTrainConfig):\n"
        f"{FIELDS}{members}\n@app.command()\n@U.dataclass_cli\ndef train(args: ScriptArgs):\n{lines}{launch}"
    )


@pytest.mark.parametrize("snippet", list(snippets()))
def test_what_running_gives_is_described(snippet: str) -> None:
    text = recipe(snippet)
    launches = fold_file(Source.from_text("recipe.py", text))
    ran = 0
    for assignment in ASSIGNMENTS:
        try:
            outcome = run(text, "train", assignment)
        except Exception:
            continue
        ran += len(outcome.launches)
        reason = disagreement(launches, "train", assignment, outcome.launches)
        assert reason is None, f"{text}\n{reason}"
    assert ran, "the snippet never launches"
