"""Where the trainer declares a flag or refuses a launch, when its source is at hand."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from miles_lint.contract.extract.roots import holder_of
from miles_lint.contract.model import Flag, Site
from miles_lint.project import trainer_root
from miles_lint.source import Source, Span

_ROOTS = {"megatron": "MEGATRON_ROOT", "sglang": "SGLANG_ROOT", "router": "SGLANG_ROOT"}
_NEAR = 12


def declaration(flag: Flag, recipe: str, trainer: str | None) -> tuple[Source, Span] | None:
    """The text that declares a flag and the place of its name in it; None where no source names it."""
    if flag.origin is None:
        return None
    names = "|".join(re.escape(name) for name in flag.names)
    spelled = re.compile(rf"(?P<quote>[\"'])(?P<name>{names})(?P=quote)")
    for file in _files(flag.origin, flag.owner, recipe, trainer):
        source = _read(file, _stamp(file))
        if source is None:
            continue
        start = source.offset(flag.origin.row, 1)
        near = spelled.search(source.text, start, source.offset(flag.origin.row + _NEAR, 1))
        match = near or spelled.search(source.text)
        if match is not None:
            return source, Span(*match.span("name"))
        if source.line(flag.origin.row).strip():
            return source, Span(start, start + len(source.line(flag.origin.row)))
    return None


def file_of(site: Site, owner: str, recipe: str, trainer: str | None) -> str | None:
    """The file that a site of the contract names, when it is at hand."""
    return next(_files(site, owner, recipe, trainer), None)


def _files(site: Site, owner: str, recipe: str, trainer: str | None) -> Iterator[str]:
    package = site.path.partition("/")[0]
    for root in _roots(owner, recipe, trainer):
        holder = holder_of(root, package) if "/" in site.path else root
        file = os.path.join(holder or root, *site.path.split("/"))
        if os.path.isfile(file):
            yield file


def _roots(owner: str, recipe: str, trainer: str | None) -> Iterator[str]:
    if trainer:
        yield os.path.abspath(trainer)
    found = trainer_root(os.path.dirname(os.path.abspath(recipe)))
    if found is not None:
        yield found[0]
    named = os.environ.get(_ROOTS.get(owner, "MILES_ROOT"))
    if named:
        yield named


def _stamp(file: str) -> tuple[int, int]:
    try:
        status = os.stat(file)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=32)
def _read(file: str, stamp: tuple[int, int]) -> Source | None:
    try:
        return Source.from_text(file, Path(file).read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
