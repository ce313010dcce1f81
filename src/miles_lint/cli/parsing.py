"""Arguments of `check` to an `Invocation`; errors worded as ruff's command line words them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NoReturn

from miles_lint.cli.errors import UsageError
from miles_lint.cli.options import CHECK, COUNT, FLAG, HIDDEN, LIST, Option, flags
from miles_lint.options import BUNDLED, trainer_at

_ENVIRONMENT = "MILES_LINT_"
_APART = {
    "add-noqa": (
        *("fix", "diff", "watch", "ignore-noqa", "statistics", "show-files", "show-settings"),
        "stdin-filename",
    ),
    "diff": ("show-fixes", "statistics"),
    "watch": ("statistics", "show-files", "show-settings"),
    "show-files": ("ignore-noqa", "statistics", "show-settings", "stdin-filename"),
    "show-settings": ("ignore-noqa", "statistics", "stdin-filename"),
    "exit-zero": ("exit-non-zero-on-fix",),
    "quiet": ("silent", "verbose"),
    "silent": ("verbose",),
}
"""Options that ruff 0.17.6 does not take together."""


@dataclass(frozen=True)
class Invocation:
    """A parsed command line: `given` holds options by name, `table` those that override settings."""

    paths: tuple[str, ...]
    given: Mapping[str, Any]
    table: Mapping[str, Any] = field(default_factory=dict)

    def on(self, name: str) -> bool:
        return bool(self.given.get(name))

    def value(self, name: str) -> Any:
        return self.given.get(name)

    @property
    def stdin(self) -> bool:
        """Whether the source comes from standard input: the one path `-`, or a name given for it."""
        return self.paths == ("-",) or self.value("stdin-filename") is not None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _parser() -> _Parser:
    parser = _Parser(add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)
    for option in CHECK:
        names = [f"--{option.name}", *([f"-{option.short}"] if option.short else [])]
        if option.takes_value:
            action = "append" if option.kind == LIST else "store"
            parser.add_argument(*names, dest=option.name, action=action)
        elif option.kind == COUNT:
            parser.add_argument(*names, dest=option.name, action="count")
        else:
            parser.add_argument(*names, dest=option.name, action="store_true")
        if option.negated:
            parser.add_argument(f"--{option.negated}", dest=option.name, action="store_false")
    return parser


def parse(arguments: list[str], environment: Mapping[str, str] | None = None) -> Invocation:
    """Read the arguments in any order. Raises `UsageError`."""
    environment = os.environ if environment is None else environment
    options, rest = arguments, []
    if "--" in arguments:
        cut = arguments.index("--")
        options, rest = arguments[:cut], arguments[cut + 1 :]
    options = [each.replace("--add-noqa=", "--add-noqa-reason=", 1) for each in options]
    try:
        namespace, extra = _parser().parse_known_args(options)
    except UsageError as error:
        raise UsageError(_missing_value(str(error))) from None
    unknown = [each for each in extra if each.startswith("-") and each != "-"]
    if unknown:
        raise UsageError(_unexpected(unknown[0]), usage=True)
    given = {**_from_environment(environment), **vars(namespace)}
    if "add-noqa-reason" in given:
        given["add-noqa"] = True
    _check(given)
    return Invocation((*extra, *rest), given, _table(given))


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for option in CHECK:
        value = environment.get(_ENVIRONMENT + option.env) if option.env else None
        if value:
            found[option.name] = [value] if option.kind == LIST else value
    no_cache = environment.get(f"{_ENVIRONMENT}NO_CACHE")
    if no_cache not in (None, "", "true", "false"):
        raise UsageError(f"invalid value '{no_cache}' for '--no-cache'\n  [possible values: true, false]")
    return found


def _check(given: Mapping[str, Any]) -> None:
    if given.get("quiet", 0) > 1:
        raise UsageError("the argument '--quiet' cannot be used multiple times", usage=True)
    on = [name for name, value in given.items() if value]
    for one, other in combinations(on, 2):
        if other in _APART.get(one, ()) or one in _APART.get(other, ()):
            raise UsageError(f"the argument '{_shown(one)}' cannot be used with '{_shown(other)}'", usage=True)
    for option in CHECK:
        value = given.get(option.name)
        if option.choices and value is not None and value not in option.choices:
            raise UsageError(
                f"invalid value '{value}' for '--{option.name} <{option.metavar}>'\n"
                f"  [possible values: {', '.join(option.choices)}]"
            )
    jobs = given.get("jobs")
    if jobs is not None and not (jobs.isdecimal() and int(jobs)):
        raise UsageError(f"invalid value '{jobs}' for '--jobs <N>': expected a positive number")


def _shown(name: str) -> str:
    option = next(each for each in CHECK if each.name == name)
    if option.name == "add-noqa":
        return "--add-noqa[=<REASON>]"
    return f"--{option.name} <{option.metavar}>" if option.metavar else f"--{option.name}"


def _table(given: Mapping[str, Any]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for option in CHECK:
        if option.key and option.name in given:
            table[option.key] = _setting(option, given[option.name])
    return table


def _setting(option: Option, value: Any) -> Any:
    if option.kind != LIST:
        return _trainer(option, value) if option.key == "trainer" else value
    items = [item for each in value for item in each.split(",") if item or option.metavar == "RULE_CODE"]
    if not option.key.endswith("per-file-ignores"):
        return items
    pairs: dict[str, list[str]] = {}
    for item in items:
        pattern, colon, code = item.rpartition(":")
        if not (colon and pattern and code):
            name = f"'--{option.name} <{option.metavar}>'"
            raise UsageError(f"invalid value '{item}' for {name}: Expected <FilePattern>:<RuleCode> pattern")
        pairs.setdefault(pattern, []).append(code)
    return pairs


def _trainer(option: Option, value: str) -> str:
    path = trainer_at(os.getcwd(), value)
    if path != BUNDLED and not os.path.exists(path):
        raise UsageError(
            f"invalid value '{value}' for '--{option.name} <{option.metavar}>': no such file or directory"
        )
    return path


def _unexpected(argument: str) -> str:
    from difflib import get_close_matches

    name = argument.partition("=")[0]
    close = get_close_matches(name, list(flags()), 1)
    tip = f"\n\n  tip: a similar argument exists: '{close[0]}'" if close else ""
    return f"unexpected argument '{name}' found{tip}"


def _missing_value(message: str) -> str:
    for option in CHECK:
        if f"--{option.name}:" in message or f"--{option.name}/" in message:
            if "expected one argument" in message:
                return f"a value is required for '--{option.name} <{option.metavar}>' but none was supplied"
            return f"unexpected value for '--{option.name}' found; no more were expected"
    return message


def help_text(program: str) -> str:
    """The help of `check`."""
    lines = [
        "Check launch recipes, and repair them",
        "",
        f"Usage: {program} check [OPTIONS] [FILES]...",
        "",
        "Arguments:",
        "  [FILES]...  Files or directories to check, or `-` for standard input [default: .]",
        "",
        "Options:",
    ]
    for option in CHECK:
        if option.kind == HIDDEN:
            continue
        short = f"-{option.short}, " if option.short else "    "
        value = f" <{option.metavar}>" if option.takes_value else ""
        back = f" [back: --{option.negated}]" if option.negated and option.kind == FLAG else ""
        choices = f" [possible values: {', '.join(option.choices)}]" if option.choices else ""
        env = f" [env: {_ENVIRONMENT}{option.env}]" if option.env else ""
        lines.append(f"  {short}--{option.name}{value}")
        lines.append(f"          {option.doc}{back}{choices}{env}")
    lines += ["  -h, --help", "          Print help", "  -V, --version", "          Print version"]
    return "\n".join(lines) + "\n"
