"""A JUnit report: a suite for each file, a failed case for each finding."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby

from miles_lint.diagnostic import Diagnostic
from miles_lint.output.context import TOOL, Context, level

_PACKAGE = "org.miles-lint"


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The document of ruff 0.17.6; without findings it holds one passed case."""
    count = len(diagnostics)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(_open("testsuites", name=TOOL, tests=count or 1, skipped=0, failures=count, errors=0))
    for path, found in groupby(diagnostics, key=lambda diagnostic: diagnostic.place.path):
        lines += _suite(path, list(found), context)
    if not count:
        lines.append(
            "    " + _open("testsuite", name=TOOL, tests=1, skipped=0, errors=0, failures=0, package=_PACKAGE)
        )
        lines.append(f'        <testcase name="No errors found" classname="{TOOL}"/>')
        lines.append("    </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(path: str, diagnostics: list[Diagnostic], context: Context) -> list[str]:
    count = len(diagnostics)
    lines = [
        "    " + _open("testsuite", name=path, tests=count, skipped=0, errors=0, failures=count, package=_PACKAGE)
    ]
    class_name = os.path.splitext(path)[0]
    for diagnostic in diagnostics:
        row, column = context.start(diagnostic.place)
        message = diagnostic.message
        severity = level(diagnostic.severity, "error", "warning", "info")
        lines += [
            "        "
            + _open("testcase", name=f"{_PACKAGE}.{diagnostic.code}", classname=class_name, line=row, column=column),
            "            <properties>",
            f'                <property name="severity" value="{severity}"/>',
            "            </properties>",
            "            "
            + _open("failure", message=message)
            + _escape(f"line {row}, col {column}, {message}")
            + "</failure>",
            "        </testcase>",
        ]
    return [*lines, "    </testsuite>"]


def _open(tag: str, **attributes: object) -> str:
    return f"<{tag} " + " ".join(f'{key}="{_escape(str(value))}"' for key, value in attributes.items()) + ">"


def _escape(text: str) -> str:
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&apos;")):
        text = text.replace(char, entity)
    return "".join(char if char >= " " or char in "\t\n\r" else "\ufffd" for char in text)
