"""Checking again whenever a file changes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

INTERVAL = 0.5


def watch(files: Callable[[], tuple[str, ...]], run: Callable[[], int]) -> int:
    """Run at once and after every change of a watched file, until interrupted."""
    known: dict[str, tuple[int, int]] | None = None
    try:
        while True:
            current = {path: stamp for path in files() if (stamp := _stamp(path)) is not None}
            if current != known:
                known = current
                if sys.stdout.isatty():
                    print("\x1b[2J\x1b[H", end="")
                run()
                print("Watching for changes...", flush=True)
                current = {path: stamp for path in files() if (stamp := _stamp(path)) is not None}
                known = current
            time.sleep(INTERVAL)
    except KeyboardInterrupt:
        return 0


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
