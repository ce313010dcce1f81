"""Where the tools of the tests are."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest


def script(name: str) -> str:
    """A console script of the environment that runs the tests; skips where it is not installed."""
    found = shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if not found:
        pytest.skip(f"{name} is not installed")
    return found
