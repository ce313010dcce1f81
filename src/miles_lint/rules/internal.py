"""Rules about the linter itself; their findings are made by the pipeline."""

from __future__ import annotations

from miles_lint.diagnostic import Applicability, Severity
from miles_lint.rules.rule import Rule

internal_error = Rule(
    "MIL901",
    "internal-error",
    Severity.ERROR,
    "0.1.0",
    """A rule failed on this file.

## What it finds
A defect of `miles-lint`: one rule raised an exception. The other rules still ran. Please report it with the recipe.
""",
)
unused_suppression = Rule(
    "MIL902",
    "unused-suppression",
    Severity.WARNING,
    "0.1.0",
    """A `# noqa` comment names a rule that finds nothing there.

## What it finds
A code of ours in a `# noqa` comment that silences nothing. Codes of other tools are left alone.

## Fix safety
Removing the comment changes no launch; the fix is safe.
""",
    None,
    Applicability.SAFE,
)
