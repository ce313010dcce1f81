"""Where the sources of a trainer and its owners lie, and the programs in them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from miles_lint.contract.model import Site
from miles_lint.fold.heap import Module
from miles_lint.program.program import Program
from miles_lint.project import read_program
from miles_lint.source import Place, Source

_EMPTY = Program("", ())


def package_of(root: str) -> str | None:
    """The trainer's package in a checkout: the folder that holds `utils/arguments.py`; None when there is none."""
    try:
        entries = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    except OSError:
        return None
    return next((name for name in entries if os.path.isfile(os.path.join(root, name, "utils", "arguments.py"))), None)


@dataclass
class SourceTree:
    """A `Loader` over some roots: each maps a top-level package to the folder that holds it, "" any other module.

    `read` collects the files that were read, by their path as places name it; `broken` those that are no Python.
    """

    roots: Mapping[str, str]
    read: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def module(self, name: str, importer: Module) -> Module | None:
        root = self.roots.get(name.partition(".")[0]) or self.roots.get("")
        if root is None:
            return None
        relative = name.replace(".", os.sep)
        base = os.path.join(root, relative)
        if os.path.isfile(base + ".py"):
            return self._load(name, relative + ".py", base + ".py", False)
        if os.path.isfile(os.path.join(base, "__init__.py")):
            return self._load(name, os.path.join(relative, "__init__.py"), os.path.join(base, "__init__.py"), True)
        if os.path.isdir(base):
            return Module(name, relative, lambda: _EMPTY, base, True)
        return None

    def file(self, path: str) -> Module | None:
        root = self.roots.get("")
        if root is None or not os.path.isfile(path):
            return None
        return self._load(os.path.splitext(os.path.basename(path))[0], os.path.relpath(path, root), path, False)

    def extend_path(self, path: str) -> None:
        return None

    def model_file(self, model_type: str, importer: Module) -> Module | None:
        return None

    def _load(self, name: str, relative: str, file: str, package: bool) -> Module | None:
        path = relative.replace(os.sep, "/")

        def source() -> Program:
            self.read[path] = file
            program = read_program(file, path)
            if program is None:
                self.broken.append(path)
            return program or _EMPTY

        return Module(name, path, source, file, package)

    def site(self, place: Place) -> Site | None:
        """A place as path and row; None for a place in no file of these roots."""
        file = self.read.get(place.path)
        return None if file is None else Site(place.path, _lines(file).position(place.span.start)[0])


@lru_cache(maxsize=256)
def _lines(file: str) -> Source:
    return Source.from_text(file, Path(file).read_bytes().decode("utf-8"))
