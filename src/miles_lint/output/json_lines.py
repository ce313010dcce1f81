"""One JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import Context
from miles_lint.output.json import finding


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The objects of the `json` format, compact, one a line."""
    return "".join(
        json.dumps(finding(each, context), separators=(",", ":"), ensure_ascii=False) + "\n" for each in diagnostics
    )
