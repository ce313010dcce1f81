"""Which command a command line means, and how its failures are told."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from miles_lint.cli.commands import SUMMARIES
from miles_lint.cli.errors import Failure, UsageError
from miles_lint.settings import SettingsError

Handler = Callable[[list[str]], int]

ELSEWHERE = {
    "fold": "miles_lint.cli_fold",
    "diff": "miles_lint.cli_diff",
    "contract": "miles_lint.cli_contract",
    "server": "miles_lint.server",
}
_GLOBAL = {"-q", "--quiet", "-s", "--silent", "-v", "--verbose", "--isolated"}


def dispatch(argv: list[str], program: str, version: str) -> int:
    """Run the command that `argv` names; a call that names none means `check`."""
    try:
        command, arguments = _command(argv)
        if command == "help" and arguments[:1] and arguments[0] in SUMMARIES:
            command, arguments = arguments[0], ["--help"]
        if command is None or command == "check":
            return _check(arguments, program, version, command is None)
        if command in ELSEWHERE:
            handler: Handler = import_module(ELSEWHERE[command]).main
            return handler(arguments)
        introspect = import_module("miles_lint.cli.introspect")
        run: Callable[[str, list[str], str, str], int] = introspect.run
        return run(command, arguments, program, version)
    except UsageError as error:
        usage = f"\n\nUsage: {program} check [OPTIONS] [FILES]..." if error.usage else ""
        print(f"error: {error}{usage}\n\nFor more information, try '--help'.", file=sys.stderr)
        return 2
    except (Failure, SettingsError) as error:
        print("\n  Cause: ".join((f"{program} failed", *error.causes)), file=sys.stderr)
        return 2


def _command(argv: list[str]) -> tuple[str | None, list[str]]:
    """The command and its arguments; options that every command takes may stand before it."""
    index = 0
    while index < len(argv):
        argument = argv[index]
        if argument in _GLOBAL or argument.startswith(("--color=", "--config=")):
            index += 1
        elif argument in ("--color", "--config"):
            index += 2
        else:
            break
    if index < len(argv) and argv[index] in SUMMARIES:
        return argv[index], [*argv[:index], *argv[index + 1 :]]
    if argv[:1] == ["--explain"]:
        return "rule", argv[1:]
    return None, argv


def _check(arguments: list[str], program: str, version: str, bare: bool) -> int:
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--help" in options or "-h" in options:
        from miles_lint.cli.parsing import help_text

        shown = import_module("miles_lint.cli.introspect").overview if bare else help_text
        print(shown(program), end="")
        return 0
    if "--version" in options or "-V" in options:
        print(version)
        return 0
    from miles_lint.cli.check import check
    from miles_lint.cli.parsing import parse

    return check(parse(arguments), program)
