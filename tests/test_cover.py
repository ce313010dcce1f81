"""The cover oracle on launches built by hand."""

from __future__ import annotations

import shlex

import pytest

from miles_lint.domain.guard import OTHER, Guard, Space
from miles_lint.domain.term import Term, symbol
from miles_lint.domain.value import Chars, Hole, Reason, Text, Unknown
from miles_lint.launch import Launch, Variant, split
from miles_lint.source import Place, Span
from tests.oracles.cover import covers, explain
from tests.oracles.terms import NotComputed, compute


class Built:
    """A space with one knob of each kind, and texts over it."""

    def __init__(self) -> None:
        self.space = Space()
        self.flag = self.space.test(self.space.knob("fast", (False, True)), frozenset((1,)))
        self.mode = self.space.knob("mode", ("normal", "debug", OTHER))
        self.maybe = self.space.condition("file exists")
        self.other = self.space.condition("port is free")

    def chars(self, text: str, guard: Guard | None = None) -> Text:
        return Text((Chars(text, self.space.always if guard is None else guard),))

    def hole(self, kind: type | None = None, term: Term | None = None, guard: Guard | None = None) -> Text:
        unknown = Unknown(Reason.OUTSIDE, "x", kind, term)
        return Text((Hole(unknown, self.space.always if guard is None else guard),))

    def launch(self, *texts: Text, guard: Guard | None = None, script: Text | None = None) -> Launch:
        text = Text(tuple(piece for text in texts for piece in text.pieces))
        live = self.space.always if guard is None else guard
        return Launch(
            entry="train",
            site=Place("recipe.py", Span(0, 0)),
            space=self.space,
            guard=live,
            train_script=self.chars("train.py") if script is None else script,
            argv=split(text, self.space.always).arguments,
            environment=(("A", (Variant(self.space.always, self.chars("1")),)),),
        )


@pytest.fixture
def built() -> Built:
    return Built()


def check(launch: Launch, line: str, **assignment: object) -> bool:
    return covers(launch, assignment, shlex.split(line))


def test_plain_words_must_be_equal(built: Built) -> None:
    launch = built.launch(built.chars("--a 1 '--b c' "))
    assert check(launch, "--a 1 '--b c'")
    for line in ("--a 1", "--a 1 --b c", "--a 2 '--b c'", "--a 1 '--b c' --d", ""):
        assert not check(launch, line)


def test_a_guarded_piece_follows_its_knob(built: Built) -> None:
    launch = built.launch(built.chars("--a "), built.chars("--fast ", built.flag), built.chars("--slow ", ~built.flag))
    assert check(launch, "--a --fast", fast=True)
    assert check(launch, "--a --slow", fast=False)
    assert check(launch, "--a --slow")
    assert not check(launch, "--a --slow", fast=True)
    assert not check(launch, "--a --fast --slow", fast=True)


def test_an_unlisted_value_is_the_rest_of_the_domain(built: Built) -> None:
    rest = built.space.test(built.mode, frozenset((2,)))
    launch = built.launch(built.chars("--rest ", rest))
    assert check(launch, "--rest", mode="anything")
    assert check(launch, "", mode="debug")
    with pytest.raises(ValueError, match="outside of its domain"):
        check(launch, "", fast=3)


def test_one_opaque_condition_has_one_value(built: Built) -> None:
    launch = built.launch(
        built.chars("--a ", built.maybe), built.chars("--b ", built.maybe), built.chars("--c ", ~built.maybe)
    )
    assert check(launch, "--a --b")
    assert check(launch, "--c")
    assert not check(launch, "--a --c")
    assert not check(launch, "--a")


def test_many_opaque_conditions_cost_no_enumeration(built: Built) -> None:
    guards = [built.space.condition(f"condition {number}") for number in range(40)]
    launch = built.launch(*(built.chars(f"--f{n % 3} ", guard) for n, guard in enumerate(guards)))
    assert check(launch, " ".join(f"--f{n % 3}" for n in range(40)))
    assert not check(launch, "--f3")


def test_a_lone_hole_is_any_number_of_words(built: Built) -> None:
    launch = built.launch(built.chars("--a "), built.hole(), built.chars(" --z"))
    for line in ("--a --z", "--a b --z", "--a --b c 'd e' --z"):
        assert check(launch, line)
    assert not check(launch, "--a --b")


