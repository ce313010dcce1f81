"""Where the trainer's sources are: roots named by the environment, and the packages in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LAYOUTS = (".", "src", "python", "bindings/python/src", "bindings/python")


@dataclass(frozen=True, slots=True)
class Sources:
    """Checkouts to build the oracle from; `package` is the trainer's own, `miles` or what a fork calls it.

    `roots` maps an owner to the directory that holds its package.
    """

    package: str
    roots: Mapping[str, Path]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Sources | None:
        """Sources named by MILES_ROOT, MEGATRON_ROOT, SGLANG_ROOT (and ROUTER_ROOT); None when the first is unset."""
        named = os.environ if environment is None else environment
        trainer = named.get("MILES_ROOT")
        if not trainer:
            return None
        package = package_of(Path(trainer))
        roots = {package: Path(trainer)}
        owners = {"megatron": "MEGATRON_ROOT", "sglang": "SGLANG_ROOT", "sglang_router": "ROUTER_ROOT"}
        for owner, variable in owners.items():
            if named.get(variable):
                roots[owner] = holder_of(Path(named[variable]), owner)
        return cls(package, roots)

    @property
    def backends(self) -> tuple[str, ...]:
        """The training backends that this trainer has."""
        directory = self.roots[self.package] / self.package / "backends"
        return tuple(name for name in ("megatron", "fsdp") if (directory / f"{name}_utils" / "arguments.py").is_file())

    @property
    def missing(self) -> tuple[str, ...]:
        """Owners whose sources are not at hand: their modules are stubs and their flags are absent."""
        return tuple(owner for owner in ("megatron", "sglang", "sglang_router") if owner not in self.roots)

    def run(self, module: str, arguments: Sequence[str], stdin: str = "") -> str:
        """Standard output of `python -m module` in a clean environment that knows only these sources.

        Raises RuntimeError with the end of standard error when it fails.
        """
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": os.environ.get("HOME", ""), "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=PROJECT,
            env={**environment, **self.environment(), "PYTHONPATH": str(PROJECT)},
        )
        if done.returncode:
            raise RuntimeError(f"{module} failed:\n{done.stderr[-3000:]}")
        return done.stdout

    def environment(self) -> dict[str, str]:
        """The variables that name these sources."""
        variables = {"megatron": "MEGATRON_ROOT", "sglang": "SGLANG_ROOT", "sglang_router": "ROUTER_ROOT"}
        return {variables.get(owner, "MILES_ROOT"): str(root) for owner, root in self.roots.items()}

    def owner_of(self, filename: str) -> tuple[str, str] | None:
        """The owner of a source file and its path below the owner's root."""
        for owner, root in self.roots.items():
            if filename.startswith(f"{root}{os.sep}"):
                return owner, os.path.relpath(filename, root)
        return None


def package_of(root: Path) -> str:
    """The trainer's package: the directory of a checkout that holds `utils/arguments.py`."""
    found = sorted(path.parents[1].name for path in root.glob("*/utils/arguments.py"))
    if not found:
        raise FileNotFoundError(f"no */utils/arguments.py under {root}")
    return found[0]


def holder_of(root: Path, package: str) -> Path:
    """The directory below `root` that holds a package, in a repository or an unpacked wheel."""
    for layout in LAYOUTS:
        if (root / layout / package).is_dir():
            return (root / layout).resolve()
    raise FileNotFoundError(f"no package {package} under {root}")
