"""The language server over its real protocol, for a client that waits for diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")
pytest.importorskip("pytest_lsp", reason="pytest-lsp drives the server")
import pytest_lsp
from lsp_session import (
    BAD,
    CONFIG,
    DAYTONA,
    FIXED,
    actions,
    after,
    at,
    changed,
    opened,
    own_project,
    published,
    started,
)
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOP = """import shared
import miles.utils.external_utils.command_utils as U

U.execute_train(
    train_args=shared.ARGS, num_gpus_per_node=8, megatron_model_type="m", train_script="train_async.py"
)
"""


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def pushed(
    lsp_client: pytest_lsp.LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    await started(lsp_client, tmp_path_factory.mktemp("pushed"), False)
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def alone(
    lsp_client: pytest_lsp.LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    """A pushed client whose folder and settings no other test touches while one that uses it runs."""
    await started(lsp_client, tmp_path_factory.mktemp("alone"), False)
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def project(request: pytest.FixtureRequest) -> Path:
    """A directory of its own below the folder of the client that a test uses."""
    (name,) = {"pushed", "alone"} & set(request.fixturenames)
    return own_project(request.getfixturevalue(name).root, request.node.name)


async def test_what_the_server_offers(pushed: Any) -> None:
    offered = pushed.result.capabilities
    assert offered.position_encoding == "utf-16"
    assert list(offered.code_action_provider.code_action_kinds) == ["quickfix", "source.fixAll.miles-lint"]
    assert offered.diagnostic_provider.workspace_diagnostics
    assert pushed.result.server_info.name == "miles-lint"


async def test_push_repair_and_silence(pushed: Any, project: Path) -> None:
    uri = opened(pushed, project / "daytona.py")
    (found,) = await published(pushed, uri)
    assert (found.code, found.source, found.severity) == ("MIL001", "miles-lint", types.DiagnosticSeverity.Error)
    assert found.range.start == at(DAYTONA, '        "--roll', -6)
    assert found.code_description is not None
    assert found.code_description.href.endswith("docs/rules.md#mil001")
    offered = {action.title: action for action in await actions(pushed, uri, found)}
    assert list(offered) == [
        "miles-lint (MIL001): Replace with `--fully-async`",
        "miles-lint (MIL001): Disable for this line",
        "miles-lint: Fix all",
    ]
    repair, silence, everything = offered.values()
    assert (repair.is_preferred, silence.is_preferred) == (True, None)
    assert after(DAYTONA, repair.edit, uri) == after(DAYTONA, everything.edit, uri) == FIXED
    silenced = after(DAYTONA, silence.edit, uri)
    assert silenced.count("  # noqa: MIL001\n") == 1
    changed(pushed, uri, silenced, 2)
    assert await published(pushed, uri, 2) == []
    changed(pushed, uri, FIXED, 3)
    assert await published(pushed, uri, 3) == []


async def test_only_what_is_asked_for(pushed: Any, project: Path) -> None:
    uri = opened(pushed, project / "daytona.py")
    (found,) = await published(pushed, uri)
    assert [each.kind for each in await actions(pushed, uri, found, ["source.fixAll"])] == ["source.fixAll.miles-lint"]
    assert [each.kind for each in await actions(pushed, uri, found, ["quickfix"])] == ["quickfix", "quickfix"]
    assert await actions(pushed, uri, found, ["refactor"]) == []


async def test_only_the_newest_version_is_published(pushed: Any, project: Path) -> None:
    uri = opened(pushed, project / "daytona.py")
    await published(pushed, uri)
    seen: list[int | None] = []
    for version in range(2, 8):
        changed(pushed, uri, DAYTONA + f"# {version}\n", version)
    while not seen or seen[-1] != 7:
        seen.append((await asyncio.wait_for(pushed.publications.get(), 60)).version)
    assert seen == [7]


async def test_closing_takes_the_findings_away(pushed: Any, project: Path) -> None:
    uri = opened(pushed, project / "daytona.py")
    assert await published(pushed, uri)
    pushed.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    assert await published(pushed, uri) == []


@pytest.mark.parametrize(
    "text", ["execute_train(\n", "execute_train('\n", "\ufeffexecute_train(\r", "execute_train\0"]
)
async def test_broken_text(pushed: Any, project: Path, text: str) -> None:
    uri = opened(pushed, project / "broken.py", text)
    found = await published(pushed, uri)
    assert [each.code for each in found] == ["invalid-syntax"]
    place = types.TextDocumentPositionParams(types.TextDocumentIdentifier(uri), types.Position(0, 15))
    assert await pushed.text_document_hover_async(types.HoverParams(place.text_document, place.position)) is None
    assert not await pushed.text_document_code_lens_async(types.CodeLensParams(place.text_document))
    assert await actions(pushed, uri, found[0]) == []
    assert not [each for each in pushed.log_messages if each.type == types.MessageType.Error]


async def test_characters_beyond_the_basic_plane(pushed: Any, project: Path) -> None:
    text = DAYTONA.replace(f'"{BAD}"', f'"--wandb-group 😀é {BAD}"')
    uri = opened(pushed, project / "daytona.py", text)
    (found,) = await published(pushed, uri)
    assert (found.range.start.character, found.range.end.character) == (27, 50)
    repair = (await actions(pushed, uri, found))[0]
    assert after(text, repair.edit, uri) == text.replace(BAD, "--fully-async ")


async def test_settings_files_are_read_again(pushed: Any, project: Path) -> None:
    assert "workspace/didChangeWatchedFiles" in pushed.registered
    uri = opened(pushed, project / "daytona.py")
    assert await published(pushed, uri)
    settings = project / "miles-lint.toml"
    settings.write_text('ignore = ["MIL001"]\n')
    event = types.FileEvent(settings.as_uri(), types.FileChangeType.Created)
    pushed.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert await published(pushed, uri) == []
    settings.write_text('ignor = ["MIL001"]\n')
    pushed.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert len(await published(pushed, uri)) == 1
    assert [each.message for each in pushed.messages if "did you mean `ignore`" in each.message]


async def test_settings_of_the_editor(alone: Any, project: Path) -> None:
    uri = opened(alone, project / "daytona.py")
    assert await published(alone, uri)
    alone.set_configuration({"ignore": ["MIL0"]}, section="miles-lint")
    alone.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    assert await published(alone, uri) == []
    alone.set_configuration({"unfixable": ["MIL001"]}, section="miles-lint")
    alone.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    (found,) = await published(alone, uri)
    assert [each.title for each in await actions(alone, uri, found)] == ["miles-lint (MIL001): Disable for this line"]
    alone.set_configuration({"ignore": "MIL001"}, section="miles-lint")
    alone.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    assert await published(alone, uri)
    assert any("settings of the editor" in each.message for each in alone.messages)


async def test_workspace_by_command(alone: Any, project: Path) -> None:
    (project / "second.py").write_text(DAYTONA)
    uri = opened(alone, project / "daytona.py")
    await published(alone, uri)
    check = types.ExecuteCommandParams("miles-lint.checkWorkspace")
    total = await alone.workspace_execute_command_async(check)
    assert total >= 2
    assert len(await published(alone, (project / "second.py").as_uri())) == 1
    assert len(alone.progress_reports) == 1
    (project / "second.py").write_text(FIXED)
    event = types.FileEvent((project / "second.py").as_uri(), types.FileChangeType.Changed)
    alone.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert await alone.workspace_execute_command_async(check) == total - 1
    assert await published(alone, (project / "second.py").as_uri()) == []


async def test_findings_that_one_file_makes_in_another(pushed: Any, project: Path) -> None:
    (project / "shared.py").write_text(f'ARGS = "{BAD}"\n')
    helper = opened(pushed, project / "shared.py")
    assert await published(pushed, helper) == []
    opened(pushed, project / "top.py", TOP)
    (found,) = await published(pushed, helper)
    assert (found.code, found.range.start) == ("MIL001", types.Position(0, 8))


async def test_other_languages_and_unsaved_texts(pushed: Any, project: Path) -> None:
    document = types.TextDocumentItem((project / "notes.txt").as_uri(), "plaintext", 1, DAYTONA)
    pushed.text_document_did_open(types.DidOpenTextDocumentParams(document))
    document = types.TextDocumentItem("untitled:Untitled-1", "python", 1, DAYTONA)
    pushed.text_document_did_open(types.DidOpenTextDocumentParams(document))
    assert len(await published(pushed, document.uri)) == 1
    assert pushed.publications.empty()


async def test_a_check_that_breaks_down_is_logged(pushed: Any, project: Path) -> None:
    params = types.ExecuteCommandParams("miles-lint.showCommand", ["untitled:none", 3])
    assert await pushed.workspace_execute_command_async(params) is None
    item = types.CompletionItem("--lr", data={"uri": 1, "offset": "x"})
    assert (await pushed.completion_item_resolve_async(item)).label == "--lr"
