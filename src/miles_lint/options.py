"""The settings table: every key with its type, default and meaning; validation and JSON Schema come from it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

FORMATS = (
    "full",
    "concise",
    "grouped",
    "json",
    "json-lines",
    "junit",
    "github",
    "gitlab",
    "pylint",
    "rdjson",
    "azure",
    "sarif",
)
LEVELS = ("error", "warning", "info")
BUNDLED = "bundled"
DEFAULT_INCLUDE = ("*.py",)
DEFAULT_EXCLUDE = (
    *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox"),
    *(".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode"),
    *("__pypackages__", "_build", "buck-out", "dist", "node_modules", "site-packages", "venv"),
)


def trainer_at(directory: str, value: str) -> str:
    """What a setting `trainer` that stands in a directory means: `bundled`, or an absolute path."""
    return value if value == BUNDLED else os.path.abspath(os.path.join(directory, os.path.expanduser(value)))


class InvalidOption(ValueError):
    """A key that does not exist or a value of the wrong shape."""


@dataclass(frozen=True, slots=True)
class Option:
    """One settings key. `kind` is `list`, `bool`, `string` or `table` (of lists of strings)."""

    key: str
    kind: str
    default: object
    doc: str
    choices: tuple[str, ...] = ()
    example: str = ""

    @property
    def field(self) -> str:
        """The name of the field of `Settings`."""
        return self.key.replace("-", "_")

    def problem(self, value: object) -> str | None:
        """Why a value does not fit, or None."""
        fits = {
            "bool": isinstance(value, bool),
            "string": isinstance(value, str),
            "list": _strings(value),
            "table": isinstance(value, Mapping) and all(map(_strings, value.values())),
        }[self.kind]
        if not fits:
            return f"invalid type for `{self.key}`: expected {_WORDS[self.kind]}"
        if self.choices and value not in self.choices:
            return f"invalid value `{value}` for `{self.key}`: expected one of {', '.join(self.choices)}"
        return None

    def schema(self) -> dict[str, object]:
        """The JSON Schema of its value."""
        strings: dict[str, object] = {"type": "array", "items": {"type": "string"}}
        shapes: dict[str, dict[str, object]] = {
            "bool": {"type": "boolean"},
            "string": {"type": "string"},
            "list": strings,
            "table": {"type": "object", "additionalProperties": strings},
        }
        choices: dict[str, object] = {"enum": list(self.choices)} if self.choices else {}
        return {"description": self.doc, **shapes[self.kind], **choices}


_WORDS = {"bool": "a boolean", "string": "a string", "list": "a list of strings", "table": "a table of lists"}


def _strings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _o(key: str, kind: str, default: object, doc: str, example: str, choices: tuple[str, ...] = ()) -> Option:
    return Option(key, kind, default, doc, choices, example)


OPTIONS = (
    _o("select", "list", None, "Rules to run instead of those on by default.", '["MIL0", "MIL301"]'),
    _o("extend-select", "list", (), "Rules to run besides.", '["MIL410"]'),
    _o("ignore", "list", (), "Rules not to run.", '["MIL207"]'),
    _o("extend-ignore", "list", (), "Rules not to run, besides those of `ignore`.", '["MIL207"]'),
    _o("per-file-ignores", "table", {}, "Rules not to run in files that fit a pattern.", '{ "tests/*" = ["MIL2"] }'),
    _o("extend-per-file-ignores", "table", {}, "Further per-file ignores.", '{ "run_dev.py" = ["MIL001"] }'),
    _o("fixable", "list", None, "Rules whose fixes are offered, instead of all.", '["MIL001"]'),
    _o("extend-fixable", "list", (), "Rules whose fixes are offered besides.", '["MIL1"]'),
    _o("unfixable", "list", (), "Rules whose fixes are not offered.", '["MIL2"]'),
    _o("include", "list", DEFAULT_INCLUDE, "Patterns of the files looked for in directories.", '["*.py"]'),
    _o("extend-include", "list", (), "Further patterns of files.", '["*.launch"]'),
    _o("exclude", "list", DEFAULT_EXCLUDE, "Patterns of files and directories to leave out.", '["old"]'),
    _o("extend-exclude", "list", (), "Further patterns to leave out.", '["vendor"]'),
    _o("force-exclude", "bool", False, "Leave out excluded files also when they are named.", "true"),
    _o("respect-gitignore", "bool", True, "Leave out what git ignores.", "false"),
    _o("fix", "bool", False, "Repair what can be repaired.", "true"),
    _o("fix-only", "bool", False, "Repair, and report nothing.", "true"),
    _o("show-fixes", "bool", False, "List what was repaired.", "true"),
    _o("unsafe-fixes", "bool", None, "Apply (true) or never mention (false) unsafe fixes.", "true"),
    _o("output-format", "string", "full", "How findings are printed.", '"concise"', FORMATS),
    _o("fail-on", "string", "info", "The least severity that makes the exit code 1.", '"error"', LEVELS),
    _o("all-knobs", "bool", False, "Also report what needs several changed knobs.", "true"),
    _o(
        "trainer",
        "string",
        None,
        "A checkout of the trainer whose flags and checks count, or `bundled`.",
        '"../miles"',
    ),
    _o("extra-flags", "list", (), "Patterns of flags that a fork or plug-in adds.", '["--fleet-*"]'),
    _o("extend", "string", None, "A settings file that this one builds on.", '"../miles-lint.toml"'),
    _o("required-version", "string", None, "The version of miles-lint these settings ask for.", '">=0.1"'),
)
BY_KEY = {option.key: option for option in OPTIONS}


def validate(table: Mapping[str, object]) -> None:
    """Raise `InvalidOption` for the first key or value that does not fit, with the nearest known key."""
    for key, value in table.items():
        option = BY_KEY.get(key)
        if option is None:
            raise InvalidOption(f"unknown field `{key}`{_hint(key, value)}")
        problem = option.problem(value)
        if problem:
            raise InvalidOption(problem)


def _hint(key: str, value: object) -> str:
    if key == "lint" and isinstance(value, Mapping):
        return ": its keys stand directly in the table of miles-lint"
    from difflib import get_close_matches

    close = get_close_matches(key.replace("_", "-"), BY_KEY, 1)
    return f", did you mean `{close[0]}`?" if close else f", expected one of {', '.join(BY_KEY)}"


def json_schema() -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of a `miles-lint.toml` or of the `[tool.miles-lint]` table."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of miles-lint",
        "type": "object",
        "properties": {option.key: option.schema() for option in OPTIONS},
        "additionalProperties": False,
    }
