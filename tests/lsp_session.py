"""A client of the language server for tests: how it starts, speaks and listens."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")
pytest.importorskip("pytest_lsp", reason="pytest-lsp drives the server")
import pytest_lsp
from clients.lsp import apply
from lsprotocol import types

RECIPES = Path(__file__).parent / "fixtures" / "recipes"
DAYTONA = (RECIPES / "daytona.py").read_text()
BAD = "--rollout-function-path miles.rollout.fully_async_rollout.FullyAsyncRolloutFn "
FIXED = DAYTONA.replace(BAD, "--fully-async ")
COMMAND = [sys.executable, "-m", "miles_lint", "server"]


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


def own_project(root: Path, name: str) -> Path:
    """A directory below the folder of a client, for one test, with one recipe."""
    directory = root / re.sub(r"\W", "_", name)
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
