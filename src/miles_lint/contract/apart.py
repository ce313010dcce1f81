"""Extraction in processes of their own, one for each backend: they run side by side and leave no heap behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from miles_lint.contract.extract import BACKENDS, Extraction, NoTrainer, Owned, extract_backends
from miles_lint.contract.model import Contract
from miles_lint.contract.store import Store, loads

_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_MODULE = "miles_lint.contract.extract"


def extract_apart(root: str, owned: Owned) -> Extraction:
    """As `extract_backends`, and by it where no process can be started. Raises `NoTrainer`."""
    asked = {
        "root": root,
        "options": {name: list(options) for name, options in owned.options.items()},
        "revisions": owned.revisions,
        "files": owned.files,
    }
    with ThreadPoolExecutor(len(BACKENDS)) as pool:
        answers = list(pool.map(_ask, ({**asked, "backend": backend} for backend in BACKENDS)))
    if any(answer is None for answer in answers):
        return extract_backends(root, owned)
    first, *others = (answer or {} for answer in answers)
    if "error" in first:
        raise NoTrainer(first["error"])
    told = [first, *(answer for answer in others if "error" not in answer)]
    contracts = [contract for answer in told for contract in _contracts(loads(answer["text"]))]
    files: Sequence[str] = sorted({file for answer in told for file in answer["files"]})
    return Extraction(tuple(contracts), tuple(files))


def _contracts(store: Store) -> list[Contract]:
    found = (store.contract(*pair) for pair in store.keys)
    return [contract for contract in found if contract is not None]


def _ask(asked: dict[str, Any]) -> dict[str, Any] | None:
    """What a process answers; None when there is no such process, or it came to grief."""
    environment = {**os.environ, "PYTHONPATH": _HOME, "PYTHONSAFEPATH": "1", "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", _MODULE],
            input=json.dumps(asked),
            capture_output=True,
            encoding="utf-8",
            cwd=_HOME,
            env=environment,
            check=True,
        )
        told: dict[str, Any] = json.loads(done.stdout)
        return told
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
