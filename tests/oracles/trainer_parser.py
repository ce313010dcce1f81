"""The trainer's real parser, built in a sandbox and written down.

`python -m tests.oracles.trainer_parser --backend megatron > flags.json` runs the trainer's own `parse_args`
as far as the call that parses, and dumps the parser object found there.
"""

from __future__ import annotations

import argparse
import contextlib
import enum
import importlib
import inspect
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from tests.oracles import sandbox
from tests.oracles.sources import Sources

REQUIRED = ("--rollout-batch-size", "1")
"""The options without which the trainer's first parse gives up."""

WORDS = {
    "_StoreAction": "store",
    "_StoreConstAction": "store_const",
    "_StoreTrueAction": "store_true",
    "_StoreFalseAction": "store_false",
    "_AppendAction": "append",
    "_AppendConstAction": "append_const",
    "_CountAction": "count",
    "_ExtendAction": "extend",
    "_HelpAction": "help",
    "_VersionAction": "version",
    "BooleanOptionalAction": "boolean_optional",
}

Json = Any


def dump(sources: Sources, backend: str, argv: Sequence[str] = (), cache: Path | None = None) -> dict[str, Json]:
    """The parser of one backend as data; read from `cache` when that file exists, else built and kept there."""
    if cache is not None and cache.exists():
        return json.loads(cache.read_text())
    text = sources.run(__name__, ["--backend", backend, "--", *argv])
    if cache is not None:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(text)
    return json.loads(text)


class Captured(Exception):
    """The trainer reached the call that parses, or the validators behind it."""


class Recorder:
    """Notes, for every option added to any parser, the frames of trainer sources that led to it."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.frames: dict[int, list[tuple[str, str, int]]] = {}
        self.kept: list[argparse.Action] = []
        self.parsers: list[argparse.ArgumentParser] = []
        self.strict = False
        self._add = argparse._ActionsContainer.add_argument
        self._parse_known = argparse.ArgumentParser.parse_known_args

    def install(self) -> None:
        """Patch argparse of this process."""

        def add_argument(container: argparse._ActionsContainer, *args: Any, **kwargs: Any) -> argparse.Action:
            action = self._add(container, *args, **kwargs)
            self.kept.append(action)
            self.frames[id(action)] = self._trace()
            return action

        def parse_known_args(parser: argparse.ArgumentParser, *args: Any, **kwargs: Any) -> Any:
            self.note(parser)
            return self._parse_known(parser, *args, **kwargs)

        def parse_args(parser: argparse.ArgumentParser, *_: Any, **__: Any) -> NoReturn:
            self.note(parser)
            self.strict = True
            raise Captured

        argparse._ActionsContainer.add_argument = add_argument
        argparse.ArgumentParser.parse_known_args = parse_known_args
        argparse.ArgumentParser.parse_args = parse_args

    def note(self, parser: argparse.ArgumentParser) -> None:
        """A parser is about to read the command line; one that reads it again moves to the end."""
        self.parsers = [*(known for known in self.parsers if known is not parser), parser]

    def _trace(self) -> list[tuple[str, str, int]]:
        found = []
        frame = inspect.currentframe()
        while frame is not None:
            owned = self.sources.owner_of(frame.f_code.co_filename)
            if owned is not None:
                found.append((*owned, frame.f_lineno))
            frame = frame.f_back
        return found

    def owner(self, action: argparse.Action) -> str:
        """Who defines the option: an owner's package, or the part of the trainer that does."""
        frames = self.frames.get(id(action), [])
        for name, label in (("sglang_router", "router"), ("sglang", "sglang")):
            if any(owner == name for owner, _, _ in frames):
                return label
        innermost = frames[0][1] if frames else ""
        if frames and frames[0][0] == "megatron":
            return "megatron"
        return next((part for part in ("dashboard", "fsdp") if f"/{part}" in innermost), self.sources.package)

    def origin(self, action: argparse.Action) -> Json:
        """Where the option is spelled: the innermost frame of the owner that defines it."""
        frames = self.frames.get(id(action), [])
        package = {"router": "sglang_router"}.get(self.owner(action), self.owner(action))
        for owner, path, row in frames:
            if owner == package or package not in self.sources.roots:
                return {"path": path, "row": row}
        return None


