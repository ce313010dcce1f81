"""Clean recipes are silent; a mistake put into one at a random place is told there, and nothing else is.

The recipes are in `fixtures/rules/clean`, in the styles that launchers are written in. Places are drawn by a generator
that is seeded with the names of the recipe and the mistake, so every run draws the same; `MILES_LINT_DRAWS` asks for
more places than one.
"""

from __future__ import annotations

import ast
import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from miles_lint.lint import lint_alone
from miles_lint.rules import RULES
from miles_lint.settings import Settings
from miles_lint.source import Source

FOLDER = Path(__file__).parent / "fixtures" / "rules" / "clean"
DRAWS = int(os.environ.get("MILES_LINT_DRAWS", "1"))
_ROW = re.compile(r'^([ ]+)(f?)"(--[^"\n]*)"(,?)[ ]*$', re.MULTILINE)
"""A row that holds one literal of flags and nothing else."""

Mutate = Callable[[random.Random, str], "tuple[str, int] | None"]
"""Puts a mistake into a text: the new text and the row where it must be told; None where there is no place for it."""


FULLY_ASYNC = "miles.rollout.fully_async_rollout.FullyAsyncRolloutFn"
LAUNCH = r"U\.execute_train"


@dataclass(frozen=True)
class Mistake:
    """A kind of mistake, the code that tells it, and codes that may tell more of the same."""

    name: str
    code: str
    mutate: Mutate
    also: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.code}-{self.name}"


def rows_above(text: str, offset: int) -> int:
    """The 1-based row of an offset."""
    return text.count("\n", 0, offset) + 1


def written(words: str, *, needs: str = "", unless: str = "") -> Mutate:
    """Another row of flags behind a random one. `needs` and `unless`: what the recipe must (not) say."""

    def mutate(draw: random.Random, text: str) -> tuple[str, int] | None:
        if re.search(needs, text) is None or (unless and re.search(unless, text) is not None):
            return None
        place = draw.choice(list(_ROW.finditer(text)))
        ending = " " if place[3].endswith(" ") else ""
        row = f'\n{place[1]}"{words}{ending}"{place[4]}'
        return text[: place.end()] + row + text[place.end() :], rows_above(text, place.end()) + 1

    return mutate


def replaced(pattern: str, by: str | Callable[[re.Match[str]], str], at: str = "", unless: str = "") -> Mutate:
    """A random match of a pattern replaced; the finding stands there, or in the row that the pattern `at` finds."""

    def mutate(draw: random.Random, text: str) -> tuple[str, int] | None:
        places = list(re.finditer(pattern, text, re.MULTILINE))
        if not places or (unless and unless in text):
            return None
        place = draw.choice(places)
        new = text[: place.start()] + (by(place) if callable(by) else place.expand(by)) + text[place.end() :]
        shown = re.search(at.replace("NAME", place[place.lastindex or 0]), new, re.MULTILINE) if at else place
        assert shown is not None
        return new, rows_above(new, shown.start())

    return mutate


def misspelled(draw: random.Random, text: str) -> tuple[str, int] | None:
    """Two letters of a long flag swapped."""
    places = list(re.finditer(r'^ +f?"--([a-z]+(?:-[a-z]+)+) ', text, re.MULTILINE))
    place = draw.choice(places)
    name = place[1]
    swaps = [i for i in range(1, len(name) - 1) if name[i] != name[i + 1] and "-" not in name[i : i + 2]]
    at = draw.choice(swaps)
    wrong = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    start, end = place.span(1)
    return text[:start] + wrong + text[end:], rows_above(text, start)


def dropped_space(draw: random.Random, text: str) -> tuple[str, int] | None:
    """The space at the end of a literal, with another literal of flags behind it."""
    places = list(re.finditer(r'(?<=[^\s}]) "(?=\n +f?"--)', text))
    if not places:
        return None
    place = draw.choice(places)
    return text[: place.start()] + '"' + text[place.end() :], rows_above(text, place.start())


