"""Diagnostics that the client asks for: of a document, and of the whole workspace with progress."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from miles_lint.output.context import TOOL
from miles_lint.server.convert import path_of, result_id, uri_of
from miles_lint.server.handlers import feature, guarded
from miles_lint.server.session import Server
from miles_lint.server.workspace import Step, Workspace, known_paths

CHECK_WORKSPACE = "miles-lint.checkWorkspace"
Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


def report_diagnostics(server: Server) -> Workspace:
    """Register pull diagnostics, and the command that publishes those of all files."""
    workspace = Workspace(server)
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=TOOL)

    @feature(server, types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def on_document(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        found = await ls.findings(params.text_document.uri)
        shown = ls.shown(found[0].source, found[1]) if found is not None else []
        name = result_id(shown)
        if name == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=name)
        return types.RelatedFullDocumentDiagnosticReport(items=shown, result_id=name)

    @feature(server, types.WORKSPACE_DIAGNOSTIC)
    async def on_workspace(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        async with _progress(ls, params.work_done_token) as step:
            await workspace.check(step)
        before = {path_of(each.uri): each.value for each in params.previous_result_ids}
        gone = [path for path in before if path not in known_paths(ls)]
        return types.WorkspaceDiagnosticReport([_report(ls, path, before) for path in (*known_paths(ls), *gone)])

    async def check_workspace(ls: Server) -> int:
        async with _progress(ls, None) as step:
            await workspace.check(step)
        return _publish(ls)

    server.command(CHECK_WORKSPACE)(guarded(check_workspace))
    return workspace


def _report(ls: Server, path: str, before: dict[str, str]) -> Report:
    opened = ls.opened(path)
    uri, version = (opened.uri, opened.version) if opened is not None else (uri_of(path), None)
    items = _shown(ls, path)
    name = result_id(items)
    if before.get(path) == name:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri=uri, result_id=name, version=version)
    return types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=items, result_id=name, version=version)


def _publish(ls: Server) -> int:
    """Publish the findings of every file that is not open; how many findings there are in all."""
    total = 0
    told = set(ls.published)
    ls.published.clear()
    for path in dict.fromkeys((*known_paths(ls), *told)):
        shown = _shown(ls, path)
        total += len(shown)
        if ls.opened(path) is None:
            if shown:
                ls.published.add(path)
            if shown or path in told:
                ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri_of(path), shown))
    return total


def _shown(ls: Server, path: str) -> list[types.Diagnostic]:
    source = ls.text(path)
    return ls.shown(source, ls.merged(path)) if source is not None else []


async def _own_token(ls: Server) -> types.ProgressToken | None:
    """A progress bar that the client opens for us; None when it does not."""
    token = str(uuid.uuid4())
    try:
        await ls.work_done_progress.create_async(token)
    except Exception:
        return None
    return token


@asynccontextmanager
async def _progress(ls: Server, token: types.ProgressToken | None) -> AsyncIterator[Step]:
    """Tells how far the work is, under the client's token or one of our own; the first step begins it.

    Steps raise `JsonRpcRequestCancelled` once the user has had enough.
    """
    progress = ls.work_done_progress
    if token is None and ls.client.progress:
        token = await _own_token(ls)
    begun = False

    def step(done: int, total: int, path: str) -> None:
        nonlocal begun
        if token is None:
            return
        if not begun:
            begun = True
            begin = types.WorkDoneProgressBegin("miles-lint", cancellable=True, percentage=0)
            progress.begin(token, begin)
        if progress.tokens[token].cancelled():
            raise JsonRpcRequestCancelled("cancelled by the user")
        name = path.rpartition("/")[2]
        progress.report(token, types.WorkDoneProgressReport(message=name, percentage=100 * done // total))

    try:
        yield step
    finally:
        if token is not None:
            if begun:
                progress.end(token, types.WorkDoneProgressEnd())
            progress.tokens.pop(token, None)
