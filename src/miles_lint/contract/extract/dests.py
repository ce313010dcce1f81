"""Dests that a trainer reads and no parser here defines: options of another revision of an owner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_READ = re.compile(r"\bargs\.([a-z]\w*)\b(?!\s*(?:[-+*/|]?=(?!=)|\())")
_WRITTEN = re.compile(r"""\bargs\.([a-z]\w*)\s*(?::[^=\n]+)?=(?!=)|["']([a-z]\w*)["']""")


def dests_read(root: str, package: str) -> frozenset[str]:
    """The names that the trainer's argument modules read of `args`, and neither write nor ask for by name."""
    texts = [file.read_text("utf-8", "replace") for file in _files(root, package)]
    written = {name for text in texts for pair in _WRITTEN.findall(text) for name in pair}
    return frozenset(name for text in texts for name in _READ.findall(text)) - written


def _files(root: str, package: str) -> Iterator[Path]:
    folder = Path(root, package)
    for pattern in ("utils/arguments.py", "backends/**/arguments.py"):
        yield from sorted(folder.glob(pattern))
