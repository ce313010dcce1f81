"""The life of a session and of its documents: opening, changing, saving, settings, files on disk."""

from __future__ import annotations

import asyncio
import os
from importlib import import_module
from typing import Any

from lsprotocol import types

from miles_lint.contract import live
from miles_lint.server.client import Client
from miles_lint.server.configuration import SECTION, WATCHED, Configuration
from miles_lint.server.convert import path_of
from miles_lint.server.handlers import feature
from miles_lint.server.session import DEBOUNCE, Server
from miles_lint.server.workspace import Workspace, roots_of


def watch_documents(server: Server, workspace: Workspace) -> None:
    """Register everything that a client tells without asking."""
    _lifecycle(server, workspace)
    _documents(server)
    _surroundings(server, workspace)


def _lifecycle(server: Server, workspace: Workspace) -> None:
    @feature(server, types.INITIALIZE)
    async def on_initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.loop = asyncio.get_running_loop()
        ls.client = Client(params.capabilities)
        live.tell = ls.inform
        root = next(roots_of(ls), os.getcwd())
        ls.configuration = Configuration(root, ls.warn)
        given = params.initialization_options
        ls.options = _table(given, "settings") if _table(given, "settings") is not None else given
        ls.configuration.take(ls.options)

    @feature(server, types.INITIALIZED)
    async def on_initialized(ls: Server, params: types.InitializedParams) -> None:
        await _register(ls)
        await _configure(ls, workspace, None)
        await ls.worker.run(lambda: import_module("miles_lint.check"))

    @feature(server, types.SHUTDOWN)
    async def on_shutdown(ls: Server, *_: object) -> None:
        ls.end()


def _documents(server: Server) -> None:
    @feature(server, types.TEXT_DOCUMENT_DID_OPEN)
    async def on_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        ls.remember(document.uri, document.language_id)
        ls.schedule(document.uri, 0)

    @feature(server, types.TEXT_DOCUMENT_DID_CHANGE)
    async def on_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in ls.analyses:
            ls.remember(uri)
            ls.schedule(uri, DEBOUNCE)

    @feature(server, types.TEXT_DOCUMENT_DID_CLOSE)
    async def on_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.forget(params.text_document.uri)

    @feature(server, types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    async def on_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.schedule(params.text_document.uri, 0)
        if not ls.client.watches:
            _changed_on_disk(ls, {path_of(params.text_document.uri)})


def _surroundings(server: Server, workspace: Workspace) -> None:
    @feature(server, types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def on_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        await _configure(ls, workspace, params.settings)

    @feature(server, types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_watched(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        paths = {path_of(change.uri) for change in params.changes}
        if any(path.endswith(".toml") for path in paths):
            workspace.forget()
        _changed_on_disk(ls, paths)

    @feature(server, types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def on_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.epoch += 1


def _changed_on_disk(ls: Server, paths: set[str]) -> None:
    """Look again at every open document that is not itself all that changed: it may read the others.

    A recipe is part of no checkout's flags, so saving one forgets nothing.
    """
    recipes = {analysis.path for analysis in ls.analyses.values() if analysis.recipe}
    if not paths <= recipes:
        ls.configuration.forget()
    ls.epoch += 1
    ls.renew([uri for uri, analysis in ls.analyses.items() if paths != {analysis.path}])


async def _register(ls: Server) -> None:
    """Ask for news of files and settings, where the client lets a server ask."""
    wanted: list[types.Registration] = []
    if ls.client.watches:
        watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        wanted.append(types.Registration("files", method, options))
    if ls.client.can("workspace.did_change_configuration.dynamic_registration"):
        section = types.DidChangeConfigurationRegistrationOptions(SECTION)
        wanted.append(types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if wanted:
        await ls.client_register_capability_async(types.RegistrationParams(wanted))


async def _configure(ls: Server, workspace: Workspace, sent: object) -> None:
    """Take over the editor's settings: asked for, or as they were sent; those of the start stay beneath."""
    given: object = _table(sent, SECTION)
    if ls.client.configures:
        items = [types.ConfigurationItem(section=SECTION)]
        given = next(iter(await ls.workspace_configuration_async(types.ConfigurationParams(items))), None)
    table = {**(_mapping(ls.options) or {}), **(_mapping(given) or {})}
    if ls.configuration.take(table):
        ls.epoch += 1
        workspace.forget()
        ls.renew(list(ls.analyses))


def _table(given: object, name: str) -> dict[str, Any] | None:
    """A table inside a table from the client."""
    outer = _mapping(given)
    return _mapping(outer.get(name)) if outer is not None else None


def _mapping(given: object) -> dict[str, Any] | None:
    return given if isinstance(given, dict) else None
