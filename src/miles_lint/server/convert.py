"""Findings as diagnostics of the protocol."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from miles_lint.diagnostic import Diagnostic, Severity
from miles_lint.output.context import TOOL, rule_url
from miles_lint.server.positions import range_of
from miles_lint.source import Place, Source
from miles_lint.suppress import UNUSED

Reader = Callable[[str], "Source | None"]
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


def path_of(uri: str) -> str:
    """The path of a file, or, for a text that is no file, a relative name that its address yields."""
    return to_fs_path(uri) or uri.partition(":")[2].lstrip("/") or "untitled.py"


def uri_of(path: str) -> str:
    return from_fs_path(path) or path


def diagnostic(found: Diagnostic, source: Source, read: Reader, related: bool = True) -> types.Diagnostic:
    """One finding in `source`; `read` gives the texts that its notes point into, `related` says to send them."""
    url = rule_url(found.code)
    return types.Diagnostic(
        range=range_of(source, found.place.span),
        message=found.message,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=types.CodeDescription(url) if url else None,
        source=TOOL,
        tags=[types.DiagnosticTag.Unnecessary] if found.code == UNUSED else None,
        related_information=(list(_related(found, read)) or None) if related else None,
    )


def _related(found: Diagnostic, read: Reader) -> Iterable[types.DiagnosticRelatedInformation]:
    for note in found.notes:
        location = location_of(note.place, read)
        if location is not None:
            yield types.DiagnosticRelatedInformation(location, note.message)


def location_of(place: Place, read: Reader) -> types.Location | None:
    """A place as an address and a range; None where its file cannot be read."""
    source = read(place.path)
    return None if source is None else types.Location(uri_of(place.path), range_of(source, place.span))


def result_id(diagnostics: Iterable[types.Diagnostic]) -> str:
    """A short name for a list of diagnostics: the same for the same list."""
    return hashlib.sha1(repr(list(diagnostics)).encode(), usedforsecurity=False).hexdigest()[:16]
