"""The Reviewdog Diagnostic Format."""

from __future__ import annotations

import json
from collections.abc import Sequence

from miles_lint.diagnostic import Diagnostic, Edit
from miles_lint.output.context import HOME, TOOL, Context, rule_url
from miles_lint.source import Source, Span

Json = dict[str, object]


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The document of ruff 0.17.6, but with columns in UTF-8 bytes, as reviewdog's schema asks."""
    document = {
        "diagnostics": [_finding(each, context) for each in diagnostics],
        "severity": "WARNING",
        "source": {"name": TOOL, "url": HOME},
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _finding(diagnostic: Diagnostic, context: Context) -> Json:
    source = context.source(diagnostic.place.path)
    url = rule_url(diagnostic.code)
    edits = diagnostic.fix.edits if diagnostic.fix else ()
    return {
        "code": {**({"url": url} if url else {}), "value": diagnostic.code},
        "location": {"path": diagnostic.place.path, "range": _range(source, diagnostic.place.span)},
        "message": diagnostic.message,
        **({"suggestions": [_suggestion(source, edit) for edit in edits]} if edits else {}),
    }


def _suggestion(source: Source, edit: Edit) -> Json:
    return {"range": _range(source, edit.span), "text": edit.text}


def _range(source: Source, span: Span) -> Json:
    return {"end": _position(source, span.end), "start": _position(source, span.start)}


def _position(source: Source, offset: int) -> Json:
    row, column = source.position(offset)
    before = source.line(row)[: column - 1]
    return {"column": len(before.encode("utf-8", "surrogatepass")) + 1, "line": row}
