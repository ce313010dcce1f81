"""SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING
from urllib.parse import quote

from miles_lint import __version__
from miles_lint.diagnostic import Diagnostic, Edit
from miles_lint.output.context import HOME, TOOL, Context, level, rule_url
from miles_lint.source import Place

if TYPE_CHECKING:
    from miles_lint.rules.rule import Rule

Json = dict[str, object]
_ROOT = "%SRCROOT%"


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """A run with what ruff 0.17.6 writes, and besides: paths relative to the working directory as `%SRCROOT%`,
    fingerprints that survive shifted rows, and the other places of a finding."""
    from miles_lint.rules import RULES

    codes = {diagnostic.code for diagnostic in diagnostics}
    taken: dict[str, int] = {}
    run: Json = {
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": _file_uri(context.cwd).rstrip("/") + "/"}},
        "results": [_result(each, context, taken) for each in diagnostics],
        "tool": {
            "driver": {
                "informationUri": HOME,
                "name": TOOL,
                "rules": [_rule(rule) for rule in RULES if rule.code in codes],
                "version": __version__,
            }
        },
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": [run], "version": "2.1.0"}
    return json.dumps(document, indent=2, ensure_ascii=False)


def _result(diagnostic: Diagnostic, context: Context, taken: dict[str, int]) -> Json:
    place, fix = diagnostic.place, diagnostic.fix
    result: Json = {}
    if fix:
        changes = [_replacement(edit, place.path, context) for edit in fix.edits]
        change = {"artifactLocation": _artifact(place.path, context), "replacements": changes}
        result["fixes"] = [{"artifactChanges": [change], "description": {"text": fix.title}}]
    result["level"] = level(diagnostic.severity, "error", "warning", "note")
    result["locations"] = [_location(place, context)]
    result["message"] = {"text": diagnostic.message}
    result["partialFingerprints"] = {"primaryLocationLineHash": _line_hash(diagnostic, context, taken)}
    if diagnostic.notes:
        result["relatedLocations"] = [
            {"id": number, **_location(note.place, context), "message": {"text": note.message}}
            for number, note in enumerate(diagnostic.notes, 1)
        ]
    result["ruleId"] = diagnostic.code
    return result


def _line_hash(diagnostic: Diagnostic, context: Context, taken: dict[str, int]) -> str:
    row, _ = context.start(diagnostic.place)
    line = context.source(diagnostic.place.path).line(row).strip()
    path = context.relative(diagnostic.place.path)
    digest = hashlib.sha256(f"{diagnostic.code}\0{path}\0{line}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    taken[digest] = taken.get(digest, 0) + 1
    return f"{digest}:{taken[digest]}"


def _location(place: Place, context: Context) -> Json:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(place.path, context),
            "region": _region(place, context),
        }
    }


def _artifact(path: str, context: Context) -> Json:
    relative = context.relative(path)
    if relative != path:
        return {"uri": quote(PurePath(relative).as_posix()), "uriBaseId": _ROOT}
    return {"uri": _file_uri(path) if PurePath(path).is_absolute() else quote(path)}


def _file_uri(path: str) -> str:
    return PurePath(path).as_uri()


def _region(place: Place, context: Context) -> Json:
    (row, column), (end_row, end_column) = context.start(place), context.end(place)
    return {"endColumn": end_column, "endLine": end_row, "startColumn": column, "startLine": row}


def _replacement(edit: Edit, path: str, context: Context) -> Json:
    region = {"deletedRegion": _region(Place(path, edit.span), context)}
    return {**region, "insertedContent": {"text": edit.text}} if edit.text else dict(region)


def _rule(rule: Rule) -> Json:
    severity = level(rule.severity, "error", "warning", "note")
    kind = level(rule.severity, "error", "warning", "recommendation")
    entry: Json = {
        "defaultConfiguration": {"enabled": rule.default_on, "level": severity},
        "fullDescription": {"text": rule.doc},
        "help": {"text": rule.doc, "markdown": rule.doc},
    }
    url = rule_url(rule.code)
    if url:
        entry["helpUri"] = url
    return {
        **entry,
        "id": rule.code,
        "properties": {"id": rule.code, "kind": TOOL, "name": rule.name, "problem.severity": kind},
        "shortDescription": {"text": rule.summary},
    }
