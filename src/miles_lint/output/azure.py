"""Logging commands of Azure Pipelines."""

from __future__ import annotations

from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import Context, level


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """One `task.logissue` a line; a finding below error is a warning, the least that Azure knows."""
    return "".join(_line(diagnostic, context) for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic, context: Context) -> str:
    row, column = context.start(diagnostic.place)
    kind = level(diagnostic.severity, "error", "warning", "warning")
    return (
        f"##vso[task.logissue type={kind};sourcepath={_escape(diagnostic.place.path)};linenumber={row};"
        f"columnnumber={column};code={diagnostic.code};]{diagnostic.message}\n"
    )


def _escape(value: str) -> str:
    return value.replace("%", "%AZP25").replace(";", "%3B").replace("]", "%5D")
