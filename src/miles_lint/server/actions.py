"""Code actions: repair a finding, silence it on its line, repair the whole text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from miles_lint.diagnostic import Applicability, Diagnostic, Edit
from miles_lint.edits import fixes
from miles_lint.server.analysis import Analysis
from miles_lint.server.convert import Reader, diagnostic
from miles_lint.server.edits import difference, text_edits
from miles_lint.server.positions import span_of
from miles_lint.settings import Settings
from miles_lint.source import Source
from miles_lint.suppress import add_noqa

QUICK_FIX = types.CodeActionKind.QuickFix
FIX_ALL = "source.fixAll.miles-lint"
KINDS = (QUICK_FIX, FIX_ALL)


def actions(
    analysis: Analysis,
    found: Sequence[Diagnostic],
    place: types.Range,
    only: Sequence[str] | None,
    read: Reader,
    versioned: bool,
    lazy: bool,
) -> list[types.CodeAction]:
    """The actions for findings that touch a range, of the kinds asked for.

    `lazy` leaves the edit of the whole-text repair to `resolve`; `versioned` ties edits to the text's version.
    """
    made: list[types.CodeAction] = []
    source = analysis.source
    if _asked(only, QUICK_FIX):
        span = span_of(source, place)
        for each in found:
            if each.place.span.start <= span.end and span.start <= each.place.span.end:
                made.extend(_for_finding(analysis, each, read, versioned))
    if _asked(only, FIX_ALL) and any(fixes(each, analysis.settings.minimum) for each in found):
        action = types.CodeAction("miles-lint: Fix all", FIX_ALL, data={"uri": analysis.uri})
        made.append(action if lazy else resolve(action, analysis, versioned))
    return made


def resolve(action: types.CodeAction, analysis: Analysis, versioned: bool) -> types.CodeAction:
    """The whole-text repair with its edit."""
    edits = difference(analysis.source.text, analysis.fixed().source.text)
    action.edit = _workspace_edit(analysis, edits, versioned)
    return action


def _asked(only: Sequence[str] | None, kind: str) -> bool:
    """Whether a kind, or one above it, was asked for."""
    return only is None or any(kind == each or kind.startswith(f"{each}.") or each == "" for each in only)


def _for_finding(analysis: Analysis, found: Diagnostic, read: Reader, versioned: bool) -> Iterator[types.CodeAction]:
    shown = [diagnostic(found, analysis.source, read)]
    if found.fix is not None and _offered(found, analysis.settings):
        safe = found.fix.applicability is Applicability.SAFE
        yield types.CodeAction(
            f"miles-lint ({found.code}): {found.fix.title}" + ("" if safe else " (unsafe)"),
            QUICK_FIX,
            diagnostics=shown,
            is_preferred=safe or None,
            edit=_workspace_edit(analysis, found.fix.edits, versioned),
        )
    silenced = _silenced(analysis.source, found)
    if silenced:
        yield types.CodeAction(
            f"miles-lint ({found.code}): Disable for this line",
            QUICK_FIX,
            diagnostics=shown,
            edit=_workspace_edit(analysis, silenced, versioned),
        )


def _offered(found: Diagnostic, settings: Settings) -> bool:
    return fixes(found, Applicability.SAFE if settings.unsafe_fixes is False else Applicability.UNSAFE)


def _silenced(source: Source, found: Diagnostic) -> tuple[Edit, ...]:
    text, _ = add_noqa(source, (found,))
    return difference(source.text, text)


def _workspace_edit(analysis: Analysis, edits: tuple[Edit, ...], versioned: bool) -> types.WorkspaceEdit:
    made = text_edits(analysis.source, edits)
    if not versioned:
        return types.WorkspaceEdit(changes={analysis.uri: made})
    document = types.OptionalVersionedTextDocumentIdentifier(analysis.uri, analysis.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(made))])
