"""Splitting against `shlex.split`: plain texts, and guarded texts under each of their assignments."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from miles_lint.domain.guard import Guard, Space
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Hole, Reason, Text, Unknown
from miles_lint.launch import Argument, split
from miles_lint.source import Place, Span

SPACE = Space()
KNOBS = tuple(SPACE.knob(name, (True, False)) for name in "abc")
ON = tuple(SPACE.test(knob, frozenset((0,))) for knob in KNOBS)
GUARDS = (SPACE.always, *ON, *(~guard for guard in ON), ON[0] & ON[1], ON[0] | ON[2])
ROWS = tuple((first, second, third) for first in range(2) for second in range(2) for third in range(2))
SHELL = st.text("a-= \n\t'\"\\", max_size=6)


def text_of(written: str, start: int = 0) -> Text:
    """Characters that stand one to one at an offset of a file."""
    origin = Origin(Place("r.py", Span(start, start + len(written))))
    return Text((Chars(written, SPACE.always, origin, exact=True),)) if written else Text()


def words_of(arguments: tuple[Argument, ...], row: tuple[int, ...]) -> list[str]:
    choice = dict(zip(KNOBS, row))
    return [
        "".join(
            piece.text if isinstance(piece, Chars) else "H"
            for piece in argument.text.pieces
            if piece.guard.restrict(choice).certain
        )
        for argument in arguments
        if argument.guard.restrict(choice).certain
    ]


def expected(written: str) -> list[str] | None:
    """What the shell's rules make of a text; None where a quote or an escape is left open."""
    try:
        return shlex.split(written)
    except ValueError:
        return None


@given(st.text("ab-=,.{}$*~# \t\r\n'\"\\", max_size=30))
def test_plain_texts(written: str) -> None:
    found = split(text_of(written), SPACE.always)
    wanted = expected(written)
    assert bool(found.unbalanced) == (wanted is None)
    if wanted is not None:
        assert [argument.text.plain for argument in found.arguments] == wanted


@given(st.lists(st.tuples(SHELL, st.sampled_from(GUARDS)), max_size=5))
def test_guarded_texts(parts: list[tuple[str, Guard]]) -> None:
    text = Text(tuple(Chars(written, guard) for written, guard in parts if written))
    found = split(text, SPACE.always)
    for row in ROWS:
        choice = dict(zip(KNOBS, row))
        wanted = expected("".join(written for written, guard in parts if guard.restrict(choice).certain))
        opened = any(guard.restrict(choice).certain for guard, _ in found.unbalanced)
        assert opened == (wanted is None)
        if wanted is not None:
            assert words_of(found.arguments, row) == wanted


@given(SHELL, SHELL)
def test_a_hole_is_part_of_the_word_it_touches(before: str, after: str) -> None:
    hole = Hole(Unknown(Reason.KNOB, "x"), SPACE.always)
    found = split(text_of(before) + Text((hole,)) + text_of(after), SPACE.always)
    wanted = expected(f"{before}H{after}")
    assert bool(found.unbalanced) == (wanted is None)
    if wanted is not None:
        assert words_of(found.arguments, ROWS[0]) == wanted
    assert sum(argument.lone_hole is not None for argument in found.arguments) <= 1


@given(st.text("ab-= '\"\\", max_size=20))
def test_every_exact_character_of_an_argument_stands_where_it_says(written: str) -> None:
    for argument in split(text_of(written, 100), SPACE.always).arguments:
        for piece in argument.text.pieces:
            assert isinstance(piece, Chars)
            if piece.exact and piece.origin is not None:
                span = piece.origin.place.span
                assert written[span.start - 100 : span.end - 100] == piece.text


def test_quoting_is_remembered() -> None:
    (argument,) = split(text_of("--glob='a*'b"), SPACE.always).arguments
    assert [(piece.text, piece.quoted) for piece in argument.text.pieces] == [
        ("--glob=", False),
        ("a*", True),
        ("b", False),
    ]


def test_a_hole_alone_may_be_any_number_of_words_unless_it_is_quoted() -> None:
    hole = Text((Hole(Unknown(Reason.KNOB, "extra_args"), SPACE.always),))
    (alone,) = split(text_of(" ") + hole, SPACE.always).arguments
    (quoted,) = split(text_of('"') + hole + text_of('"'), SPACE.always).arguments
    assert alone.lone_hole is not None
    assert quoted.lone_hole is None


def test_a_word_glued_across_a_branch_is_one_argument_there_and_two_elsewhere() -> None:
    text = text_of("--a") + Text((Chars(" ", ON[0]),)) + text_of("--b")
    found = split(text, SPACE.always).arguments
    assert words_of(found, (0, 0, 0)) == ["--a", "--b"]
    assert words_of(found, (1, 0, 0)) == ["--a--b"]
