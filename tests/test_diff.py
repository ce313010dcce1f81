"""`same_launches`: what counts as a difference, and what does not."""

from __future__ import annotations

import pytest
from launches import FIXTURES, HELPER, folded, recipe

from miles_lint.domain.truth import Truth
from miles_lint.launch_diff import Change, same_launches

BRANCHES = (FIXTURES / "run_branches.py").read_text(encoding="utf-8")


def changes(old: str, new: str) -> tuple[Change, ...]:
    return same_launches(folded(old), folded(new))


def told(old: str, new: str) -> list[tuple[object, ...]]:
    return [(c.kind, c.name, c.old, c.new, c.when, c.at_defaults) for c in changes(old, new)]


def edited(*pairs: tuple[str, str]) -> str:
    text = BRANCHES
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after)
    return text


class TestNoDifference:
    @pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.py")), ids=lambda path: path.stem)
    def test_a_recipe_is_the_same_as_itself(self, path: object) -> None:
        text = path.read_text(encoding="utf-8")
        assert folded(text).launches
        assert changes(text, text) == ()

    @pytest.mark.parametrize(
        "pairs",
        [
            [("ckpt_args", "checkpoint_arguments")],
            [("if not args.bridge:", "if args.bridge:\n        pass\n    else:")],
            [("{ckpt_args} {rollout_args} {grpo_args}", "{grpo_args} {ckpt_args}{rollout_args}")],
            [('debug = args.mode == "debug"', 'debug = args.mode in ("debug",)')],
            [("extra_args: str", 'note: str = "unused"\n    extra_args: str')],
            [("if args.use_kl:\n", 'if not args.use_kl:\n        grpo_args += ""\n    else:\n')],
            [('"NCCL_NVLS_ENABLE": "0"', '"NCCL_NVLS_ENABLE": str(int(False))')],
            [("U.execute_train(", "run = U.execute_train\n    run(")],
        ],
        ids=["rename", "invert", "reorder", "condition", "unused-knob", "else", "environment", "alias"],
    )
    def test_a_rewriting_that_keeps_the_meaning(self, pairs: list[tuple[str, str]]) -> None:
        assert changes(BRANCHES, edited(*pairs)) == ()

    def test_two_calls_on_two_branches_are_one_launch(self) -> None:
        one = recipe('train_args = "--a 1 " if args.on else "--a 2 "', "on: bool = False")
        call = "U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type=None)"
        two = recipe(
            f'train_args = "--a 1 "\nif args.on:\n    {call}\n    return\ntrain_args = "--a 2 "', "on: bool = False"
        )
        assert changes(one, two) == changes(two, one) == ()

    def test_functions_of_the_helper_or_methods_of_its_object(self) -> None:
        new = edited(
            (
                "def execute(args: ScriptArgs):\n",
                "def execute(args: ScriptArgs):\n    backend = args.create_backend()\n",
            )
        )
        assert changes(BRANCHES, new.replace("    U.execute_train(", "    backend.execute_train(")) == ()

    def test_a_value_that_only_one_side_tells_apart(self) -> None:
        knobs = "n: int = 2"
        body = 'train_args = f"--n {args.n} " + ("--big " if args.n > 2 else "")'
        aware = body + ' + ("" if args.n == 3 else "")'
        assert changes(recipe(body, knobs), recipe(aware, knobs)) == ()
        assert changes(recipe(aware, knobs), recipe(body, knobs)) == ()


class TestArguments:
    def test_a_changed_value_names_both_values_and_places(self) -> None:
        (change,) = changes(BRANCHES, edited(("--eps-clip 0.2", "--eps-clip 0.3")))
        assert (change.kind, change.name, change.old, change.new) == ("argument", "--eps-clip", ("0.2",), ("0.3",))
        assert (change.entry, change.when, change.at_defaults) == ("main", "", Truth.YES)
        assert change.old_origin is not None and change.new_origin is not None
        start = BRANCHES.index("--eps-clip")
        assert change.old_origin.place.span.start == start

    def test_a_change_on_a_branch_tells_the_branch(self) -> None:
        assert told(BRANCHES, edited(("{2 if debug else 20}", "{5 if debug else 20}"))) == [
            ("argument", "--save-interval", ("2",), ("5",), "mode == 'debug'", Truth.NO)
        ]

    def test_flags_come_and_go(self) -> None:
        new = edited(("--use-kl-loss ", "--use-tis "))
        assert told(BRANCHES, new) == [
            ("argument", "--use-kl-loss", (), None, "use_kl*", Truth.YES),
            ("argument", "--use-tis", None, (), "use_kl*", Truth.YES),
        ]

    def test_another_condition(self) -> None:
        new = edited(("if args.dynamic_sampling and not debug:", "if args.dynamic_sampling:"))
        assert told(BRANCHES, new) == [
            (
                *("argument", "--over-sampling-batch-size", None, ("64",)),
                *("mode == 'debug' and dynamic_sampling", Truth.NO),
            )
        ]

    def test_another_default(self) -> None:
        assert told(BRANCHES, edited(('model_dir: str = "/models"', 'model_dir: str = "/data"')))[:1] == [
            (
                *("argument", "--hf-checkpoint", ("/models/tiny-1B",), ("/data/tiny-1B",)),
                *("model_name == 'tiny-1B'* and model_dir is its default*", Truth.YES),
            )
        ]

    def test_which_use_comes_last(self) -> None:
        one, two = recipe('train_args = "--lr 1 --lr 2 "'), recipe('train_args = "--lr 2 --lr 1 "')
        assert told(one, two) == [("order", "--lr", ("2",), ("2",), "", Truth.YES)]

    def test_how_often_a_flag_is_given(self) -> None:
        one, two = recipe('train_args = "--x 1 "'), recipe('train_args = "--x 1 --x 1 "')
        assert told(one, two) == [("argument", "--x", None, ("1",), "", Truth.YES)]

    def test_free_text_in_front_of_a_flag_or_behind_it(self) -> None:
        knobs = 'extra: str = ""'
        one = recipe('train_args = f"--lr 1 {args.extra} "', knobs)
        two = recipe('train_args = f"{args.extra} --lr 1 "', knobs)
        (change,) = changes(one, two)
        assert (change.kind, change.name, change.old, change.new) == ("order", "⟨extra⟩", (), ("--lr",))

    def test_a_value_behind_an_equals_sign_is_a_value(self) -> None:
        assert changes(recipe('train_args = "--lr=1 "'), recipe('train_args = "--lr 1 "')) == ()

    def test_an_unknown_that_becomes_another_unknown(self) -> None:
        one = recipe("import socket\ntrain_args = f'--host {socket.gethostname()} '")
        two = recipe("import socket\ntrain_args = f'--host {socket.getfqdn()} '")
        (change,) = changes(one, two)
        assert (change.name, change.old, change.new) == (
            "--host",
            ("⟨socket.gethostname()⟩",),
            ("⟨socket.getfqdn()⟩",),
        )

    def test_another_calculation_with_an_unknown(self) -> None:
        one = recipe("train_args = f'--n {(args.n - 8) * 4} '", "n: int = 8")
        two = recipe("train_args = f'--n {args.n - 8 * 4} '", "n: int = 8")
        assert [(c.name, c.at_defaults) for c in changes(one, two)] == [("--n", Truth.YES), ("--n", Truth.NO)]


