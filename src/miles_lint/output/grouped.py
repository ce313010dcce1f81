"""Findings under a heading for each file, columns aligned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import Context


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The text of ruff 0.17.6's `grouped` format."""
    blocks = groupby(diagnostics, key=lambda diagnostic: diagnostic.place.path)
    return "".join(_block(path, list(found), context) for path, found in blocks)


def _block(path: str, diagnostics: list[Diagnostic], context: Context) -> str:
    positions = [context.start(diagnostic.place) for diagnostic in diagnostics]
    rows = max(len(str(row)) for row, _ in positions)
    columns = max(len(str(column)) for _, column in positions)
    colon = context.paint(":", "36")
    lines = [f"{context.paint(context.relative(path), '4')}:"]
    for (row, column), diagnostic in zip(positions, diagnostics):
        lines.append(f"  {row:>{rows}}{colon}{column:<{columns}} {context.heading(diagnostic)}")
    return "\n".join(lines) + "\n\n"
