"""Where the packages lie whose options a trainer takes over: found on disk, never imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from glob import glob

from miles_lint.contract.owners import OWNERS, holder_of
from miles_lint.contract.recognise import is_bundled

_ROOTS = {"megatron": ("MEGATRON_ROOT", "MEGATRON_PATH"), "sglang": ("SGLANG_ROOT",), "router": ("ROUTER_ROOT",)}
"""Variables that name a checkout of an owner."""
_BESIDE = {"megatron": ("Megatron-LM", "megatron-lm"), "sglang": ("sglang",), "router": ()}
"""Folders beside a trainer in which its people keep a checkout of an owner."""


@lru_cache(maxsize=64)
def owner_roots(trainer: str) -> dict[str, str]:
    """The folder of each owner that has to be read: those that are at hand and differ from what is bundled.

    Looked for where a variable points, in the environment of the project, on the path of this interpreter, and
    beside the trainer.
    """
    found: dict[str, str] = {}
    for owner in OWNERS:
        root = owner_root(owner.name, owner.package, trainer)
        if root is not None and not is_bundled(owner.name, holder_of(root, owner.package) or root):
            found[owner.name] = root
    return found


def owner_root(owner: str, package: str, trainer: str) -> str | None:
    """The folder of one owner's package or checkout, whether it is bundled or not; None where none is at hand."""
    for variable in _ROOTS[owner]:
        given = os.environ.get(variable)
        if given and holder_of(given, package) is not None:
            return os.path.abspath(given)
    for folder in dict.fromkeys(_folders(trainer)):
        if os.path.isdir(os.path.join(folder, package)):
            return folder
    for name in _BESIDE[owner]:
        folder = os.path.join(os.path.dirname(trainer), name)
        if holder_of(folder, package) is not None:
            return folder
    return None


def _folders(trainer: str) -> Iterator[str]:
    """Folders from which the project would import: PYTHONPATH, its virtual environment, this interpreter's path."""
    yield from (os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part)
    environments = [os.environ.get("VIRTUAL_ENV", ""), os.environ.get("CONDA_PREFIX", "")]
    for environment in (os.path.join(trainer, ".venv"), *environments):
        if environment:
            yield from sorted(glob(os.path.join(environment, "lib", "python*", "site-packages")))
            yield os.path.join(environment, "Lib", "site-packages")
    yield from (os.path.abspath(part) for part in sys.path if part)
