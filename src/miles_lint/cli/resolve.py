"""Settings for each directory: the nearest file, inline `--config`, then the options of the command line."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from miles_lint.cli.errors import UsageError
from miles_lint.cli.parsing import Invocation
from miles_lint.options import InvalidOption, trainer_at, validate
from miles_lint.settings import Settings, apply_table
from miles_lint.settings_files import find, load

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TIP = """
  tip: A `--config` flag must either be a path to a `.toml` configuration file
       or a TOML `<KEY> = <VALUE>` pair overriding a specific configuration
       option
"""


class Resolver:
    """Gives the settings in force in a directory, each settings file read once."""

    def __init__(self, invocation: Invocation, cwd: str) -> None:
        self._table = dict(invocation.table)
        self._cwd = cwd
        self._inline: list[dict[str, object]] = []
        self._file: Path | None = None
        self._isolated = invocation.on("isolated")
        self._known: dict[Path | None, Settings] = {}
        for value in invocation.value("config") or ():
            self._take(value)

    def _take(self, value: str) -> None:
        path = Path(value).expanduser()
        if path.is_file():
            self._file = path.absolute()
            return
        try:
            table = tomllib.loads(value)
        except tomllib.TOMLDecodeError:
            missing = f"\nThe path `{value}` does not point to a configuration file" if value.endswith(".toml") else ""
            raise UsageError(_invalid(value, missing)) from None
        try:
            validate(table)
        except InvalidOption as error:
            raise UsageError(_invalid(value, f"\n{error}")) from None
        self._inline.append(table)

    def for_directory(self, directory: str) -> Settings:
        """The settings of files in an absolute directory. Raises `SettingsError`."""
        file = self._file or (None if self._isolated else find(Path(directory)))
        if file not in self._known:
            self._known[file] = self._load(file)
        return self._known[file]

    def for_file(self, path: str) -> Settings:
        """The settings of one absolute path."""
        return self.for_directory(str(Path(path).parent))

    def files(self) -> tuple[str, ...]:
        """The settings files that were read."""
        return tuple(str(file) for file in self._known if file is not None)

    def _load(self, file: Path | None) -> Settings:
        settings = Settings(root=self._cwd)
        if file:
            settings = load(file, Path(self._cwd) if self._file else None)
        for table in self._inline:
            if "trainer" in table:
                table = {**table, "trainer": trainer_at(self._cwd, str(table["trainer"]))}
            settings = apply_table(settings, table, "`--config`", self._cwd)
        settings = apply_table(settings, self._table, "the CLI", self._cwd)
        return replace(settings, root=settings.root or self._cwd)


def _invalid(value: str, detail: str) -> str:
    return f"invalid value '{value}' for '--config <CONFIG_OPTION>'\n{_TIP}{detail}".rstrip("\n")
