"""What every format needs to print a finding: texts, paths and the reader's terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from miles_lint.diagnostic import Applicability, Diagnostic, Severity
from miles_lint.edits import fixes
from miles_lint.selection import OWN_PREFIX
from miles_lint.source import Place, Source

TOOL = "miles-lint"
HOME = "https://github.com/radixark/miles-lint"


def rule_url(code: str) -> str | None:
    """Where a rule is explained; a syntax error is explained by Python."""
    return f"{HOME}/blob/main/docs/rules.md#{code.lower()}" if code.startswith(OWN_PREFIX) else None


@dataclass(frozen=True)
class Context:
    """Sources by path, the directory that relative paths start from, and how to print.

    A fix trusted at least as far as `minimum` is marked with a star. `width` is in terminal cells. Stars stand for
    `secrets`, in the sources already.
    """

    sources: Mapping[str, Source]
    cwd: str
    minimum: Applicability = Applicability.SAFE
    color: bool = False
    width: int = 140
    environment: Mapping[str, str] = field(default_factory=dict)
    secrets: frozenset[str] = frozenset()

    def source(self, path: str) -> Source:
        """The text of a file, empty when it could not be read."""
        return self.sources.get(path) or Source(path, "")

    def start(self, place: Place) -> tuple[int, int]:
        """Row and column of the first character, 1-based, columns in code points."""
        return self.source(place.path).position(place.span.start)

    def end(self, place: Place) -> tuple[int, int]:
        """Row and column after the last character, 1-based, columns in code points."""
        return self.source(place.path).position(place.span.end)

    def relative(self, path: str, base: str | None = None) -> str:
        """A path as people read it: relative when below the base (the working directory), else as it is."""
        below = (base or self.cwd).rstrip(os.sep) + os.sep
        return path[len(below) :] if path.startswith(below) else path

    def starred(self, diagnostic: Diagnostic) -> bool:
        """Whether `--fix` would repair it with the present settings."""
        return fixes(diagnostic, self.minimum)

    def heading(self, diagnostic: Diagnostic) -> str:
        """Code, star and message: `MIL001 [*] text`, or `invalid-syntax: text`."""
        code = self.paint(diagnostic.code, "1;31")
        if diagnostic.code == "invalid-syntax":
            return f"{code}: {diagnostic.message}"
        star = f"[{self.paint('*', '36')}] " if self.starred(diagnostic) else ""
        return f"{code} {star}{diagnostic.message}"

    def paint(self, text: str, style: str) -> str:
        """Text in an ANSI style, when colour is wanted."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.color and text else text


def level(severity: Severity, error: str, warning: str, info: str) -> str:
    """A format's own word for a severity."""
    return {Severity.ERROR: error, Severity.WARNING: warning, Severity.INFO: info}[severity]
