"""The flake8 plugin: the same findings at the same places, selected and suppressed by flake8's own rules."""

from __future__ import annotations

import ast
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from miles_lint import __version__, selection, sniff
from miles_lint.lint import INTERNAL_ERROR, lint_source
from miles_lint.options import trainer_at
from miles_lint.output.secrets import hide_in_findings, secrets_of
from miles_lint.selection import OWN_PREFIX, Selection, UnknownSelector, matches
from miles_lint.settings import Settings, apply_table
from miles_lint.settings_files import find, load
from miles_lint.source import Source

Finding = tuple[int, int, str, type]


class Plugin:
    """What flake8 7.5 makes for each file that parses; no exception leaves it.

    Which rules run is what our settings file says; a code or a prefix longer than `MIL` that flake8 is told to
    select besides turns on rules that are off by default. flake8 then drops what its own options leave out.
    """

    name = "miles-lint"
    version = __version__
    table: ClassVar[dict[str, Any]] = {}
    selected: ClassVar[tuple[str, ...]] = ()

    def __init__(self, tree: ast.AST, lines: Sequence[str], filename: str) -> None:
        self._text = "".join(lines)
        self._path = os.path.abspath(filename)

    @classmethod
    def add_options(cls, manager: Any) -> None:
        """Register options named as in our settings."""
        manager.add_option("--mil-trainer", parse_from_config=True, metavar="PATH", help="a checkout of the trainer")
        manager.add_option(
            "--mil-extra-flags",
            parse_from_config=True,
            comma_separated_list=True,
            default=[],
            help="patterns of flags that a fork or plug-in adds",
        )
        manager.add_option(
            "--mil-all-knobs",
            action="store_true",
            default=False,
            parse_from_config=True,
            help="also report what needs several changed knobs",
        )

    @classmethod
    def parse_options(cls, options: Namespace) -> None:
        """Keep what the user set on the class, where worker processes find it."""
        given = {
            "trainer": options.mil_trainer and trainer_at(os.getcwd(), options.mil_trainer),
            "extra-flags": options.mil_extra_flags,
            "all-knobs": options.mil_all_knobs,
        }
        cls.table = {key: value for key, value in given.items() if value}
        cls.selected = (*(options.select or ()), *(options.extend_select or ()))

    def run(self) -> Iterator[Finding]:
        """The findings: 1-based row, 0-based column in code points, `CODE message`."""
        try:
            found = tuple(self._findings())
        except Exception as error:
            found = ((1, 0, f"{INTERNAL_ERROR} internal error: {type(error).__name__}: {error}", type(self)),)
        yield from found

    def _findings(self) -> Iterator[Finding]:
        if not sniff.might_launch(self._text):
            return
        source = Source.from_text(self._path, self._text)
        found = lint_source(source, self._settings(), noqa=False).diagnostics
        for diagnostic in hide_in_findings(found, secrets_of(found, {source.path: source})):
            if diagnostic.place.path == source.path and diagnostic.code.startswith(OWN_PREFIX):
                row, column = source.position(diagnostic.place.span.start)
                yield row, column - 1, f"{diagnostic.code} {diagnostic.message}", type(self)

    def _settings(self) -> Settings:
        settings = apply_table(_settings_below(os.path.dirname(self._path)), self.table, "flake8", os.getcwd())
        besides = tuple(filter(_known, self.selected))
        return replace(settings, layers=(*settings.layers, Selection(extend_select=besides))) if besides else settings


def _known(selector: str) -> bool:
    """Whether a selector names some of our rules; `MIL` alone only asks for the plugin."""
    if OWN_PREFIX.startswith(selector):
        return False
    try:
        return bool(matches(selector, selection.known()))
    except UnknownSelector:
        return False


@lru_cache(maxsize=1024)
def _settings_below(directory: str) -> Settings:
    file = find(Path(directory))
    return load(file) if file else Settings(root=directory)
