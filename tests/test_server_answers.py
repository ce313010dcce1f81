"""What the language server answers about one version of a text, under a small contract."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")
from lsprotocol import types

from miles_lint import choices
from miles_lint.contract import live
from miles_lint.contract.model import Atom, Constraint, Contract, Flag, Site
from miles_lint.server import completion, definition, formulas, hover, lens
from miles_lint.server.analysis import Analysis
from miles_lint.server.positions import position
from miles_lint.settings import Settings
from miles_lint.source import Source

CONFLICT = Atom("and", (Atom("flag", ("fully_async",)), Atom("==", (Atom("flag", ("mode",)), "abort"))))
DRIVER = Atom("and", (Atom("flag", ("fully_async",)), Atom("==", (Atom("driver", ()), "train.py"))))
CONTRACT = Contract(
    "miles",
    "abc123",
    flags=(
        Flag(("--fully-async",), "fully_async", "store_true", 0, default=False, origin=Site("miles/flags.py", 4)),
        Flag(("--mode",), "mode", choices=("abort", "retract", "in_place"), default="retract"),
        Flag(("--lr",), "lr", type="float", default=1e-6, owner="megatron"),
        Flag(("--lrs",), "lrs", arity="+", type="float", required=True),
        Flag(("--old",), "old", deprecated=True, replacement="--lr", default_known=False),
    ),
    constraints=(
        Constraint("rejects", DRIVER, Site("train.py", 7)),
        Constraint("rejects", CONFLICT, Site("miles/checks.py", 31)),
        Constraint("overrides", CONFLICT, Site("miles/checks.py", 99), "mode"),
    ),
)
RECIPE = '''import miles.utils.external_utils.command_utils as U

"""Never --lr in prose."""


def execute(rate: float = 0.1):
    args = (
        "é😀 --mode abort "
        f"--lr {rate} "
        "--unknown 1 "
    )
    if rate > 5:
        args += "--old 3 "
    U.execute_train(train_args=args, num_gpus_per_node=8, megatron_model_type="m", train_script="train_async.py")


if __name__ == "__main__":
    execute()
'''


@pytest.fixture(autouse=True)
def contract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "contract_of", lambda *_: CONTRACT)
    monkeypatch.setattr(live, "contract_for", lambda *_: CONTRACT)


def analysis(text: str, path: str = "recipe.py", **settings: str) -> Analysis:
    return Analysis("file:///recipe.py", 1, Source(path, text), Settings(**settings))


def place(analysed: Analysis, before: str) -> types.Position:
    """The position behind the first use of some text."""
    assert before in analysed.source.text
    return position(analysed.source, analysed.source.text.index(before) + len(before))


def hovered(text: str, before: str) -> types.Hover | None:
    analysed = analysis(text)
    return hover.hover(analysed, place(analysed, before))


def markdown(found: types.Hover | None) -> str:
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_hover_on_a_flag() -> None:
    found = hovered(RECIPE, "--mod")
    told = markdown(found)
    assert found is not None
    assert found.range == types.Range(types.Position(7, 13), types.Position(7, 19))
    assert told.startswith("**`--mode`** — str\n")
    assert "choices `abort`, `retract`, `in_place`" in told
    assert 'default `"retract"`' in told
    assert "owner miles, dest `mode`" in told
    assert "when `--fully-async and --mode == 'abort'` (`miles/checks.py:31`)" in told
    assert "99" not in told
    assert told.endswith("*miles at abc123, megatron, train.py*")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (Atom("not", (Atom(">=", (Atom("flag", ("lr",)), 1)),)), "not (--lr >= 1)"),
        (Atom("not", (Atom("flag", ("lr",)),)), "not --lr"),
        (Atom("!=", (Atom("%", (8, Atom("*", (2, Atom("flag", ("gone",)))))), 0)), "8 % (2 * gone) != 0"),
        (
            Atom("or", (Atom("and", (Atom("env", ("A",)), Atom("driver", ()))), Atom("unknown", ("a file",)))),
            "($A and the train script) or ⟨a file⟩",
        ),
        (Atom("call", ("int", Atom("index", (Atom("flag", ("mode",)), 0)))), "int(--mode[0])"),
        (Atom("<", (Atom("len", (Atom("flag", ("lrs",)),)), 2)), "length of --lrs < 2"),
    ],
)
def test_conditions_in_words(formula: Atom, expected: str) -> None:
    assert formulas.words(CONTRACT, formula) == expected


@pytest.mark.parametrize(("before", "flag"), [("--mode ab", "--mode"), ("--old", "--old")])
def test_hover_on_a_value_and_in_a_branch(before: str, flag: str) -> None:
    assert markdown(hovered(RECIPE, before)).startswith(f"**`{flag}`**")


@pytest.mark.parametrize("before", ["--unk", "def exec", "import mi", "train_as", "0.", "{ra"])
def test_no_hover_elsewhere(before: str) -> None:
    assert hovered(RECIPE, before) is None


def test_no_hover_in_a_file_that_launches_nothing() -> None:
    assert hovered('parser.add_argument("--lr")\n', "--l") is None


def test_hover_while_the_text_is_broken() -> None:
    assert markdown(hovered(RECIPE + "\ndef (:\n", "--mod")).startswith("**`--mode`**")


def test_hover_tells_deprecation_arity_and_need() -> None:
    text = RECIPE.replace("--unknown 1", "--lrs 1 2")
    assert "deprecated, use `--lr`" in markdown(hovered(text, "--old"))
    assert "a default that is computed when it runs" in markdown(hovered(text, "--old"))
    told = markdown(hovered(text, "--lrs 1 2"))
    assert told.startswith("**`--lrs`** — one or more values (float)")
    assert "required" in told


def completed(marked: str) -> list[types.CompletionItem]:
    """The items at the bar."""
    assert marked.count("|") == 1
    analysed = analysis(marked.replace("|", ""))
    found = completion.completion(analysed, position(analysed.source, marked.index("|")))
    return list(found.items) if found is not None else []


def in_recipe(literal: str) -> str:
    return RECIPE.replace('"--unknown 1 "', literal)


@pytest.mark.parametrize(
    ("literal", "labels"),
    [
        ('"--l|"', ["--lr", "--lrs"]),
        ('"-|"', ["--fully-async", "--mode", "--lr", "--lrs", "--old"]),
        ('"--lr 1 --fu|l"', ["--fully-async"]),
        ('"--mode |"', ["abort", "retract", "in_place"]),
        ('"--mode " "re|"', ["retract"]),
        ('"--mode=a|"', ["abort"]),
        ('"--lr |"', []),
        ('"a - b|"', []),
        ('"--mode abort |"', []),
        ("'--mo|\n", ["--mode"]),
        ("--l|", []),
    ],
)
def test_completion(literal: str, labels: list[str]) -> None:
    assert [item.label for item in completed(in_recipe(literal))] == labels


def test_completion_replaces_the_whole_word() -> None:
    item = completed(RECIPE.replace("--mode abort", "--mo|de abort"))[0]
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.range == types.Range(types.Position(7, 13), types.Position(7, 19))
    assert (item.text_edit.new_text, item.detail) == ("--mode", 'str = "retract" · miles')


def test_choices_keep_the_order_of_the_trainer_and_name_the_default() -> None:
    items = completed(in_recipe('"--mode |"'))
    assert sorted(items, key=lambda item: item.sort_text or "") == items
    assert [item.detail for item in items] == ["--mode", "--mode (default)", "--mode"]


def test_an_item_is_told_when_it_is_chosen() -> None:
    item = completed(in_recipe('"--ol|"'))[0]
    assert item.tags == [types.CompletionItemTag.Deprecated]
    told = completion.resolve(item, analysis(RECIPE)).documentation
    assert isinstance(told, types.MarkupContent)
    assert told.value.startswith("**`--old`**")


def test_no_completion_in_a_file_that_launches_nothing() -> None:
    analysed = analysis('x = "--l"\n')
    assert completion.completion(analysed, types.Position(0, 8)) is None


def test_definition_leads_into_the_checkout(tmp_path: Path) -> None:
    declared = 'def add(parser):\n    """é."""\n\n    parser.add_argument(\n        "--fully-async",\n    )\n'
    (tmp_path / "miles").mkdir()
    (tmp_path / "miles" / "flags.py").write_text(declared)
    text = RECIPE.replace("--unknown 1", "--fully-async")
    analysed = analysis(text, trainer=str(tmp_path))
    found = definition.definition(analysed, place(analysed, "--fully"))
    assert found == types.Location(
        (tmp_path / "miles" / "flags.py").as_uri(), types.Range(types.Position(4, 9), types.Position(4, 22))
    )
    told = hover.hover(analysed, place(analysed, "--fully"))
    assert f"[miles/flags.py:5]({(tmp_path / 'miles' / 'flags.py').as_uri()}#L5)" in markdown(told)


def test_no_definition_without_the_source() -> None:
    analysed = analysis(RECIPE.replace("--unknown 1", "--fully-async"))
    assert definition.definition(analysed, place(analysed, "--fully")) is None
    assert "declared at `miles/flags.py:4`" in markdown(hover.hover(analysed, place(analysed, "--fully")))


def test_a_lens_over_each_launch() -> None:
    analysed = analysis(RECIPE)
    (found,) = lens.lenses(analysed)
    assert found.range.start == types.Position(13, 4)
    assert found.command is not None
    assert found.command.title == "train_async.py with 8 arguments — show the command"
    shown = lens.command(analysed, 0)
    assert shown is not None
    assert shown.startswith("train_async.py")
    assert "--mode abort --lr" in shown
    assert lens.command(analysed, 1) is None


def test_no_lens_while_the_text_is_broken() -> None:
    assert lens.lenses(analysis(RECIPE + "\ndef (:\n")) == []


def test_the_last_good_version_stands_in_for_a_broken_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    good = analysis(RECIPE)
    assert good.outcome.failure is None
    broken = good.succeeded_by(2, Source("recipe.py", RECIPE + "\ndef (:\n"), Settings())
    assert broken.outcome.report.diagnostics[0].code == "invalid-syntax"
    after = broken.succeeded_by(3, Source("recipe.py", RECIPE + "\ndef ((:\n"), Settings())
    assert after.earlier is good
    monkeypatch.setattr(live, "contract_for", lambda *given: asked.append(given) or CONTRACT)
    assert after.contract(0) is CONTRACT
    assert asked == [("recipe.py", "megatron", "train.py", None)]
