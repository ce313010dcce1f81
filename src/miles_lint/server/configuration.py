"""Settings for each text: the nearest settings file, with what the editor says on top."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from miles_lint.cli.caches import forget_disk
from miles_lint.options import InvalidOption, trainer_at, validate
from miles_lint.settings import Settings, SettingsError, apply_table
from miles_lint.settings_files import find, load

SECTION = "miles-lint"
WATCHED = ("**/pyproject.toml", "**/miles-lint.toml", "**/.miles-lint.toml", "**/*.py")


class Configuration:
    """Resolves settings and keeps them until something changes; problems are told once each, through `warn`.

    `root` is the folder that patterns and paths from the editor are relative to.
    """

    def __init__(self, root: str, warn: Callable[[str], None]) -> None:
        self._root = root
        self._warn = warn
        self._told: set[str] = set()
        self._table: dict[str, object] = {}
        self._known: dict[Path | None, Settings] = {}

    def take(self, given: object) -> bool:
        """Use a table of settings from the editor, keyed as in `miles-lint.toml`; False when it is what it was.

        A table that is not valid is told and left out.
        """
        table = dict(given) if isinstance(given, Mapping) else {}
        table = {str(key): value for key, value in table.items() if value is not None}
        try:
            validate(table)
            apply_table(Settings(), table, "the editor", self._root)
        except (InvalidOption, SettingsError) as error:
            self._tell(f"settings of the editor: {error}")
            table = {}
        if isinstance(table.get("trainer"), str):
            table["trainer"] = trainer_at(self._root, str(table["trainer"]))
        if table == self._table:
            return False
        self._table = table
        self._known.clear()
        return True

    def forget(self) -> None:
        """Read settings files, and look for checkouts, again."""
        self._known.clear()
        self._told.clear()
        forget_disk()

    def for_directory(self, directory: str) -> Settings:
        """The settings of files in an absolute directory; the defaults where a settings file is broken."""
        file: Path | None = None
        try:
            file = find(Path(directory))
            if file not in self._known:
                self._known[file] = self._resolved(file)
            return self._known[file]
        except SettingsError as error:
            self._tell(str(error))
            settings = self._known[file] = self._resolved(None)
            return settings

    def for_file(self, path: str) -> Settings:
        return self.for_directory(os.path.dirname(path) if os.path.isabs(path) else self._root)

    def _resolved(self, file: Path | None) -> Settings:
        settings = load(file) if file else Settings(root=self._root)
        return apply_table(settings, self._table, "the editor", self._root)

    def _tell(self, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self._warn(message)
