"""Options that a trainer's sources spell although the reading did not come upon them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from miles_lint.contract.extract.trainer import TrainerReading
from miles_lint.contract.model import Flag, Site

_SPELLED = re.compile(r"""\b(?:add_argument|reset_arg)\(\s*(?:parser,\s*)?((?:["']-[\w-]+["'],?\s*)+)""")
_NAME = re.compile(r"""["'](--[A-Za-z][\w-]*)["']""")
_FAMILIES = ("--sglang-", "--eval-sglang-", "--router-")
"""Prefixes under which a trainer takes over the options of an owner (miles 31f1ca961 and its family)."""


def with_spelled(
    read: TrainerReading, flags: tuple[Flag, ...], further: Iterable[tuple[str, Site]]
) -> tuple[Flag, ...]:
    """The flags, and behind them those that are only spelled in plain text, of which no more is known.

    In a file of the reading it is the argument of `add_argument`; `further` are others, each with its place.
    """
    known = {name for flag in flags for name in flag.names}
    more: list[Flag] = []
    for name, site in (*_spelled(read), *further):
        if name not in known:
            known.add(name)
            dest = name[2:].replace("-", "_")
            told = Flag((name,), dest, "unknown", "*", "unknown", choices_unknown=True, default_known=False)
            more.append(replace(told, owner=_owner(read, name), origin=site))
    return (*flags, *more)


def _owner(read: TrainerReading, name: str) -> str:
    return "sglang" if "sglang-" in name else read.package


def _spelled(read: TrainerReading) -> Iterator[tuple[str, Site]]:
    for path, file in sorted(read.tree.read.items()):
        if not read.owns(path):
            continue
        text = Path(file).read_text("utf-8", "replace")
        for match in _SPELLED.finditer(text):
            row = text.count("\n", 0, match.start()) + 1
            for name in _NAME.findall(match.group(1)):
                yield name, Site(path, row)


def unread_families(read: TrainerReading, known: Collection[str]) -> tuple[str, ...]:
    """Prefixes that the sources speak of and under which no option was found."""
    missing = [prefix for prefix in _FAMILIES if not any(name.startswith(prefix) for name in known)]
    if not missing:
        return ()
    texts = [Path(file).read_text("utf-8", "replace") for path, file in read.tree.read.items() if read.owns(path)]
    return tuple(prefix for prefix in missing if any(_speaks(text, prefix) for text in texts))


def _speaks(text: str, prefix: str) -> bool:
    bare = prefix.strip("-")
    return prefix in text or f'"{bare}"' in text or f"{bare.replace('-', '_')}_args" in text
