"""Run a trainer checkout's real recipes with nothing behind them; started by `recipe_runs.py` as a script.

Commands are recorded instead of executed, files outside of the checkout do not exist, nothing is written,
and whatever the checkout imports but the interpreter lacks is stubbed. Reads the job from standard input,
writes one JSON line a case to the file descriptor given in it.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import importlib.util
import inspect
import io
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import traceback
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path

import sandbox

SECONDS = 20
"""How long one case may run: random knobs can make a recipe wait for ever."""

ANSWER = "1000000"
"""What every recorded command prints: more GPUs than any wait loop asks for."""


def freeze(root: Path, commands: list[str]) -> None:
    """Cut the process off: commands, sleeping, sockets, signals, writing, files outside of `root`."""

    def run(command: object, *_: object, **__: object) -> subprocess.CompletedProcess[str]:
        words = command if isinstance(command, str) else " ".join(map(str, command))
        if not isinstance(command, str) and list(command[:2]) == ["bash", "-c"]:
            words = str(command[2])
        commands.append(words)
        return subprocess.CompletedProcess(command, 0, stdout=ANSWER, stderr="")

    def nothing(*_: object, **__: object) -> None:
        return None

    subprocess.run = subprocess.check_call = subprocess.check_output = run
    subprocess.Popen = lambda command, *_, **__: sandbox.Value(str(run(command)))
    subprocess.call = lambda *a, **k: run(*a, **k).returncode
    os.system = lambda command: run(command).returncode
    os.popen = lambda command, *_, **__: io.StringIO(run(command).stdout)
    time.sleep = nothing
    socket.create_connection = lambda *_, **__: sandbox.Value("connection")
    for module, names in (
        (os, ("kill", "killpg", "makedirs", "mkdir", "remove", "rename", "replace", "symlink", "unlink", "chmod")),
        (shutil, ("copy", "copy2", "copyfile", "copytree", "move", "rmtree")),
        (Path, ("mkdir", "rename", "symlink_to", "touch", "unlink", "write_bytes", "write_text")),
    ):
        for name in names:
            setattr(module, name, nothing)
    opened, exists, is_file, is_dir = builtins.open, os.path.exists, os.path.isfile, os.path.isdir

    def visible(path: object) -> bool:
        return isinstance(path, (str, os.PathLike)) and str(os.path.abspath(os.fspath(path))).startswith(str(root))

    def open_(file: object, mode: str = "r", *args: object, **kwargs: object) -> object:
        if set(mode) & set("wax+"):
            return io.BytesIO() if "b" in mode else io.StringIO()
        return opened(file, mode, *args, **kwargs)

    builtins.open = open_
    for module, name, real in ((os.path, "exists", exists), (os.path, "isfile", is_file), (os.path, "isdir", is_dir)):
        setattr(module, name, lambda path, real=real: visible(path) and real(path))
    for name, real in (("exists", exists), ("is_file", is_file), ("is_dir", is_dir)):
        setattr(Path, name, lambda self, real=real, **_: visible(self) and real(str(self)))


def record_helper(root: Path, commands: list[str]) -> None:
    """The trainer's way to run on every node asks the cluster for its nodes; here it records like the others."""
    if not (root / "miles/utils/external_utils/exec_command.py").is_file():
        return
    executes = importlib.import_module("miles.utils.external_utils.exec_command")
    executes.exec_command_multi_node = lambda cmd, *_, **__: commands.append(cmd) or []


def overtime(*_: object) -> None:
    raise TimeoutError("the recipe does not end")


