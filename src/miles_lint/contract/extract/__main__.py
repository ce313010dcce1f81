"""One backend's extraction in a process of its own: what is asked on standard input is answered on standard output."""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import Any

from miles_lint.contract.extract import NoTrainer, Owned, extract_backend
from miles_lint.contract.store import dumps


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """The contracts of a backend as stored text with the files they come from, or why there are none."""
    revisions = tuple((name, revision) for name, revision in asked["revisions"])
    owned = Owned(asked["options"], revisions, tuple(asked["files"]))
    try:
        found = extract_backend(asked["root"], owned, asked["backend"])
    except NoTrainer as error:
        return {"error": str(error)}
    return {"text": dumps(found.contracts), "files": found.files}


def main() -> None:
    """Answer and end at once: taking the fold apart again would take as long as a part of it."""
    gc.disable()
    told = answer(json.load(sys.stdin))
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
