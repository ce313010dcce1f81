"""Room for recursion over deep syntax trees and long chains."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deep(frames: int) -> Iterator[None]:
    """Allow at least so many Python frames."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
