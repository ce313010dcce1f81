"""The real ruff, and its findings as our records, so that both print the same thing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Fix, Severity
from miles_lint.output.context import Context
from miles_lint.source import Place, Source, Span

VERSION = "0.17.6"
INPUTS = Path(__file__).parent / "fixtures" / "ruff"
_APPLICABILITY = {each.label: each for each in Applicability}


def executable() -> str:
    """The ruff that everything here was observed on; skips the test where there is none."""
    beside = Path(sys.executable).with_name("ruff")
    found = str(beside) if beside.exists() else shutil.which("ruff")
    if not found:
        pytest.skip("ruff is not installed")
    shown = subprocess.run([found, "--version"], capture_output=True, text=True).stdout.split()
    if shown[1:] != [VERSION]:
        pytest.skip(f"these tests compare with ruff {VERSION}, found {' '.join(shown)}")
    return found


def ruff(*arguments: str, cwd: Path, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run `ruff` without cache and colours."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("RUFF_", "CI_"))}
    clean.update(NO_COLOR="1", RUFF_NO_CACHE="true")
    clean.update(environment)
    return subprocess.run([executable(), *arguments], cwd=cwd, input=stdin, capture_output=True, env=clean)


@dataclass(frozen=True)
class Found:
    """What ruff found, as our records, with the URLs that it gave."""

    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, Source]
    urls: dict[str, str | None]

    def context(self, cwd: Path, **more: Any) -> Context:
        return Context(self.sources, str(cwd), **more)


def found(document: str | bytes, stdin: bytes | None = None) -> Found:
    """Read ruff's JSON; the texts come from the files it names, or from what it read on standard input."""
    diagnostics: list[Diagnostic] = []
    sources: dict[str, Source] = {}
    urls: dict[str, str | None] = {}
    for each in json.loads(document):
        path = each["filename"]
        if path not in sources:
            source = _source(path, stdin)
            if source:
                sources[path] = source
        text = sources.get(path, Source(path, ""))
        fix = each["fix"] and Fix(
            each["fix"]["message"],
            tuple(Edit(_span(text, edit), edit["content"]) for edit in each["fix"]["edits"]),
            _APPLICABILITY[each["fix"]["applicability"]],
        )
        urls[each["code"]] = each["url"]
        diagnostics.append(
            Diagnostic(
                each["code"],
                each["name"],
                Severity.ERROR,
                each["message"],
                Place(path, _span(text, each)),
                (),
                fix,
                each["noqa_row"],
            )
        )
    return Found(tuple(diagnostics), sources, urls)


def _source(path: str, stdin: bytes | None) -> Source | None:
    try:
        content = Path(path).read_bytes() if stdin is None else stdin
        return Source.from_text(path, content.decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def _span(source: Source, item: Any) -> Span:
    start, end = item["location"], item["end_location"]
    return Span(source.offset(start["row"], start["column"]), source.offset(end["row"], end["column"]))