def plain(value: object) -> Json:
    """A value as JSON; an enumeration's member is its name, what JSON cannot say is an object with one `$` key."""
    if value is argparse.SUPPRESS:
        return {"$suppress": True}
    if isinstance(value, enum.Enum):
        return value.value if isinstance(value, str) else value.name
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return {"$repr": repr(value)}


def choices_of(action: argparse.Action) -> Json:
    """The choices as JSON; `{"$computed": True}` where they come from something stubbed."""
    if isinstance(action.choices, sandbox.Value):
        return {"$computed": True}
    if action.choices is None:
        return None
    values = plain(action.choices)
    return list(values) if isinstance(values, (list, dict)) else [plain(choice) for choice in action.choices]


def type_of(action: argparse.Action) -> str | None:
    """The converter's dotted name, bare for builtins; None where argparse keeps the string."""
    converter = getattr(action, "type", None)
    if converter is None:
        return None
    name = getattr(converter, "__qualname__", type(converter).__qualname__)
    module = getattr(converter, "__module__", "")
    return name if module in ("builtins", "", None) else f"{module}.{name}"


def describe(action: argparse.Action, recorder: Recorder) -> dict[str, Json]:
    """One option as data."""
    return {
        "option_strings": list(action.option_strings),
        "dest": action.dest,
        "action": WORDS.get(type(action).__name__, type(action).__name__),
        "nargs": action.nargs,
        "type": type_of(action),
        "choices": choices_of(action),
        "default": plain(action.default),
        "const": plain(getattr(action, "const_value", None) if action.const is None else action.const),
        "required": bool(action.required),
        "new_flag": getattr(action, "new_flag", None),
        "owner": recorder.owner(action),
        "origin": recorder.origin(action),
    }


def describe_parser(parser: argparse.ArgumentParser, recorder: Recorder) -> dict[str, Json]:
    """A parser as data, options in the order of definition."""
    return {
        "allow_abbrev": parser.allow_abbrev,
        "defaults": {name: plain(value) for name, value in parser._defaults.items()},
        "flags": [describe(action, recorder) for action in parser._actions],
    }


def build(sources: Sources, backend: str, argv: Sequence[str]) -> dict[str, Json]:
    """The parser that reads the command line last, and under `earlier` the others. Patches this process.

    `strict` says that the last one refuses what it does not know. Where none does (a fork that merges several
    lenient parsers) a flag is known when any of them knows it.
    """
    sandbox.install([str(root) for root in sources.roots.values()], list(sources.roots), closed=True)
    logging.disable(logging.CRITICAL)
    recorder = Recorder(sources)
    arguments = importlib.import_module(f"{sources.package}.utils.arguments")
    recorder.install()

    def validate(*_: object) -> NoReturn:
        raise Captured

    setattr(arguments, f"{sources.package}_validate_args", validate)
    sys.argv = ["train.py", *REQUIRED, "--train-backend", backend, *argv]
    with contextlib.suppress(Captured):
        arguments.parse_args()
    *earlier, final = [describe_parser(parser, recorder) for parser in recorder.parsers]
    return {
        "backend": backend,
        "package": sources.package,
        "missing": list(sources.missing),
        "strict": recorder.strict,
        **final,
        "earlier": earlier,
    }


def flags_of(dumped: dict[str, Json]) -> dict[str, dict[str, Json]]:
    """Every option string a launch may use to its flag, help left out."""
    parsers = [dumped] if dumped["strict"] else [*dumped["earlier"], dumped]
    return {
        name: flag
        for parser in parsers
        for flag in parser["flags"]
        for name in flag["option_strings"]
        if flag["action"] != "help"
    }


def main() -> None:
    """Print the dump of one backend."""
    reader = argparse.ArgumentParser(description="Dump the trainer's parser as JSON.")
    reader.add_argument("--backend", choices=("megatron", "fsdp"), default="megatron")
    reader.add_argument("argv", nargs="*", help="options for the trainer, after --")
    given = reader.parse_args()
    sources = Sources.from_environment()
    if sources is None:
        reader.error("MILES_ROOT names no trainer checkout")
    output, sys.stdout = sys.stdout, sys.stderr
    result = build(sources, given.backend, given.argv)
    json.dump(result, output, indent=1)


if __name__ == "__main__":
    main()
