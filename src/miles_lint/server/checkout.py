"""Where the trainer, or a package whose options it takes over, declares a flag, when its source is at hand."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from miles_lint.contract.model import Flag, Site
from miles_lint.contract.owners import OWNERS, holder_of
from miles_lint.contract.sources import owner_root
from miles_lint.project import trainer_root
from miles_lint.source import Source, Span

_NEAR = 12
"""Rows below a site in which the name of its flag is looked for first."""


def declaration(flag: Flag, recipe: str, trainer: str | None) -> tuple[Source, Span] | None:
    """The text that declares a flag, and the place of its name in it, or of the row that adds it.

    None where that source is not at hand. `trainer` is the checkout that the settings name.
    """
    if flag.origin is None:
        return None
    root = _root(flag.origin, recipe, trainer)
    source = None if root is None else _source(os.path.join(root, *flag.origin.path.split("/")))
    if source is None or root is None:
        return None
    start, names = source.offset(flag.origin.row, 1), "|".join(map(re.escape, flag.names))
    spelled = re.compile(rf"(?P<quote>[\"'])(?P<name>{names})(?P=quote)")
    near = spelled.search(source.text, start, source.offset(flag.origin.row + _NEAR, 1))
    match = near or spelled.search(source.text)
    if match is not None:
        return source, Span(*match.span("name"))
    line = source.line(flag.origin.row)
    return _field(flag, root) or ((source, Span(start, start + len(line))) if line.strip() else None)


def _field(flag: Flag, root: str) -> tuple[Source, Span] | None:
    """The field of a class of options that a flag is made of, where its owner spells no option strings."""
    adder = next((owner.adder for owner in OWNERS if owner.name == flag.owner), "")
    source = _source(os.path.join(root, *adder.split(".")[:-2]) + ".py") if adder else None
    name = re.escape(flag.dest.removeprefix(f"{flag.owner}_"))
    match = re.search(rf"^[ \t]+({name})[ \t]*:", source.text, re.MULTILINE) if source is not None else None
    return (source, Span(*match.span(1))) if source is not None and match is not None else None


def _root(site: Site, recipe: str, trainer: str | None) -> str | None:
    """The folder that the path of a site starts from: the trainer's checkout, or what holds the owner's package."""
    root = trainer if trainer and os.path.isdir(trainer) else None
    if root is None:
        found = trainer_root(os.path.dirname(os.path.abspath(recipe)))
        root = found[0] if found is not None else None
    package = site.path.partition("/")[0]
    owner = next((each for each in OWNERS if each.package == package), None)
    if owner is None:
        return root
    folder = owner_root(owner.name, package, root or "")
    return None if folder is None else holder_of(folder, package)


def _source(file: str) -> Source | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return _read(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _read(file: str, modified: int, size: int) -> Source | None:
    try:
        return Source.from_text(file, Path(file).read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
