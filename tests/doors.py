"""A stand-in for the check, so that the doors are tested on texts of any shape: `good_call` instead of `bad_call`."""

from __future__ import annotations

import ast
import io
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from miles_lint import settings as settings_module
from miles_lint.cli import main, ruff_main
from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Fix, Note, Report, Severity
from miles_lint.settings import Settings
from miles_lint.source import Place, Source, Span

RULES = tuple(
    SimpleNamespace(
        summary=name,
        code=code,
        name=name,
        severity=severity,
        default_on=on,
        fix=fix,
        since="0.1",
        doc=f"## {name}\n\ntext",
    )
    for code, name, severity, on, fix in (
        ("MIL001", "bad-call", Severity.ERROR, True, Applicability.SAFE),
        ("MIL002", "risky-call", Severity.WARNING, True, Applicability.UNSAFE),
        ("MIL003", "odd-call", Severity.ERROR, True, None),
        ("MIL201", "plain-call", Severity.WARNING, True, None),
        ("MIL410", "house-call", Severity.INFO, False, None),
        ("MIL902", "unused-suppression", Severity.WARNING, True, Applicability.SAFE),
    )
)
_WORDS = {rule.name.split("-")[0]: rule for rule in RULES}


def fake_check(source: Source, settings: Settings) -> Report:
    """A finding for each call of a marked name; `bad_call` can be repaired, `risky_call` unsafely."""
    try:
        ast.parse(source.text)
    except (SyntaxError, ValueError) as error:
        row, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        offset = source.offset(row, column)
        place = Place(source.path, Span(offset, offset))
        message = getattr(error, "msg", str(error))
        return Report(source.path, (Diagnostic("invalid-syntax", "invalid-syntax", Severity.ERROR, message, place),))
    found = []
    if "crash_here" in source.text:
        raise RuntimeError("the rule broke down")
    for match in re.finditer(r"\b(bad|risky|odd|plain|house)_call\b", source.text):
        rule = _WORDS[match[1]]
        place = Place(source.path, Span(*match.span()))
        fix = rule.fix is not None and Fix(
            f"Replace `{match[0]}` with `good_call`", (Edit(place.span, "good_call"),), rule.fix
        )
        other = source.text.find("other_place")
        notes = (Note(Place(source.path, Span(other, other + 11)), "the other place"),) if other >= 0 else ()
        message = f"`{match[0]}` is {match[1]}"
        found.append(
            Diagnostic(rule.code, rule.name, rule.severity, message, place, notes, fix or None, None, rule.default_on)
        )
    return Report(source.path, tuple(found))


@dataclass
class Ran:
    """What one run of a command left behind."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()


@dataclass
class Cli:
    """Runs the command line in this process, in a directory of its own, against the stand-in check."""

    root: Path
    monkeypatch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[bytes]
    environment: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def __call__(self, *arguments: str, stdin: str | bytes | None = None, ruff: bool = False) -> Ran:
        if stdin is not None:
            content = stdin.encode() if isinstance(stdin, str) else stdin
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        self.capture.readouterr()
        code = (ruff_main if ruff else main)(list(arguments))
        out, err = self.capture.readouterr()
        return Ran(code, out, err.decode())


def forget_selections() -> None:
    settings_module._enabled.cache_clear()
    settings_module._fixable.cache_clear()


def make_report(source: Source, *diagnostics: Diagnostic) -> Report:
    return Report(source.path, tuple(replace(found) for found in diagnostics))
