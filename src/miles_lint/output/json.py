"""The JSON array that editors read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic, Edit
from miles_lint.output.context import Context, level, rule_url
from miles_lint.source import Place

Json = dict[str, object]


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """An array with the keys, types and order of keys of ruff 0.17.6; no newline at its end."""
    return json.dumps([finding(each, context) for each in diagnostics], indent=2, ensure_ascii=False)


def finding(diagnostic: Diagnostic, context: Context) -> Json:
    """One finding as an object; columns are 1-based code points, the end is exclusive."""
    fix = diagnostic.fix
    path = diagnostic.place.path
    return {
        "cell": None,
        "code": diagnostic.code,
        "end_location": _location(context.end(diagnostic.place)),
        "filename": path,
        "fix": fix
        and {
            "applicability": fix.applicability.label,
            "edits": [_edit(edit, path, context) for edit in fix.edits],
            "message": fix.title,
        },
        "location": _location(context.start(diagnostic.place)),
        "message": diagnostic.message,
        "name": diagnostic.name,
        "noqa_row": diagnostic.noqa_row,
        "severity": level(diagnostic.severity, "error", "warning", "info"),
        "url": rule_url(diagnostic.code),
    }


def _edit(edit: Edit, path: str, context: Context) -> Json:
    place = Place(path, edit.span)
    return {
        "content": edit.text,
        "end_location": _location(context.end(place)),
        "location": _location(context.start(place)),
    }


def _location(position: tuple[int, int]) -> Json:
    return {"column": position[1], "row": position[0]}
