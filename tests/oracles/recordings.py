"""A trainer checkout's own recordings of what its launchers run, and the frozen world they were made in.

Facts of the recordings (frozen variables, overrides, cases) are read from the checkout's harness when asked
for, not kept here: layout of `tests/snapshots`, `tests/fast/launch_scripts`, `tests/manual/launch_scripts` at
31f1ca961.
"""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from miles_lint.domain.value import Chars, Hole, Text
from miles_lint.launch import Argument, Launch
from tests.oracles.recipe_runs import Submitted, parse

_HEADER = re.compile(r"^### (pseudo file )?\d+\n", re.MULTILINE)


@dataclass(frozen=True)
class Recording:
    """One recorded run of an entry point: the train commands, with the knobs and variables it ran under."""

    name: str
    recipe: Path
    entry: str
    submitted: tuple[Submitted, ...]
    assignments: Mapping[str, object]
    environment: Mapping[str, str]


class Checkout:
    """The recordings of one checkout; `sandbox` is where its harness would let launchers find files."""

    def __init__(self, root: Path, sandbox: Path) -> None:
        self.root = root
        self.sandbox = sandbox
        self.snapshots = root / "tests/snapshots"
        harness = root / "tests/fast/launch_scripts/py_harness.py"
        self.frozen_environment: dict[str, str] = _constants(harness, "_FROZEN_ENV")["_FROZEN_ENV"]
        self.run_id: str = _constants(harness, "FROZEN_RUN_ID")["FROZEN_RUN_ID"]

    def model_args(self) -> Iterator[tuple[str, list[str]]]:
        """Model types and the words that their definitions expand to."""
        for path in sorted((self.snapshots / "model_args").glob("*.txt")):
            yield path.stem, [json.loads(line) for line in path.read_text().splitlines()]

    def launches(self) -> Iterator[Recording]:
        """Recordings of `scripts/run_*.py` that submit training."""
        overrides = self._overrides()
        folder = self.snapshots / "launch_scripts/py"
        for path in sorted(folder.rglob("*.txt")):
            rel = path.parent.relative_to(folder).as_posix()
            make = overrides.get(rel)
            sandbox = self.sandbox / rel.replace("/", "_") / path.stem
            knobs = {} if make is None else make(sandbox)
            submitted = self.read(path, sandbox)
            if submitted:
                name = f"{rel}::{path.stem}"
                yield Recording(name, self.root / rel, path.stem, submitted, knobs, self.frozen_environment)

    def self_executing(self) -> Iterator[Recording]:
        """Recordings of launchers that reach the shell by themselves."""
        test = self.root / "tests/manual/launch_scripts/test_self_executing_launchers.py"
        cases = _executed(test, ("LauncherCase", "_P2P", "_FORMAL_MATH", "_P2P_PROFILES", "_CASES"))["_CASES"]
        environment = {**self.frozen_environment, "MILES_LOG_DIR": str(self.sandbox), **_set_variables(test)}
        for case in cases:
            path = self.snapshots / "launch_scripts/self_executing" / case.rel / f"{case.name}.txt"
            entry = case.entrypoint or "__main__"
            submitted = self.read(path, self.sandbox)
            yield Recording(
                f"{case.rel}::{case.name}", self.root / case.rel, entry, submitted, case.kwargs, environment
            )

    def read(self, path: Path, sandbox: Path) -> tuple[Submitted, ...]:
        """The train commands of a recording, placeholders replaced by what they stand for."""
        text = path.read_text().replace("<REPO_ROOT>", str(self.root)).replace("<SANDBOX>", str(sandbox))
        commands, files = [], []
        headers = list(_HEADER.finditer(text))
        for header, following in zip(headers, [*headers[1:], None]):
            body = text[header.end() : following.start() - 2 if following else len(text) - 1]
            if header.group(1):
                files.append(body)
            else:
                commands.append(re.sub(r"\n  (?=--)", " ", body))
        for number, content in enumerate(files, 1):
            encoded = base64.b64encode(content.encode()).decode()
            commands = [c.replace(f"base64:<frozen-pseudo-file-{number}>", f"base64:{encoded}") for c in commands]
        return tuple(parse(command, self.root) for command in commands if "ray job submit" in command)

    def _overrides(self) -> dict[str, Callable[[Path], dict[str, object]]]:
        """Scripts whose defaults do not launch, with what makes knobs (and files) for them."""
        test = self.root / "tests/manual/launch_scripts/test_py_launch_scripts.py"
        name = "_SCRIPTS_WHOSE_DEFAULTS_ARE_UNSUPPORTED"
        return _executed(test, (name, "_glm_checkpoint", "_nemotron_checkpoint"))[name]


def frozen(launch: Launch, run_id: str) -> Launch:
    """The launch with the run id that the recording harness puts in place of a fresh one."""

    def piece(known: Chars | Hole) -> Chars | Hole:
        if isinstance(known, Hole) and known.unknown.detail == "run id":
            return Chars(run_id, known.guard, known.origin, False, known.quoted)
        return known

    def argument(known: Argument) -> Argument:
        return replace(known, text=Text(tuple(map(piece, known.text.pieces))))

    return replace(launch, argv=tuple(map(argument, launch.argv)))


def _constants(path: Path, *names: str) -> dict[str, object]:
    """Literal module constants of a file, without running it."""
    found = {}
    for node in ast.parse(path.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else ()
        for target in targets:
            if isinstance(target, ast.Name) and target.id in names:
                found[target.id] = ast.literal_eval(node.value)
    return found


def _executed(path: Path, names: tuple[str, ...]) -> dict[str, object]:
    """The named definitions of a test module, executed without the rest of it."""
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if set(names) & set(_defined(node))]
    namespace: dict[str, object] = {
        "Callable": Callable,
        "Path": Path,
        "dataclass": dataclass,
        "field": field,
        "json": json,
        "__name__": __name__,
    }
    exec(compile(tree, str(path), "exec"), namespace)
    return namespace


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id


def _set_variables(path: Path) -> dict[str, str]:
    """Variables that a test module sets through `monkeypatch.setenv` with literals."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    given = [call.args for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "setenv"]
    literal = [pair for pair in given if len(pair) == 2 and all(isinstance(each, ast.Constant) for each in pair)]
    return {name.value: value.value for name, value in literal}
