"""The code quality report of GitLab."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import Context, level


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """An array as ruff 0.17.6 writes it; paths are relative to `CI_PROJECT_DIR` where that is set."""
    taken: set[str] = set()
    return json.dumps([_finding(each, context, taken) for each in diagnostics], indent=2, ensure_ascii=False)


def _finding(diagnostic: Diagnostic, context: Context, taken: set[str]) -> dict[str, object]:
    path = context.relative(diagnostic.place.path, context.environment.get("CI_PROJECT_DIR"))
    return {
        "check_name": diagnostic.code,
        "description": f"{diagnostic.code}: {diagnostic.message}",
        "severity": level(diagnostic.severity, "major", "minor", "info"),
        "fingerprint": fingerprint(diagnostic.code, path, taken),
        "location": {
            "path": path,
            "positions": {
                "begin": _position(context.start(diagnostic.place)),
                "end": _position(context.end(diagnostic.place)),
            },
        },
    }


def fingerprint(code: str, path: str, taken: set[str]) -> str:
    """A hash of code and path that is not in `taken` yet, and is added to it; rows do not count, so it stays."""
    salt = ""
    while True:
        digest = hashlib.sha256(f"{code}\0{path}\0{salt}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
        if digest not in taken:
            taken.add(digest)
            return digest
        salt = digest


def _position(position: tuple[int, int]) -> dict[str, int]:
    return {"line": position[0], "column": position[1]}
