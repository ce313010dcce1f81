"""Checking again whenever a file or its settings change."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from miles_lint.cli.caches import forget_disk
from miles_lint.cli.errors import Failure
from miles_lint.settings import SettingsError

INTERVAL = 0.5
_Stamps = Mapping[str, "tuple[int, int] | None"]


class Checker(Protocol):
    """What is started anew for every look at the files."""

    def watched(self) -> Iterable[str]: ...
    def check_files(self) -> int: ...


def watch(start: Callable[[], Checker]) -> int:
    """Check at once and after every change of a checked file or of settings, until interrupted.

    What cannot be checked is told, once, and watched on.
    """
    known: _Stamps | None = None
    told = ""
    try:
        while True:
            forget_disk()
            try:
                checker = start()
                current = _stamps(checker.watched())
                if current != known or told:
                    _clear()
                    checker.check_files()
                    told, known = "", _stamps(checker.watched())
                    print("Watching for changes...", flush=True)
            except (Failure, SettingsError) as error:
                if str(error) != told:
                    told = str(error)
                    print("\n  Cause: ".join(("failed", *error.causes)), file=sys.stderr, flush=True)
            time.sleep(INTERVAL)
    except KeyboardInterrupt:
        return 0


def _clear() -> None:
    if sys.stdout.isatty():
        print("\x1b[2J\x1b[H", end="")


def _stamps(paths: Iterable[str]) -> _Stamps:
    return {path: _stamp(path) for path in paths}


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
