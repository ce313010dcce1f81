"""String literals around a cursor, in whole and in half-written text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pygls", reason="the language server needs pygls")
from miles_lint.server.literals import flag_at, literals, looks_like_flags, partial_flag, word_at

BODIES = {
    "'a'": "a",
    '"b c"': "b c",
    "'''d\ne'''": "d\ne",
    '"""f\'"""': "f'",
    "r'\\\\'": "\\\\",
    "f'{x}'": "{x}",
    "Rb'g'": "g",
    "''": "",
    '""': "",
    "'\\''": "\\'",
    "x": None,
    "+": None,
    "# 'no'": None,
}


def bodies(text: str) -> list[str]:
    return [text[body.start : body.end] for body in literals(text)]


def at(marked: str) -> tuple[str, int]:
    """A text and the offset of the bar in it."""
    assert marked.count("|") == 1
    return marked.replace("|", ""), marked.index("|")


@given(st.lists(st.sampled_from(sorted(BODIES)), max_size=12))
def test_whole_literals(pieces: list[str]) -> None:
    assert bodies("\n".join(pieces)) == [body for piece in pieces if (body := BODIES[piece]) is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 'open\ny = 'z'\n", ["open", "z"]),
        ("x = 'open", ["open"]),
        ("x = '''open\n'a' # b", ["open\n'a' # b"]),
        ("# it's not\nx = 'a'\n", ["a"]),
        ("x = 'a\\\nb'\r\n", ["a\\\nb"]),
        ("over'a'", []),
        ("", []),
    ],
)
def test_half_written_text(text: str, expected: list[str]) -> None:
    assert bodies(text) == expected


@pytest.mark.parametrize(
    ("marked", "typed", "whole", "before"),
    [
        ("'--ad|v'", "--ad", "--adv", ""),
        ("'--lr 1e-6 --ad|'", "--ad", "--ad", "1e-6"),
        ("'--mode |'", "", "", "--mode"),
        ("'--mode ' '|'", "", "", "--mode"),
        ("('--mode ' # why\n  f'ab|c ')", "ab", "abc", "--mode"),
        ("['--mode', 'a|']", "a", "a", "--mode"),
        ("f('--mode') or '|'", "", "", ""),
        ("f'{x}--ad|'", "--ad", "--ad", "{x}"),
        ("'--mode=a|b'", "--mode=a", "--mode=ab", ""),
        ("'--open |\n", "", "", "--open"),
    ],
)
def test_word_at_a_cursor(marked: str, typed: str, whole: str, before: str) -> None:
    text, offset = at(marked)
    word = word_at(text, offset)
    assert word is not None
    assert (word.typed, text[word.span.start : word.span.end], word.before) == (typed, whole, before)


@pytest.mark.parametrize("marked", ["x|", "# '--a|'\n", "'a' |'b'", "'a'\n|"])
def test_no_word_outside_of_literals(marked: str) -> None:
    assert word_at(*at(marked)) is None


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("'--a|bc 1'", "--abc"),
        ("'--abc| 1'", "--abc"),
        ("'--abc 1|'", None),
        ("'-|5'", None),
        ("'a--b|'", None),
        ("f'{x}--b|'", "--b"),
        ("--a|bc", None),
        ("'x' # --a|bc", None),
    ],
)
def test_flag_at_a_cursor(marked: str, expected: str | None) -> None:
    found = flag_at(*at(marked))
    assert (found[0] if found is not None else None) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [("'-|'", True), ("'--lr 1 -|'", True), ("'a - b|'", False), ("f'{x} --b|'", True), ("'well-known|'", False)],
)
def test_a_literal_that_looks_like_flags(marked: str, expected: bool) -> None:
    assert looks_like_flags(*at(marked)) is expected


def test_beginnings_of_options() -> None:
    assert all(map(partial_flag, ("-", "--", "--a-b", "--a.b")))
    assert not any(map(partial_flag, ("", "a", "--a=b", "a-b", "--a{")))
