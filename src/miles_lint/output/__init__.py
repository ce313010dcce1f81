"""A module for each format; `render` prints findings in one of them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import Context
from miles_lint.output.secrets import hide_in_findings

HUMAN = ("full", "concise", "grouped")


def render(name: str, diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """Findings in the format of this name, one of `options.FORMATS`; only that format's module is loaded."""
    if name in HUMAN and not diagnostics:
        return ""
    diagnostics = hide_in_findings(diagnostics, context.secrets, name in HUMAN)
    module = import_module(f"miles_lint.output.{name.replace('-', '_')}")
    text: str = module.render(diagnostics, context)
    return text
