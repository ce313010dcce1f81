"""What is printed where, and the exit code: findings, summaries, statistics, diffs."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from miles_lint.cli.errors import Failure
from miles_lint.cli.run import Outcome
from miles_lint.diagnostic import Applicability, Diagnostic
from miles_lint.edits import fixes
from miles_lint.output import HUMAN, render
from miles_lint.output.context import Context
from miles_lint.output.secrets import hidden, hide_in_sources, secrets_of
from miles_lint.settings import Settings
from miles_lint.source import Source

_WIDTH = 140


def put(text: str, to_stderr: bool = False) -> None:
    """Write text as UTF-8 with its newlines as they are."""
    stream = sys.stderr if to_stderr else sys.stdout
    stream.flush()
    stream.buffer.write(encoded(text))
    stream.buffer.flush()


def encoded(text: str) -> bytes:
    """Text as UTF-8: odd bytes of a path come back as they were, else escapes stand for halves of characters."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def wants_color(when: str | None, environment: Mapping[str, str], terminal: bool) -> bool:
    """Colour rules of ruff 0.17.6: `--color`, then `NO_COLOR` and a dumb terminal, then what forces it."""
    if when in ("always", "never"):
        return when == "always"
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return terminal


def make_context(
    outcomes: Sequence[Outcome], settings: Settings, color: str | None, to_file: bool, stderr: bool
) -> Context:
    """The context in which the findings of these outcomes are printed."""
    terminal = not to_file and (sys.stderr if stderr else sys.stdout).isatty()
    human = settings.output_format in HUMAN
    sources = {outcome.path: outcome.source for outcome in outcomes if outcome.source}
    elsewhere = {
        note.place.path
        for outcome in outcomes
        for found in outcome.report.diagnostics
        for note in found.notes
        if note.place.path not in sources
    }
    for path in elsewhere:
        text = _read_quietly(path)
        if text is not None:
            sources[path] = Source.from_text(path, text)
    reports = [outcome.report for outcome in outcomes]
    found = [each for report in reports for each in (*report.diagnostics, *report.suppressed) if each.secrets]
    return Context(
        hide_in_sources(sources, found) if found else sources,
        os.getcwd(),
        settings.minimum,
        human and not to_file and wants_color(color, os.environ, terminal),
        shutil.get_terminal_size((_WIDTH, 24)).columns if terminal else _WIDTH,
        environment=os.environ,
        secrets=secrets_of(found, sources),
    )


def _read_quietly(path: str) -> str | None:
    try:
        return Path(path).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def findings(diagnostics: Sequence[Diagnostic], settings: Settings, context: Context) -> str:
    """The findings in the chosen format."""
    return render(settings.output_format, diagnostics, context)


def summary(diagnostics: Sequence[Diagnostic], fixed: int, settings: Settings, context: Context) -> str:
    """The lines below the findings: how many, how many were repaired, how many can be."""
    left = len(diagnostics)
    if fixed:
        text = f"Found {fixed + left} {_errors(fixed + left)} ({fixed} fixed, {left} remaining).\n"
    elif left:
        text = f"Found {left} {_errors(left)}.\n"
    else:
        return "All checks passed!\n"
    return text + _fixable(diagnostics, settings, context)


def _fixable(diagnostics: Sequence[Diagnostic], settings: Settings, context: Context) -> str:
    now = sum(fixes(found, settings.minimum) for found in diagnostics)
    hidden = _hidden(diagnostics) if settings.unsafe_fixes is None else 0
    star = f"[{context.paint('*', '36')}]"
    if now and hidden:
        offer = f"{hidden} unsafe {_fixes(hidden)} available with `--fix --unsafe-fixes`"
        return f"{star} {now} fixable with `--fix` ({offer}).\n"
    if now:
        return f"{star} {now} fixable with `--fix`.\n"
    if hidden:
        return f"{hidden} unsafe {_fixes(hidden)} available with `--fix --unsafe-fixes`.\n"
    return ""


def _hidden(diagnostics: Sequence[Diagnostic]) -> int:
    return sum(fixes(found, Applicability.UNSAFE) and not fixes(found, Applicability.SAFE) for found in diagnostics)


def fix_only_summary(diagnostics: Sequence[Diagnostic], fixed: int, settings: Settings, diff: bool) -> str:
    """`Fixed 4 errors (3 additional fixes available with `--unsafe-fixes`).`, or nothing."""
    hidden = 0 if settings.unsafe_fixes else _hidden(diagnostics)
    if fixed:
        more = f" ({hidden} additional {_fixes(hidden)} available with `--unsafe-fixes`)" if hidden else ""
        return f"{'Would fix' if diff else 'Fixed'} {fixed} {_errors(fixed)}{more}.\n"
    if hidden:
        verb = "No errors would be fixed" if diff else "No errors fixed"
        return f"{verb} ({hidden} {_fixes(hidden)} available with `--unsafe-fixes`).\n"
    return ""


