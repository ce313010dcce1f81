"""Strings against `ast`: same places, same values; and every exact character stands where it says.

STRINGS_SWEEP=1 reads the whole standard library and site-packages instead of a sample.
"""

from __future__ import annotations

import ast
import os
import random
import sysconfig
import tokenize
import warnings
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from miles_lint.program import nodes as n
from miles_lint.program.literals import split_token
from miles_lint.program.lower import NotUnderstood, lower
from miles_lint.source import Source
from tests.oracles.strings import (
    NESTED_PLACES_ARE_RIGHT,
    ast_strings,
    literals,
    lowered_shape,
    lowered_strings,
)

SWEEP = bool(os.environ.get("STRINGS_SWEEP"))
SAMPLE = 40


def check_places(source: Source, node: n.Literal | n.Joined) -> None:
    """Runs lie inside their literal, in order; exact ones are the text at their span."""
    for literal in literals(node):
        last = literal.span.start
        for run in literal.runs:
            assert last <= run.span.start < run.span.end <= literal.span.end, source.text[slice(*offsets(literal))]
            assert run.text
            if run.exact:
                assert source.text[run.span.start : run.span.end] == run.text
                last = run.span.end
            else:
                last = run.span.start


def offsets(node: n.Literal | n.Joined) -> tuple[int, int]:
    return node.span.start, node.span.end


def check_strings(source: Source) -> tuple[int, int]:
    """Compare one source; returns how many strings were compared and how many there are."""
    expected, expected_inside = ast_strings(source)
    placed, inside = lowered_strings(lower(source))
    for node in (*placed, *inside):
        check_places(source, node)
    found = {offsets(node): lowered_shape(node) for node in placed}
    for place, shape in found.items():
        written = source.text[slice(*place)]
        assert place in expected, f"no string at {place}: {written!r}"
        assert shape == expected[place], f"{written!r}"
    if NESTED_PLACES_ARE_RIGHT or len(found) == len(expected):
        met = Counter(map(lowered_shape, inside))
        assert not met - expected_inside, met - expected_inside
    return len(found), len(expected)


def library() -> list[Path]:
    paths = sysconfig.get_paths()
    found = sorted(Path(paths["stdlib"]).rglob("*.py"))
    if SWEEP:
        return found
    found = [path for path in found if "site-packages" not in path.parts and path.stat().st_size < 40_000]
    return random.Random(5).sample(found, min(SAMPLE, len(found)))


def read(path: Path) -> Source:
    with tokenize.open(path) as stream:
        encoding = stream.encoding
    return Source.from_text(str(path), path.read_bytes().decode("utf-8" if encoding == "utf-8-sig" else encoding))


