"""What ends a run with exit code 2."""

from __future__ import annotations


class UsageError(Exception):
    """A command line that makes no sense; `usage` of True prints the usage line below the message."""

    def __init__(self, message: str, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


class Failure(Exception):
    """A run that cannot go on; `causes` are its lines, outermost first."""

    def __init__(self, *causes: str) -> None:
        super().__init__(": ".join(causes))
        self.causes = causes
