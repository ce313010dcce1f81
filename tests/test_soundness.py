"""Soundness of the fold: whatever the knobs are, the real argv is among those that the folded launch describes.

Recipes are generated in the style of the trainer's own, executed for real against a helper that records,
and compared with the fold of the same text. An example is a recipe at one assignment of its knobs;
SOUNDNESS_RECIPES sets how many recipes a run draws, each with two assignments.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from miles_lint.domain import value
from miles_lint.domain.value import Hole, Text, Value
from miles_lint.fold import operations
from miles_lint.launch import Launch
from miles_lint.recipe import fold_file
from miles_lint.source import Source
from tests.oracles.agreement import disagreement, effective
from tests.oracles.cover import possible
from tests.oracles.generate.recipes import Recipe, recipes
from tests.oracles.stub_helper import run

RECIPES = int(os.environ.get("SOUNDNESS_RECIPES", "1100"))
QUICK = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def folded(recipe: Recipe, **options: object) -> tuple[Launch, ...]:
    return fold_file(Source.from_text("recipe.py", recipe.text), **options)


def check(recipe: Recipe, tally: Counter[str]) -> None:
    launches = folded(recipe)
    for assignment in recipe.assignments:
        outcome = run(recipe.text, recipe.entry, assignment)
        tally["launched" if outcome.launches else "refused"] += 1
        if outcome.refused and not outcome.launches:
            tally["pruned"] += not any(possible(launch, assignment) for launch in launches)
        reason = disagreement(launches, recipe.entry, assignment, outcome.launches)
        assert reason is None, reason


def test_the_real_argv_is_described_whatever_the_knobs_are() -> None:
    tally: Counter[str] = Counter()

    @settings(QUICK, max_examples=RECIPES)
    @given(recipes(assignments=2))
    def property_(recipe: Recipe) -> None:
        check(recipe, tally)

    property_()
    assert tally["launched"] + tally["refused"] >= min(2 * RECIPES, 2000)
    assert tally["launched"] > 5 * tally["refused"], "hardly any recipe reached its launch"
    assert tally["pruned"] >= 0.5 * tally["refused"], "asserts and raises do not prune"


@settings(QUICK, max_examples=max(RECIPES // 10, 1))
@given(recipes(assignments=1))
def test_a_fold_at_one_assignment_describes_the_argv_of_that_assignment(recipe: Recipe) -> None:
    (assignment,) = recipe.assignments
    environment = {name[4:]: str(chosen) for name, chosen in assignment.items() if name.startswith("env:")}
    fields = {name: chosen for name, chosen in effective(assignment).items() if not name.startswith("env:")}
    launches = folded(recipe, assignments=fields, environment=environment, entry=recipe.entry)
    outcome = run(recipe.text, recipe.entry, assignment)
    reason = disagreement(launches, recipe.entry, assignment, outcome.launches)
    assert reason is None, reason


def test_most_of_a_folded_argv_is_known() -> None:
    """Without this a fold that knows nothing would pass."""
    tally: Counter[str] = Counter()

    @settings(QUICK, max_examples=100, phases=(Phase.generate,))
    @given(recipes(assignments=1))
    def property_(recipe: Recipe) -> None:
        for launch in folded(recipe):
            tally["launches"] += 1
            for argument in launch.argv:
                tally["arguments"] += 1
                tally["holes"] += any(isinstance(piece, Hole) for piece in argument.text.pieces)

    property_()
    assert tally["launches"] >= 100
    assert tally["holes"] < 0.25 * tally["arguments"], tally


def _merge_without_guards(first_guard: object, first: Text, second_guard: object, second: Text) -> Text:
    return Text(first.pieces + second.pieces)


def _merge_keeping_the_first(first_guard: object, first: Text, second_guard: object, second: Text) -> Text:
    return first


_choose = value.choose


def _choose_the_first(options: object) -> Value:
    possible = [(guard, option) for guard, option in options if not guard.impossible]
    return _choose(possible[:1])


def _always_true(machine: object, tested: Value) -> object:
    return machine.space.always


MUTATIONS = (
    (value.merge_texts, _merge_without_guards),
    (value.merge_texts, _merge_keeping_the_first),
    (value.choose, _choose_the_first),
    (operations.truth, _always_true),
)


@pytest.fixture
def mutate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[object, object], None]]:
    def replace_everywhere(original: object, replacement: object) -> None:
        modules = [module for name, module in sys.modules.items() if name.startswith("miles_lint.")]
        for module in modules:
            for name, known in list(vars(module).items()):
                if known is original:
                    monkeypatch.setattr(module, name, replacement)

    yield replace_everywhere


@pytest.mark.parametrize(("original", "broken"), MUTATIONS, ids=[broken.__name__ for _, broken in MUTATIONS])
def test_an_evaluator_that_breaks_guards_is_caught(
    mutate: Callable[[object, object], None], original: object, broken: object
) -> None:
    mutate(original, broken)
    tally: Counter[str] = Counter()

    @settings(QUICK, max_examples=200, phases=(Phase.generate,))
    @given(recipes(assignments=2))
    def property_(recipe: Recipe) -> None:
        check(recipe, tally)

    with pytest.raises(AssertionError, match="real launch"):
        property_()
