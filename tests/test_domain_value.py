"""Joins of values against their meaning: under each assignment, the value of the option that holds there."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from miles_lint.domain.guard import Guard, Space
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import BINARY, Term, symbol
from miles_lint.domain.value import (
    Chars,
    Choice,
    Hole,
    Known,
    Reason,
    Text,
    Unknown,
    Value,
    choose,
    merge_texts,
    options_of,
)
from miles_lint.source import Place, Span

SPACE = Space()
KNOBS = tuple(SPACE.knob(name, (0, 1, 2)) for name in "ab")
ROWS = tuple((first, second) for first in range(3) for second in range(3))
HOLES = tuple(Unknown(Reason.KNOB, name, str) for name in ("x", "y"))


def guard_of(rows: Iterable[tuple[int, int]]) -> Guard:
    guard = SPACE.never
    for row in rows:
        one, two = (SPACE.test(knob, frozenset((index,))) for knob, index in zip(KNOBS, row))
        guard = guard | (one & two)
    return guard


def holds(guard: Guard, row: tuple[int, int]) -> bool:
    return guard.restrict(dict(zip(KNOBS, row))).certain


def meaning(value: Value, row: tuple[int, int]) -> object:
    """What a value is under one assignment, comparable."""
    if isinstance(value, Choice):
        found = [meaning(option, row) for guard, option in value.options if holds(guard, row)]
        assert len(found) <= 1, "options overlap"
        return found[0] if found else None
    if isinstance(value, Text):
        return tuple(
            each
            for piece in value.pieces
            if holds(piece.guard, row)
            for each in (piece.text if isinstance(piece, Chars) else (piece.unknown,))
        )
    return (type(value.value), value.value) if isinstance(value, Known) else value


guards = st.frozensets(st.sampled_from(ROWS)).map(guard_of)
pieces = st.one_of(
    st.builds(Chars, st.text("-ab ", min_size=1, max_size=3), st.just(SPACE.always)),
    st.builds(Chars, st.text("-ab ", min_size=1, max_size=3), guards),
    st.builds(Hole, st.sampled_from(HOLES), guards),
)
texts = st.lists(pieces, max_size=4).map(lambda found: Text(tuple(found)))
knowns = st.sampled_from((Known(None), Known(True), Known(1), Known(1.0), Known(2)))
leaves = st.one_of(texts, knowns, st.sampled_from(HOLES))


@st.composite
def partitions(draw: st.DrawFn) -> list[tuple[Guard, Value]]:
    """Options whose guards do not overlap, some of them choices themselves."""
    owners = draw(st.lists(st.integers(0, 3), min_size=len(ROWS), max_size=len(ROWS)))
    made: list[tuple[Guard, Value]] = []
    for number in range(4):
        guard = guard_of(row for row, owner in zip(ROWS, owners) if owner == number)
        value = draw(leaves)
        if draw(st.booleans()):
            half = draw(guards)
            value = choose([(half, value), (~half, draw(leaves))])
        made.append((guard, value))
    return made


@given(partitions())
def test_choose_is_each_option_under_its_guard(options: list[tuple[Guard, Value]]) -> None:
    chosen = choose(options)
    for row in ROWS:
        (expected,) = (meaning(value, row) for guard, value in options if holds(guard, row))
        assert meaning(chosen, row) == expected
    if isinstance(chosen, Choice):
        assert not any(isinstance(option, Choice) for _, option in chosen.options)
        assert not any(guard.impossible for guard, _ in chosen.options)


@given(partitions(), guards)
def test_options_of_are_the_possible_ones(options: list[tuple[Guard, Value]], live: Guard) -> None:
    chosen = choose(options)
    found = list(options_of(chosen, live))
    for row in ROWS:
        met = [meaning(value, row) for guard, value in found if holds(guard, row)]
        assert met == ([meaning(chosen, row)] if holds(live, row) else [])


@given(texts, texts, texts, texts, guards)
def test_merged_texts_share_their_ends(head: Text, one: Text, two: Text, tail: Text, guard: Guard) -> None:
    first, second = head + one + tail, head + two + tail
    merged = merge_texts(guard, first, ~guard, second)
    for row in ROWS:
        assert meaning(merged, row) == meaning(first if holds(guard, row) else second, row)
    assert merged.pieces[: len(head.pieces)] == head.pieces
    assert len(merged.pieces) <= len((head + one + two + tail).pieces)


@given(texts, guards)
def test_under_drops_what_cannot_be(text: Text, guard: Guard) -> None:
    narrowed = text.under(guard)
    for row in ROWS:
        assert meaning(narrowed, row) == (meaning(text, row) if holds(guard, row) else ())
    assert guard.certain or not any(piece.guard.impossible for piece in narrowed.pieces)


@given(texts)
def test_plain_is_the_text_when_nothing_is_open(text: Text) -> None:
    means = {meaning(text, row) for row in ROWS}
    if text.plain is not None:
        assert means == {tuple(text.plain)}
        assert text.shown() == text.plain


def test_equal_numbers_of_different_types_stay_apart() -> None:
    guard = guard_of(ROWS[:4])
    for other in (Known(True), Known(1.0)):
        chosen = choose([(guard, Known(1)), (~guard, other)])
        assert isinstance(chosen, Choice)
        assert [type(option.value) for _, option in chosen.options] == [int, type(other.value)]
    assert choose([(guard, Known(1)), (~guard, Known(1))]) == Known(1)


def test_a_slice_of_exact_characters_moves_its_place() -> None:
    origin = Origin(Place("r.py", Span(10, 16)), (Place("r.py", Span(1, 2)),))
    exact = Chars("--flag", SPACE.always, origin, exact=True)
    assert exact.slice(2, 4) == Chars("fl", SPACE.always, Origin(Place("r.py", Span(12, 14)), origin.via), True)
    escaped = Chars("--flag", SPACE.always, origin)
    assert escaped.slice(2, 4).origin == origin


def test_unknowns_are_shown_by_what_is_said_about_them() -> None:
    assert str(Unknown(Reason.KNOB, "num_gpus")) == "⟨num_gpus⟩"
    assert str(Unknown(Reason.BUDGET)) == "⟨budget reached⟩"
    text = Text((Chars("--n ", SPACE.always), Hole(Unknown(Reason.KNOB, "num_gpus"), SPACE.always)))
    assert text.shown() == str(text) == "--n ⟨num_gpus⟩"
    assert text.plain is None


def test_terms_read_as_the_expression_they_stand_for() -> None:
    count, name = symbol("knob", "count"), symbol("knob", "name")
    doubled = Term("*", (count, 2))
    test = Term("not", (Term("in", (Term("call", ("lower", name)), ("a", "b"))),))
    assert str(Term(">=", (doubled, 8))) == "count * 2 >= 8"
    assert str(test) == "not lower(name) in ('a', 'b')"
    assert str(Term("index", (Term("attribute", (name, "parts")), 0))) == "name.parts[0]"
    assert Term("+", (doubled, Term("len", (name,)))).symbols() == {("knob", "count"), ("knob", "name")}
    assert Term("+", (1, 2)).symbols() == frozenset()


@given(st.sampled_from(sorted(BINARY)), st.integers(-5, 5), st.integers(1, 5))
def test_binary_operators_compute_what_python_computes(op: str, left: int, right: int) -> None:
    other: object = (right, right + 1) if op.endswith("in") else right
    assert BINARY[op](left, other) == eval(f"left {op} other", {"left": left, "other": other})
