"""`miles-lint fold`: tables, command lines, JSON, knobs, the story of a flag, and what is refused."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from launches import FIXTURES, Run, recipe

BRANCHES = str(FIXTURES / "run_branches.py")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM"):
        monkeypatch.delenv(name, raising=False)
    return Run(tmp_path, capsysbinary)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.py")), ids=lambda path: path.stem)
def test_whole_recipes_fold_to_their_recorded_command_lines(run: Run, path: Path) -> None:
    done = run("fold", str(path), "--format", "argv")
    assert (done.code, done.err) == (0, "")
    assert done.out == path.with_suffix(".argv").read_text(encoding="utf-8")


def test_a_line_is_read_back_by_a_shell(run: Run) -> None:
    name = run.write("r.py", recipe("""train_args = "--a 'two words' --b '' --c '{\\"k\\": 1}' --d ~/x " """))
    words = ["train.py", "--a", "two words", "--b", "", "--c", '{"k": 1}', "--d", "~/x"]
    assert shlex.split(run("fold", name, "--format", "argv").out) == words


class TestTable:
    def test_flags_stand_in_blocks_with_rows_and_values(self, run: Run) -> None:
        out = run("fold", BRANCHES).out
        lines = out.splitlines()
        start = lines.index("  ckpt_args")
        assert lines[start + 1 : start + 5] == [
            "    36  --hf-checkpoint  /models/tiny-1B",
            "    37  --save  '/root/shared_data/⟨run id⟩'",
            "    38  --save-interval  20",
            "    41  --load  /models/tiny-1B_dist",
        ]
        assert "main → train.py   at the defaults" in lines
        assert "    62  NCCL_NVLS_ENABLE=0" in lines

    def test_only_what_the_defaults_give_is_shown(self, run: Run) -> None:
        out = run("fold", BRANCHES).out
        assert "--over-sampling-batch-size" not in out
        assert "   when " not in out

    def test_all_shows_alternatives_with_conditions_and_marks_defaults(self, run: Run) -> None:
        lines = run("fold", BRANCHES, "--all").out.splitlines()
        assert "    38  --save-interval  2   when mode == 'debug'" in lines
        assert "                         20   when mode == 'normal'*" in lines
        assert "    45  --over-sampling-batch-size  64   when mode == 'normal'* and dynamic_sampling" in lines
        assert "    64  TORCH_NCCL_AVOID_RECORD_STREAMS=1   when backend == 'fsdp'" in lines
        assert "  reached      when not use_kl or not bridge*" in lines
        assert "    36  --hf-checkpoint  ⟨model_dir=/models⟩/⟨model_name=tiny-1B⟩" in lines

    def test_text_from_elsewhere_names_its_file(self, run: Run) -> None:
        out = run("fold", BRANCHES, "--env", "WANDB_API_KEY=secret").out
        heading = next(line for line in out.splitlines() if "U.get_default_wandb_args()" in line)
        assert heading.endswith("command_utils.py")
        assert "--wandb-key  secret" in out

    def test_model_arguments_are_one_line_unless_asked_for(self, run: Run) -> None:
        out = run("fold", BRANCHES).out
        assert "model arguments  1 from" in out
        assert "⟨model arguments of tiny-1B⟩\n" not in out.split("not known")[0]
        shown = run("fold", BRANCHES, "--model").out
        assert "'⟨model arguments of tiny-1B⟩'" in shown
        assert "(shown by --model)" not in shown

    def test_what_is_not_known_is_listed_with_reason_and_place(self, run: Run) -> None:
        name = run.write("r.py", recipe('import time\ntrain_args = f"--save /ckpt/{time.strftime(str())} "'))
        out = run("fold", name).out
        assert out.splitlines()[-1] == "  ⟨time.strftime()⟩  call not understood  r.py:12"

    def test_a_refused_default_is_told(self, run: Run) -> None:
        name = run.write(
            "r.py",
            recipe('assert args.mode != "a"\ntrain_args = f"--m {args.mode} "', 'mode: Literal["a", "b"] = "a"'),
        )
        out = run("fold", name).out
        assert "knobs        mode = 'b' (the default is refused)" in out
        assert "--m  b" in out

    def test_a_long_value_is_cut(self, run: Run) -> None:
        name = run.write("r.py", recipe(f"train_args = '--x {'y' * 500} '"))
        out = run("fold", name).out
        assert "y" * 160 + "… (500 characters)" in out
        assert "y" * 161 not in out

    def test_an_unknown_rest_stands_alone(self, run: Run) -> None:
        name = run.write("r.py", recipe('train_args = f"--colocate {args.extra} "', 'extra: str = ""'))
        lines = run("fold", name, "--all").out.splitlines()
        assert any(line.endswith("--colocate") for line in lines)
        assert any(line.endswith("⟨extra⟩   when extra != ''") for line in lines)

    def test_a_value_that_ends_on_some_paths_only_keeps_its_flag(self, run: Run) -> None:
        body = 'parts = [f"--a {args.n}"]\nif args.on:\n    parts.append("--b 2")\ntrain_args = " ".join(parts)'
        name = run.write("r.py", recipe(body, "n: int = 1\non: bool = False"))
        out = run("fold", name, "--all").out
        assert "--a  ⟨n=1⟩\n" in out
        assert "--b  2   when on\n" in out

    def test_several_launches_follow_each_other(self, run: Run) -> None:
        out = run("fold", str(FIXTURES / "run_table.py")).out
        assert [line for line in out.splitlines() if "→" in line] == [
            "small → train.py   at the defaults",
            "large → train.py   at the defaults",
        ]


class TestSet:
    def test_a_knob_is_folded_at_another_value(self, run: Run) -> None:
        done = run("fold", BRANCHES, "--set", "mode=debug", "--set", "dynamic-sampling=yes", "--format", "argv")
        words = shlex.split(done.out)
        assert words[0] == "train_async.py"
        assert words[words.index("--save-interval") + 1] == "2"
        assert "--over-sampling-batch-size" not in words

    def test_values_have_the_type_of_the_knob(self, run: Run) -> None:
        knobs = 'n: int = 1\nf: float = 0.5\nb: bool = False\no: int | None = 3\ns: str = "x"'
        body = 'train_args = f"--v {args.n + 1} {args.f * 2} {args.b!r} {args.o!r} {args.s + chr(33)} "'
        name = run.write("r.py", recipe(body, knobs))
        given = [text for pair in ("n=4", "f=2", "b=true", "o=none", "s=7") for text in ("--set", pair)]
        assert run("fold", name, *given, "--format", "argv").out == "train.py --v 5 4.0 True None '7!'\n"

    def test_a_value_that_is_not_listed_may_be_given_where_the_knob_is_open(self, run: Run) -> None:
        done = run("fold", BRANCHES, "--set", "model_name=huge", "--format", "argv")
        assert "--hf-checkpoint /models/huge" in done.out
        assert "--tensor-model-parallel-size 4 --sequence-parallel" in done.out

    def test_the_heading_tells_what_was_set(self, run: Run) -> None:
        out = run("fold", BRANCHES, "--set", "bridge=1", "--set", "use_kl=0", "--env", "X=1").out
        assert out.splitlines()[0].endswith("run_branches.py  with bridge=True, use_kl=False, $X=1")

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            (("--set", "mod=debug"), "no knob 'mod' for '--set'\n\n  tip: did you mean 'mode'?"),
            (("--set", "mode=fast"), "invalid value 'fast' for '--set mode'\n  [possible values: normal, debug]"),
            (("--set", "num_gpus_per_node=many"), "invalid value 'many'"),
            (("--set", "num_gpus_per_node=many"), "[expected an integer]"),
            (("--set", "use_kl=perhaps"), "[possible values: True, False]"),
            (("--set", "mode"), "invalid value 'mode' for '--set': expected NAME=VALUE"),
            (("--env", "=1"), "invalid value '=1' for '--env'"),
            (("--entry", "mian"), "no entry point 'mian'\n\n  tip: did you mean 'main'?"),
            (
                ("--why", "--save-intervall"),
                "no flag '--save-intervall' in any launch\n\n  tip: did you mean '--save-interval'?",
            ),
            (("--format", "yaml"), "invalid choice: 'yaml'"),
            (("--all", "--format", "argv"), "cannot be used with"),
            (("--nonsense",), "--nonsense"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, run: Run, given: tuple[str, ...], told: str) -> None:
        done = run("fold", BRANCHES, *given)
        assert done.code == 2
        assert done.out == ""
        assert told in done.err

    def test_knobs_that_lead_to_no_launch_give_a_message(self, run: Run) -> None:
        done = run("fold", BRANCHES, "--set", "bridge=true", "--set", "use_kl=true")
        assert (done.code, done.out) == (0, "")
        assert "no launch found" in done.err and "at these knobs" in done.err


class TestEntries:
    def test_one_entry_point_is_chosen(self, run: Run) -> None:
        done = run("fold", str(FIXTURES / "run_table.py"), "--entry", "large", "--format", "argv")
        assert done.out.startswith("train.py --tensor-model-parallel-size 4 ")
        assert done.out.count("\n") == 1

    def test_a_function_that_is_no_command_may_be_named(self, run: Run) -> None:
        lines = run("fold", str(FIXTURES / "run_table.py"), "--entry", "launch", "--all").out.splitlines()
        assert "    42  --tensor-model-parallel-size  4   when name == 'large'" in lines
        assert "                                      1   when not (name == 'large')" in lines


class TestWhy:
    def test_the_story_of_a_flag(self, run: Run) -> None:
        out = run("fold", BRANCHES, "--why", "--over-sampling-batch-size").out
        assert out.splitlines()[:2] == [
            "main: --over-sampling-batch-size 64",
            "  when mode == 'normal'* and dynamic_sampling; absent at the defaults",
        ]
        assert 'run_branches.py:45  rollout_args += "--over-sampling-batch-size 64 "' in out
        assert out.count("called from") == 2 * out.count("written at")

    def test_values_tell_their_own_places(self, run: Run) -> None:
        out = run("fold", BRANCHES, "--why", "tensor-model-parallel-size").out
        assert "  1   when" in out and "  4   when" in out
        assert 'self.tensor_parallel = 1 if self.model_name == "tiny-1B" else 4' in out

    def test_variables_of_the_environment_too(self, run: Run) -> None:
        out = run("fold", BRANCHES, "--why", "$TORCH_NCCL_AVOID_RECORD_STREAMS").out
        assert out.splitlines()[:2] == ["main: $TORCH_NCCL_AVOID_RECORD_STREAMS = 1", "  when backend == 'fsdp'"]


class TestKnobs:
    def test_types_defaults_values_and_places(self, run: Run) -> None:
        lines = run("fold", BRANCHES, "--knobs").out.splitlines()
        named = {line.split()[0]: " ".join(line.split()[1:]) for line in lines}
        assert named["mode"].startswith("""Literal["normal", "debug"] = 'normal' or 'debug' """)
        assert named["mode"].endswith("run_branches.py:14")
        assert named["model_name"].startswith("str = 'tiny-1B' ")
        assert named["num_gpus_per_node"].startswith("int | None = None ")
        assert named["run_id"].startswith("str = computed ")
        assert named["$WANDB_API_KEY"] == "unset or …"

    def test_what_is_set_is_marked(self, run: Run) -> None:
        out = run("fold", BRANCHES, "--knobs", "--set", "mode=debug").out
        assert next(line for line in out.splitlines() if line.startswith("mode ")).endswith("set to 'debug'")


class TestNothing:
    def test_a_file_without_a_launch_gives_a_message_and_no_failure(self, run: Run) -> None:
        done = run("fold", run.write("r.py", "print(1)\n"))
        assert (done.code, done.out, done.err) == (0, "", "no launch found in r.py\n")

    def test_a_file_that_cannot_be_read(self, run: Run) -> None:
        done = run("fold", "missing.py")
        assert done.code == 2
        assert "cannot read 'missing.py': No such file" in done.err

    def test_a_file_that_is_no_python(self, run: Run) -> None:
        done = run("fold", run.write("r.py", "def f(:\n"))
        assert done.code == 2
        assert "r.py:1:" in done.err

    def test_python_that_is_too_deep(self, run: Run) -> None:
        done = run("fold", run.write("r.py", f"x = {'(' * 190}1{')' * 190}\nexecute_train()\n"))
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("no launch found in r.py\n")
        assert "nested too deeply" in done.err

    def test_a_file_in_another_encoding(self, run: Run) -> None:
        (run.folder / "r.py").write_bytes("# caf\xe9\n".encode("latin-1"))
        done = run("fold", "r.py")
        assert done.code == 2
        assert "valid UTF-8" in done.err


class TestJson:
    def document(self, run: Run, *arguments: str) -> dict[str, object]:
        done = run("fold", *arguments, "--format", "json")
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out)

    def test_it_is_shaped_as_its_schema_says(self, run: Run) -> None:
        jsonschema = pytest.importorskip("jsonschema")
        schema = json.loads((Path(__file__).parents[1] / "schema" / "fold-1.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        for path in sorted(FIXTURES.glob("*.py")):
            jsonschema.validate(self.document(run, str(path)), schema)

    def test_it_has_the_defaults_and_all_alternatives(self, run: Run) -> None:
        document = self.document(run, BRANCHES)
        assert document["schema"] == 1
        (launch,) = document["launches"]
        line = run("fold", BRANCHES, "--format", "argv").out
        assert [launch["defaults"]["driver"], *launch["defaults"]["argv"]] == shlex.split(line)
        words = {word["alternatives"][0]["text"]: word for word in launch["argv"]}
        when = words["--over-sampling-batch-size"]["alternatives"][0]["when"]
        assert when == {
            "text": "mode == 'normal' and dynamic_sampling",
            "negated": False,
            "complete": True,
            "any": [
                [
                    {"knob": "mode", "values": ["normal"], "others": False},
                    {"knob": "dynamic_sampling", "values": [True], "others": False},
                ]
            ],
            "at_defaults": False,
        }
        place = words["--over-sampling-batch-size"]["place"]
        assert (place["row"], place["column"], len(place["calls"])) == (45, 26, 2)

    def test_holes_are_pieces_with_a_reason(self, run: Run) -> None:
        (launch,) = self.document(run, BRANCHES)["launches"]
        save = next(word for word in launch["argv"] if "run id" in word["alternatives"][0]["text"])
        pieces = save["alternatives"][0]["pieces"]
        assert {"hole": "known only when it runs", "detail": "run id"} in pieces

    def test_a_file_without_a_launch_is_a_document_too(self, run: Run) -> None:
        document = self.document(run, run.write("r.py", "print(1)\n"))
        assert document["launches"] == []


class TestColour:
    def test_none_where_there_is_no_terminal(self, run: Run) -> None:
        assert "\x1b[" not in run("fold", BRANCHES).out

    def test_on_request(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "\x1b[36m--save\x1b[0m" in run("fold", BRANCHES, "--color", "always").out
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[36m--save\x1b[0m" in run("fold", BRANCHES).out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[" not in run("fold", BRANCHES).out


def test_standard_input_is_read_under_a_name(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "miles_lint", "fold", "-", "--stdin-filename", "given.py", "--format", "argv"]
    given = recipe('train_args = "--a 1 "').encode()
    done = subprocess.run(command, input=given, capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (0, b"train.py --a 1\n")


def test_a_reader_that_goes_away_gives_no_traceback(tmp_path: Path) -> None:
    script = f"{shlex.quote(sys.executable)} -m miles_lint fold {shlex.quote(BRANCHES)} --all | head -1"
    done = subprocess.run(script, shell=True, capture_output=True, cwd=tmp_path, check=False)
    assert b"Traceback" not in done.stderr
    assert done.stdout.endswith(b"run_branches.py\n")
