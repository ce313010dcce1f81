"""Settings: what a user may set, layer over layer, as everybody asks for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from miles_lint import __version__, selection
from miles_lint.diagnostic import Applicability, Diagnostic, Severity
from miles_lint.globs import Glob, fits
from miles_lint.options import BY_KEY, DEFAULT_EXCLUDE, DEFAULT_INCLUDE
from miles_lint.selection import Selection, UnknownSelector

_PLAIN = (
    *("force-exclude", "respect-gitignore", "fix", "fix-only", "show-fixes", "unsafe-fixes", "all-knobs"),
    *("output-format", "trainer"),
)
_SELECTORS = ("select", "extend-select", "ignore", "extend-ignore", "fixable", "extend-fixable", "unfixable")


class SettingsError(Exception):
    """Settings that cannot be used; `causes` are its lines, outermost first."""

    def __init__(self, *causes: str) -> None:
        super().__init__(": ".join(causes))
        self.causes = causes


@dataclass(frozen=True, slots=True)
class Ignore:
    """Selectors that are off in files that fit a pattern, or, negated, in all others."""

    glob: Glob
    negated: bool
    selectors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user may set, resolved for one file.

    `layers` are rule selections, weakest first. `root` is the absolute directory of the settings file
    `origin`, or the working directory where there is none.
    """

    layers: tuple[Selection, ...] = ()
    per_file_ignores: tuple[Ignore, ...] = ()
    include: tuple[Glob, ...] = tuple(map(Glob, DEFAULT_INCLUDE))
    exclude: tuple[Glob, ...] = tuple(map(Glob, DEFAULT_EXCLUDE))
    force_exclude: bool = False
    respect_gitignore: bool = True
    fix: bool = False
    fix_only: bool = False
    show_fixes: bool = False
    unsafe_fixes: bool | None = None
    output_format: str = "full"
    fail_on: Severity = Severity.INFO
    all_knobs: bool = False
    trainer: str | None = None
    extra_flags: tuple[str, ...] = ()
    root: str = ""
    origin: str | None = None

    @property
    def minimum(self) -> Applicability:
        """The least applicability of a fix that is applied."""
        return Applicability.UNSAFE if self.unsafe_fixes else Applicability.SAFE

    @property
    def selected(self) -> frozenset[str]:
        """The codes that are on for some files. Raises `UnknownSelector`."""
        return _enabled(self.layers)

    def enabled(self, path: str = "") -> frozenset[str]:
        """The codes that are on for a file. Raises `UnknownSelector`."""
        on = self.selected
        if path and self.per_file_ignores:
            for ignore in self.per_file_ignores:
                if fits((ignore.glob,), path) != ignore.negated:
                    on -= frozenset().union(*(selection.matches(each, selection.known()) for each in ignore.selectors))
        return on

    def fixable(self, code: str) -> bool:
        """Whether fixes of this rule are offered."""
        return not self.layers or code in _fixable(self.layers)

    def choose(self, diagnostics: Sequence[Diagnostic], path: str) -> tuple[Diagnostic, ...]:
        """Those findings whose rules are on for the file; unfixable ones without their fix."""
        if not diagnostics:
            return ()
        on = self.enabled(path)
        return tuple(
            found if self.fixable(found.code) else replace(found, fix=None)
            for found in diagnostics
            if found.code in on or not found.code.startswith(selection.OWN_PREFIX)
        )


@lru_cache(maxsize=256)
def _enabled(layers: tuple[Selection, ...]) -> frozenset[str]:
    return selection.enabled(layers, selection.known())


@lru_cache(maxsize=256)
def _fixable(layers: tuple[Selection, ...]) -> frozenset[str]:
    return selection.fixable(layers, selection.known())


def apply_table(settings: Settings, table: Mapping[str, object], source: str, root: str) -> Settings:
    """Settings with a validated table on top; `source` names it in errors (``the CLI`` or a path in backticks).

    Patterns of the table are relative to `root`, an absolute directory.
    Raises `SettingsError` for an unknown selector or another version of miles-lint.
    """
    layer = Selection(
        select=_tuple(table["select"]) if "select" in table else None,
        extend_select=_tuple(table.get("extend-select")),
        ignore=_tuple(table.get("ignore")) + _tuple(table.get("extend-ignore")),
        fixable=_tuple(table["fixable"]) if "fixable" in table else None,
        extend_fixable=_tuple(table.get("extend-fixable")),
        unfixable=_tuple(table.get("unfixable")),
    )
    _check_selectors(table, source)
    changes: dict[str, object] = {}
    if layer != Selection():
        changes["layers"] = (*settings.layers, layer)
    for key in ("include", "exclude"):
        if key in table or f"extend-{key}" in table:
            base = _globs(table[key], root) if key in table else getattr(settings, key)
            changes[key] = base + _globs(table.get(f"extend-{key}"), root)
    ignores = settings.per_file_ignores
    if "per-file-ignores" in table:
        ignores = _ignores(table["per-file-ignores"], root)
    changes["per_file_ignores"] = ignores + _ignores(table.get("extend-per-file-ignores"), root)
    for key in _PLAIN:
        if key in table:
            changes[BY_KEY[key].field] = table[key]
    if "extra-flags" in table:
        changes["extra_flags"] = _tuple(table["extra-flags"])
    if "fail-on" in table:
        changes["fail_on"] = Severity[str(table["fail-on"]).upper()]
    _check_version(table.get("required-version"), source)
    return replace(settings, **changes)  # type: ignore[arg-type]


def _check_selectors(table: Mapping[str, object], source: str) -> None:
    listed = [(key, selector) for key in _SELECTORS for selector in _tuple(table.get(key))]
    for key in ("per-file-ignores", "extend-per-file-ignores"):
        listed += [(key, selector) for _, selectors in _pairs(table.get(key)) for selector in selectors]
    for key, selector in listed:
        try:
            selection.matches(selector, selection.known())
        except UnknownSelector as error:
            raise SettingsError(f"{error} in `{key}` from {source}{error.hint}") from None


def _tuple(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _pairs(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((pattern, _tuple(codes)) for pattern, codes in value.items()) if isinstance(value, Mapping) else ()


def _globs(value: object, root: str) -> tuple[Glob, ...]:
    return tuple(Glob(pattern, root) for pattern in _tuple(value))


def _ignores(value: object, root: str) -> tuple[Ignore, ...]:
    return tuple(
        Ignore(Glob(pattern.removeprefix("!"), root), pattern.startswith("!"), selectors)
        for pattern, selectors in _pairs(value)
    )


def _check_version(wanted: object, source: str) -> None:
    if not isinstance(wanted, str):
        return
    have = _numbers(__version__)
    for part in wanted.split(","):
        match = re.fullmatch(r"\s*(==|>=|<=|!=|>|<|)\s*(\d+(?:\.\d+)*)\s*", part)
        if not match:
            raise SettingsError(f"invalid `required-version` `{wanted}` from {source}")
        operator, asked = match[1] or "==", _numbers(match[2])
        verdict = {
            "==": have == asked,
            "!=": have != asked,
            ">=": have >= asked,
            "<=": have <= asked,
            ">": have > asked,
            "<": have < asked,
        }
        if not verdict[operator]:
            raise SettingsError(f"Required version `{wanted}` does not match the running version `{__version__}`")


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in re.findall(r"\d+", version)[:4]]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
