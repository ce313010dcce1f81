"""One finding a line: `path:row:column: CODE [*] message`."""

from __future__ import annotations

from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import Context


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The lines of ruff 0.17.6's `concise` format."""
    return "".join(f"{_line(diagnostic, context)}\n" for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic, context: Context) -> str:
    row, column = context.start(diagnostic.place)
    colon = context.paint(":", "36")
    path = context.paint(context.relative(diagnostic.place.path), "1")
    return f"{path}{colon}{row}{colon}{column}{colon} {context.heading(diagnostic)}"