class TestTheRest:
    def test_the_driver(self) -> None:
        new = edited(('"train_async.py" if args.dynamic_sampling else "train.py"', '"train_async.py"'))
        assert told(BRANCHES, new) == [
            ("driver", "", ("train.py",), ("train_async.py",), "not dynamic_sampling*", Truth.YES)
        ]

    def test_the_model_type(self) -> None:
        new = edited(("megatron_model_type=args.model_name", 'megatron_model_type="tiny-2B"'))
        assert ("model type", "", ("tiny-1B",), ("tiny-2B",)) in [change[:4] for change in told(BRANCHES, new)]

    def test_the_environment(self) -> None:
        new = edited(('"NCCL_NVLS_ENABLE": "0"', '"NCCL_NVLS_ENABLE": "1"'), ('"TORCH_NCCL_', '"NCCL_'))
        assert told(BRANCHES, new) == [
            ("environment", "NCCL_NVLS_ENABLE", ("0",), ("1",), "", Truth.YES),
            ("environment", "TORCH_NCCL_AVOID_RECORD_STREAMS", ("1",), None, "backend == 'fsdp'", Truth.NO),
            ("environment", "NCCL_AVOID_RECORD_STREAMS", None, ("1",), "backend == 'fsdp'", Truth.NO),
        ]

    def test_a_later_write_to_the_environment_wins(self) -> None:
        new = edited(
            ('env = {"NCCL_NVLS_ENABLE": "0"}', 'env = {"NCCL_NVLS_ENABLE": "1"}\n    env["NCCL_NVLS_ENABLE"] = "0"')
        )
        assert changes(BRANCHES, new) == ()

    def test_keywords_of_the_helper(self) -> None:
        new = edited(("num_gpus_per_node=args.num_gpus_per_node,", "num_gpus_per_node=16,"))
        assert {change[:2] for change in told(BRANCHES, new)} == {("keyword", "num_gpus_per_node")}

    def test_where_it_is_launched_at_all(self) -> None:
        new = edited(("if self.bridge and self.use_kl:", "if self.bridge:"))
        assert told(BRANCHES, new) == [("launch", "", ("train_async.py", "train.py"), None, "bridge", Truth.NO)]

    def test_a_second_submission(self) -> None:
        call = "U.execute_train(train_args={!r}, num_gpus_per_node=8, megatron_model_type=None)\n"
        one = HELPER + call.format("--a 1")
        two = HELPER + call.format("--b 1") + call.format("--a 1")
        assert told(one, two) == [("launch", "", None, ("train.py",), "", Truth.YES)]

    def test_entry_points(self) -> None:
        text = (FIXTURES / "run_table.py").read_text(encoding="utf-8")
        gone = text.replace("@app.command()\ndef large(", "def large(").replace(
            '    launch("large", steps)', "    return"
        )
        assert [(c.kind, c.entry, c.old, c.new) for c in changes(text, gone)] == [("entry", "large", ("large",), None)]
        renamed = text.replace("def large(", "def huge(")
        assert [(c.kind, c.entry, c.old, c.new) for c in changes(text, renamed)] == [
            ("entry", "huge", ("large",), ("huge",))
        ]

    def test_an_entry_point_is_compared_with_the_nearest_that_came(self) -> None:
        text = (FIXTURES / "run_table.py").read_text(encoding="utf-8")
        new = text.replace("def small(", "def tiny(").replace("def large(", "def huge(").replace("1000", "2000")
        assert [(c.kind, c.entry, c.old, c.new) for c in changes(text, new)] == [
            ("entry", "tiny", ("small",), ("tiny",)),
            ("entry", "huge", ("large",), ("huge",)),
            ("argument", "huge", ("1000",), ("2000",)),
        ]

    def test_checkouts_in_two_places_are_told_apart_by_nothing(self) -> None:
        text = recipe("import pathlib\ntrain_args = f'--config {pathlib.Path(__file__).parent}/c.yaml '")
        one, two = (folded(text, f"/checkouts/{side}/recipe.py") for side in ("one", "two"))
        assert len(same_launches(one, two)) == 1
        assert same_launches(one, two, ("/checkouts/one", "/checkouts/two")) == ()
