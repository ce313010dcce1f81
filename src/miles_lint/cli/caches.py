"""Forgetting what was read from disk, for a process that outlives changes to it."""

from __future__ import annotations

import sys

_READERS = ("settings_files", "project", "surface", "gitignore", "contract.sources", "contract.extract.roots")
_KEYED_BY_CONTENT = ("_program", "bundled")


def forget_disk() -> None:
    """Empty the caches of every loaded module that keeps what it found on disk."""
    for name in _READERS:
        module = sys.modules.get(f"miles_lint.{name}")
        for attribute, value in vars(module).items() if module is not None else ():
            if hasattr(value, "cache_clear") and attribute not in _KEYED_BY_CONTENT:
                value.cache_clear()
    live = sys.modules.get("miles_lint.contract.live")
    if live is not None:
        live.forget()
