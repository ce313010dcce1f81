"""The language server over its real protocol, driven by pytest-lsp."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")
pytest_lsp = pytest.importorskip("pytest_lsp", reason="pytest-lsp drives the server")
from clients.lsp import apply  # noqa: E402
from lsprotocol import types  # noqa: E402
from pygls.exceptions import JsonRpcException  # noqa: E402

RECIPES = Path(__file__).parent / "fixtures" / "recipes"
DAYTONA = (RECIPES / "daytona.py").read_text()
BAD = "--rollout-function-path miles.rollout.fully_async_rollout.FullyAsyncRolloutFn "
FIXED = DAYTONA.replace(BAD, "--fully-async ")
TOP = """import shared
import miles.utils.external_utils.command_utils as U

U.execute_train(
    train_args=shared.ARGS, num_gpus_per_node=8, megatron_model_type="m", train_script="train_async.py"
)
"""
COMMAND = [sys.executable, "-m", "miles_lint", "server"]
pytestmark = pytest.mark.asyncio(loop_scope="module")


def make_client() -> Any:
    """A client that keeps every publication, in order, for `published` to take."""
    client = pytest_lsp.make_test_lsp_client()
    client.publications = asyncio.Queue()
    client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = client.publications.put_nowait
    return client


CONFIG = pytest_lsp.ClientServerConfig(server_command=COMMAND, client_factory=make_client)


def capabilities(pull: bool) -> types.ClientCapabilities:
    """A client that can everything that this server makes use of; `pull` asks for diagnostics itself."""
    return types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
            diagnostic=types.DiagnosticClientCapabilities() if pull else None,
            completion=types.CompletionClientCapabilities(
                completion_item=types.ClientCompletionItemOptions(documentation_format=[types.MarkupKind.Markdown])
            ),
            code_action=types.CodeActionClientCapabilities(
                resolve_support=types.ClientCodeActionResolveOptions(["edit"]) if pull else None
            ),
        ),
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=pull),
            configuration=True,
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        ),
        window=types.WindowClientCapabilities(work_done_progress=True),
        general=types.GeneralClientCapabilities(position_encodings=["utf-8", "utf-16"]),
    )


async def started(client: Any, root: Path, pull: bool, options: dict[str, Any] | None = None) -> Any:
    registered: list[str] = []

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        registered.extend(each.method for each in params.registrations)

    client.registered = registered
    client.root = root
    folder = types.WorkspaceFolder(root.as_uri(), "project")
    client.result = await client.initialize_session(
        types.InitializeParams(
            capabilities(pull), root_uri=root.as_uri(), workspace_folders=[folder], initialization_options=options
        )
    )
    return client


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def pushed(
    lsp_client: pytest_lsp.LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    await started(lsp_client, tmp_path_factory.mktemp("pushed"), False)
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def pulling(
    lsp_client: pytest_lsp.LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    await started(lsp_client, tmp_path_factory.mktemp("pulling"), True)
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
    """A directory of its own, with one recipe, below the folder of the client that a test uses."""
    names = {"pushed", "pulling", "alone"} & set(request.fixturenames)
    root: Path = request.getfixturevalue(names.pop()).root
    directory = root / re.sub(r"\W", "_", request.node.name)
    directory.mkdir()
    (directory / "daytona.py").write_text(DAYTONA)
    return directory


def opened(client: Any, path: Path, text: str | None = None, version: int = 1) -> str:
    uri = path.as_uri()
    document = types.TextDocumentItem(uri, "python", version, path.read_text() if text is None else text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    return uri


def changed(client: Any, uri: str, text: str, version: int) -> None:
    whole = types.TextDocumentContentChangeWholeDocument(text)
    document = types.VersionedTextDocumentIdentifier(version, uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))


async def published(client: Any, uri: str, version: int | None = None) -> list[types.Diagnostic]:
    """The next diagnostics published for a document, those of a version where one is given."""
    while True:
        params = await asyncio.wait_for(client.publications.get(), 60)
        if params.uri == uri and version in (None, params.version):
            return list(params.diagnostics)


async def actions(client: Any, uri: str, found: types.Diagnostic, only: list[str] | None = None) -> list[Any]:
    context = types.CodeActionContext([found], only=only)
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), found.range, context)
    return list(await client.text_document_code_action_async(params) or [])


def after(text: str, edit: types.WorkspaceEdit, uri: str) -> str:
    changes = list((edit.changes or {}).get(uri, ()))
    for each in edit.document_changes or ():
        changes += each.edits
    return apply(text, [{"range": _plain(change.range), "newText": change.new_text} for change in changes])


def _plain(place: types.Range) -> dict[str, dict[str, int]]:
    ends = (("start", place.start), ("end", place.end))
    return {name: {"line": end.line, "character": end.character} for name, end in ends}


def at(text: str, before: str, back: int = 0) -> types.Position:
    """The position behind some text, or, with a negative `back`, that many characters before its end."""
    head = text[: text.index(before) + len(before) + back]
    return types.Position(head.count("\n"), len(head.rpartition("\n")[2]))


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
