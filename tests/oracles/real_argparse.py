"""A real `argparse.ArgumentParser` built from a contract, and what it makes of an argv."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from miles_lint.contract.model import Contract, Flag

CONVERTERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "json.loads": json.loads,
}
VALUED = ("store", "append", "extend")


class Refused(Exception):
    """The parser would exit; the message is its own."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(message)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What argparse did: `refused` is its message, else `values` by dest and the words that it left over."""

    refused: str
    values: dict[str, Any]
    left: tuple[str, ...]


def parser_of(contract: Contract) -> argparse.ArgumentParser:
    """The parser that a contract describes, without help."""
    parser = _Parser(allow_abbrev=contract.allow_abbrev, add_help=False)
    for flag in contract.flags:
        parser.add_argument(*_names(flag), **_keywords(flag))
    return parser


def _names(flag: Flag) -> tuple[str, ...]:
    if flag.action == "boolean_optional":
        return tuple(name for name in flag.names if not name.startswith("--no-"))
    return flag.names


def _keywords(flag: Flag) -> dict[str, Any]:
    keywords: dict[str, Any] = {"dest": flag.dest, "action": flag.action}
    keywords["default"] = argparse.SUPPRESS if flag.suppressed else flag.default
    if flag.required:
        keywords["required"] = True
    if flag.action == "boolean_optional":
        keywords["action"] = argparse.BooleanOptionalAction
    elif flag.action in ("store_const", "append_const"):
        keywords["const"] = flag.const
    elif flag.action in VALUED:
        keywords.update(nargs=flag.arity, type=CONVERTERS[flag.type], choices=flag.choices)
        if flag.arity == "?":
            keywords["const"] = flag.const
    return keywords


def parse(parser: argparse.ArgumentParser, argv: Sequence[str]) -> Parsed:
    """`parse_known_args` on an argv."""
    try:
        namespace, left = parser.parse_known_args(list(argv))
    except Refused as refused:
        return Parsed(str(refused), {}, ())
    return Parsed("", vars(namespace), tuple(left))
