"""`docs/launch-mistakes.md`: every row of the collection is there and does what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from rules_harness import FIXTURES_BY_NAME, Fixture

from miles_lint.rules import RULES

DOCUMENT = Path(__file__).parent.parent / "docs" / "launch-mistakes.md"
ROWS = {
    "A": (1, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16),
    "B": (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
    "C": (1, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17),
    "D": (1, 2, 4, 6, 8, 9, 10, 11, 13),
    "E": (1, 2, 3, 4, 5, 7),
    "F": (1, 2, 5, 7, 9, 10, 11, 12, 13, 14, 15, 19, 20),
    "T": tuple(range(1, 17)),
}
"""The numbers that the collection uses; those left out there concern no launcher."""


@dataclass(frozen=True)
class Row:
    """One row of the table."""

    id: str
    mistake: str
    outcome: str
    code: str
    rest: str

    def __str__(self) -> str:
        return self.id

    @property
    def fixtures(self) -> tuple[Fixture, ...]:
        """The fixtures it names. Raises KeyError for one that does not exist."""
        return tuple(FIXTURES_BY_NAME[name] for name in re.findall(r"`(MIL\d{3}/\w+)`", self.rest))


def rows() -> tuple[Row, ...]:
    cells = ([cell.strip() for cell in line.split("|")[1:-1]] for line in DOCUMENT.read_text("utf-8").splitlines())
    return tuple(Row(*found) for found in cells if len(found) == 5 and re.fullmatch(r"[A-Z]\d+", found[0]))


TABLE = rows()


def test_every_row_of_the_collection_is_there_once() -> None:
    assert [row.id for row in TABLE] == [f"{letter}{number}" for letter, numbers in ROWS.items() for number in numbers]


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_a_row_does_what_it_says(row: Row) -> None:
    reported = {each.code for fixture in row.fixtures for each in fixture.expected}
    if row.outcome == "told":
        assert row.code in {rule.code for rule in RULES}
        assert row.code in reported
        assert all(fixture.expected for fixture in row.fixtures)
    elif row.outcome == "silent":
        assert not row.code
        assert row.fixtures
        assert not reported
    else:
        assert row.outcome == "not told"
        assert not row.code
        assert not row.fixtures
        assert len(row.rest) > 20
