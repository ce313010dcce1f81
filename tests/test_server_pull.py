"""The language server over its real protocol, for a client that asks for diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")
pytest.importorskip("pytest_lsp", reason="pytest-lsp drives the server")
import pytest_lsp
from lsp_session import CONFIG, DAYTONA, FIXED, actions, after, at, changed, opened, own_project, started
from lsprotocol import types
from pygls.exceptions import JsonRpcException

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def pulling(
    lsp_client: pytest_lsp.LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    await started(lsp_client, tmp_path_factory.mktemp("pulling"), True)
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def project(request: pytest.FixtureRequest) -> Path:
    """A directory of its own below the folder of the client that a test uses."""
    (name,) = {"pulling"} & set(request.fixturenames)
    return own_project(request.getfixturevalue(name).root, request.node.name)


async def test_hover_completion_and_lens(pulling: Any, project: Path) -> None:
    uri = opened(pulling, project / "daytona.py")
    document = types.TextDocumentIdentifier(uri)
    hover = await pulling.text_document_hover_async(types.HoverParams(document, at(DAYTONA, "--pause-gen")))
    assert hover.contents.value.startswith("**`--pause-generation-mode`**")
    assert hover.contents.value.endswith("megatron, train_async.py*")
    found = await pulling.text_document_completion_async(
        types.CompletionParams(document, at(DAYTONA, "--pause-generation-mode "))
    )
    assert {"abort", "retract", "in_place"} <= {item.label for item in found.items}
    found = await pulling.text_document_completion_async(
        types.CompletionParams(document, at(DAYTONA, "--advantage-e"))
    )
    (item,) = (each for each in found.items if each.label == "--advantage-estimator")
    assert "grpo" in (await pulling.completion_item_resolve_async(item)).documentation.value
    (lens,) = await pulling.text_document_code_lens_async(types.CodeLensParams(document))
    assert lens.range.start == at(DAYTONA, "    U.", -2)
    shown = await pulling.workspace_execute_command_async(
        types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
    )
    assert shown.startswith("train_async.py ")
    assert pulling.messages[-1].message == shown


async def test_pull(pulling: Any, project: Path) -> None:
    uri = opened(pulling, project / "daytona.py")
    ask = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    report = await pulling.text_document_diagnostic_async(ask)
    assert [each.code for each in report.items] == ["MIL001"]
    again = types.DocumentDiagnosticParams(ask.text_document, previous_result_id=report.result_id)
    assert (await pulling.text_document_diagnostic_async(again)).kind == "unchanged"
    changed(pulling, uri, FIXED, 2)
    report = await pulling.text_document_diagnostic_async(again)
    assert (report.kind, list(report.items)) == ("full", [])
    assert pulling.publications.empty()


async def test_fix_all_is_resolved_and_tied_to_the_version(pulling: Any, project: Path) -> None:
    uri = opened(pulling, project / "daytona.py", version=5)
    document = types.TextDocumentIdentifier(uri)
    (found,) = (await pulling.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))).items
    (action,) = await actions(pulling, uri, found, ["source.fixAll"])
    assert action.edit is None
    resolved = await pulling.code_action_resolve_async(action)
    assert after(DAYTONA, resolved.edit, uri) == FIXED
    assert resolved.edit.document_changes[0].text_document == types.OptionalVersionedTextDocumentIdentifier(uri, 5)


async def test_answers_about_an_older_text_are_refused(pulling: Any, project: Path) -> None:
    uri = opened(pulling, project / "daytona.py")
    ask = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    waiting = asyncio.ensure_future(pulling.text_document_diagnostic_async(ask))
    await asyncio.sleep(0)
    changed(pulling, uri, FIXED, 2)
    with pytest.raises(JsonRpcException) as refused:
        await asyncio.wait_for(waiting, 30)
    assert refused.value.code == types.LSPErrorCodes.ContentModified
    assert list((await pulling.text_document_diagnostic_async(ask)).items) == []


async def test_a_request_can_be_cancelled(pulling: Any, project: Path) -> None:
    for number in range(20):
        (project / f"copy{number}.py").write_text(DAYTONA)
    ask = types.WorkspaceDiagnosticParams([])
    asked = pulling.protocol.send_request_async(types.WORKSPACE_DIAGNOSTIC, ask, msg_id="long")
    waiting = asyncio.ensure_future(asked)
    await asyncio.sleep(0.2)
    pulling.cancel_request(types.CancelParams("long"))
    with pytest.raises(JsonRpcException) as cancelled:
        await asyncio.wait_for(waiting, 30)
    assert cancelled.value.code == types.LSPErrorCodes.RequestCancelled
    for copy in project.glob("copy*.py"):
        copy.unlink()
    hover = types.HoverParams(types.TextDocumentIdentifier((project / "daytona.py").as_uri()), types.Position(0, 0))
    assert await asyncio.wait_for(pulling.text_document_hover_async(hover), 30) is None


@pytest.mark.filterwarnings("ignore:Unknown progress token")
async def test_workspace_with_progress(pulling: Any, project: Path) -> None:
    (project / "clean.py").write_text(FIXED)
    (project / "other.py").write_text("import this\n")
    (project / "old").mkdir()
    (project / "old" / "left_out.py").write_text(DAYTONA)
    (project / "miles-lint.toml").write_text('exclude = ["old"]\n')
    uri = opened(pulling, project / "daytona.py")
    report = await pulling.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([], work_done_token="mine"))
    items = {each.uri: each for each in report.items if each.uri.startswith(project.as_uri())}
    assert {Path(each).name: len(items[each].items) for each in items} == {"daytona.py": 1, "clean.py": 0}
    assert items[uri].version == 1
    kinds = [each.kind for each in pulling.progress_reports["mine"]]
    assert (kinds[0], kinds[-1], set(kinds[1:-1])) == ("begin", "end", {"report"})
    before = [types.PreviousResultId(each.uri, each.result_id) for each in report.items]
    again = await pulling.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(before))
    assert {each.kind for each in again.items} == {"unchanged"}
    (project / "clean.py").write_text(DAYTONA)
    event = types.FileEvent((project / "clean.py").as_uri(), types.FileChangeType.Changed)
    pulling.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    again = await pulling.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(before))
    kinds = {Path(each.uri).name: each.kind for each in again.items if each.uri in items}
    assert kinds == {"daytona.py": "unchanged", "clean.py": "full"}
