"""One thread for everything that takes time, so that the server keeps listening."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_STACK = 64 << 20
T = TypeVar("T")


class Worker:
    """Runs one job at a time, first come first served; its stack bears deeply nested code."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "miles-lint")
        before = threading.stack_size(_STACK)
        try:
            self._pool.submit(int).result()
        finally:
            threading.stack_size(before)

    async def run(self, job: Callable[[], T]) -> T:
        """The result of a job; it never starts when the caller is cancelled before its turn."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, job)

    def close(self) -> None:
        """Drop what has not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)
