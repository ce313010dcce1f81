"""Texts that are hard to read and programs that want to be run forever: nothing crashes, nothing takes long."""

from __future__ import annotations

from pathlib import Path

import pytest

from miles_lint.domain.value import Chars, Hole
from miles_lint.program.lower import NotUnderstood, ParseError
from miles_lint.recipe import Fold, fold
from miles_lint.source import Source
from tests.oracles.bounded import bounded
from tests.oracles.hostile_growth import GROWING, SETTLED
from tests.oracles.hostile_programs import BOUNDED, EXACT, NESTED, PREFIXED, WIDE

HOSTILE = Path(__file__).parent / "fixtures" / "hostile"
READABLE = (
    *("blanks_at_end", "bom", "bom_crlf", "continuations", "cr", "crlf", "form_feed", "mixed_newlines"),
    *("no_final_newline", "non_bmp", "tabs"),
)
BROKEN = {"broken": 19, "broken_indent": 21, "broken_string": 7}
SILENT = ("empty", "only_bom")
ARGV = [
    *("--hf-checkpoint", "/models/qwen", "--rollout-function-path"),
    *("miles.rollout.fully_async_rollout.FullyAsyncRolloutFn", "--rollout-batch-size", "32"),
]


def read(name: str) -> Source:
    path = HOSTILE / f"{name}.py"
    return Source.from_text(str(path), path.read_bytes().decode())


def words(folded: Fold) -> list[list[str]]:
    return [[argument.text.shown() for argument in launch.argv if not argument.model] for launch in folded.launches]


def summary(folded: Fold) -> dict[str, object]:
    holes = [
        str(piece.unknown)
        for launch in folded.launches
        for argument in launch.argv
        for piece in argument.text.pieces
        if isinstance(piece, Hole)
    ]
    longest = max((len(argument) for argv in words(folded) for argument in argv), default=0)
    return {
        "argv": words(folded)[:1] if longest < 1000 else None,
        "launches": len(folded.launches),
        "holes": [hole[:80] for hole in holes[:3]],
        "widened": [reason for _, reason in folded.widened],
    }


def test_a_thousand_literals_in_a_row_are_one_text() -> None:
    rows = "".join(f"        '--flag-{number} '\n" for number in range(1_000))
    text = (
        "import miles.utils.external_utils.command_utils as U\n"
        f"def execute():\n    args = (\n{rows}    )\n    U.execute_train(train_args=args, megatron_model_type=None)\n"
        "execute()\n"
    )
    (launch,) = fold(Source.from_text("rows.py", text)).launches
    assert [argument.text.plain for argument in launch.argv] == [f"--flag-{number}" for number in range(1_000)]


def test_every_fixture_is_tried() -> None:
    assert {path.stem for path in HOSTILE.glob("*.py")} == {*READABLE, *BROKEN, *SILENT, "null"}


@pytest.mark.parametrize("name", READABLE)
def test_newlines_marks_and_blanks_change_nothing(name: str) -> None:
    source = read(name)
    folded = fold(source)
    (argv,) = words(folded)
    assert argv == (["--run-name", "🚀𝔘é", *ARGV] if name == "non_bmp" else ARGV)
    assert not folded.widened
    for argument in folded.launches[0].argv:
        for piece in argument.text.pieces:
            if isinstance(piece, Chars) and piece.origin is not None:
                assert piece.exact
                span = piece.origin.place.span
                assert source.text[span.start : span.end] == piece.text


@pytest.mark.parametrize("name", SILENT)
def test_nothing_launches_nothing(name: str) -> None:
    assert fold(read(name)) == Fold(())


@pytest.mark.parametrize("name", BROKEN)
def test_broken_text_is_an_error_near_the_place(name: str) -> None:
    source, row = read(name), BROKEN[name]
    with pytest.raises(ParseError) as caught:
        fold(source)
    assert 0 <= caught.value.offset <= len(source.text)
    assert abs(source.position(caught.value.offset)[0] - row) <= 2


def test_a_null_character_is_read_or_refused() -> None:
    try:
        assert words(fold(read("null"))) == [[word.replace("/mod", "/mod\0") for word in ARGV]]
    except ParseError:
        return


@pytest.mark.parametrize("name", BOUNDED)
def test_programs_without_an_end_are_given_up_and_say_so(name: str) -> None:
    ended = bounded(lambda: summary(fold(Source.from_text("hostile.py", BOUNDED[name]))))
    assert ended.problem is None
    assert isinstance(ended.answer, dict)
    assert ended.answer["widened"] or ended.answer["holes"], ended.answer


@pytest.mark.parametrize("name", GROWING)
def test_growth_is_given_up_and_the_launch_is_kept(name: str) -> None:
    ended = bounded(lambda: summary(fold(Source.from_text("hostile.py", GROWING[name]))), megabytes=600)
    assert ended.problem is None
    assert isinstance(ended.answer, dict)
    assert ended.answer["launches"] == 1
    assert ended.answer["widened"] or ended.answer["holes"], ended.answer


@pytest.mark.parametrize("name", {**EXACT, **SETTLED})
def test_large_programs_that_can_be_folded_are(name: str) -> None:
    text, expected = {**EXACT, **SETTLED}[name]
    ended = bounded(lambda: summary(fold(Source.from_text("large.py", text))))
    assert ended.problem is None
    assert ended.answer == {"argv": [expected], "launches": 1, "holes": [], "widened": []}


@pytest.mark.parametrize("name", WIDE)
def test_many_independent_branches_keep_the_launch(name: str) -> None:
    ended = bounded(lambda: summary(fold(Source.from_text("wide.py", WIDE[name]))))
    assert ended.problem is None
    assert isinstance(ended.answer, dict)
    assert ended.answer["launches"] == 1


def test_a_launch_is_lost_only_with_a_word() -> None:
    ended = bounded(lambda: summary(fold(Source.from_text("wide.py", PREFIXED))))
    assert ended.problem is None
    assert isinstance(ended.answer, dict)
    assert ended.answer["launches"] == 1 or ended.answer["widened"]


@pytest.mark.parametrize("count", [30, 90, 250, 1_000, 30_000])
@pytest.mark.parametrize("name", NESTED)
def test_nesting_of_any_depth_is_lowered_or_refused(name: str, count: int) -> None:
    def attempt() -> object:
        try:
            return summary(fold(Source.from_text("nested.py", NESTED[name](count))))
        except (ParseError, NotUnderstood) as error:
            return str(error)

    ended = bounded(attempt)
    assert ended.problem is None
    if count <= 90 and name != "indented blocks":
        assert isinstance(ended.answer, dict), ended.answer
