"""Settings files: found beside the linted files, read, validated and chained by `extend`."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from miles_lint.options import InvalidOption, trainer_at, validate
from miles_lint.settings import Settings, SettingsError, apply_table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NAMES = (".miles-lint.toml", "miles-lint.toml", "pyproject.toml")


def read_table(path: Path) -> dict[str, object] | None:
    """The validated settings table of a file; None when a `pyproject.toml` has none.

    Raises `SettingsError` when the file cannot be read, is not TOML, or holds an unknown key.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"Failed to read {path}", error.strerror or str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"Failed to parse {path}", f"TOML parse error: {error}") from None
    if path.name == "pyproject.toml":
        table = document.get("tool", {}).get("miles-lint")
        if table is None:
            return None
    else:
        table = document
    try:
        validate(table)
    except InvalidOption as error:
        raise SettingsError(f"Failed to parse {path}", str(error)) from None
    return dict(table)


def load(path: Path, root: Path | None = None) -> Settings:
    """The settings of one file, with those it extends beneath; patterns are relative to `root`, or to the
    directory of the file they stand in. Raises `SettingsError`."""
    chain: list[tuple[Path, dict[str, object]]] = []
    current: Path | None = path
    while current is not None:
        if any(current == seen for seen, _ in chain):
            raise SettingsError(f"Circular `extend` in {path}", f"{current} extends itself")
        table = read_table(current) or {}
        chain.append((current, table))
        extend = table.get("extend")
        current = (current.parent / Path(str(extend)).expanduser()).resolve() if extend else None
    settings = Settings()
    for file, table in reversed(chain):
        table = dict(table)
        if isinstance(table.get("trainer"), str):
            table["trainer"] = trainer_at(str(file.parent), str(table["trainer"]))
        settings = apply_table(settings, table, f"`{file}`", str(root or file.parent))
    return replace(settings, root=str(root or path.parent), origin=str(path))


@lru_cache(maxsize=1024)
def find(directory: Path) -> Path | None:
    """The nearest settings file at or above an absolute directory; a `pyproject.toml` needs our table to count."""
    for name in _NAMES:
        candidate = directory / name
        if candidate.is_file() and (name != "pyproject.toml" or _has_table(candidate)):
            return candidate
    parent = directory.parent
    return None if parent == directory else find(parent)


def _has_table(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return "miles-lint" in text and read_table(path) is not None
