"""What a client may ask about a text, and the commands it may give."""

from __future__ import annotations

import logging
from typing import Any

from lsprotocol import types

from miles_lint.server import actions, completion, definition, hover, lens
from miles_lint.server.documents import watch_documents
from miles_lint.server.handlers import feature, guarded
from miles_lint.server.reports import report_diagnostics
from miles_lint.server.session import Server
from miles_lint.server.virtual import show


def make(verbose: bool = False) -> Server:
    """A server with all its features."""
    logging.basicConfig(level=logging.INFO if verbose else logging.CRITICAL)
    server = Server()
    workspace = report_diagnostics(server)
    watch_documents(server, workspace)
    _answer(server)
    _act(server)

    async def show_command(ls: Server, uri: str, index: int) -> str | None:
        text = await ls.ask(uri, lambda analysis: lens.command(analysis, index))
        if text is not None:
            show(ls, uri, text)
        return text

    server.command(lens.SHOW_COMMAND)(guarded(show_command))
    return server


def _answer(server: Server) -> None:
    """Questions about one place of a text."""

    @feature(server, types.TEXT_DOCUMENT_HOVER)
    async def on_hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        return await ls.ask(params.text_document.uri, lambda analysis: hover.hover(analysis, params.position))

    @feature(server, types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(ls: Server, params: types.DefinitionParams) -> types.Location | None:
        uri, place = params.text_document.uri, params.position
        return await ls.ask(uri, lambda analysis: definition.definition(analysis, place))

    options = types.CompletionOptions(list(completion.TRIGGERS), resolve_provider=True)

    @feature(server, types.TEXT_DOCUMENT_COMPLETION, options)
    async def on_completion(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
        uri, place = params.text_document.uri, params.position
        return await ls.ask(uri, lambda analysis: completion.completion(analysis, place))

    @feature(server, types.COMPLETION_ITEM_RESOLVE)
    async def on_completion_resolve(ls: Server, item: types.CompletionItem) -> types.CompletionItem:
        return await ls.ask(_uri(item.data), lambda analysis: completion.resolve(item, analysis)) or item

    @feature(server, types.TEXT_DOCUMENT_CODE_LENS)
    async def on_code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        return await ls.ask(params.text_document.uri, lens.lenses)


def _act(server: Server) -> None:
    """Code actions."""
    options = types.CodeActionOptions(code_action_kinds=list(actions.KINDS), resolve_provider=True)

    @feature(server, types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def on_code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        found = await ls.findings(params.text_document.uri)
        if found is None:
            return None
        diagnostics, client = found[1], ls.client
        only = params.context.only
        return await ls.ask(
            params.text_document.uri,
            lambda analysis: actions.actions(
                analysis, diagnostics, params.range, only, ls.text, client.versioned_edits, client.lazy_actions
            ),
        )

    @feature(server, types.CODE_ACTION_RESOLVE)
    async def on_code_action_resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
        versioned = ls.client.versioned_edits
        return await ls.ask(_uri(action.data), lambda analysis: actions.resolve(action, analysis, versioned)) or action


def _uri(data: Any) -> str:
    """The document that an action or item is about."""
    return str(data.get("uri")) if isinstance(data, dict) else ""
