"""Runs the miniature trainer of the extraction tests: its parser, and its validators on given namespaces."""

from __future__ import annotations

import argparse
import asyncio
import enum
import importlib
import io
import json
import os
import sys
import traceback
import types
from typing import Any

sys.modules.setdefault("yaml", types.SimpleNamespace(safe_load=lambda file: {}))  # type: ignore[arg-type]


class Caught(Exception):
    """The parser, at the moment when it is to read the command line."""


def parser_of(backend: str) -> argparse.ArgumentParser:
    arguments = importlib.import_module("orbit.utils.arguments")
    arguments.parse_args_train_backend = lambda: backend
    kept: list[argparse.ArgumentParser] = []

    def parse(parser: argparse.ArgumentParser, *_: Any, **__: Any) -> Any:
        kept.append(parser)
        raise Caught

    real = argparse.ArgumentParser.parse_args
    argparse.ArgumentParser.parse_args = parse  # type: ignore[method-assign,assignment]
    sys.argv = ["train.py", "--batch-size", "1"]
    try:
        arguments.parse_args()
    except Caught:
        pass
    finally:
        argparse.ArgumentParser.parse_args = real  # type: ignore[method-assign]
    return kept[-1]


def plain(value: object) -> Any:
    if isinstance(value, enum.Enum):
        return value.value if isinstance(value, str) else value.name
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def flags(backend: str) -> dict[str, Any]:
    found = {}
    for action in parser_of(backend)._actions:
        kind = getattr(action.type, "__name__", None)
        hidden = action.default is argparse.SUPPRESS
        told = {
            "names": list(action.option_strings),
            "dest": action.dest,
            "arity": action.nargs,
            "type": None if kind in (None, "str", "<lambda>") or action.nargs == 0 else kind,
            "choices": plain(action.choices),
            "default": None if hidden else plain(action.default),
            "required": action.required,
            "suppressed": hidden,
        }
        if action.dest != "help":
            found.update(dict.fromkeys(action.option_strings, told))
    return found


def judge(backend: str, driver: str, cases: list[dict[str, Any]]) -> dict[str, Any]:
    arguments = importlib.import_module("orbit.utils.arguments")
    train = importlib.import_module(driver.removesuffix(".py")).train
    parser = parser_of(backend)
    defaults = vars(parser.parse_args(["--batch-size", "4", "--train-backend", backend]))
    argparse.ArgumentParser.parse_args = lambda *_: given  # type: ignore[method-assign,assignment]
    outcomes = []
    sys.stdout, output = io.StringIO(), sys.stdout
    for case in cases:
        given = argparse.Namespace(**{**defaults, **case["args"]})
        before = dict(vars(given))
        os.environ.update(case["env"])
        try:
            args = arguments.parse_args()
            asyncio.run(train(args))
            changed = {k: plain(v) for k, v in vars(args).items() if before.get(k, ...) != v and _json(v)}
            outcomes.append({"at": None, "stated": False, "final": changed})
        except Exception as error:
            outcomes.append(_place(error))
        finally:
            for name in case["env"]:
                del os.environ[name]
    sys.stdout = output
    return {"defaults": {k: v for k, v in defaults.items() if _json(v)}, "outcomes": outcomes}


def _json(value: object) -> bool:
    return value is None or isinstance(value, (bool, int, float, str, list, dict))


def _place(error: Exception) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    root = os.environ["PYTHONPATH"].split(os.pathsep)[0]
    line = (last.line or "").strip()
    row = last.lineno or 0
    return {"at": [os.path.relpath(last.filename, root), row], "stated": line.startswith(("assert ", "raise "))}


def main() -> None:
    asked = json.load(sys.stdin)
    answer = flags(asked["flags"]) if "flags" in asked else judge(asked["backend"], asked["driver"], asked["cases"])
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