MISTAKES = (
    Mistake("path", "MIL001", written(f"--rollout-function-path {FULLY_ASYNC}", unless="--fully-async"), ("MIL002",)),
    Mistake("partial", "MIL002", written("--partial-rollout", needs="--fully-async")),
    Mistake("abort", "MIL002", replaced("--pause-generation-mode in_place", "--pause-generation-mode abort")),
    Mistake("colocate", "MIL003", written("--colocate", needs="train_async"), ("MIL002",)),
    Mistake("driver", "MIL003", replaced('train_script="train_async.py",', "", "--fully-async")),
    Mistake("module", "MIL004", written("--dynamic-sampling-filter-path miles.rollout.filter_hubs.filters.check")),
    Mistake("name", "MIL004", written("--custom-rm-path miles.rollout.rm_hub.async_rn")),
    Mistake("space", "MIL101", dropped_space),
    Mistake("space-behind-a-field", "MIL101", replaced(r'(?<=\}) "(?=\n +f?"--)', '"', r'(?<=\}"\n) +f?"--')),
    Mistake("prefix", "MIL102", replaced(r'(?<= )f"(?=--[^"\n]*\{)', '"'), ("MIL207",)),
    Mistake("apostrophe", "MIL103", written("--tool-key don't", needs="execute_train")),
    Mistake("empty", "MIL104", replaced(r'^( +)("--lr )', r"""\1f"--tool-key {''} "\n\1\2""")),
    Mistake("no-value", "MIL104", replaced(r"--lr [\w.-]+", "--lr")),
    Mistake("brackets", "MIL105", written("--moe-layer-freq [0,1,1]", unless="fsdp")),
    Mistake("star", "MIL105", written("--tool-key /data/*.json")),
    Mistake("json", "MIL106", written("--apply-chat-template-kwargs '{a: true}'")),
    Mistake("one-word", "MIL107", written("'--rollout-seed 5'")),
    Mistake("group", "MIL108", replaced(r'^ +f"\{(eval|grpo|optimizer)_args\} "\n', "", r'(?<=NAME_args = \(\n) +"')),
    Mistake("unbound", "MIL109", replaced(r"(?<=\{)(\w+)_args(?=\} )", r"\1_argz"), ("MIL108",)),
    Mistake("comment", "MIL110", written("# --rollout-seed 4", needs="execute_train")),
    Mistake("unknown", "MIL201", written("--filter-zero-reward-samples")),
    Mistake("misspelled", "MIL201", misspelled),
    Mistake("removed", "MIL202", written("--disable-weights-backuper")),
    Mistake("renamed", "MIL202", written("--rollout-num-gpus-per-node 8")),
    Mistake("backend", "MIL203", written("--save-retain-interval 5", needs="--train-backend fsdp"), ("MIL302",)),
    Mistake("other-backend", "MIL203", written("--gradient-checkpointing", unless="--train-backend fsdp")),
    Mistake("engine", "MIL204", written("--mem-fraction-static 0.7")),
    Mistake("short", "MIL205", written("--rollout-batch 16", unless="fsdp")),
    Mistake("choice", "MIL206", replaced(r"--advantage-estimator \w+", "--advantage-estimator grop")),
    Mistake("number", "MIL207", replaced(r"--rollout-batch-size (?:\d+|\{[\w.]+\})", "--rollout-batch-size many")),
    Mistake("at-the-end", "MIL208", replaced("train_args=train_args", 'train_args=train_args + " --seed"')),
    Mistake("deprecated", "MIL209", written("--use-miles-router")),
    Mistake("switch", "MIL210", written("--balance-data true")),
    Mistake("twice", "MIL211", replaced(r"--lr ([\w.-]+)", r"--lr \1 --seed 3 --lr 0.5")),
    Mistake(
        "two-penalties",
        "MIL301",
        written("--kl-coef 0.1 --use-kl-loss --kl-loss-coef 0.1", unless="kl-loss"),
        ("MIL302",),
    ),
    Mistake("epochs", "MIL302", written("--num-epoch 3")),
    Mistake("leftover", "MIL302", written("--sglang-speculative-num-steps 3", needs="fsdp|subprocess")),
    Mistake("engine-size", "MIL302", written("--sglang-tp-size 16", needs="fsdp|subprocess|gpus-per-engine")),
    Mistake("interval", "MIL303", written("--eval-prompt-data aime /data/aime.jsonl", needs="fsdp|subprocess")),
    Mistake("samples", "MIL304", replaced(r"--global-batch-size \d+", "--global-batch-size 999999", unless="fsdp")),
    Mistake("rank", "MIL305", written("--save-debug-train-data '/data/{rollout_id}.pt'")),
    Mistake("variable", "MIL401", replaced(r'"NCCL_DEBUG": "WARN",', '"PYTHONBUFFERED": "1",')),
    Mistake("letter", "MIL401", replaced(r'"NCCL_DEBUG": "WARN",', '"CUDA_DEVICE_MAX_CONNECTION": "1",')),
    Mistake("model-type", "MIL402", replaced(r'(?<=megatron_model_type=")[\w.-]+', r"\g<0>x", LAUNCH)),
    Mistake("model-case", "MIL402", replaced(r'(?<=megatron_model_type=")\w+', lambda it: it[0].swapcase(), LAUNCH)),
    Mistake("helper-backend", "MIL403", replaced("_type=None", '_type="qwen3-4B"', "--train-backend"), ("MIL406",)),
    Mistake("config", "MIL404", replaced(r"^ +config=args,\n", "", LAUNCH)),
    Mistake("credential", "MIL405", written("--wandb-key 8d1f0c3a9b7e65420f1d8d1f0c3a9b7e65420f1d"), ("MIL302",)),
    Mistake("checkpoint", "MIL406", replaced("/models/Qwen3-4B", "/models/Qwen3-8B")),
    Mistake("model", "MIL407", replaced(r'"NCCL_DEBUG": "WARN",', '"MODEL_ARGS_ROTARY_BASE": "5000000",')),
    Mistake("comma", "MIL501", replaced(r'(?<=_args = \(\n)( +f?"[^"\n]*")', r"\1,")),
    Mistake("none", "MIL502", replaced(r"^(STEPS|NUM_GPUS) = \d+", r"\1 = None", r"\{NAME\} ")),
    Mistake("field", "MIL503", replaced(r"(?<=\{sizes\.)(prompts|samples)", r"\1_each")),
    Mistake("domain", "MIL504", replaced('args.hardware == "GB300"', 'args.hardware == "GB30"')),
    Mistake("default", "MIL505", replaced("(?=^    ckpt_args)", '    assert args.hardware != "H100"\n')),
    Mistake("keyword", "MIL506", replaced("(?<=^        )gpus(?==NUM_GPUS)", "num_gpus")),
    Mistake("helper", "MIL508", replaced(r"U\.execute_train(?=\()", "U.execute_trains", unless="create_backend")),
)
RECIPES = tuple(sorted(FOLDER.glob("*.py")))
PAIRS = tuple((recipe, mistake) for mistake in MISTAKES for recipe in RECIPES)