def _errors(count: int) -> str:
    return "error" if count == 1 else "errors"


def _fixes(count: int) -> str:
    return "fix" if count == 1 else "fixes"


def fixed_list(outcomes: Sequence[Outcome], context: Context) -> str:
    """What was repaired, file by file, for `--show-fixes`."""
    total = sum(outcome.fixed.count for outcome in outcomes if outcome.fixed)
    if not total:
        return ""
    lines = [f"Fixed {total} {_errors(total)}:"]
    for outcome in outcomes:
        if outcome.fixed and outcome.fixed.count:
            lines.append(f"- {context.relative(outcome.path)}:")
            counts = sorted(outcome.fixed.applied, key=lambda each: (-each[2], each[0]))
            lines += [f"    {count} × {code} ({name})" for code, name, count in counts]
    return "\n".join(["", *lines, "", ""])


def statistics(outcomes: Sequence[Outcome], diagnostics: Sequence[Diagnostic], settings: Settings) -> str:
    """Counts by rule, most frequent first; empty without findings. Raises `Failure` for other formats."""
    if settings.output_format not in ("full", "concise", "json"):
        kind = "".join(part.capitalize() for part in settings.output_format.split("-"))
        raise Failure(f"Unsupported serialization format for statistics: {kind}")
    counts = Counter((found.code, found.name) for found in diagnostics)
    able = Counter((found.code, found.name) for found in diagnostics if fixes(found, settings.minimum))
    rows = [
        ("" if code == name else code, name, count, able[code, name])
        for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0][1]))
    ]
    if settings.output_format == "json":
        table = [
            {"code": code or None, "name": name, "count": count, "fixable": fixable > 0, "fixable_count": fixable}
            for code, name, count, fixable in rows
        ]
        import json

        return json.dumps(table, indent=2) + "\n" if table else ""
    digits, width = max((len(str(row[2])) for row in rows), default=0), max((len(row[0]) for row in rows), default=0)
    text = ""
    for code, name, count, fixable in rows:
        star = f"[{'*' if fixable else ' '}] " if able else ""
        text += f"{count:>{digits}}\t{code:<{width}}\t{star}{name}\n"
    unknown = sum(len(outcome.report.unknowns) for outcome in outcomes)
    if unknown:
        parts = "part of a launch is" if unknown == 1 else "parts of launches are"
        text += f"{unknown} {parts} not known; `miles-lint fold` lists them.\n"
    return text


def shown_settings(settings: Settings) -> str:
    """The settings as `key = value` lines, with the codes that are on."""
    lines = {
        "settings file": settings.origin or "none",
        "root": settings.root,
        "rules": ", ".join(sorted(settings.enabled())),
        "per-file-ignores": ", ".join(
            f"{'!' * each.negated}{each.glob.pattern}: {', '.join(each.selectors)}"
            for each in settings.per_file_ignores
        ),
        "include": ", ".join(glob.pattern for glob in settings.include),
        "exclude": ", ".join(glob.pattern for glob in settings.exclude),
        "fail-on": settings.fail_on.name.lower(),
        "extra-flags": ", ".join(settings.extra_flags),
        "trainer": settings.trainer or "found beside each file, else bundled",
    }
    for name in ("force-exclude", "respect-gitignore", "fix", "fix-only", "show-fixes", "unsafe-fixes", "all-knobs"):
        lines[name] = str(bool(getattr(settings, name.replace("-", "_")))).lower()
    lines["output-format"] = settings.output_format
    return "".join(f"{name} = {value}\n" for name, value in lines.items())


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def diff(old: str, new: str, name: str, context: Context) -> str:
    """A unified diff of two texts under one name, as `ruff check --diff` prints it; nameless input has no heading.

    Stars stand for secrets, so a diff that shows one cannot be applied.
    """
    from difflib import unified_diff

    old, new = hidden(old, context.secrets), hidden(new, context.secrets)
    lines = unified_diff(_LINE.findall(old), _LINE.findall(new), name, name)
    return "".join(_diff_line(line, context) for line in (islice(lines, 2, None) if name == "-" else lines)) + "\n"


def _diff_line(line: str, context: Context) -> str:
    hint = "" if line.endswith(("\n", "\r")) else "\n\\ No newline at end of file\n"
    if line.startswith(("---", "+++", "@@")):
        return context.paint(line.rstrip("\n"), "1" if line[0] != "@" else "36") + "\n"
    style = {"+": "32", "-": "31"}.get(line[0])
    return (context.paint(line, style) if style else line) + hint
