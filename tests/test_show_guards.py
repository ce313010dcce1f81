"""Conditions in few words: still the same conditions."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miles_lint.domain.guard import OTHER, Guard, Space
from miles_lint.show.guards import cover, relative, words

SHAPES = (("b", (False, True)), ("m", ("x", "y", "z")), ("n", (2, 3, OTHER)), ("env:HOST", (None, OTHER)))
tests = st.tuples(st.integers(0, 4), st.frozensets(st.integers(0, 2), min_size=1, max_size=2))
formulas = st.lists(st.lists(tests, min_size=1, max_size=3), min_size=1, max_size=4)
Formula = list[list[tuple[int, frozenset[int]]]]


def space() -> Space:
    made = Space()
    for name, domain in SHAPES:
        made.knob(name, domain)
    made.condition("the moon is full")
    return made


def build(space: Space, formula: Formula) -> Guard:
    found = space.never
    for conjunction in formula:
        inner = space.always
        for index, indices in conjunction:
            variable = space.variables[index]
            inner = inner & space.test(
                variable, frozenset(i for i in indices if i < len(variable.domain)) or frozenset((0,))
            )
        found = found | inner
    return found


@given(formulas, formulas)
def test_relative_agrees_where_the_context_holds(wanted: Formula, known: Formula) -> None:
    made = space()
    guard, context = build(made, wanted), build(made, known)
    told = relative(guard, context)
    assert (told & context) is (guard & context)
    assert set(told.support()) <= set(guard.support()) | set(context.support())
    if context.implies(guard) and not context.impossible:
        assert told.certain
    if context.excludes(guard):
        assert told.impossible


@given(formulas)
def test_a_cover_is_the_guard_itself(formula: Formula) -> None:
    made = space()
    guard = build(made, formula)
    found = cover(guard, 50)
    assert found.complete
    cubes = [
        reduce(Guard.__and__, (made.test(variable, indices) for variable, indices in cube.items()), made.always)
        for cube in found.cubes
    ]
    union = reduce(Guard.__or__, cubes, made.never)
    assert (~union if found.negated else union) is guard
    for index, _ in enumerate(cubes):
        rest = reduce(Guard.__or__, (cube for i, cube in enumerate(cubes) if i != index), made.never)
        assert rest is not union


@pytest.mark.parametrize(
    ("formula", "told", "marked"),
    [
        ([[(0, {1})]], "b", "b"),
        ([[(0, {0})]], "not b", "not b*"),
        ([[(1, {0})]], "m == 'x'", "m == 'x'*"),
        ([[(1, {1, 2})]], "m in ('y', 'z')", "m in ('y', 'z')"),
        ([[(2, {2})]], "n not in (2, 3)", "n not in (2, 3)"),
        ([[(2, {0, 2})]], "n != 3", "n != 3*"),
        ([[(3, {0})]], "$HOST is not set", "$HOST is not set*"),
        ([[(3, {1})]], "$HOST is set", "$HOST is set"),
        ([[(4, {0})]], "the moon is full", "the moon is full"),
        ([[(4, {1})]], "not (the moon is full)", "not (the moon is full)"),
        ([[(0, {1}), (1, {0})]], "b and m == 'x'", "b and m == 'x'*"),
        ([[(0, {1}), (1, {0})], [(0, {1}), (2, {1})]], "b and (m == 'x' or n == 3)", "b and (m == 'x'* or n == 3)"),
    ],
)
def test_words(formula: list[list[tuple[int, set[int]]]], told: str, marked: str) -> None:
    guard = build(space(), [[(index, frozenset(indices)) for index, indices in each] for each in formula])
    assert words(guard) == told
    assert words(guard, mark=True) == marked


def test_what_always_and_what_never_holds() -> None:
    made = space()
    assert words(made.always) == ""
    assert words(made.never) == "never"


def test_a_condition_of_many_alternatives_is_told_in_part() -> None:
    made = Space()
    pairs = [(made.knob(f"a{i}", (False, True)), made.knob(f"b{i}", (False, True))) for i in range(12)]
    true = frozenset((1,))
    guard = reduce(Guard.__and__, (made.test(a, true) | made.test(b, true) for a, b in pairs), made.always)
    told = words(guard)
    assert told.count(" or ") <= 12
    assert "…" in told or told.startswith("unless")
    assert len(told) < 1000
