"""The files around a recipe: the checkout that holds it, and the modules that a program in it would import."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from miles_lint.fold.heap import Module
from miles_lint.program.program import Program
from miles_lint.source import Source

if TYPE_CHECKING:
    from miles_lint.program.outline import Outline

_PRELUDE = Path(__file__).parent / "fold" / "prelude" / "command_utils.py"
_MARKERS = (os.path.join("utils", "arguments.py"), os.path.join("utils", "external_utils"))
_LIMIT = 100_000
_EMPTY = Program("", ())


@lru_cache(maxsize=256)
def trainer_root(folder: str) -> tuple[str, str] | None:
    """The nearest folder at or above `folder` that is a trainer checkout, and the name of its package.

    A checkout holds a package with `utils/arguments.py` beside its drivers (miles, slime, vime and forks).
    """
    current = folder
    while True:
        package = _trainer_package(current)
        if package is not None:
            return current, package
        parent = os.path.dirname(current)
        if parent == current:
            return None
        current = parent


@lru_cache(maxsize=1024)
def _trainer_package(folder: str) -> str | None:
    if not os.path.isfile(os.path.join(folder, "train.py")):
        return None
    try:
        entries = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return None
    for name in entries:
        if any(os.path.exists(os.path.join(folder, name, marker)) for marker in _MARKERS):
            return name
    return None


def display_path(file: str, like: str) -> str:
    """An absolute path spelled as its neighbour `like` is: relative to the working folder, or absolute."""
    if os.path.isabs(like):
        return file
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative


def read_program(file: str, path: str, limit: int = 2_000_000) -> Program | None:
    """The program in a file, lowered once per content; None for what cannot be read, is no Python, or too long.

    `limit` is in bytes.
    """
    stamp = _stamp(file, limit)
    return None if stamp is None else _program(file, path, stamp)


def read_outline(file: str, path: str, limit: int = 2_000_000) -> Program | Outline | None:
    """As `read_program`; functions and classes are lowered when they are asked for, whatever stands in others."""
    stamp = _stamp(file, limit)
    return None if stamp is None else _outline(file, path, stamp)


@lru_cache(maxsize=2048)
def _program(file: str, path: str, stamp: tuple[int, int]) -> Program | None:
    from miles_lint.program.lower import NotUnderstood, ParseError, lower

    source = _source(file, path)
    try:
        return None if source is None else lower(source)
    except (ParseError, NotUnderstood):
        return None


@lru_cache(maxsize=2048)
def _outline(file: str, path: str, stamp: tuple[int, int]) -> Program | Outline | None:
    from miles_lint.program.lower import NotUnderstood, ParseError
    from miles_lint.program.outline import outline

    source = _source(file, path)
    try:
        return None if source is None else outline(source)
    except (ParseError, NotUnderstood):
        return None


def _source(file: str, path: str) -> Source | None:
    try:
        return Source.from_text(path, Path(file).read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def _stamp(file: str, limit: int) -> tuple[int, int] | None:
    """What changes with the content of a file: its time in ns and its size; None past the limit."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return None if status.st_size > limit else (status.st_mtime_ns, status.st_size)


@dataclass
class ProjectLoader:
    """Looks modules up as Python would from the folder of a recipe inside its checkout."""

    recipe: str
    display: str
    search: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        folder = os.path.dirname(self.recipe)
        self.root = trainer_root(folder)
        self.search.append(folder)
        if self.root is not None and self.root[0] not in self.search:
            self.search.append(self.root[0])
        top = folder
        while os.path.isfile(os.path.join(top, "__init__.py")):
            top = os.path.dirname(top)
        if top not in self.search:
            self.search.append(top)

    def extend_path(self, path: str) -> None:
        if os.path.isdir(path) and path not in self.search:
            self.search.append(path)

    def module(self, name: str, importer: Module) -> Module | None:
        relative = name.replace(".", os.sep)
        for folder in self.search:
            base = os.path.join(folder, relative)
            if os.path.isfile(base + ".py"):
                return self._load(name, base + ".py", False)
            if os.path.isdir(base):
                init = os.path.join(base, "__init__.py")
                if os.path.isfile(init):
                    return self._load(name, init, True)
                if self._inside(base):
                    return Module(name, display_path(base, self.display), lambda: _EMPTY, base, True)
        if name == "model_args_utils" and self.root is not None:
            path = os.path.join(self.root[0], self.root[1], "utils", "external_utils", "model_args_utils.py")
            return self._load(f"{self.root[1]}.utils.external_utils.{name}", path, False)
        if name.endswith(".external_utils.command_utils"):
            return self._load(name, str(_PRELUDE), False)
        return None

    def _inside(self, folder: str) -> bool:
        """Whether a folder without `__init__.py` is taken for a package: only below the checkout or the recipe."""
        bounds = [os.path.dirname(self.recipe), *([self.root[0]] if self.root is not None else [])]
        return any(folder.startswith(bound + os.sep) for bound in bounds)

    def file(self, path: str) -> Module | None:
        if not os.path.isfile(path):
            return None
        stem = os.path.splitext(os.path.basename(path))[0]
        return self._load(stem, path, False)

    def model_file(self, model_type: str, importer: Module) -> Module | None:
        folders = [os.path.dirname(importer.file)]
        if self.root is not None:
            folders.append(os.path.join(self.root[0], "scripts", "models"))
        for folder in folders:
            if os.path.basename(folder) != "models":
                continue
            path = os.path.join(folder, f"{model_type}.py")
            if os.sep not in model_type and os.path.isfile(path):
                return self.file(path)
        return None

    def _load(self, name: str, file: str, package: bool) -> Module:
        path = display_path(file, self.display)
        return Module(name, path, lambda: read_outline(file, path, _LIMIT) or _EMPTY, file, package)
