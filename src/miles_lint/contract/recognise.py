"""The revisions that come with the linter, recognised by the contents of the files that they were read from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha1
from pkgutil import get_data

from miles_lint.contract.encoding import compact

TRAINER = "trainer"
SOURCES = "sources.json"
_DIGITS = 16


@lru_cache(maxsize=1)
def _bundled() -> dict[str, dict[str, str]]:
    text = get_data("miles_lint.contract", f"data/{SOURCES}")
    told: dict[str, dict[str, str]] = json.loads(text or "{}")
    return told


def is_bundled(name: str, root: str) -> bool:
    """Whether all files below `root` that were read of an owner, or of the `trainer`, hold what they held then.

    Neither times nor revisions count; line ends may differ. The scripts at the top of a trainer must be the same ones.
    """
    told = _bundled().get(name)
    if not told or not all(_digest(os.path.join(root, *path.split("/"))) == digest for path, digest in told.items()):
        return False
    return name != TRAINER or set(scripts(root)) == {path for path in told if "/" not in path}


def scripts(root: str) -> tuple[str, ...]:
    """The file names at the top of a trainer that drivers may have."""
    return tuple(sorted(name for name in os.listdir(root) if name.startswith("train") and name.endswith(".py")))


def _digest(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return None
    return sha1(content.replace(b"\r\n", b"\n"), usedforsecurity=False).hexdigest()[:_DIGITS]


def dump_sources(files: Mapping[str, tuple[str, Iterable[str]]]) -> str:
    """The text by which sources are recognised, from the root and the files of each owner and of the trainer.

    The largest files, which change most often, stand first.
    """
    parts = []
    for name, (root, paths) in files.items():
        ordered = sorted(paths, key=lambda path: (-os.path.getsize(path), path))
        relative = {os.path.relpath(path, root).replace(os.sep, "/"): _digest(path) for path in ordered}
        lines = ",\n".join(f"{compact(path)}:{compact(digest)}" for path, digest in relative.items())
        parts.append(f"{compact(name)}:{{\n{lines}\n}}")
    return "{" + ",\n".join(parts) + "}\n"
