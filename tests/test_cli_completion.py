"""Completion scripts, asked by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from miles_lint.cli import main
from miles_lint.cli.completion import SHELLS

LINES = {
    "miles-lint check --output-format js": {"json", "json-lines"},
    "miles-lint check --output-format=sa": {"sarif"},
    "miles-lint check --fail-on w": {"warning"},
    "miles-lint rule MIL00": {"MIL001", "MIL002", "MIL003", "MIL004"},
    "miles-lint check --select AL": {"ALL"},
    "miles-lint check --unsafe": {"--unsafe-fixes"},
    "miles-lint check --no-unsafe": {"--no-unsafe-fixes"},
    "miles-lint generate-shell-completion fi": {"fish"},
    "miles-lint contr": {"contract"},
    "miles-lint check rec": {"recipe.py"},
    "miles-lint --config set": {"settings.toml"},
}
BASH = """
source ./script
COMP_WORDS=($(sed 's/=/ = /g' <<<"$LINE")); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_miles_lint; printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = r"""
cat >.setup <<'END'
PROMPT=
autoload -U compinit; compinit -u -d dump
bindkey '^I' complete-word
eval "$(cat script)"
compadd() {
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        local -a found; builtin compadd -A found "$@"; print -rl -- $found >>told
    fi
    builtin compadd "$@"
}
print >ready
END
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source ./.setup'
for i in {1..100}; do [ -e ready ] && break; sleep 0.1; done
zpty -w -n shell "$LINE"$'\t'
for i in {1..20}; do [ -s told ] && break; sleep 0.1; done
sleep 0.1
zpty -d shell
cat told
"""


def completed(shell: str, line: str, root: Path) -> set[str]:
    """The words that a shell offers at the end of a line."""
    if shell == "fish":
        command = ["fish", "--no-config", "-c", f"source ./script; complete -C '{line}'"]
    else:
        command = [shell, "-c", {"bash": BASH, "zsh": ZSH}[shell]]
    environment = {"LINE": line, "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(root), "TERM": "dumb"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60)
    words = {row.split("\t")[0].strip() for row in done.stdout.splitlines()} - {""}
    return {word.rpartition("=")[2] if "=" in line else word for word in words}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is not installed")
    assert main(["generate-shell-completion", request.param]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    (tmp_path / "recipe.py").write_text("")
    (tmp_path / "settings.toml").write_text("")
    return str(request.param)


@pytest.mark.parametrize("line", LINES)
def test_words_at_the_end_of_a_line(line: str, shell: str, tmp_path: Path) -> None:
    assert completed(shell, line, tmp_path) == LINES[line]
