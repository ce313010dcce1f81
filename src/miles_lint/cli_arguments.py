"""What the commands that show launches share: arguments, reading, colour."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import NoReturn

from miles_lint.cli.errors import UsageError
from miles_lint.cli.present import wants_color
from miles_lint.files import ReadError, read
from miles_lint.source import Source

_LISTED = 12


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError`, and takes the options that every command of miles-lint takes."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"miles-lint {command}", description=description, allow_abbrev=False)
        self.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="when to use colours")
        for names in (("-q", "--quiet"), ("-s", "--silent"), ("-v", "--verbose"), ("--isolated",)):
            self.add_argument(*names, action="count", help=argparse.SUPPRESS)
        self.add_argument("--config", help=argparse.SUPPRESS)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def painter(color: str) -> Callable[[str, str], str]:
    """Puts text in an ANSI style when standard output wants colour."""
    if not wants_color(None if color == "auto" else color, os.environ, sys.stdout.isatty()):
        return lambda text, style: text
    return lambda text, style: f"\x1b[{style}m{text}\x1b[0m" if text else text


def read_source(path: str) -> Source:
    """The source in a file. Raises `UsageError`."""
    try:
        return read(path).source
    except ReadError as error:
        raise UsageError(f"cannot read '{path}': {error}") from None


def suggestion(wanted: str, known: Sequence[str]) -> str:
    """A second line for an error about an unknown name."""
    close = get_close_matches(wanted, known, 1)
    if close:
        return f"\n\n  tip: did you mean '{close[0]}'?"
    return f"\n  [possible values: {', '.join(known)}]" if 0 < len(known) <= _LISTED else ""
