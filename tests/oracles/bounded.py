"""Run something in a child process with bounded time and memory, so that a crash or a hang is a result."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Ended:
    """How a child ended: the JSON value it answered, or what went wrong in words."""

    answer: object
    problem: str | None
    seconds: float


def bounded(action: Callable[[], object], seconds: int = 8, megabytes: int = 1500) -> Ended:
    """The answer of `action`, computed in a forked child under limits on CPU seconds and on megabytes it asks for."""
    if not hasattr(os, "fork"):
        pytest.skip("needs os.fork to survive what it tests")
    import resource

    reader, writer = os.pipe()
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if sys.platform == "linux":
            room = _address_space() + (megabytes << 20)
            resource.setrlimit(resource.RLIMIT_AS, (room, room))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _answer(action, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        written = pipe.read()
    _, status = os.waitpid(child, 0)
    elapsed = time.monotonic() - started
    if os.WIFSIGNALED(status):
        return Ended(None, f"killed by {signal.Signals(os.WTERMSIG(status)).name} after {elapsed:.1f} s", elapsed)
    answer = json.loads(written or b"{}")
    return Ended(answer.get("answer"), answer.get("problem", None if written else "no answer"), elapsed)


def _address_space() -> int:
    """The bytes of address space that this process holds already."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _answer(action: Callable[[], object], writer: int) -> None:
    try:
        try:
            answer: dict[str, object] = {"answer": action()}
        except BaseException as error:
            answer = {"problem": f"{type(error).__name__}: {error}"[:500]}
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(json.dumps(answer).encode())
    finally:
        os._exit(0)
