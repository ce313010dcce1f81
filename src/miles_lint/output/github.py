"""Workflow commands of GitHub Actions."""

from __future__ import annotations

from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import TOOL, Context, level


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """One command a line, as ruff 0.17.6 writes them; columns are left out of a range over several rows."""
    return "".join(f"{_line(diagnostic, context)}\n" for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic, context: Context) -> str:
    place = diagnostic.place
    (row, column), (end_row, end_column) = context.start(place), context.end(place)
    kind = level(diagnostic.severity, "error", "warning", "notice")
    position = f"line={row},col={column},endLine={end_row},endColumn={end_column}"
    if row != end_row:
        position = f"line={row},endLine={end_row}"
    colon = ":" if diagnostic.code == "invalid-syntax" else ""
    text = f"{context.relative(place.path)}:{row}:{column}: {diagnostic.code}{colon} {diagnostic.message}"
    if diagnostic.fix:
        text += f"\n  help: {diagnostic.fix.title}"
    properties = f"title={TOOL} ({diagnostic.code}),file={_property(place.path)},{position}"
    return f"::{kind} {properties}::{_data(text)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
