"""`miles-lint diff`: two files, two revisions of git, text and JSON, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from launches import Run, recipe

from miles_lint.recipe import Fold, fold
from miles_lint.source import Source

HELPER = "def lr():\n    return '1e-6'\n"
USES_HELPER = recipe("from shared import lr\ntrain_args = f'--lr {lr()} '")
PLAIN = recipe('train_args = "--a 1 "')


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    return Run(tmp_path, capsysbinary)


class TestFiles:
    def test_no_difference(self, run: Run) -> None:
        one, two = (
            run.write("one.py", PLAIN),
            run.write("two.py", PLAIN.replace("train_args", "text").replace("text=", "train_args=")),
        )
        done = run("diff", one, two)
        assert (done.code, done.out, done.err) == (0, "", "1 recipe compared: no launch differs\n")

    def test_differences_are_lines_with_places(self, run: Run) -> None:
        knobs = "on: bool = False"
        one = run.write(
            "one.py", recipe('train_args = "--a 1 --gone "\nif args.on:\n    train_args += "--b 2 "', knobs)
        )
        two = run.write(
            "two.py", recipe('train_args = "--a 2 "\nif args.on:\n    train_args += "--b 3 --new x "', knobs)
        )
        done = run("diff", one, two)
        assert done.code == 1
        assert done.out.splitlines() == [
            "one.py → two.py",
            "  main",
            "    ~ --a  1 → 2   :11 → :11",
            "    - --gone   :11",
            "    ~ --b  2 → 3   when on (not at the defaults)   :13 → :13",
            "    + --new  x   when on (not at the defaults)   :13",
        ]
        assert done.err == "1 recipe compared: 4 differences in 1\n"

    def test_many_values_away_from_the_defaults_are_counted(self, run: Run) -> None:
        knobs = 'm: Literal["p", "q", "r", "s", "t", "u"] = "p"\non: bool = False'
        one = run.write("one.py", recipe('train_args = f"--m {args.m} " if args.on else ""', knobs))
        two = run.write("two.py", recipe('train_args = ""', knobs))
        lines = run("diff", one, two).out.splitlines()
        assert len(lines) == 5
        assert lines[-1] == "      --m: 4 more away from the defaults (--format json has them)"

    def test_unknown_parts_that_are_taken_for_the_same_are_told(self, run: Run) -> None:
        text = recipe('train_args = f"--step {open(chr(47)).read()} "')
        one, two = run.write("one.py", text), run.write("two.py", text.replace("chr(47)", "chr(48)"))
        done = run("diff", one, two)
        assert done.code == 0
        assert done.err.endswith("no launch differs; 1 unknown part taken for the same: ⟨open().read()⟩\n")

    def test_json_is_shaped_as_its_schema_says(self, run: Run) -> None:
        jsonschema = pytest.importorskip("jsonschema")
        schema = json.loads((Path(__file__).parents[1] / "schema" / "diff-1.schema.json").read_text(encoding="utf-8"))
        one = run.write("one.py", PLAIN)
        two = run.write("two.py", PLAIN.replace("--a 1", "--a 2 --c"))
        done = run("diff", one, two, "--format", "json")
        document = json.loads(done.out)
        jsonschema.validate(document, schema)
        assert done.code == 1
        assert document["recipes"][0]["changes"][0] == {
            "kind": "argument",
            "entry": "main",
            "name": "--a",
            "old": ["1"],
            "new": ["2"],
            "when": None,
            "at_defaults": True,
            "old_place": {"path": "one.py", "row": 11},
            "new_place": {"path": "two.py", "row": 11},
        }

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ((), "two recipes are needed"),
            (("one.py",), "two recipes are needed"),
            (("one.py", "missing.py"), "cannot read 'missing.py'"),
            (("one.py", "broken.py"), "broken"),
            (
                (
                    "--rev",
                    "HEAD",
                ),
                "needs the recipes or folders",
            ),
            (("--rev", "A...B", "one.py"), "expected A..B"),
            (("--rev", "HEAD", "one.py"), "not a git repository"),
            (("one.py", "one.py", "--nonsense"), "--nonsense"),
        ],
    )
    def test_what_cannot_be_done_is_told(self, run: Run, arguments: tuple[str, ...], told: str) -> None:
        run.write("one.py", PLAIN)
        run.write("broken.py", "def f(:\n")
        done = run("diff", *arguments)
        assert done.code == 2
        assert told in done.err or told == "broken"


class TestRevisions:
    @pytest.fixture
    def git(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
        for name, value in (("GIT_CONFIG_GLOBAL", os.devnull), ("GIT_CONFIG_SYSTEM", os.devnull)):
            monkeypatch.setenv(name, value)
        self.command(run.folder, "init", "-q")
        run.write("recipes/a.py", USES_HELPER)
        run.write("recipes/shared.py", HELPER)
        run.write("recipes/b.py", PLAIN)
        run.write("recipes/no_launch.py", "print('execute_train')\n")
        self.commit(run)
        return run

    def command(self, folder: Path, *arguments: str) -> None:
        given = ("-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false")
        subprocess.run(("git", "-C", str(folder), *given, *arguments), check=True, capture_output=True)

    def commit(self, run: Run) -> None:
        self.command(run.folder, "add", "-A")
        self.command(run.folder, "commit", "-q", "-m", "change")

    def test_a_recipe_differs_by_what_it_imports(self, git: Run) -> None:
        git.write("recipes/shared.py", HELPER.replace("1e-6", "2e-6"))
        self.commit(git)
        done = git("diff", "--rev", "HEAD~1..HEAD", "recipes")
        assert done.code == 1
        assert done.out.splitlines() == ["recipes/a.py", "  main", "    ~ --lr  1e-6 → 2e-6   :12 → :12"]
        assert done.err == "2 recipes compared: 1 difference in 1\n"

    def test_an_end_that_is_left_out_is_the_head(self, git: Run) -> None:
        git.write("recipes/b.py", PLAIN.replace("--a 1", "--a 2"))
        self.commit(git)
        assert git("diff", "--rev", "HEAD~1..", "recipes/b.py").code == 1
        assert git("diff", "--rev", "..HEAD~1", "recipes/b.py").code == 1

    def test_one_revision_is_compared_with_the_files(self, git: Run) -> None:
        assert git("diff", "--rev", "HEAD", "recipes").code == 0
        git.write("recipes/shared.py", HELPER.replace("1e-6", "2e-6"))
        git.write("recipes/new.py", PLAIN)
        done = git("diff", "--rev", "HEAD", "recipes")
        assert done.out.splitlines() == [
            "recipes/a.py",
            "  main",
            "    ~ --lr  1e-6 → 2e-6   :12 → :12",
            "recipes/new.py (added)",
        ]

    def test_files_that_came_went_or_were_renamed(self, git: Run) -> None:
        (git.folder / "recipes" / "b.py").unlink()
        (git.folder / "recipes" / "a.py").rename(git.folder / "recipes" / "renamed.py")
        git.write("recipes/c.py", recipe('train_args = "--c "', "c: int = 3"))
        self.commit(git)
        done = git("diff", "--rev", "HEAD~1..HEAD", "recipes")
        assert "recipes/b.py (removed)" in done.out or "recipes/b.py → recipes/c.py" in done.out
        assert "renamed.py" not in done.out
        assert done.err.startswith("3 recipes compared") or done.err.startswith("2 recipes compared")

    def test_a_module_that_came_is_seen_by_who_asked_for_it(self, git: Run) -> None:
        git.write(
            "recipes/d.py",
            recipe(
                "try:\n    from extra import flag\nexcept ImportError:\n    flag = ''\ntrain_args = f'--a {flag} '"
            ),
        )
        self.commit(git)
        git.write("recipes/extra.py", "flag = '--more'\n")
        self.commit(git)
        done = git("diff", "--rev", "HEAD~1..HEAD", "recipes/d.py")
        assert done.code == 1
        assert "--more" in done.out

    def test_folders_of_the_checkout_make_no_difference(self, git: Run) -> None:
        text = recipe("import os\ntrain_args = f'--config {os.path.dirname(os.path.abspath(__file__))}/c.yaml '")
        git.write("recipes/b.py", text)
        self.commit(git)
        git.write("recipes/b.py", text.replace("def main", "# moved\n\ndef main"))
        self.commit(git)
        assert git("diff", "--rev", "HEAD~1..HEAD", "recipes/b.py").code == 0

    def test_a_file_that_cannot_be_parsed_is_told_and_the_others_are_compared(self, git: Run) -> None:
        git.write("recipes/a.py", "def execute_train(:\n")
        git.write("recipes/b.py", PLAIN.replace("--a 1", "--a 2"))
        self.commit(git)
        done = git("diff", "--rev", "HEAD~1..HEAD", "recipes")
        assert done.code == 2
        assert "recipes/a.py: " in done.out
        assert "    ~ --a  1 → 2" in done.out
        assert done.err == "2 recipes compared: 1 difference in 1; 1 could not be compared\n"

    def test_a_fold_that_fails_is_told_of_its_recipe(self, git: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        git.write("recipes/shared.py", HELPER.replace("1e-6", "2e-6"))
        git.write("recipes/b.py", PLAIN.replace("--a 1", "--a 2"))
        self.commit(git)

        def failing(source: Source, **options: object) -> Fold:
            if source.path.endswith("a.py"):
                raise RuntimeError("the fold broke down")
            return fold(source, **options)

        monkeypatch.setattr("miles_lint.diff.recipes.fold", failing)
        done = git("diff", "--rev", "HEAD~1..HEAD", "recipes")
        assert done.code == 2
        assert "recipes/a.py: internal error: RuntimeError: the fold broke down" in done.out
        assert "    ~ --a  1 → 2" in done.out

    def test_a_renamed_recipe_is_found_under_its_old_name(self, git: Run) -> None:
        git.write("recipes/renamed.py", (git.folder / "recipes" / "a.py").read_text().replace("--lr", "--rate"))
        (git.folder / "recipes" / "a.py").unlink()
        self.commit(git)
        done = git("diff", "--rev", "HEAD~1..HEAD", "recipes/a.py")
        assert done.out.splitlines()[0] == "recipes/a.py → recipes/renamed.py"
        assert "    - --lr  1e-6   :12" in done.out.splitlines()

    def test_from_a_folder_inside(self, git: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        git.write("recipes/b.py", PLAIN.replace("--a 1", "--a 2"))
        self.commit(git)
        monkeypatch.chdir(git.folder / "recipes")
        assert git("diff", "--rev", "HEAD~1..HEAD", "b.py").out.startswith("recipes/b.py\n")

    def test_what_cannot_be_done_is_told(self, git: Run) -> None:
        assert "no revision 'nowhere'" in git("diff", "--rev", "nowhere..HEAD", "recipes").err
        assert "'other' is in neither revision" in git("diff", "--rev", "HEAD..HEAD", "other").err
        assert "inside the repository" in git("diff", "--rev", "HEAD..HEAD", "/").err
        assert git("diff", "--rev", "HEAD..HEAD", "/").code == 2

    def test_nothing_is_left_behind(self, git: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(scratch))
        git("diff", "--rev", "HEAD..HEAD", "recipes")
        assert list(scratch.iterdir()) == []
        status = subprocess.run(("git", "status", "--porcelain"), cwd=git.folder, capture_output=True, check=True)
        assert status.stdout in (b"", b"?? scratch/\n")


ROOT = os.environ.get("MILES_ROOT", "")
REFACTORING = "360788c21"


def _has_refactoring() -> bool:
    command = ("git", "-C", ROOT, "cat-file", "-e", f"{REFACTORING}~1^{{commit}}")
    return bool(ROOT) and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _has_refactoring(), reason=f"MILES_ROOT names no checkout with the history of {REFACTORING}")
def test_what_the_move_to_a_backend_object_changed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """That commit makes one recipe ask an integer for a backend, which raises before its launch; nothing else."""
    monkeypatch.chdir(ROOT)
    done = run("diff", "--rev", f"{REFACTORING}~1..{REFACTORING}", "scripts", "examples")
    assert done.out.splitlines() == [
        "scripts/run_nemotron_3_super_120b_a12b.py",
        "  train",
        "    - launch  train.py   when num_nodes == 2* and num_gpus_per_node == 8*   :179",
    ]
    assert " recipes compared: 1 difference in 1; " in done.err
    assert int(done.err.split()[0]) >= 55
