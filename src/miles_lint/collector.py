"""The garbage collector while many small trees are built: it finds little and looks through everything."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 3_000_000


@contextmanager
def paused() -> Iterator[None]:
    """Pause the collector: syntax trees are large and have no cycles, looking for some costs a quarter of a run."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


@contextmanager
def paused_for_a_run() -> Iterator[None]:
    """As `paused`; what the run leaves behind is not looked through either, until the next one grows too large."""
    gc.unfreeze()
    with paused():
        try:
            yield
        finally:
            gc.freeze()


def tidy() -> None:
    """Collect once, where the collector is paused and some hundred megabytes of objects have come since."""
    if not gc.isenabled() and gc.get_count()[0] > _MANY:
        gc.collect()
