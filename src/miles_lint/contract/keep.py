"""Texts kept on disk with the files that they were made from, and given back while these are the same."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha1
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_MAKERS = ("contract", "contract/extract", "contract/data", "fold", "program", "domain")


def cache_folder() -> str | None:
    """Where extracted contracts are kept; None when they are not. `MILES_LINT_CACHE_DIR` or the user's cache."""
    if os.environ.get("MILES_LINT_NO_CACHE") in ("1", "true"):
        return None
    given = os.environ.get("MILES_LINT_CACHE_DIR")
    if given:
        return given
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "miles-lint")


@lru_cache(maxsize=1)
def _maker() -> str:
    """What stands for the linter's own reading: another version of it reads again."""
    told = []
    for part in _MAKERS:
        with os.scandir(_PACKAGE / part) as entries:
            for entry in entries:
                if entry.is_file():
                    status = entry.stat()
                    told.append((part, entry.name, status.st_size, status.st_mtime_ns))
    return sha1(repr(sorted(told)).encode(), usedforsecurity=False).hexdigest()


def recall(*key: str) -> str | None:
    """The text kept under a key, if it is there and every file that it was made from has the same contents."""
    path = _path(key)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            header = json.loads(file.readline())
            if not all(_same(*stamp) for stamp in header):
                return None
            return file.read()
    except (OSError, ValueError, TypeError):
        return None


def remember(text: str, files: Iterable[str], *key: str) -> None:
    """Keep a text that was made from some files. Another process never sees half of it; a full disk is no error."""
    path = _path(key)
    if path is None:
        return
    with contextlib.suppress(OSError):
        stamps = [stamp for stamp in map(_stamp, files) if stamp is not None]
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=folder, prefix=".", suffix=".tmp")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps(stamps, separators=(",", ":")) + "\n")
                file.write(text)
            os.replace(made, path)
        except OSError:
            os.unlink(made)


@contextlib.contextmanager
def alone(*key: str) -> Iterator[None]:
    """Wait until no other process is inside for the same key; where that cannot be told, go ahead."""
    path = _path(key)
    with contextlib.ExitStack() as stack:
        if path is not None and sys.platform != "win32":
            import fcntl

            with contextlib.suppress(OSError):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                file = stack.enter_context(open(f"{path}.lock", "w"))
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _path(key: tuple[str, ...]) -> str | None:
    folder = cache_folder()
    if folder is None:
        return None
    digest = sha1(repr((_maker(), *key)).encode(), usedforsecurity=False).hexdigest()
    return os.path.join(folder, "contracts", f"{digest[:20]}.json")


def _stamp(path: str) -> tuple[str, int, int, str] | None:
    try:
        status = os.stat(path)
        return path, status.st_size, status.st_mtime_ns, _digest(path)
    except OSError:
        return None


def _same(path: str, size: int, modified: int, digest: str) -> bool:
    """Whether a file is as it was: untouched, or touched and written back with the same contents."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    if status.st_size != size:
        return False
    return status.st_mtime_ns == modified or _digest(path) == digest


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return sha1(file.read(), usedforsecurity=False).hexdigest()
