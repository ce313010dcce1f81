"""When findings are told: against a plain model that tries every run a user may start."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product

from miles_lint.domain.guard import OTHER, Guard, Space, Variable
from miles_lint.policy import certain

DOMAINS: Mapping[str, tuple[object, ...]] = {
    "colocate": (False, True),
    "hardware": ("H100", "GB300", "B200"),
    "num_nodes": (1, 2, OTHER),
    "env:MODE": (None, "fast", OTHER),
}


def world() -> tuple[Space, dict[str, Variable]]:
    space = Space()
    return space, {name: space.knob(name, domain) for name, domain in DOMAINS.items()}


def given(space: Space, variable: Variable, *values: object) -> Guard:
    return space.test(variable, frozenset(variable.domain.index(value) for value in values))


def told(violated: Guard, launch: Guard, all_knobs: bool = False) -> str | None:
    spoken = certain(violated, launch, all_knobs)
    return None if spoken is None else spoken.condition


def test_the_words_of_a_condition() -> None:
    space, knobs = world()
    always = space.always
    assert told(always, always) == ""
    assert told(given(space, knobs["colocate"], True), always) == "when `--colocate` is passed"
    assert told(given(space, knobs["hardware"], "B200"), always) == "when `--hardware B200` is passed"
    assert told(given(space, knobs["env:MODE"], "fast"), always) == "when `MODE=fast` is set"
    on = space.knob("use_eval", (True, False))
    assert told(given(space, on, False), always) == "when `--no-use-eval` is passed"
    name = space.knob("run_name", ("x", "a b"))
    assert told(given(space, name, "a b"), always) == "when `--run-name 'a b'` is passed"


def test_values_that_nobody_listed_and_knobs_without_end_are_not_chosen() -> None:
    space, knobs = world()
    assert told(given(space, knobs["env:MODE"], OTHER), space.always, True) is None
    assert told(given(space, knobs["num_nodes"], 2), space.always, True) is None


def test_a_knob_whose_other_values_are_refused_has_an_end() -> None:
    space, knobs = world()
    listed = given(space, knobs["num_nodes"], 1, 2)
    assert told(given(space, knobs["num_nodes"], 2), listed) == "when `--num-nodes 2` is passed"


def test_two_knobs_only_on_request() -> None:
    space, knobs = world()
    both = given(space, knobs["colocate"], True) & given(space, knobs["hardware"], "GB300")
    assert told(both, space.always) is None
    assert told(both, space.always, True) == "when `--colocate` is passed and `--hardware GB300` is passed"


def test_a_run_that_the_recipe_refuses_is_no_example() -> None:
    space, knobs = world()
    colocate, hardware = knobs["colocate"], knobs["hardware"]
    violated = given(space, colocate, True)
    refused = violated & given(space, hardware, "H100")
    assert told(violated, ~refused) is None
    assert told(violated, ~refused, True) == "when `--colocate` is passed and `--hardware GB300` is passed"


def test_a_refused_default_moves_to_what_passes() -> None:
    space, knobs = world()
    assert told(given(space, knobs["colocate"], True), given(space, knobs["colocate"], True)) == ""


def test_an_assert_on_an_opaque_condition_is_an_assumption() -> None:
    space, _ = world()
    there = space.condition("a file exists")
    assert told(there, there) == ""
    assert told(there, space.always) is None
    assert told(there, space.always, True) is None


def random_guard(chance: random.Random, space: Space, knobs: list[Variable]) -> Guard:
    guard = space.never
    for _ in range(chance.randint(1, 3)):
        cube = space.always
        for knob in chance.sample(knobs, chance.randint(1, 3)):
            cube = cube & space.test(knob, frozenset((chance.randrange(len(knob.domain)),)))
        guard = guard | cube
    return guard if chance.random() < 0.7 else ~guard


def rows(variables: list[Variable]) -> Iterator[dict[Variable, int]]:
    for row in product(*(range(len(variable.domain)) for variable in variables)):
        yield dict(zip(variables, row))


def surely(violated: Guard, launch: Guard, choice: dict[Variable, int], opaque: list[Variable]) -> bool:
    """Whether every run with these knobs that is launched is violated, and one is launched."""
    outcomes = [{**choice, **outcome} for outcome in rows(opaque)]
    reached = [outcome for outcome in outcomes if launch.restrict(outcome).certain]
    return bool(reached) and all(violated.restrict(outcome).certain for outcome in reached)


def settable(variable: Variable, launch: Guard) -> list[int]:
    """The values that can be named: the default, and the others where what is not listed cannot be launched."""
    finite = OTHER not in variable.domain or not any(
        launch.restrict(row).certain
        for row in rows(list(dict.fromkeys((*launch.support(), variable))))
        if variable.domain[row[variable]] is OTHER
    )
    values = enumerate(variable.domain)
    return [i for i, v in values if i == 0 or (v is not OTHER and (finite or variable.name.startswith("env:")))]


def test_it_speaks_exactly_when_a_run_that_is_sure_to_be_violated_can_be_named() -> None:
    chance = random.Random(7)
    spoken = {False: 0, True: 0}
    for _ in range(1_500):
        space, named = world()
        (hidden,) = space.condition("opaque").support()
        knobs = list(named.values())
        violated = random_guard(chance, space, [*knobs, hidden])
        launch = random_guard(chance, space, [*knobs, hidden]) if chance.random() < 0.3 else space.always
        if launch.impossible or not surely(launch, launch, dict.fromkeys(knobs, 0), [hidden]):
            continue
        runs = [row for row in rows(knobs) if all(index in settable(knob, launch) for knob, index in row.items())]
        sure = [row for row in runs if surely(violated, launch, row, [hidden])]
        changed = [{knob for knob, index in row.items() if index} for row in sure]
        one = any(len(knobs) == 1 and knobs <= set(violated.support()) for knobs in changed)
        first, combined = told(violated, launch), told(violated, launch, True)
        assert (first == "") == (set() in changed)
        assert (first is not None) == (set() in changed or one)
        assert (combined is not None) == bool(sure)
        spoken[first is not None] += 1
    assert min(spoken.values()) > 100
