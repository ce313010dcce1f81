"""Fixtures of rules: recipes with their expected findings as comments on the rows.

`tests/fixtures/rules/MILnnn/*.py` are checked each by itself, with the default rules and MILnnn. A finding is
expected by a comment at the end of its row: `# expect: MIL001`, several codes separated by commas, a column (1-based,
code points) after a colon, as in `MIL001:9`. In a string that goes on over several rows the comment stands behind its
last row, where a `# noqa` would, and says how many rows above the finding begins: `# expect[-2]: MIL001`. A row
without a comment expects nothing, so a fixture without any is a trap in which everything must stay silent.

Beside a fixture, `.fixed.py` is its text after `--fix --unsafe-fixes`, expectation comments included. A fixture whose
findings have fixes must have it. Files whose names begin with `_` are modules that fixtures import.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from miles_lint.diagnostic import Applicability, Report
from miles_lint.edits import FixResult
from miles_lint.lint import fix_alone, lint_alone
from miles_lint.rules import RULES
from miles_lint.rules.rule import Rule
from miles_lint.settings import Settings, apply_table
from miles_lint.source import Source

ROOT = Path(__file__).parent / "fixtures" / "rules"
BY_CODE = {rule.code: rule for rule in RULES}
_CODE = r"MIL\d{3}(?::\d+)?"
_EXPECT = re.compile(rf"# expect(?:\[(-\d+)\])?: ({_CODE}(?:, {_CODE})*)[ \t]*(?=\r?$)", re.MULTILINE)
_LOOKS_LIKE_ONE = re.compile(r"#\s*expect\b")


@dataclass(frozen=True, order=True)
class Expected:
    """One finding: 1-based row, code, and the column where the fixture names one."""

    row: int
    code: str
    column: int | None = None


@dataclass(frozen=True)
class Fixture:
    """One recipe and the rule that it is about."""

    path: Path
    code: str

    def __str__(self) -> str:
        return f"{self.code}/{self.path.stem}"

    @cached_property
    def text(self) -> str:
        return self.path.read_bytes().decode()

    @cached_property
    def source(self) -> Source:
        return Source.from_text(str(self.path), self.text)

    @property
    def settings(self) -> Settings:
        return settings_for(self.code)

    @cached_property
    def expected(self) -> tuple[Expected, ...]:
        """The findings that the comments announce. Raises ValueError for a comment that cannot be read."""
        marks = list(_EXPECT.finditer(self.source.text))
        if len(marks) != len(_LOOKS_LIKE_ONE.findall(self.source.text)):
            raise ValueError(f"{self.path}: an expectation cannot be read")
        found = []
        for mark in marks:
            row, _ = self.source.position(mark.start())
            for entry in mark[2].split(", "):
                code, _, column = entry.partition(":")
                found.append(Expected(row + int(mark[1] or 0), code, int(column) if column else None))
        return tuple(sorted(found, key=lambda each: (each.row, each.code, each.column or 0)))

    @cached_property
    def silenced(self) -> Source:
        """The same recipe with every expectation turned into a suppression."""
        text = _EXPECT.sub(lambda mark: "# noqa: " + re.sub(r":\d+", "", mark[2]), self.source.text)
        return replace(self.source, text=text)

    @property
    def fixed_path(self) -> Path:
        return self.path.with_name(f"{self.path.stem}.fixed.py")

    @cached_property
    def report(self) -> Report:
        return lint_alone(self.source, self.settings)

    def check(self) -> Report:
        return self.report

    def fix(self) -> FixResult:
        """The result of applying every fix, unsafe ones too."""
        return fix_alone(self.source, replace(self.settings, unsafe_fixes=True))


def settings_for(code: str) -> Settings:
    """The default rules, and this one where it is off by default."""
    if BY_CODE[code].default_on:
        return Settings()
    return apply_table(Settings(), {"extend-select": [code]}, "the test", "")


def fixtures(root: Path = ROOT) -> tuple[Fixture, ...]:
    return tuple(
        Fixture(path, folder.name)
        for folder in sorted(root.glob("MIL[0-9][0-9][0-9]"))
        for path in sorted(folder.glob("*.py"))
        if not path.name.startswith("_") and not path.name.endswith(".fixed.py")
    )


FIXTURES_BY_NAME = {str(fixture): fixture for fixture in fixtures()}
"""Every fixture by its folder and name, as `MIL101/two_flags`."""


def met(report: Report, expected: tuple[Expected, ...], source: Source) -> tuple[Expected, ...]:
    """The findings of a report in the form of expectations; columns only on rows that name one."""
    columns = {(each.row, each.code) for each in expected if each.column is not None}
    found = []
    for diagnostic in report.diagnostics:
        row, column = source.position(diagnostic.place.span.start)
        found.append(Expected(row, diagnostic.code, column if (row, diagnostic.code) in columns else None))
    return tuple(sorted(found, key=lambda each: (each.row, each.code, each.column or 0)))


def comments(text: str) -> list[str]:
    """Every comment of a Python text, in order."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


HEADINGS = ("What it finds", "Example", "Use instead", "Stays silent", "Fix safety")


def sections(rule: Rule) -> dict[str, str]:
    """The parts of a rule's documentation by their headings; the text before the first is under ``""``."""
    parts = re.split(r"(?m)^## (.+)$", rule.doc)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}


def blocks(rule: Rule, heading: str) -> Iterator[Source]:
    """The Python examples under a heading, as recipes."""
    for number, text in enumerate(re.findall(r"(?ms)^```python\n(.*?)^```$", sections(rule).get(heading, ""))):
        name = f"{rule.code}-{heading.lower().replace(' ', '-')}-{number}.py"
        yield Source.from_text(name, text)


def best(report: Report) -> Applicability | None:
    """The most trusted fix in a report."""
    offered = [found.fix.applicability for found in report.diagnostics if found.fix is not None]
    return max(offered, default=None)
