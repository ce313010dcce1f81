"""Names that a trainer has beside its flags: model definitions, functions to name by path, variables that it reads.

Inside a checkout they are read from its files; elsewhere the bundled list is used, which knows one revision.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Protocol

from miles_lint.project import read_outline, trainer_root

_LIMIT = 2_000_000
_WORD = re.compile(rb"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z]{8,}\b")
_PLUGINS = "_plugins"
_BESIDE = ("examples", "tests", "tools")
_MODELS = os.path.join("scripts", "models")


class Surface(Protocol):
    """What rules ask. `exact` says that what is not there does not exist; else it may in another revision."""

    @property
    def exact(self) -> bool: ...

    @property
    def origin(self) -> str:
        """The trainer and revision as messages name it."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the model definitions, sorted; empty where they are not known."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The top-level packages whose modules are known."""

    def names(self, module: str) -> tuple[str, ...] | None:
        """What a module or package binds; None for a module that does not exist. `*` stands for anything else."""

    def modules(self) -> tuple[str, ...]:
        """The dotted names of all modules, for those that look for the nearest."""

    def reads(self, variable: str) -> bool:
        """Whether the trainer's own code names an environment variable."""


def surface_of(path: str, trainer: str | None = None) -> Surface:
    """The names of a recipe's trainer: of a named checkout, else of the one around the recipe, else the bundled."""
    found = trainer_root(os.path.abspath(trainer) if trainer else os.path.dirname(os.path.abspath(path)))
    return _checkout(*found) if found is not None else bundled()


@lru_cache(maxsize=16)
def _checkout(root: str, package: str) -> Checkout:
    return Checkout(root, package)


@dataclass(frozen=True)
class Checkout:
    """The files of a trainer, read when they are asked for."""

    root: str
    package: str
    exact = True

    @property
    def origin(self) -> str:
        return "this checkout"

    @cached_property
    def models(self) -> tuple[str, ...]:
        folder = os.path.join(self.root, _MODELS)
        if not os.path.isdir(folder):
            return ()
        stems = (os.path.splitext(name) for name in os.listdir(folder))
        return tuple(sorted({stem for stem, kind in stems if kind in (".py", ".sh") and not stem.startswith("_")}))

    @cached_property
    def packages(self) -> tuple[str, ...]:
        names = (*self.own, *_BESIDE)
        return tuple(name for name in names if os.path.isdir(os.path.join(self.root, name)))

    @property
    def own(self) -> tuple[str, str]:
        """The packages that are the trainer itself."""
        return self.package, self.package + _PLUGINS

    def names(self, module: str) -> tuple[str, ...] | None:
        base = os.path.join(self.root, *module.split("."))
        if os.path.isfile(base + ".py"):
            return _bound(base + ".py")
        if not os.path.isdir(base):
            return None
        inner = tuple(os.path.splitext(name)[0] for name in sorted(os.listdir(base)))
        init = os.path.join(base, "__init__.py")
        return (*(_bound(init) if os.path.isfile(init) else ()), *inner)

    def modules(self) -> tuple[str, ...]:
        return tuple(sorted(name for name, _ in self.sources(self.packages)))

    def sources(self, packages: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Every module of some packages with its file."""
        for package in packages:
            for folder, folders, names in os.walk(os.path.join(self.root, package)):
                folders[:] = sorted(name for name in folders if name.isidentifier())
                dotted = os.path.relpath(folder, self.root).replace(os.sep, ".")
                for name in sorted(names):
                    stem, kind = os.path.splitext(name)
                    if kind == ".py" and stem.isidentifier():
                        yield (dotted if stem == "__init__" else f"{dotted}.{stem}"), os.path.join(folder, name)

    @cached_property
    def _words(self) -> frozenset[bytes]:
        drivers = (os.path.join(self.root, name) for name in sorted(os.listdir(self.root)) if name.endswith(".py"))
        found: set[bytes] = set()
        for file in (*drivers, *(file for _, file in self.sources(self.own))):
            found.update(_WORD.findall(_bytes(file)))
        return frozenset(found)

    def reads(self, variable: str) -> bool:
        return variable.encode() in self._words


def _bytes(file: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read(_LIMIT)
    except OSError:
        return b""


def _bound(file: str) -> tuple[str, ...]:
    """The global names of a file; a star import or a file that is not understood binds anything."""
    program = read_outline(file, file, _LIMIT)
    if program is None:
        return ("*",)
    names = tuple(program.binders)
    return ("*",) if {"*", "__getattr__"} & set(names) else names


@dataclass(frozen=True)
class Bundled:
    """The names of one revision, as `describe` wrote them down."""

    trainer: str
    revision: str
    models: tuple[str, ...]
    bound: dict[str, tuple[str, ...]]
    exact = False

    @property
    def origin(self) -> str:
        return f"{self.trainer} at {self.revision}"

    @cached_property
    def packages(self) -> tuple[str, ...]:
        return tuple(sorted({name.partition(".")[0] for name in self.bound}))

    def names(self, module: str) -> tuple[str, ...] | None:
        return self.bound.get(module)

    def modules(self) -> tuple[str, ...]:
        return tuple(self.bound)

    def reads(self, variable: str) -> bool:
        return False


@lru_cache(maxsize=1)
def bundled() -> Bundled:
    """The names that come with the linter."""
    data = json.loads((files("miles_lint") / "data" / "surface.json").read_text("utf-8"))
    bound = {module: tuple(names) for module, names in data["modules"].items()}
    return Bundled(data["trainer"], data["revision"], tuple(data["models"]), bound)


def describe(root: str, revision: str) -> dict[str, object]:
    """The data of `Bundled` for a checkout: public names only, those that a command line may name by path."""
    found = trainer_root(root)
    if found is None:
        raise ValueError(f"{root} is no checkout of a trainer")
    checkout = Checkout(*found)
    modules = {name: _own(file) for name, file in checkout.sources(checkout.own)}
    return {"trainer": checkout.package, "revision": revision, "models": checkout.models, "modules": modules}


def _own(file: str) -> list[str]:
    """The public functions, classes and imported names of a file, or `*` where they cannot be told."""
    names = _bound(file)
    return sorted(name for name in names if not name.startswith("_") and not name.isupper())