def test_a_hole_beside_text_may_end_the_word(built: Built) -> None:
    launch = built.launch(built.chars("--a="), built.hole(), built.chars("-end --z"))
    for line in ("--a=-end --z", "--a=x-end --z", "--a=x --b y-end --z", "--a= -end --z"):
        assert check(launch, line)
    assert not check(launch, "--a x-end --z")
    assert not check(launch, "--a=x --z")


def test_a_quoted_hole_is_inside_one_word(built: Built) -> None:
    launch = built.launch(built.chars("--a '"), built.hole(), built.chars("' --z"))
    assert check(launch, "--a 'b c' --z")
    assert check(launch, "--a '' --z")
    assert not check(launch, "--a b c --z")
    assert not check(launch, "--a --z")


def test_a_typed_hole_is_text_of_that_type(built: Built) -> None:
    launch = built.launch(built.chars("--a "), built.hole(int))
    assert check(launch, "--a 12")
    assert check(launch, "--a -1")
    assert not check(launch, "--a")
    assert not check(launch, "--a x")


def test_a_symbolic_hole_has_the_value_of_its_form(built: Built) -> None:
    nodes = symbol("knob", "nodes")
    launch = built.launch(built.chars("--a "), built.hole(int, Term("*", (nodes, 8))))
    assert check(launch, "--a 16", nodes=2)
    assert not check(launch, "--a 17", nodes=2)
    assert check(launch, "--a 17")
    extra = built.launch(built.hole(str, symbol("knob", "extra")), built.chars(" --z"))
    assert check(extra, "--b 'c d' --z", extra="--b 'c d'")
    assert not check(extra, "--b c --z", extra="--b 'c d'")


def test_a_settled_hole_is_split_where_the_shell_would(built: Built) -> None:
    extra = built.hole(str, symbol("knob", "extra"))
    launch = built.launch(built.chars("--a="), extra, built.chars("-z '"), extra, built.chars("'"))
    assert check(launch, "--a=b c-z 'b c'", extra="b c")
    assert check(launch, "--a=-z ''", extra="")
    assert not check(launch, "'--a=b c-z' 'b c'", extra="b c")


def test_a_symbolic_condition_has_the_value_of_its_form(built: Built) -> None:
    large = built.space.condition("nodes > 4", term=Term(">", (symbol("knob", "nodes"), 4)))
    launch = built.launch(built.chars("--large ", large))
    assert check(launch, "--large", nodes=8)
    assert not check(launch, "", nodes=8)
    assert check(launch, "", nodes=2)
    assert check(launch, "") and check(launch, "--large")


def test_an_impossible_launch_covers_nothing(built: Built) -> None:
    launch = built.launch(built.chars("--a "), guard=built.flag)
    assert check(launch, "--a", fast=True)
    assert not check(launch, "--a", fast=False)


def test_script_and_environment_are_compared_when_given(built: Built) -> None:
    script = Text(built.chars("train.py", ~built.flag).pieces + built.chars("train_async.py", built.flag).pieces)
    launch = built.launch(built.chars("--a "), script=script)

    def reason(fast: bool, name: str, **environment: str) -> str | None:
        found = explain(launch, {"fast": fast}, ["--a"], train_script=name, environment=environment)
        return None if found is None else found.what

    assert reason(True, "train_async.py", A="1") is None
    assert reason(True, "train.py") == "train script"
    assert reason(False, "train.py", A="2") == "environment variable A = '2' is not described"
    assert reason(False, "train.py", B="1") == "environment variable B = '1' is not described"
    assert str(explain(launch, {"fast": False}, ["--b"])) == "word 0: real --b, folded --a"


def test_terms_are_computed_as_python_does() -> None:
    name, count = symbol("knob", "name"), symbol("knob", "count")
    symbols = {"name": "m-4layer", "count": 3}
    cases = (
        (Term("call", ("startswith", name, "m-")), True),
        (Term("not", (Term("==", (count, 3)),)), False),
        (Term("call", ("int", "12")), 12),
        (Term("index", (name, 0)), "m"),
        (Term("truth", (Term("%", (count, 3)),)), False),
    )
    for term, expected in cases:
        assert compute(term, symbols) == expected
    for unknown in (symbol("knob", "absent"), Term("call", ("open", name)), Term("//", (count, 0))):
        with pytest.raises(NotComputed):
            compute(unknown, symbols)
