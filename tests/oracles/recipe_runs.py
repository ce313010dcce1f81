"""Run real recipes of a trainer checkout in a subprocess, at given or random knobs, and read what they launched."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CHILD = Path(__file__).with_name("recipe_child.py")
_READ = re.compile(r"(?:environ\.get\(|getenv\(|get_bool_env_var\(|environ\[)\s*[\"']([A-Z][A-Z0-9_]*)[\"']")


@dataclass(frozen=True)
class Case:
    """One run: a file, its entry point (`__main__` is the script itself), knobs; with a seed more are drawn."""

    path: Path
    entry: str
    fields: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None


@dataclass(frozen=True)
class Submitted:
    """A command that submits training, taken apart; the train script as written and relative to the checkout."""

    train_script: tuple[str, ...]
    argv: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Run:
    """What a case did. `fields` are those that were set; `error` is how it ended, if not well."""

    case: Case
    fields: Mapping[str, object]
    submitted: tuple[Submitted, ...]
    error: str = ""
    where: str = ""

    @property
    def assignment(self) -> dict[str, object]:
        """Fields and, as `env:NAME`, environment variables."""
        return {**self.fields, **{f"env:{name}": value for name, value in self.case.environment.items()}}


def run(root: Path, cases: Sequence[Case], timeout: float = 300) -> list[Run]:
    """The runs of all cases, in one process; raises RuntimeError when it dies."""
    paths = {case.path for case in cases}
    job = {
        "root": str(root),
        "cases": [
            {
                "path": str(case.path),
                "entry": case.entry,
                "fields": dict(case.fields),
                "environment": dict(case.environment),
                **({} if case.seed is None else {"seed": case.seed}),
            }
            for case in cases
        ],
        "words": {str(path): compared_words(path) for path in paths},
    }
    done = subprocess.run(
        [sys.executable, str(CHILD)],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=timeout,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    lines = done.stdout.splitlines()
    if len(lines) != len(cases):
        raise RuntimeError(f"the sandbox answered {len(lines)} of {len(cases)} cases:\n{done.stderr[-3000:]}")
    return [_read(case, json.loads(line), root) for case, line in zip(cases, lines)]


def _read(case: Case, answer: Mapping[str, object], root: Path) -> Run:
    submitted = tuple(parse(command, root) for command in answer["commands"])
    return Run(case, answer["fields"], submitted, str(answer.get("error", "")), str(answer.get("where", "")))


def parse(command: str, root: Path) -> Submitted:
    """The train script, its arguments, and the runtime environment of a `ray job submit … -- python3 …` command."""
    words = shlex.split(command)
    start = words.index("--", words.index("submit"))
    prefix = "--runtime-env-json="
    runtime = [word[len(prefix) :] for word in words[:start] if word.startswith(prefix)]
    variables = json.loads(runtime[0])["env_vars"] if runtime else {}
    script = words[start + 2]
    return Submitted((script, script.removeprefix(f"{root}/")), tuple(words[start + 3 :]), variables)


def compared_words(path: Path) -> list[str]:
    """Strings that a file compares something with, matches, or keys a table by: good values for its knobs."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        parts: Iterable[ast.expr | None] = ()
        if isinstance(node, ast.Compare):
            parts = node.comparators
        elif isinstance(node, ast.MatchValue):
            parts = (node.value,)
        elif isinstance(node, ast.Dict):
            parts = node.keys
        found.update(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
    return sorted(word for word in found if re.fullmatch(r"[\w.-]+", word))


def variables_of(path: Path) -> list[str]:
    """Environment variables that a file reads."""
    return sorted(set(_READ.findall(path.read_text())))


def random_environment(path: Path, choose: random.Random) -> dict[str, str]:
    names = variables_of(path)
    return {name: choose.choice(("0", "1", "2", "8")) for name in names if choose.random() < 0.3}
