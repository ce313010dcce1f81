"""The parseable format of pylint: `path:row: [CODE] message`."""

from __future__ import annotations

from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import Context


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The lines of ruff 0.17.6's `pylint` format."""
    return "".join(
        f"{context.relative(each.place.path)}:{context.start(each.place)[0]}: [{each.code}] {each.message}\n"
        for each in diagnostics
    )
