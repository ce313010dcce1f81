"""The algebra of guards against the plainest model of them: the set of assignments under which they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miles_lint.domain.defaults import nearest_to_defaults
from miles_lint.domain.guard import OTHER, Guard, Space, TooComplex, Variable
from miles_lint.domain.truth import Truth

Row = tuple[int, ...]
DOMAINS: dict[str, tuple[tuple[object, ...], int | None]] = {
    "flag": ((True, False), 1),
    "mode": (("a", "b", "c"), 0),
    "opaque": ((True, False), None),
    "count": ((1, 2, OTHER), 2),
}


@dataclass
class World:
    """A space and the model of its guards; every guard is met together with its set of rows."""

    names: tuple[str, ...] = tuple(DOMAINS)
    space: Space = field(default_factory=Space)

    def __post_init__(self) -> None:
        self.variables = tuple(self.variable(name) for name in self.names)
        self.rows = tuple(product(*(range(len(variable.domain)) for variable in self.variables)))

    def variable(self, name: str) -> Variable:
        domain, default = DOMAINS[name]
        if default is not None:
            return self.space.knob(name, domain, default)
        (variable,) = self.space.condition(name, key=name).support()
        return variable

    def build(self, rows: frozenset[Row]) -> Guard:
        """The guard of a set of rows, as a disjunction of complete conjunctions."""
        guard = self.space.never
        for row in sorted(rows):
            cube = self.space.always
            for variable, index in zip(self.variables, row):
                cube = cube & self.space.test(variable, frozenset((index,)))
            guard = guard | cube
        return guard

    def model(self, guard: Guard) -> frozenset[Row]:
        """The rows under which a guard holds, found by walking the diagram."""
        return frozenset(row for row in self.rows if self.holds(guard, row))

    def holds(self, guard: Guard, row: Row) -> bool:
        while guard.variable is not None:
            guard = guard.children[row[self.variables.index(guard.variable)]]
        return guard.certain

    def choice(self, row: Row) -> dict[Variable, int]:
        return dict(zip(self.variables, row))


SMALL = World(("flag", "mode"))
SMALL_SETS = tuple(
    frozenset(row for row, kept in zip(SMALL.rows, bits) if kept) for bits in product((True, False), repeat=6)
)
SMALL_GUARDS = {rows: SMALL.build(rows) for rows in SMALL_SETS}
BIG = World()
sets_of_rows = st.frozensets(st.sampled_from(BIG.rows))
Operation = Callable[[Guard, Guard], Guard]
OnSets = Callable[[frozenset[Row], frozenset[Row]], frozenset[Row]]
BINARY: tuple[tuple[Operation, OnSets], ...] = (
    (Guard.__and__, frozenset.__and__),
    (Guard.__or__, frozenset.__or__),
    (Guard.__sub__, frozenset.__sub__),
)


def test_every_set_of_rows_is_one_guard_and_no_two_share_one() -> None:
    assert len(set(map(id, SMALL_GUARDS.values()))) == 2**6
    assert SMALL_GUARDS[frozenset()] is SMALL.space.never
    assert SMALL_GUARDS[frozenset(SMALL.rows)] is SMALL.space.always
    for rows, guard in SMALL_GUARDS.items():
        assert SMALL.model(guard) == rows


@pytest.mark.parametrize(("operation", "of_sets"), BINARY, ids=["and", "or", "minus"])
def test_operations_exhaustively(operation: Operation, of_sets: OnSets) -> None:
    for (left_rows, left), (right_rows, right) in product(SMALL_GUARDS.items(), repeat=2):
        assert operation(left, right) is SMALL_GUARDS[of_sets(left_rows, right_rows)]


def test_negation_implication_and_exclusion_exhaustively() -> None:
    every = frozenset(SMALL.rows)
    for rows, guard in SMALL_GUARDS.items():
        assert ~guard is SMALL_GUARDS[every - rows]
        assert guard.impossible == (not rows)
        assert guard.certain == (rows == every)
        assert guard.truth() is (Truth.YES if rows == every else Truth.MAYBE if rows else Truth.NO)
    for (left_rows, left), (right_rows, right) in product(SMALL_GUARDS.items(), repeat=2):
        assert left.implies(right) == (left_rows <= right_rows)
        assert left.excludes(right) == (not left_rows & right_rows)


@given(sets_of_rows, sets_of_rows)
def test_operations_over_more_variables(left: frozenset[Row], right: frozenset[Row]) -> None:
    one, two = BIG.build(left), BIG.build(right)
    for operation, of_sets in BINARY:
        made = operation(one, two)
        assert BIG.model(made) == of_sets(left, right)
        assert made is BIG.build(of_sets(left, right))
    assert ~~one is one
    assert one.implies(two) == (left <= right)
    assert one.excludes(two) == (not left & right)


@given(sets_of_rows, st.dictionaries(st.integers(0, len(BIG.variables) - 1), st.integers(0, 1)))
def test_restrict_keeps_what_agrees_with_the_choice(rows: frozenset[Row], fixed: Mapping[int, int]) -> None:
    choice = {BIG.variables[place]: index for place, index in fixed.items()}
    restricted = BIG.build(rows).restrict(choice)
    assert not set(choice) & set(restricted.support())
    for row in BIG.rows:
        moved = tuple(fixed.get(place, index) for place, index in enumerate(row))
        assert BIG.holds(restricted, row) == (moved in rows)


@given(sets_of_rows)
def test_restricting_every_variable_decides(rows: frozenset[Row]) -> None:
    guard = BIG.build(rows)
    for row in BIG.rows:
        decided = guard.restrict(BIG.choice(row))
        assert decided is (BIG.space.always if row in rows else BIG.space.never)


@given(sets_of_rows)
def test_support_is_what_matters(rows: frozenset[Row]) -> None:
    def matters(place: int) -> bool:
        others = {row[:place] + row[place + 1 :] for row in rows}
        count = len(BIG.variables[place].domain)
        return any((*rest[:place], index, *rest[place:]) not in rows for rest in others for index in range(count))

    expected = tuple(variable for place, variable in enumerate(BIG.variables) if matters(place))
    assert BIG.build(rows).support() == expected


@given(sets_of_rows.filter(bool), st.data())
def test_nearest_to_defaults_moves_no_knob_that_may_stay(rows: frozenset[Row], data: st.DataObject) -> None:
    chosen = nearest_to_defaults(BIG.build(rows))
    assert set(chosen) == {variable for variable in BIG.variables if not variable.opaque}
    possible = set(rows)
    for place, variable in enumerate(BIG.variables):
        if variable.opaque:
            continue
        open_values = {row[place] for row in possible}
        wanted = variable.default if variable.default in open_values else min(open_values)
        assert chosen[variable] == wanted
        possible = {row for row in possible if row[place] == wanted}
    assert possible, "the choice contradicts the guard"
    row = data.draw(st.sampled_from(sorted(rows)))
    place = data.draw(st.sampled_from([p for p, variable in enumerate(BIG.variables) if not variable.opaque]))
    fixed = {BIG.variables[place]: row[place]}
    moved = nearest_to_defaults(BIG.build(rows), fixed)
    assert moved[BIG.variables[place]] == row[place]
    assert not BIG.build(rows).restrict(moved).impossible


def test_a_name_is_one_knob_and_a_key_is_one_condition() -> None:
    space = Space()
    assert space.knob("k", (1, 2)) is space.knob("k", (1, 2))
    assert space.condition("seen", key=("line", 3)) is space.condition("seen again", key=("line", 3))
    assert space.condition("anything") is not space.condition("anything")


def test_one_knob_has_one_value_wherever_it_is_asked() -> None:
    space = Space()
    variable = space.knob("colocate", (True, False), 1)
    on, off = (space.test(variable, frozenset((index,))) for index in range(2))
    later = space.condition("something in between")
    assert (on & later & off).impossible
    assert (on | off).certain


def test_forty_independent_conditions_stay_small() -> None:
    space = Space(node_limit=5_000)
    guard = space.always
    for number in range(40):
        guard = guard & (space.condition(f"a{number}") | space.condition(f"b{number}"))
    assert len(guard.support()) == 80
    assert (guard & ~guard).impossible


def test_past_the_limit_a_conjunction_says_that_it_is_too_complex() -> None:
    space = Space(node_limit=200)
    lefts = [space.condition(f"a{number}") for number in range(12)]
    rights = [space.condition(f"b{number}") for number in range(12)]
    guard = space.never
    with pytest.raises(TooComplex):
        for left, right in zip(lefts, rights):
            guard = guard | (left & right)
