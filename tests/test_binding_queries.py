"""What rules ask of a binding, on small launches."""

from __future__ import annotations

from miles_lint.binding import UNKNOWN, Binding, Partial, bind, readings, rejections
from miles_lint.contract.model import Contract
from miles_lint.domain.guard import Space
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Hole, Piece, Reason, Text, Unknown
from miles_lint.launch import Argument, split
from miles_lint.source import Place, Span
from tests.test_binding import FLAGS, LENIENT, STRICT, launch_of

HOLE = "⟨⟩"


class Recipe:
    """Builds launches over two knobs: `on` and `off` are its conditions on the first."""

    def __init__(self) -> None:
        self.space = Space()
        self.on = self.space.test(self.space.knob("on", (False, True)), frozenset((1,)))
        self.off = ~self.on
        self.parts: list[Piece] = []
        self.length = 0

    def write(self, text: str, guard: object = None) -> Recipe:
        """Append text; `⟨⟩` in it is a hole."""
        under = self.space.always if guard is None else self.on if guard is True else self.off
        for number, part in enumerate(text.split(HOLE)):
            if number:
                self.parts.append(Hole(Unknown(Reason.KNOB, "hole"), under))
            if part:
                span = Span(self.length, self.length + len(part))
                self.parts.append(Chars(part, under, Origin(Place("r.py", span)), exact=True))
            self.length += len(part)
        return self

    def bind(self, contract: Contract = STRICT) -> Binding:
        return bind(launch_of(split(Text(tuple(self.parts)), self.space.always).arguments, self.space), contract)


def read(text: str, contract: Contract = STRICT) -> Binding:
    return Recipe().write(text).bind(contract)


def values(binding: Binding, dest: str) -> list[object]:
    return [reading.value for reading in binding.effective(dest)]


def spelled(arguments: tuple[Argument, ...]) -> list[str]:
    return [argument.text.shown() for argument in arguments]


def test_a_use_knows_its_words_and_where_they_were_written() -> None:
    binding = read("--mode=retract --eval-data a b --colocate")
    mode, data, colocate = binding.assignments
    assert (mode.spelled, mode.inline, mode.index, spelled(mode.arguments)) == ("--mode", True, 0, ["--mode=retract"])
    (origin,) = mode.values[0].origins()
    assert origin.place.span == Span(7, 14)
    assert (spelled(data.arguments), spelled(data.values)) == (["--eval-data", "a", "b"], ["a", "b"])
    assert (spelled(colocate.arguments), colocate.values) == (["--colocate"], ())


def test_one_use_is_one_assignment_whatever_its_value_hangs_on() -> None:
    recipe = Recipe().write("--eval-data a ").write("b ", True).write("c ", False).write("d --colocate ")
    binding = recipe.bind()
    data, _ = binding.assignments
    assert data.guard.certain
    found = {reading.value: reading.guard for reading in readings(data)}
    assert found == {("a", "b", "d"): recipe.on, ("a", "c", "d"): recipe.off}


def test_presence_possible_and_certain() -> None:
    recipe = Recipe().write("--colocate ", True).write("--lr")
    binding = recipe.bind()
    assert binding.present("colocate") is recipe.on is binding.may("colocate")
    assert binding.present("lr").impossible
    assert binding.may("lr").certain
    assert values(binding, "lr") == [UNKNOWN]


def test_the_last_use_wins_where_it_is_given() -> None:
    recipe = Recipe().write("--lr 1 ").write("--lr 2 ", True)
    binding = recipe.bind()
    assert {reading.value: reading.guard for reading in binding.effective("lr")} == {1.0: recipe.off, 2.0: recipe.on}
    ((earlier, later),) = binding.repeats()
    assert (earlier.index, later.index) == (0, 2)


def test_words_that_a_flag_refuses() -> None:
    recipe = Recipe().write("--stop 1 ").write("2 ", True).write("x ", False).write("y ", True)
    recipe.write(f"--mode merge --seed 4 --lr {HOLE}")
    found = [
        (use.flag.dest, told.text, told.why, guard)
        for use in recipe.bind().assignments
        for guard, _, told in rejections(use)
    ]
    always = recipe.space.always
    assert found == [
        ("stop", "x", "type", recipe.off),
        ("stop", "y", "type", recipe.on),
        ("mode", "merge", "choice", always),
        ("seed", "4", "choice", always),
    ]


