"""A credential that a finding speaks of appears in no output, in whatever spelling it is written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from miles_lint.cli import main
from miles_lint.options import FORMATS

KEY, TOKEN = "9f8e7d6c5b4a3f2e1d0c", "hf_Zk91QpL72mVx04TrBn58"
RECIPE = f"""import miles.utils.external_utils.command_utils as U


def execute():
    KEY = "{KEY}"
    U.execute_train(
        train_args=f"--use-wandb --wandb-key {{KEY}} "
        "--rollout-function-path miles.rollout.fully_async_rollout.FullyAsyncRolloutFn "
        "--nonsense {KEY} ",
        num_gpus_per_node=8,
        megatron_model_type="qwen3-4B",
        train_script="train_async.py",
        extra_env_vars={{"HF_TOKEN": "{TOKEN}"}},
    )


if __name__ == "__main__":
    execute()
"""
SPELLINGS = {
    "whole": RECIPE,
    "silenced": RECIPE.replace('{KEY} "\n', '{KEY} "  # noqa: MIL405\n'),
    "in two literals": RECIPE.replace(f'"{KEY}"\n', f'"{KEY[:10]}" "{KEY[10:]}"\n'),
    "in three short ones": RECIPE.replace(f'"{KEY}"\n', f'"{KEY[:7]}" "{KEY[7:14]}" "{KEY[14:]}"\n'),
}


def leaked(text: str) -> bool:
    return any(part in text for whole in (KEY, TOKEN) for part in (whole[:7], whole[7:14], whole[14:]))


@pytest.fixture(params=sorted(SPELLINGS))
def recipe(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "recipe.py"
    path.write_text(SPELLINGS[request.param].replace(f"--nonsense {KEY}", f"--nonsense {'x' * 20}"))
    assert leaked(path.read_text())
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_shows_it(name: str, recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--isolated", "--output-format", name, "recipe.py"]) == 1
    out, err = capsys.readouterr()
    assert "MIL405" in out
    assert not leaked(out + err)


def test_repairs_do_not_show_it(recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--isolated", "--diff", "recipe.py"]) == 1
    out, err = capsys.readouterr()
    assert '+        "--fully-async "' in out
    assert "    KEY = " in out and not leaked(out + err)
    main(["--isolated", "--fix", "recipe.py"])
    out, err = capsys.readouterr()
    assert not leaked(out + err)
    assert "--fully-async" in recipe.read_text() and leaked(recipe.read_text())


def test_what_stands_elsewhere_in_the_text_is_hidden_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe.py").write_text(RECIPE)
    main(["--isolated", "recipe.py"])
    main(["--isolated", "--diff", "recipe.py"])
    assert not leaked(capsys.readouterr().out)


def test_marks_stay_where_they_were(recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--isolated", "--select", "MIL405", "recipe.py"])
    out = capsys.readouterr().out
    rows = out.splitlines()
    marked = [(rows[at - 1], row.index("^"), row.count("^")) for at, row in enumerate(rows) if "^" in row]
    assert [above[start : start + count] for above, start, count in marked][-1] == '"HF_TOKEN"'
    assert re.search(r'"HF_TOKEN": "\*{23}"', out)


def test_messages_of_other_rules_do_not_say_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe.py").write_text(RECIPE.replace("--nonsense", "--lr"))
    assert main(["--isolated", "--output-format", "concise", "recipe.py"]) == 1
    out = capsys.readouterr().out
    assert "`********************`" in out and not leaked(out)


def test_flake8_does_not_say_it(tmp_path: Path) -> None:
    (tmp_path / "recipe.py").write_text(RECIPE.replace("--nonsense", "--lr"))
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "MIL", "recipe.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "MIL405" in done.stdout
    assert not leaked(done.stdout + done.stderr)
