"""Secrets that findings know of, hidden in everything that is printed; every position stays what it was."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from miles_lint.diagnostic import Diagnostic, Fix
from miles_lint.source import Source, Span

_TELLING = 8
_STAR = "*"


def secrets_of(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]) -> frozenset[str]:
    """The texts that nobody may see; a short part is known by what stands around it, its quotes."""
    places = {place for found in diagnostics for place in found.secrets if place.path in sources}
    return frozenset(_telling(sources[place.path].text, place.span) for place in places)


def _telling(text: str, span: Span) -> str:
    around = int(span.end - span.start < _TELLING)
    return text[max(span.start - around, 0) : span.end + around]


def hidden(text: str, secrets: Collection[str]) -> str:
    """A text with stars for the secrets in it."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, _STAR * len(secret))
    return text


def hide_in_sources(sources: Mapping[str, Source], diagnostics: Iterable[Diagnostic]) -> dict[str, Source]:
    """The sources to print from: stars for every secret, whether whole or in parts."""
    diagnostics = tuple(diagnostics)
    secrets = secrets_of(diagnostics, sources)
    shown = {path: replace(source, text=hidden(source.text, secrets)) for path, source in sources.items()}
    for place in {place for found in diagnostics for place in found.secrets if place.path in sources}:
        text, span = shown[place.path].text, place.span
        starred = text[: span.start] + _STAR * (span.end - span.start) + text[span.end :]
        shown[place.path] = replace(shown[place.path], text=starred)
    return shown


def hide_in_findings(
    diagnostics: Sequence[Diagnostic], secrets: Collection[str], edits: bool = False
) -> Sequence[Diagnostic]:
    """The findings with stars in what they say, and in their edits too where these are only looked at."""
    if not secrets:
        return diagnostics
    return [
        replace(
            found,
            message=hidden(found.message, secrets),
            notes=tuple(replace(note, message=hidden(note.message, secrets)) for note in found.notes),
            fix=_looked_at(found.fix, secrets) if edits and found.fix else found.fix,
        )
        for found in diagnostics
    ]


def _looked_at(fix: Fix, secrets: Collection[str]) -> Fix:
    return replace(fix, edits=tuple(replace(edit, text=hidden(edit.text, secrets)) for edit in fix.edits))
