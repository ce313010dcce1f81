"""How much of the launches that nobody recorded is known: files without a hole, and why the others have some.

Needs MILES_ROOT. Folded in the frozen environment of the recordings, at the defaults or, where a default is
refused, at the values next to them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from miles_lint.domain.value import Hole
from miles_lint.launch import Launch
from miles_lint.recipe import fold_file
from miles_lint.source import Source
from tests.oracles.cover import arguments_at
from tests.oracles.recordings import Checkout, frozen

ROOT = os.environ.get("MILES_ROOT", "")
pytestmark = pytest.mark.skipif(
    not (Path(ROOT) / "tests/snapshots/launch_scripts").is_dir() or not ROOT,
    reason="MILES_ROOT names no trainer checkout with recordings",
)


TEMPORARY = "temporary path"


def holes(launch: Launch) -> Iterator[str]:
    """Why arguments are not known, in the words of their holes."""
    for argument, words in arguments_at(launch, {}, nearest=True):
        if words is None:
            unknowns = (piece.unknown for piece in argument.text.pieces if isinstance(piece, Hole))
            yield from (f"{unknown} ({unknown.reason.value})" for unknown in unknowns)


@pytest.mark.parametrize(("folder", "at_least"), [("examples", 17), ("tests/e2e", 75), ("scripts", 34)])
def test_most_launches_have_no_hole(
    folder: str, at_least: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path that is made when the recipe runs is no fault of the fold; such files are counted apart."""
    checkout = Checkout(Path(ROOT).resolve(), tmp_path)
    complete, temporary, remaining = 0, 0, []
    for path in sorted((checkout.root / folder).rglob("*.py")):
        source = Source.from_text(str(path), path.read_text())
        launches = fold_file(source, environment=checkout.frozen_environment)
        found = Counter(reason for launch in launches for reason in holes(frozen(launch, checkout.run_id)))
        complete += bool(launches) and not found
        if found and all(TEMPORARY in reason for reason in found):
            temporary += 1
        elif found:
            shown = ", ".join(f"{count} × {reason}" for reason, count in found.most_common(3))
            remaining.append(f"{path.relative_to(checkout.root)}: {shown}")
    with capsys.disabled():
        print(f"\n{folder}: {complete} files launch without a hole, {temporary} with a temporary path only, others:")
        print(*remaining, sep="\n")
    assert complete + temporary >= at_least
