"""The state of one session: open texts, what is known of them, and what their client was told."""

from __future__ import annotations

import asyncio
import tempfile
import traceback
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from miles_lint import __version__
from miles_lint.cli.run import Outcome, gather
from miles_lint.diagnostic import Diagnostic
from miles_lint.files import ReadError, read
from miles_lint.output.context import TOOL
from miles_lint.server.analysis import Analysis
from miles_lint.server.client import Client
from miles_lint.server.configuration import Configuration
from miles_lint.server.convert import diagnostic, path_of
from miles_lint.server.worker import Worker
from miles_lint.source import Source

DEBOUNCE = 0.25
"""Seconds of silence after a change before the text is checked."""
T = TypeVar("T")


class Protocol(LanguageServerProtocol):
    """The protocol with UTF-16 positions, which every client must know (LSP 3.17)."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = [types.PositionEncodingKind.Utf16]
        return (yield from super().lsp_initialize(params))


class Server(LanguageServer):
    """The language server. Texts are sent whole: pygls 2 cuts rows at characters that are no newlines to Python."""

    def __init__(self) -> None:
        super().__init__(TOOL, __version__, types.TextDocumentSyncKind.Full, protocol_cls=Protocol)
        self.ended = False
        self.loop: asyncio.AbstractEventLoop | None = None
        self.worker = Worker()
        self.client = Client(types.ClientCapabilities())
        self.configuration = Configuration("/", self.warn)
        self.analyses: dict[str, Analysis] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.elsewhere: dict[str, Outcome] = {}
        self.options: object = None
        self.published: set[str] = set()
        self.scratch: tempfile.TemporaryDirectory[str] | None = None
        self.epoch = 0
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def warn(self, message: str) -> None:
        """Tell the user of a problem, from any thread."""
        self._show(types.MessageType.Warning, message)

    def inform(self, message: str) -> None:
        """Tell the user what goes on, from any thread; a warning stays one."""
        warning = message.startswith("warning: ")
        self._show(types.MessageType.Warning if warning else types.MessageType.Info, message.removeprefix("warning: "))

    def _show(self, kind: types.MessageType, message: str) -> None:
        shown = types.ShowMessageParams(kind, f"{TOOL}: {message}")
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.window_show_message, shown)

    def log(self, message: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Errors outside of requests go to the client's log, not to its user."""
        self.log(f"{type(error).__name__}: {error}")

    def remember(self, uri: str, language: str | None = None) -> None:
        """Take over the present text of an open document."""
        document = self.workspace.get_text_document(uri)
        path = path_of(uri)
        known = self.analyses.get(uri)
        if known is None and language not in (None, "", "python") and not path.endswith(".py"):
            return
        settings = self.configuration.for_file(path)
        source = Source.from_text(path, document.source)
        self.epoch += 1
        if known is None:
            self.analyses[uri] = Analysis(uri, document.version, source, settings)
        else:
            self.analyses[uri] = known.succeeded_by(document.version, source, settings)

    def forget(self, uri: str) -> None:
        """Drop a closed document, and what its client shows of it."""
        self.epoch += 1
        task = self._waiting.pop(uri, None)
        if task is not None:
            task.cancel()
        closed = self.analyses.pop(uri, None)
        if closed is not None:
            self.outcomes.pop(closed.path, None)
            if self.client.push:
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def end(self) -> None:
        """Start nothing more: the client is about to leave."""
        self.ended = True
        for task in self._waiting.values():
            task.cancel()
        self.worker.close()

    def renew(self, uris: Iterable[str]) -> None:
        """Look at documents again: settings or other files have changed."""
        for uri in uris:
            self.remember(uri)
            if self.client.push:
                self.schedule(uri, 0)
        if not self.client.push and self.client.diagnostic_refresh:
            self.workspace_diagnostic_refresh(None)
        if self.client.lens_refresh:
            self.workspace_code_lens_refresh(None)

    async def ask(self, uri: str, question: Callable[[Analysis], T]) -> T | None:
        """What a question finds out about the present version of a document; None for one that is not open.

        Raises `JsonRpcContentModified` when a newer version came in meanwhile.
        """
        analysis = self.analyses.get(uri)
        if analysis is None:
            return None

        def job() -> T:
            self._insist(analysis)
            return question(analysis)

        answer = await self.worker.run(job)
        self._insist(analysis)
        return answer

    def _insist(self, analysis: Analysis) -> None:
        if self.analyses.get(analysis.uri) is not analysis:
            raise JsonRpcContentModified("a newer version of the text is known")

    async def findings(self, uri: str) -> tuple[Analysis, tuple[Diagnostic, ...]] | None:
        """The findings in the present version of a document, those that other known files make in it included."""
        outcome = await self.ask(uri, lambda analysis: analysis.outcome)
        if outcome is None:
            return None
        self._keep(outcome)
        return self.analyses[uri], self.merged(outcome.path)

    def merged(self, path: str) -> tuple[Diagnostic, ...]:
        """What is known to be wrong in a file that was checked."""
        known = {**self.elsewhere, **self.outcomes}
        involved = [each for each in known.values() if each.path == path or path in _foreign(each)]
        return next((each.report.diagnostics for each in gather(involved) if each.path == path), ())

    def _keep(self, outcome: Outcome) -> None:
        """Remember an outcome, and tell the client about other documents in which it changes something."""
        if outcome.failure is not None:
            self.log(f"{outcome.path}: internal error: {outcome.failure}")
        before = self.outcomes.get(outcome.path)
        self.outcomes[outcome.path] = outcome
        old, new = _foreign(before) if before is not None else {}, _foreign(outcome)
        touched = [path for path in {*old, *new} if old.get(path) != new.get(path) and path != outcome.path]
        others = [uri for uri, each in self.analyses.items() if each.path in touched]
        if others and self.client.push:
            for uri in others:
                self.schedule(uri, 0)
        elif others and self.client.diagnostic_refresh:
            self.workspace_diagnostic_refresh(None)

    def schedule(self, uri: str, delay: float) -> None:
        """Check a document and publish what is found, after some seconds without a further change."""
        task = self._waiting.pop(uri, None)
        if task is not None:
            task.cancel()
        if self.client.push and uri in self.analyses:
            self._waiting[uri] = asyncio.ensure_future(self._publish(uri, delay))

    async def _publish(self, uri: str, delay: float) -> None:
        if delay:
            await asyncio.sleep(delay)
        try:
            found = await self.findings(uri)
        except JsonRpcContentModified:
            return
        except Exception:
            self.log(traceback.format_exc())
            return
        if found is not None:
            analysis, diagnostics = found
            shown = self.shown(analysis.source, diagnostics)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, analysis.version))

    def shown(self, source: Source, found: Iterable[Diagnostic]) -> list[types.Diagnostic]:
        """Findings in a source as the client is told them."""
        return [diagnostic(each, source, self.text, self.client.related) for each in found]

    def opened(self, path: str) -> Analysis | None:
        """The open document of a file; addresses are spelled as each client likes, so paths are compared."""
        return next((each for each in self.analyses.values() if each.path == path), None)

    def text(self, path: str) -> Source | None:
        """The text of a file: as it is open, else as it is on disk; None when it cannot be read."""
        opened = self.opened(path)
        if opened is not None:
            return opened.source
        try:
            return read(path).source
        except ReadError:
            return None


def _foreign(outcome: Outcome) -> dict[str, list[Diagnostic]]:
    """The findings of an outcome in other files, by file."""
    found: dict[str, list[Diagnostic]] = {}
    for each in outcome.report.diagnostics:
        if each.place.path != outcome.path:
            found.setdefault(each.place.path, []).append(each)
    return found