def told(path: Path, text: str) -> list[tuple[str, int, str]]:
    """Code, row and message of every finding of the default rules."""
    ast.parse(text)
    source = Source.from_text(str(path), text)
    found = lint_alone(source, Settings()).diagnostics
    return [(each.code, source.position(each.place.span.start)[0], each.message) for each in found]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_the_original_is_silent(recipe: Path) -> None:
    assert told(recipe, recipe.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("recipe", "mistake"), PAIRS, ids=lambda each: each.stem if isinstance(each, Path) else str(each)
)
def test_a_mistake_is_told_where_it_is(recipe: Path, mistake: Mistake) -> None:
    text = recipe.read_text("utf-8")
    for number in range(DRAWS):
        mutated = mistake.mutate(random.Random(f"{recipe.stem} {mistake} {number}"), text)
        if mutated is None:
            pytest.skip("no place for this mistake")
        found = told(recipe, mutated[0])
        assert (mistake.code, mutated[1]) in {(code, row) for code, row, _ in found}, (found, mutated)
        assert {code for code, _, _ in found} <= {mistake.code, *mistake.also}, found


def test_every_mistake_has_a_place_and_every_rule_that_is_on_has_a_mistake() -> None:
    placed = {
        mistake.code
        for recipe, mistake in PAIRS
        if mistake.mutate(random.Random(0), recipe.read_text("utf-8")) is not None
    }
    assert placed == {mistake.code for mistake in MISTAKES}
    on = {rule.code for rule in RULES if rule.default_on and (rule.check is not None or rule.examine is not None)}
    assert on <= placed
