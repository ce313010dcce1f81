"""`docs/rules.md` and the list of rules that selection reads, generated from the rules.

`python -m miles_lint.docs` writes both, `--check` compares.
Exit codes: 0 written or up to date, 1 out of date (a diff is printed), 2 wrong usage.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

from miles_lint.diagnostic import Applicability
from miles_lint.rules import RULES
from miles_lint.rules.rule import Rule

DOCUMENT = Path("docs/rules.md")
INDEX = Path(__file__).parent / "data" / "rules.json"
FAMILIES = {
    "MIL0": "How rollout and driver are chosen",
    "MIL1": "The text of the arguments",
    "MIL2": "Flags and values against the trainer",
    "MIL3": "Combinations of flags",
    "MIL4": "The launch around the arguments",
    "MIL5": "Recipe code that spoils the arguments",
    "MIL9": "The linter itself",
}
INTRODUCTION = """\
# Rules

Written by `python -m miles_lint.docs` from the rules themselves; the tests run every example. `miles-lint rule CODE`
prints the same text. A rule speaks when a mistake is certain at the defaults of a recipe's knobs, or after one knob is
changed; then the message ends with *when `--knob value` is passed*.
"""
_FENCE = re.compile(r"(?s)^(```.*?^```$)", re.MULTILINE)
_TRUST = {
    None: "none",
    Applicability.SAFE: "safe",
    Applicability.UNSAFE: "unsafe",
    Applicability.DISPLAY_ONLY: "shown",
}


def render(rules: Iterable[Rule]) -> str:
    """The whole document as Markdown."""
    ordered = sorted(rules, key=lambda rule: rule.code)
    parts = [INTRODUCTION]
    for prefix, title in FAMILIES.items():
        family = [rule for rule in ordered if rule.code.startswith(prefix)]
        if family:
            parts.append("\n".join((f"## {title}", "", *_table(family))) + "\n")
            parts += map(section, family)
    return "\n".join(parts)


def index(rules: Iterable[Rule]) -> str:
    """What selection needs of every rule, as JSON, one rule a row."""
    rows = (json.dumps({"code": rule.code, "name": rule.name, "default_on": rule.default_on}) for rule in rules)
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _table(family: Iterable[Rule]) -> Iterable[str]:
    yield "| code | name | finds | severity | fix |"
    yield "|---|---|---|---|---|"
    for rule in family:
        severity = rule.severity.name.lower() + ("" if rule.default_on else ", off by default")
        cells = (f"[{rule.code}](#{rule.code.lower()})", rule.name, rule.summary, severity, _TRUST[rule.fix])
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def section(rule: Rule) -> str:
    """One rule: its anchor, its facts, and its own documentation two levels down."""
    code = rule.code
    body = "".join(part if part.startswith("```") else _lowered(part) for part in _FENCE.split(rule.doc.strip()))
    return f'<a id="{code.lower()}"></a>\n\n### {code} {rule.name}\n\n*Since {rule.since}.*\n\n{body}\n'


def _lowered(text: str) -> str:
    return re.sub(r"(?m)^(#+ )", r"##\1", text)


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the generated files, or the document at one path; `--check` changes nothing."""
    parser = argparse.ArgumentParser(prog="python -m miles_lint.docs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("path", nargs="?", type=Path, help=f"only the document, here instead of at {DOCUMENT}")
    given = parser.parse_args(argv)
    document = {given.path or DOCUMENT: render(RULES)}
    wanted = document if given.path else {**document, INDEX: index(RULES)}
    return max([_check(path, text) if given.check else _write(path, text) for path, text in wanted.items()])


def _write(path: Path, text: str) -> int:
    path.write_text(text, encoding="utf-8", newline="\n")
    return 0


def _check(path: Path, wanted: str) -> int:
    found = path.read_text(encoding="utf-8") if path.exists() else ""
    rows = (found.splitlines(keepends=True), wanted.splitlines(keepends=True))
    sys.stdout.writelines(unified_diff(*rows, str(path), "generated"))
    return int(found != wanted)


if __name__ == "__main__":
    sys.exit(main())