def test_strings_of_the_standard_library() -> None:
    compared = there = files = tried = 0
    for path in library():
        try:
            source = read(path)
            ast_strings(source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        tried += 1
        try:
            one, two = check_strings(source)
        except AssertionError as error:
            raise AssertionError(f"{path}: {error}") from error
        except NotUnderstood:
            continue
        compared, there, files = compared + one, there + two, files + 1
    if not tried:
        pytest.skip("the standard library is not installed as source files")
    assert files > 0.98 * tried
    assert compared > 0.97 * there, f"only {compared} of {there} strings were lowered"


PIECES = (
    *("a", "--flag ", "1", " ", "é", "𝔘", "#", "%s", ",", ":", "!", "=", "$X"),
    *("'", '"', "''", '""', "\\'", '\\"', "\\\\", "\\n", "\\t", "\\0", "\\101", "\\777", "\\x41", "\\u00e9"),
    *("\\U0001d518", "\\N{BULLET}", "\\N{LATIN SMALL LETTER A}", "\\d", "\\ ", "\\\n", "\\\r\n", "\n", "\r\n", "\r"),
    *("{{", "}}", "{x}", "{ x }", "{x!r}", "{x:>8}", "{x:{y}}", "{x!s:>{y}.{z}}", "{x=}", "{ x = !r}", "{x = :>3}"),
    *(
        "{x['k']}",
        '{x["k"]}',
        "{(x, 'b')}",
        "{f'{x}'}",
        "{x:{{}}}",
        "{x:\\n}",
        "{x,}",
        "{*x,}",
        "{lambda: 1}",
        "{x:%H:%M}",
    ),
)
PREFIXES = ("", "r", "R", "u", "U", "f", "F", "rf", "fR", "Rf", "FR")
QUOTES = ("'", '"', "'''", '"""')
GAPS = (" ", "", "\n", "  # note 'x' \"y\"\n", "\\\n", "\r\n    ")
literal_tokens = st.builds(
    lambda prefix, quotes, body: f"{prefix}{quotes}{''.join(body)}{quotes}",
    st.sampled_from(PREFIXES),
    st.sampled_from(QUOTES),
    st.lists(st.sampled_from(PIECES), max_size=5),
)


def parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


valid_tokens = literal_tokens.filter(lambda token: parses(f"({token})"))


@settings(deadline=None, max_examples=1500)
@given(st.lists(valid_tokens, min_size=1, max_size=4), st.lists(st.sampled_from(GAPS), min_size=4, max_size=4))
def test_generated_strings(tokens: list[str], gaps: list[str]) -> None:
    joined = "".join(token + gap for token, gap in zip(tokens, gaps))
    text = f"é = 1\nfirst = f({joined})\nsecond = ({joined}\n)\n"
    assume(parses(text))
    try:
        compared, there = check_strings(Source.from_text("strings.py", text))
    except NotUnderstood:
        assert any(raw_continuation(token) for token in tokens)
        return
    assert compared == there


def raw_continuation(token: str) -> bool:
    """A backslash at the end of a row of a raw f-string in single quotes, which libcst 1.9 takes for its end."""
    prefix, quotes, body = split_token(token)
    return {"r", "f"} <= set(prefix.lower()) and len(quotes) == 1 and "\\" in body


@given(valid_tokens.filter(lambda token: "f" not in token[:2].lower()))
def test_a_token_is_its_prefix_its_quotes_and_its_body(token: str) -> None:
    prefix, quotes, body = split_token(token)
    assert prefix + quotes + body + quotes == token
    assert prefix in PREFIXES
    assert quotes in QUOTES


def test_something_else_is_no_string_token() -> None:
    with pytest.raises(ValueError, match="not a string token"):
        split_token("name")


def runs(text: str) -> list[tuple[str, str, bool]]:
    """The runs of the one string in a text: what they mean, what is written there, whether these are the same."""
    source = Source.from_text("one.py", text)
    (node,), _ = lowered_strings(lower(source))
    return [
        (run.text, source.text[run.span.start : run.span.end], run.exact)
        for literal in literals(node)
        for run in literal.runs
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'--a 1 '", [("--a 1 ", "--a 1 ", True)]),
        ("('--a '  # why\n '--b ')", [("--a ", "--a ", True), ("--b ", "--b ", True)]),
        (r"'a\tb'", [("a", "a", True), ("\t", r"\t", False), ("b", "b", True)]),
        (r"r'a\tb'", [(r"a\tb", r"a\tb", True)]),
        ("'a\\\n b'", [("a", "a", True), (" b", " b", True)]),
        ("'''a\r\nb'''", [("a", "a", True), ("\n", "\r\n", False), ("b", "b", True)]),
        ("f'{{a}}{x}b'", [("{", "{{", False), ("a", "a", True), ("}", "}}", False), ("b", "b", True)]),
        ("f'{x:>8}'", [(">8", ">8", True)]),
        ("''", []),
    ],
)
def test_runs(text: str, expected: list[tuple[str, str, bool]]) -> None:
    assert runs(text) == expected


@pytest.mark.parametrize("text", ["b'a'", "b'a' b'c'", "(b'a'\n  b'c')"])
def test_bytes_are_no_strings(text: str) -> None:
    assert lowered_strings(lower(Source.from_text("one.py", text))) == ([], [])


@pytest.mark.parametrize("text", [r"'\d'", r"'\777'", r"f'\d{x}'", r"b'\d'"])
def test_doubtful_escapes_print_no_warning(text: str) -> None:
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        lower(Source.from_text("one.py", text))
    assert not met
