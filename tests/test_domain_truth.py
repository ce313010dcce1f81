"""Truth tables and laws of the three truth values, and what refuses to be a bool."""

from __future__ import annotations

from itertools import product

import pytest

from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Callee, Choice, Items, Known, Reason, Ref, Text, Unknown

YES, NO, MAYBE = Truth.YES, Truth.NO, Truth.MAYBE
AND = {
    (YES, YES): YES,
    (YES, NO): NO,
    (YES, MAYBE): MAYBE,
    (NO, YES): NO,
    (NO, NO): NO,
    (NO, MAYBE): NO,
    (MAYBE, YES): MAYBE,
    (MAYBE, NO): NO,
    (MAYBE, MAYBE): MAYBE,
}
OR = {
    (YES, YES): YES,
    (YES, NO): YES,
    (YES, MAYBE): YES,
    (NO, YES): YES,
    (NO, NO): NO,
    (NO, MAYBE): MAYBE,
    (MAYBE, YES): YES,
    (MAYBE, NO): MAYBE,
    (MAYBE, MAYBE): MAYBE,
}
MEANING = {YES: {True}, NO: {False}, MAYBE: {True, False}}


@pytest.mark.parametrize(("left", "right"), tuple(product(Truth, repeat=2)))
def test_tables(left: Truth, right: Truth) -> None:
    assert left & right is AND[left, right]
    assert left | right is OR[left, right]


@pytest.mark.parametrize(("left", "right"), tuple(product(Truth, repeat=2)))
def test_an_operation_holds_what_it_could_be_for_independent_operands(left: Truth, right: Truth) -> None:
    pairs = set(product(MEANING[left], MEANING[right]))
    assert MEANING[left & right] == {one and two for one, two in pairs}
    assert MEANING[left | right] == {one or two for one, two in pairs}


@pytest.mark.parametrize("truth", Truth)
def test_negation(truth: Truth) -> None:
    assert MEANING[~truth] == {not each for each in MEANING[truth]}
    assert ~~truth is truth


@pytest.mark.parametrize(("one", "two", "three"), tuple(product(Truth, repeat=3)))
def test_laws(one: Truth, two: Truth, three: Truth) -> None:
    assert (one & two) & three is one & (two & three)
    assert one & (two | three) is (one & two) | (one & three)
    assert ~(one & two) is ~one | ~two


def test_of() -> None:
    assert Truth.of(True) is YES
    assert Truth.of(False) is NO


REFUSING = (*Truth, Known(1), Unknown(Reason.KNOB), Text(), Items(()), Ref(0), Callee("builtin", "len"), Choice(()))


@pytest.mark.parametrize("value", REFUSING, ids=repr)
def test_truth_and_values_refuse_bool(value: object) -> None:
    with pytest.raises(TypeError, match=r"three values|no truth of its own"):
        bool(value)
