"""The snippets of docs/editors.md, taken out of the page and run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tools import script

from miles_lint.settings_files import tomllib

PAGE = (Path(__file__).parent.parent.parent / "docs" / "editors.md").read_text()
SNIPPETS = dict(re.findall(r"<!-- snippet: (\S+)[^\n]*-->\n```\w+\n(.*?)```", PAGE, re.DOTALL))
ROOT = Path(__file__).parent.parent.parent


def test_every_snippet_is_known() -> None:
    assert set(SNIPPETS) == {
        *("external.toml", "pre-commit.yaml", "tasks.json", "compiler.vim", "flymake.el", "nvim-0.11.lua", "nvim.lua"),
        *("languages.toml", "eglot.el", "github.yaml", "github.sh", "gitlab.yaml", "reviewdog.sh"),
    }


def run(command: str, project: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line of a snippet with the tools of this environment."""
    script("miles-lint")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        command,
        shell=True,
        executable="bash",
        cwd=project,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )


def test_ruff_leaves_our_comments_alone(project: Path) -> None:
    text = "x = 1  # noqa: MIL001, E501\n"
    (project / "a.py").write_text(text)
    command = f"{script('ruff')} check --no-cache --select RUF100,RUF102 --fix --quiet a.py"
    run(command, project)
    assert (project / "a.py").read_text() != text
    (project / "a.py").write_text(text.replace(", E501", ""))
    (project / "pyproject.toml").write_text(SNIPPETS["external.toml"])
    run(command, project)
    assert (project / "a.py").read_text() == text.replace(", E501", "")


def test_vs_code_task(project: Path) -> None:
    task = json.loads(SNIPPETS["tasks.json"])["tasks"][0]
    pattern = re.compile(task["problemMatcher"]["pattern"]["regexp"])
    (project / "broken.py").write_text("execute_train(\n")
    lines = run(task["command"], project).stdout.splitlines()
    groups = [match.groups() for match in map(pattern.match, lines) if match]
    assert len(groups) == len(lines) == 2
    assert [(each[0], each[3]) for each in groups] == [("broken.py", "invalid-syntax"), ("recipe.py", "MIL001")]
    assert not groups[1][4].startswith("[")


def test_vim_quickfix(project: Path) -> None:
    editor = script("nvim")
    (project / "compiler.vim").write_text(SNIPPETS["compiler.vim"])
    listed = "map(getqflist(), {_, item -> bufname(item.bufnr) . ':' . item.lnum . ':' . item.col . ':' . item.text})"
    command = [editor, "--headless", "-u", "NONE", "recipe.py", "-c", "source compiler.vim", "-c", "silent make"]
    command += ["-c", f"call writefile({listed}, 'found.txt')", "-c", "quitall!"]
    run(
        " ".join(f"'{part}'" if part != f"call writefile({listed}, 'found.txt')" else f'"{part}"' for part in command),
        project,
    )
    assert re.match(r"recipe\.py:\d+:10: ?MIL001 ", (project / "found.txt").read_text())


def test_emacs_flymake(project: Path) -> None:
    editor = script("emacs")
    (project / "flymake.el").write_text(SNIPPETS["flymake.el"])
    (project / "drive.el").write_text(
        """(load-file "flymake.el")
(find-file "recipe.py")
(flymake-mode 1)
(flymake-start)
(let ((tries 100))
  (while (and (> tries 0) (null (flymake-diagnostics)))
    (accept-process-output nil 0.2)
    (setq tries (1- tries))))
(dolist (each (flymake-diagnostics))
  (goto-char (flymake-diagnostic-beg each))
  (princ (format "%d:%d %s\\n" (line-number-at-pos) (current-column) (flymake-diagnostic-text each))))
"""
    )
    done = run(f"{editor} -Q --batch -l drive.el", project)
    assert re.search(r"^\d+:9 MIL001 ", done.stdout, re.MULTILINE), done.stdout + done.stderr


def test_helix_configuration_is_toml() -> None:
    document = tomllib.loads(SNIPPETS["languages.toml"])
    assert document["language"][0]["language-servers"] == list(document["language-server"])


def test_gitlab_job(project: Path) -> None:
    job = yaml.safe_load(SNIPPETS["gitlab.yaml"])["miles-lint"]
    done = run(job["script"][1], project)
    assert done.returncode == 1
    report = json.loads((project / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [each["check_name"] for each in report] == ["MIL001"]


def test_github_command_and_action(project: Path) -> None:
    done = run(SNIPPETS["github.sh"], project)
    assert (done.returncode, done.stdout.startswith("::error title=miles-lint (MIL001),")) == (1, True)
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    used = yaml.safe_load(SNIPPETS["github.yaml"])["jobs"]["miles-lint"]["steps"][1]["with"]
    assert set(used) <= set(action["inputs"])
    check = action["runs"]["steps"][2]["run"]
    output = project / "output.txt"
    output.write_text("")
    done = run(f"export ARGS=. SARIF=found.sarif GITHUB_OUTPUT={output}; set -eo pipefail\n{check}", project)
    assert (done.returncode, output.read_text()) == (1, "exit-code=1\n")
    assert json.loads((project / "found.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "MIL001"


def test_reviewdog_input(project: Path) -> None:
    command, _, _ = SNIPPETS["reviewdog.sh"].partition("|")
    assert json.loads(run(command, project).stdout)["diagnostics"][0]["code"]["value"] == "MIL001"


def test_pre_commit_snippet_names_our_hooks() -> None:
    hooks = {each["id"] for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    used = yaml.safe_load(SNIPPETS["pre-commit.yaml"])["repos"][0]["hooks"]
    assert {each["id"] for each in used} <= hooks


@pytest.mark.parametrize("name", ["nvim.lua", "nvim-0.11.lua"])
def test_lua_is_lua(name: str, project: Path) -> None:
    (project / name).write_text(SNIPPETS[name])
    done = run(f"{script('nvim')} --headless -u NONE -c \"lua assert(loadfile('{name}'))\" -c quitall", project)
    assert done.stderr.strip() == ""