def test_uses_that_exclude_each_other_or_add_up_are_no_repeats() -> None:
    assert not list(Recipe().write("--lr 1 ", True).write("--lr 2 ", False).bind().repeats())
    assert not list(read("--hook a --hook b --verbose --verbose").repeats())
    assert values(read("--hook a --hook b --verbose --verbose"), "hook") == [("a", "b")]


def test_what_an_unknown_part_may_override() -> None:
    binding = read(f"--lr 1 {HOLE} --mode abort")
    assert values(binding, "lr") == [UNKNOWN]
    assert values(binding, "mode") == ["abort"]
    assert values(binding, "colocate") == [UNKNOWN]
    assert binding.open.certain
    assert binding.opened_after(0).certain
    assert binding.opened_after(3).impossible


def test_an_option_known_in_part_may_only_be_one_that_begins_like_it() -> None:
    binding = read(f"--mod{HOLE} abort")
    assert values(binding, "mode") == [UNKNOWN]
    assert values(binding, "lr") == [1e-6]
    assert not any(unbound.guard.certain for unbound in binding.unbound)


def test_an_unknown_word_is_the_value_that_a_flag_needs() -> None:
    binding = read(f"--lr {HOLE} --one {HOLE}/x --colocate")
    assert not binding.openings
    assert values(binding, "lr") == [Partial(float)]
    assert [use.flag.dest for use in binding.assignments] == ["lr", "one", "colocate"]


def test_an_unknown_word_where_a_flag_needs_none_may_be_more() -> None:
    binding = read(f"--eval-data a {HOLE}")
    assert values(binding, "colocate") == [False, UNKNOWN]
    assert binding.present("eval_data").certain
    assert not binding.open.certain


def test_what_stands_where_a_value_was_expected() -> None:
    binding = read("--lr --colocate")
    (error,) = binding.errors
    assert (error.kind, error.flag, error.guard.certain) == ("missing value", FLAGS[0], True)
    assert error.following is not None
    assert error.following.text.shown() == "--colocate"
    assert [error.kind for error in read("--colocate=1").errors] == ["extra value"]
    assert [error.following for error in read("--betas 1").errors] == [None]


def test_abbreviations_only_where_the_parser_takes_them() -> None:
    (use,) = read("--coloc", LENIENT).assignments
    assert (use.flag.dest, use.spelled) == ("colocate", "--coloc")
    (unbound,) = read("--coloc").unbound
    assert (unbound.spelled, unbound.option) == ("--coloc", True)
    assert [error.kind for error in read("--back x", LENIENT).errors] == ["ambiguous"]


def test_words_behind_an_unknown_option_stay_with_it() -> None:
    unknown, stray = read("--new a b --colocate c").unbound
    assert (unknown.spelled, spelled(unknown.values), unknown.option) == ("--new", ["a", "b"], True)
    assert (stray.spelled, stray.option) == ("c", False)


def test_required_flags_that_are_certainly_not_given() -> None:
    assert [(flag.dest, guard.certain) for flag, guard in read("--colocate").missing()] == [
        ("rollout_batch_size", True)
    ]
    assert not list(read(f"--colocate {HOLE}").missing())
    assert not list(read("--rollout-batch-size 8").missing())


def test_what_no_launch_reaches_is_not_told() -> None:
    recipe = Recipe().write("--lr ", True).write("--colocate")
    launch = launch_of(split(Text(tuple(recipe.parts)), recipe.space.always).arguments, recipe.space)
    object.__setattr__(launch, "guard", recipe.off)
    assert not bind(launch, STRICT).errors
    assert recipe.bind().errors


def test_more_alternatives_than_can_be_told_apart_are_unknown() -> None:
    space = Space()
    letters = []
    for number in range(8):
        guard = space.test(space.knob(f"k{number}", (False, True)), frozenset((1,)))
        letters.append(Chars(f"-{number}", guard))
    wide = Argument(Text((Chars("-", space.always), *letters)), space.always)
    binding = bind(launch_of([wide], space), STRICT)
    assert not binding.open.impossible
    value = Argument(Text((Chars("v", space.always), *letters)), space.always)
    binding = bind(launch_of([Argument(Text((Chars("--one", space.always),)), space.always), value], space), STRICT)
    assert not binding.openings
    assert values(binding, "one") == [(Partial(str, text=(None,)),)]
