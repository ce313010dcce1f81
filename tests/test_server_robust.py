"""The answers of the language server about text of any kind: never an exception, and what the command line says."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("pygls", reason="the language server needs pygls")
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from miles_lint.server import actions, completion, definition, hover, lens
from miles_lint.server.analysis import Analysis
from miles_lint.server.convert import diagnostic, path_of
from miles_lint.server.handlers import guarded
from miles_lint.server.positions import offset_of, range_of
from miles_lint.server.virtual import show
from miles_lint.settings import Settings
from miles_lint.source import Source, Span

FIXTURES = Path(__file__).parent / "fixtures"
HOSTILE = sorted((FIXTURES / "hostile").glob("*.py"))
RULES = FIXTURES / "rules"
DAYTONA = (FIXTURES / "recipes" / "daytona.py").read_text()
PIECES = ("'", '"', '"""', "(", "\n", "\r", "--", "--mode ", "{", "\\", "😀", "\x0c", "#", "é", "\ufeff", "def f(:\n")


def analysis(text: str, path: str = "recipe.py") -> Analysis:
    return Analysis("file:///recipe.py", 1, Source.from_text(path, text), Settings())


def ask_everything(analysed: Analysis, place: types.Position) -> None:
    """Every question at one position; the findings must come from a check that did not break down."""
    assert analysed.outcome.failure is None
    hover.hover(analysed, place)
    definition.definition(analysed, place)
    found = completion.completion(analysed, place)
    for item in found.items[:1] if found is not None else ():
        completion.resolve(item, analysed)
    for index, _ in enumerate(lens.lenses(analysed)):
        lens.command(analysed, index)
    findings = analysed.outcome.report.diagnostics
    whole = range_of(analysed.source, Span(0, len(analysed.source.text)))
    for action in actions.actions(analysed, findings, whole, None, lambda _: None, False, False):
        assert action.edit is not None


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_hostile_files(path: Path) -> None:
    analysed = analysis(path.read_bytes().decode())
    last = len(analysed.source.line_starts)
    for line in {0, 1, last // 2, last, last + 5}:
        ask_everything(analysed, types.Position(line, 12))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_half_written_recipes(data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(DAYTONA)))
    kept = data.draw(st.sampled_from(("head", "all")))
    typed = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=4)))
    text = DAYTONA[:cut] + typed + (DAYTONA[cut:] if kept == "all" else "")
    analysed = analysis(text)
    line = text[:cut].count("\n")
    ask_everything(analysed, types.Position(line, data.draw(st.integers(0, 130))))


def test_the_places_of_the_command_line() -> None:
    plain = [[path for path in sorted(each.rglob("*.py")) if ".fixed" not in path.name] for each in RULES.iterdir()]
    paths = sorted(found[0] for found in plain if found)
    command = [sys.executable, "-m", "miles_lint", "check", "--isolated", "--no-cache", "--exit-zero"]
    done = subprocess.run([*command, "--output-format", "json", *paths], capture_output=True, text=True, check=True)
    told = {(each["filename"], each["code"], *each["location"].values()) for each in json.loads(done.stdout)}
    seen = set()
    for path in paths:
        source = Source.from_text(str(path), path.read_bytes().decode())
        for found in Analysis(path.as_uri(), 1, source, Settings()).outcome.report.diagnostics:
            if found.place.path == source.path:
                start = diagnostic(found, source, lambda _: None).range.start
                seen.add((source.path, found.code, *source.position(offset_of(source, start))[::-1]))
    assert len(seen) > 20
    assert seen == told


def run(handler: object, *arguments: object) -> tuple[object, list[str]]:
    logged: list[str] = []
    answer = asyncio.run(guarded(handler)(SimpleNamespace(log=logged.append), *arguments))  # type: ignore[arg-type]
    return answer, logged


def test_an_exception_is_logged_and_answered_with_nothing() -> None:
    async def broken(ls: object, number: int) -> int:
        return 1 // number

    assert run(broken, 1) == (1, [])
    answer, logged = run(broken, 0)
    assert answer is None
    assert "ZeroDivisionError" in logged[0]


def test_errors_of_the_protocol_pass() -> None:
    async def stale(ls: object) -> None:
        raise JsonRpcContentModified("newer")

    with pytest.raises(JsonRpcContentModified):
        run(stale)


def test_a_command_is_shown_as_a_document_where_the_client_can(tmp_path: Path) -> None:
    shown: list[types.ShowDocumentParams] = []
    client = SimpleNamespace(shows_documents=True)
    server = SimpleNamespace(client=client, scratch=None, window_show_document=shown.append)
    show(server, (tmp_path / "recipe.py").as_uri(), "train.py --lr 1")  # type: ignore[arg-type]
    path = Path(path_of(shown[0].uri))
    assert (path.name, path.read_text()) == ("recipe.sh", "train.py --lr 1\n")
    server.scratch.cleanup()
    assert not path.exists()
