"""Which findings `# noqa` comments silence, which comments silence nothing, and how to write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Fix, Report, Severity
from miles_lint.edits import apply
from miles_lint.noqa import Directive, directives, names_code
from miles_lint.selection import OWN_PREFIX
from miles_lint.source import Place, Source, Span

UNUSED, UNUSED_NAME = "MIL902", "unused-suppression"
Used = frozenset[tuple[Directive, str]]


def noqa_row(source: Source, offset: int) -> int:
    """The 1-based row on which a `# noqa` silences a finding that starts at `offset` (ruff 0.17.6).

    It is the row of the offset, moved to the last row of a triple-quoted or formatted string, or of a
    backslash continuation, in which that row lies. Rows of enclosing brackets do not count.
    """
    row, _ = source.position(offset)
    return directives(source).noqa_row(row)


def suppress(report: Report, source: Source) -> Report:
    """The report with `noqa_row` filled in and silenced findings moved to `suppressed`.

    Only findings that lie in `source` can be silenced by its comments; a syntax error cannot be.
    """
    kept: list[Diagnostic] = []
    silenced: list[Diagnostic] = []
    for diagnostic in report.diagnostics:
        if diagnostic.place.path != source.path or diagnostic.code in ("invalid-syntax", "E902"):
            kept.append(diagnostic)
            continue
        placed = replace(diagnostic, noqa_row=noqa_row(source, diagnostic.place.span.start))
        (silenced if _silencers(placed, source) else kept).append(placed)
    return replace(report, diagnostics=tuple(kept), suppressed=(*report.suppressed, *silenced))


def used(source: Source, suppressed: Iterable[Diagnostic]) -> Used:
    """The (directive, code) pairs of `source` that silenced something."""
    return frozenset(
        (directive, diagnostic.code)
        for diagnostic in suppressed
        if diagnostic.place.path == source.path
        for directive in _silencers(diagnostic, source)
    )


def unused(source: Source, in_use: Used, active: Callable[[str], bool]) -> tuple[Diagnostic, ...]:
    """A finding with a fix for each `MIL` code in a comment of `source` that silenced nothing.

    Codes of other tools, comments without codes and codes for which `active` is false (rules that did not
    run) are left alone. The fix removes the code, or the whole comment when nothing else stands in it.
    """
    if not names_code(source.text, OWN_PREFIX):
        return ()
    found = directives(source)
    if any(directive.covers(UNUSED) for directive in found.file):
        return ()
    result: list[Diagnostic] = []
    for directive in (*found.file, *found.rows.values()):
        idle = [
            (code, span)
            for code, span in directive.codes or ()
            if code.startswith(OWN_PREFIX) and code != UNUSED and active(code) and (directive, code) not in in_use
        ]
        if idle and not directive.covers(UNUSED):
            result.append(_unused(source, directive, idle))
    return tuple(sorted(result, key=lambda diagnostic: diagnostic.sort_key))


def _silencers(diagnostic: Diagnostic, source: Source) -> list[Directive]:
    found = directives(source)
    row = found.rows.get(diagnostic.noqa_row or 0)
    return [each for each in (*found.file, *((row,) if row else ())) if each.covers(diagnostic.code)]


def _unused(source: Source, directive: Directive, idle: list[tuple[str, Span]]) -> Diagnostic:
    names = ", ".join(f"`{code}`" for code, _ in idle)
    start = idle[0][1].start
    row, _ = source.position(start)
    kept = [code for code, span in directive.codes or () if (code, span) not in idle]
    if kept:
        edit = _codes_edit(source, directive, kept)
        title = f"Remove {names} from the comment"
    else:
        edit = _without_comment(source, directive)
        title = "Remove the unused `noqa` comment"
    return Diagnostic(
        UNUSED,
        UNUSED_NAME,
        Severity.WARNING,
        f"{names} in this `noqa` silences nothing",
        Place(source.path, Span(start, idle[-1][1].end)),
        fix=Fix(title, (edit,), Applicability.SAFE),
        noqa_row=directives(source).noqa_row(row),
    )


def _codes_edit(source: Source, directive: Directive, codes: list[str]) -> Edit:
    assert directive.codes
    span = Span(directive.codes[0][1].start, directive.codes[-1][1].end)
    return Edit(span, ", ".join(codes))


def _without_comment(source: Source, directive: Directive) -> Edit:
    """Removes a directive and the blanks before it, with its row when nothing else stands there; other text
    of the comment stays a comment."""
    row, column = source.position(directive.span.start)
    line = source.line(row)
    after = line[column - 1 + directive.span.end - directive.span.start :]
    rest = after.lstrip()
    if rest:
        end = directive.span.end + len(after) - len(rest)
        return Edit(Span(directive.span.start, end), "" if rest.startswith("#") else "# ")
    before = line[: column - 1].rstrip()
    if before:
        return Edit(Span(source.offset(row, len(before) + 1), source.offset(row, len(line) + 1)), "")
    return Edit(Span(source.offset(row, 1), source.offset(row + 1, 1)), "")


def add_noqa(source: Source, diagnostics: Iterable[Diagnostic], reason: str = "") -> tuple[str, int]:
    """The text with a `# noqa` for each finding in `source`, and how many codes were written.

    An existing comment is merged: its codes and the new ones sorted, text after its codes dropped.
    """
    wanted: dict[int, set[str]] = {}
    for diagnostic in diagnostics:
        if diagnostic.place.path == source.path and diagnostic.noqa_row:
            wanted.setdefault(diagnostic.noqa_row, set()).add(diagnostic.code)
    return apply(source, [_noqa_edit(source, row, codes, reason) for row, codes in wanted.items()]), sum(
        map(len, wanted.values())
    )


def _noqa_edit(source: Source, row: int, codes: set[str], reason: str) -> Edit:
    found = directives(source)
    line = source.line(row)
    start, end = source.offset(row, len(line.rstrip()) + 1), source.offset(row, len(line) + 1)
    directive = found.rows.get(row)
    if directive and directive.codes is not None:
        listed = sorted({*codes, *(code for code, _ in directive.codes)})
        return Edit(Span(directive.span.start, end), f"# noqa: {', '.join(listed)} {reason}".rstrip())
    comment = f"# noqa: {', '.join(sorted(codes))} {reason}".rstrip()
    invalid = next((offset for at, offset, _ in found.warnings if at == row), None)
    if invalid is not None:
        return Edit(Span(invalid, invalid), f"{comment} ")
    return Edit(Span(start, end), f"  {comment}")