def load(path: Path, name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def arguments_class(function: Callable[..., object]) -> type | None:
    """The dataclass that an entry point takes as its first parameter, behind the helper's command wrapper."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):
            if isinstance(cell.cell_contents, type) and dataclasses.is_dataclass(cell.cell_contents):
                return cell.cell_contents
    parameters = list(inspect.signature(function).parameters.values())
    hints = typing.get_type_hints(function)
    first = hints.get(parameters[0].name) if parameters else None
    return first if isinstance(first, type) and dataclasses.is_dataclass(first) else None


@contextlib.contextmanager
def as_script(path: Path, root: Path, variables: dict[str, str]) -> Iterator[None]:
    """The process as it is when a recipe is started: its environment, arguments and search path.

    What it imported besides the trainer's own package is forgotten afterwards, so that no case sees another.
    """
    os.environ.clear()
    os.environ.update(variables)
    saved = sys.argv, list(sys.path), set(sys.modules)
    sys.argv = [str(path)]
    sys.path.insert(0, str(path.parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = saved[0], saved[1]
        os.environ.clear()
        for name in set(sys.modules) - saved[2]:
            file = getattr(sys.modules[name], "__file__", None) or str(root / name.partition(".")[0])
            ours = isinstance(sys.modules[name], sandbox.StubModule) or file.startswith(str(root))
            if ours and name.partition(".")[0] != "miles":
                del sys.modules[name]


def run_case(job: dict[str, object], case: dict[str, object], commands: list[str]) -> dict[str, object]:
    """Import the recipe, choose knobs where asked to, call the entry point, report what was launched."""
    commands.clear()
    signal.alarm(SECONDS)
    chosen: dict[str, object] = dict(case.get("fields", {}))
    answer: dict[str, object] = {"entry": case["entry"], "fields": chosen, "environment": case.get("environment", {})}
    path = Path(str(case["path"]))
    try:
        with as_script(path, Path(str(job["root"])), dict(case.get("environment", {}))):
            if case["entry"] == "__main__":
                load(path, "__main__")
            else:
                module = load(path, "recipe_under_test")
                function = getattr(module, str(case["entry"]))
                kind = arguments_class(function)
                if "seed" in case:
                    chosen.update(choose_knobs(kind or function, case["seed"], job["words"][str(path)]))
                wrapped = kind is None or function.__name__ != function.__code__.co_name
                function(**chosen) if wrapped else function(kind(**chosen))
    except BaseException as error:
        answer["error"] = "".join(traceback.format_exception_only(error)).strip()[-500:]
        answer["where"] = traceback.format_exc()[-1500:]
    signal.alarm(0)
    answer["commands"] = [command for command in commands if "ray job submit" in command]
    return answer


def choose_knobs(target: Callable[..., object], seed: int, words: list[str]) -> dict[str, object]:
    """Values, by declared type, for what has no default and for one to four of the rest."""
    choose = random.Random(seed)
    hints = typing.get_type_hints(target)
    parameters = inspect.signature(target).parameters.values()
    required = [p for p in parameters if p.default is inspect.Parameter.empty]
    optional = [p for p in parameters if p.default is not inspect.Parameter.empty]
    chosen: dict[str, object] = {}
    for parameter in required + choose.sample(optional, min(len(optional), choose.randint(1, 4))):
        default = None if parameter in required else parameter.default
        hint = hints.get(parameter.name, type(default))
        values = list(values_of(hint, default, choose, words))
        if parameter.name == "extra_env_vars" and hint is str:
            values = ["A=1 B=2", '{"A": "x"}']
        if values:
            chosen[parameter.name] = choose.choice(values)
    return chosen


def values_of(hint: object, default: object, choose: random.Random, words: list[str]) -> Iterator[object]:
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        yield from arguments
    elif hint is bool:
        yield not default
    elif hint is int:
        number = default if isinstance(default, int) else 4
        yield from (number * 2, number + 1, 1, 2, 4, 8, 16)
    elif hint is float:
        yield from (0.5, 1e-6, 3.0)
    elif hint is str:
        yield from ("other-7B", f"{default}-4layer" if isinstance(default, str) else "other")
        if words:
            yield from choose.sample(words, min(2, len(words)))
    elif type(None) in arguments:
        yield None
        for argument in arguments:
            if argument is not type(None):
                yield from values_of(argument, None, choose, words)


def main() -> None:
    job = json.loads(sys.stdin.read())
    root = Path(job["root"])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.path[:] = [entry for entry in sys.path if entry != str(Path(__file__).parent)]
    os.chdir(root)
    signal.signal(signal.SIGALRM, overtime)
    sandbox.install([str(root)], [entry.name for entry in root.iterdir() if entry.is_dir()])
    commands: list[str] = []
    record_helper(root, commands)
    freeze(root, commands)
    for case in job["cases"]:
        answers.write(json.dumps(run_case(job, case, commands), default=repr) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
