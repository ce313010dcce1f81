"""The trainer's real validators, run in a sandbox on argument namespaces.

One subprocess takes a batch of cases as JSON on standard input and answers with one outcome per case. The route is
the trainer's own `parse_args`: only the reading of the command line, of files and of the Hugging Face config, and
Megatron's own validation are replaced; then the guards at the top of a driver run.
"""

from __future__ import annotations

import argparse
import ast
import base64
import contextlib
import copy
import functools
import importlib
import importlib.util
import io
import json
import linecache
import logging
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NoReturn

from tests.oracles import sandbox
from tests.oracles.sources import Sources
from tests.oracles.trainer_parser import REQUIRED, Captured, Recorder

DRIVERS = {"train.py": "train", "train_async.py": "train", "train_multi_lora_async.py": "main"}


@dataclass(frozen=True, slots=True)
class Case:
    """Overrides of the parser's defaults by dest, variables of the job, and what the file system looks like.

    `exists` answers every question whether a path exists. `texts` holds files that are read, by path, and `hf` what
    the model's Hugging Face config says.
    """

    args: Mapping[str, object] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    exists: bool = True
    texts: Mapping[str, str] = field(default_factory=dict)
    hf: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the trainer did: `error` is empty when it accepted. `explicit`: an `assert` or `raise` of its own did it.

    `path` and `row` name the first line of the statement that failed, below the root of `owner`.
    `final` holds the dests whose value the trainer changed or added, with the value afterwards.
    """

    error: str = ""
    owner: str = ""
    path: str = ""
    row: int = 0
    explicit: bool = False
    message: str = ""
    final: Mapping[str, object] = field(default_factory=dict)


def run(
    sources: Sources, cases: Sequence[Case], backend: str = "megatron", driver: str = "train.py"
) -> tuple[Outcome, ...]:
    """The outcome of each case, in order."""
    if not cases:
        return ()
    stdin = json.dumps([asdict(case) for case in cases])
    answer = sources.run(__name__, ["--backend", backend, "--driver", driver], stdin)
    return tuple(Outcome(**outcome) for outcome in json.loads(answer))


def defaults(sources: Sources, backend: str = "megatron") -> dict[str, object]:
    """The namespace that cases start from, JSON values only."""
    answer = sources.run(__name__, ["--backend", backend, "--defaults"])
    return dict(json.loads(answer))


class Reached(Exception):
    """A driver got past its guards."""


class Trainer:
    """The imported trainer with its edges replaced. One per process."""

    def __init__(self, sources: Sources, backend: str, driver: str) -> None:
        sandbox.install([str(root) for root in sources.roots.values()], list(sources.roots), closed=True)
        logging.disable(logging.CRITICAL)
        self.sources = sources
        self.backend = backend
        self.case = Case()
        self.arguments = importlib.import_module(f"{sources.package}.utils.arguments")
        self.parser = self._parser()
        self.defaults = vars(self.parser.parse_known_args([*REQUIRED, "--train-backend", backend])[0])
        self.driver = self._driver(driver)
        self._replace()

    def _parser(self) -> argparse.ArgumentParser:
        original = (argparse.ArgumentParser.parse_args, argparse.ArgumentParser.parse_known_args)
        recorder = Recorder(self.sources)
        recorder.install()
        sys.argv = ["train.py", *REQUIRED, "--train-backend", self.backend]
        with contextlib.suppress(Captured):
            self.arguments.parse_args()
        argparse.ArgumentParser.parse_args, argparse.ArgumentParser.parse_known_args = original
        return recorder.parsers[-1]

    def _driver(self, name: str) -> Callable[[argparse.Namespace], Any] | None:
        path = self.sources.roots[self.sources.package] / name
        if not path.exists():
            return None
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        with sandbox.only_known():
            spec.loader.exec_module(module)

        def configure_logger(*_: object, **__: object) -> NoReturn:
            raise Reached

        module.configure_logger = configure_logger
        return getattr(module, DRIVERS[name])

    def _replace(self) -> None:
        package = self.sources.package
        backends = importlib.import_module(f"{package}.backends.{self.backend}_utils.arguments")
        self.arguments.parse_args_train_backend = lambda: self.backend
        if self.backend == "megatron":
            backends.parse_args = lambda **_: self.namespace
            backends.validate_args = lambda *_: None
        else:
            backends.build_fsdp_parser = lambda *_: types.SimpleNamespace(
                parse_args=lambda: self.namespace,
                set_defaults=lambda **given: vars(self.namespace).update(given),
            )
            backends.open = lambda path: io.StringIO(self._read(path))
        self.arguments.load_hf_config = lambda *_, **__: types.SimpleNamespace(**{"model_type": "", **self.case.hf})
        self.arguments.resolve_file_arg = self._read
        sys.modules["omegaconf"] = types.SimpleNamespace(OmegaConf=_Conf)
        proxy = types.SimpleNamespace(**vars(os))
        proxy.path = types.SimpleNamespace(**vars(os.path))
        for question in ("exists", "isfile", "isdir"):
            setattr(proxy.path, question, functools.partial(self._exists, getattr(os.path, question)))
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] == package and getattr(module, "os", None) is os:
                module.os = proxy

    def _exists(self, real: Callable[[object], bool], path: object) -> bool:
        real(path)
        return self.case.exists

    def _read(self, value: str) -> str:
        if value.startswith("base64:"):
            return base64.b64decode(value.removeprefix("base64:")).decode()
        return self.case.texts.get(value, "")

    def check(self, case: Case) -> Outcome:
        """Run every validator of the route on one case."""
        self.case = case
        given = {**self.defaults, **case.args}
        self.namespace = argparse.Namespace(**copy.deepcopy(given))
        known = dict(os.environ)
        os.environ.update(case.env)
        try:
            self.arguments.parse_args()
            if self.driver is not None:
                self.driver(self.namespace).send(None)
        except Reached:
            pass
        except BaseException as error:
            return self._failed(error)
        finally:
            os.environ.clear()
            os.environ.update(known)
        return Outcome(final=_changes(given, vars(self.namespace)))

    def _failed(self, error: BaseException) -> Outcome:
        place = ("", "", 0, False)
        trace = error.__traceback__
        while trace is not None:
            filename = trace.tb_frame.f_code.co_filename
            owned = self.sources.owner_of(filename)
            if owned is not None:
                row, raises = statement(filename, trace.tb_lineno)
                place = (*owned, row, raises == type(error).__name__)
            trace = trace.tb_next
        owner, path, row, explicit = place
        return Outcome(type(error).__name__, owner, path, row, explicit, str(error)[:300])


class _Conf:
    """The two calls of OmegaConf that the trainer makes, over plain YAML."""

    @staticmethod
    def create(text: str) -> object:
        return importlib.import_module("yaml").safe_load(text)

    @staticmethod
    def to_container(config: object, resolve: bool = False) -> object:
        return config


def _changes(given: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    missing = object()
    return {
        dest: value if _is_json(value) else repr(value)
        for dest, value in after.items()
        if given.get(dest, missing) is not value and given.get(dest, missing) != value
    }


def _is_json(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(map(_is_json, value.values()))
    return value is None or isinstance(value, (bool, int, float, str))


@functools.cache
def _spans(filename: str) -> dict[int, tuple[int, str]]:
    """Every row of a file to the first row of its innermost statement, and what error that statement is there for."""
    rows: dict[int, tuple[int, str]] = {}

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                for row in range(child.lineno, (child.end_lineno or child.lineno) + 1):
                    rows[row] = (child.lineno, _raises(child))
            visit(child)

    visit(ast.parse("".join(linecache.getlines(filename))))
    return rows


def _raises(node: ast.stmt) -> str:
    if isinstance(node, ast.Assert):
        return "AssertionError"
    if isinstance(node, ast.Raise) and node.exc is not None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return ast.unparse(raised).rpartition(".")[2]
    return ""


def statement(filename: str, row: int) -> tuple[int, str]:
    """The first row of the statement at a row, and the name of the error that it states, if it states one."""
    return _spans(filename).get(row, (row, ""))


def main() -> None:
    """Answer a batch of cases, or print the default namespace."""
    reader = argparse.ArgumentParser(description="Run the trainer's validators on cases read from standard input.")
    reader.add_argument("--backend", choices=("megatron", "fsdp"), default="megatron")
    reader.add_argument("--driver", choices=tuple(DRIVERS), default="train.py")
    reader.add_argument("--defaults", action="store_true", help="print the namespace that cases start from")
    given = reader.parse_args()
    sources = Sources.from_environment()
    if sources is None:
        reader.error("MILES_ROOT names no trainer checkout")
    output, sys.stdout = sys.stdout, sys.stderr
    trainer = Trainer(sources, given.backend, given.driver)
    if given.defaults:
        json.dump({dest: value for dest, value in trainer.defaults.items() if _is_json(value)}, output)
        return
    json.dump([asdict(trainer.check(Case(**case))) for case in json.load(sys.stdin)], output)


if __name__ == "__main__":
    main()
