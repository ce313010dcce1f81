"""A small language client: JSON-RPC over the standard streams of a server."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

Json = dict[str, Any]
_CAPABILITIES: Json = {
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True, "dataSupport": True},
        "codeAction": {
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["quickfix", "source.fixAll", "source.organizeImports"]}
            },
        },
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}, "configuration": True},
    "general": {"positionEncodings": ["utf-16"]},
}


class Client:
    """Starts a server, speaks to it, and answers its questions about configuration."""

    def __init__(self, command: list[str], root: Path, options: Json, configuration: Json | None = None) -> None:
        self._process = subprocess.Popen(
            command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._messages: queue.Queue[Json | None] = queue.Queue()
        self._notes: list[Json] = []
        self._number = 0
        self._configuration = configuration
        self.errors: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()
        self.root = root
        self.capabilities = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "capabilities": _CAPABILITIES,
                "workspaceFolders": [{"uri": root.as_uri(), "name": "project"}],
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.request("shutdown", None, 5)
            self.notify("exit", None)
            self._process.wait(5)
        except (TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            pass
        finally:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.decode().partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            if not length:
                self._messages.put(None)
                return
            self._messages.put(json.loads(stream.read(length)))

    def _read_errors(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self.errors.append(line.decode(errors="replace"))

    def _write(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def notify(self, method: str, params: object) -> None:
        self._write({"method": method, "params": params})

    def _next(self, until: float) -> Json:
        try:
            message = self._messages.get(timeout=max(until - time.monotonic(), 0.01))
        except queue.Empty:
            raise TimeoutError("".join(self.errors[-20:])) from None
        if message is None:
            raise RuntimeError("the server ended: " + "".join(self.errors[-20:]))
        if "id" in message and "method" in message:
            asked = message.get("params") or {}
            answer = [self._configuration for _ in asked["items"]] if "items" in asked else None
            self._write({"id": message["id"], "result": answer})
        return message

    def request(self, method: str, params: object, timeout: float = 30) -> Any:
        self._number += 1
        number = self._number
        self._write({"id": number, "method": method, "params": params})
        until = time.monotonic() + timeout
        while True:
            message = self._next(until)
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]
            self._notes.append(message)

    def open(self, name: str, text: str) -> str:
        uri = (self.root / name).as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, text: str, version: int) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": text})

    def diagnostics(self, uri: str, timeout: float = 30) -> list[Json]:
        """The next diagnostics that are published for a document."""
        until = time.monotonic() + timeout
        while True:
            for message in self._notes:
                if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                    self._notes.remove(message)
                    found: list[Json] = message["params"]["diagnostics"]
                    return found
            self._notes.append(self._next(until))

    def actions(self, uri: str, range_: Json, diagnostics: list[Json], only: list[str] | None = None) -> list[Json]:
        context: Json = {"diagnostics": diagnostics, **({"only": only} if only else {})}
        params = {"textDocument": {"uri": uri}, "range": range_, "context": context}
        found: list[Json] = self.request("textDocument/codeAction", params) or []
        return found

    def applied(self, action: Json, uri: str, text: str) -> str:
        """The text after an action, which is resolved first when it has no edit yet."""
        if "edit" not in action:
            action = self.request("codeAction/resolve", action)
        edit = action["edit"]
        changes = (edit.get("changes") or {}).get(uri) or []
        for change in edit.get("documentChanges") or []:
            if change["textDocument"]["uri"] == uri:
                changes = change["edits"]
        return apply(text, changes)


def apply(text: str, edits: list[Json]) -> str:
    """A text after LSP edits; positions are in UTF-16 code units."""
    lines = text.splitlines(keepends=True)

    def offset(position: Json) -> int:
        before = sum(map(len, lines[: position["line"]]))
        if position["line"] >= len(lines):
            return len(text)
        units = lines[position["line"]].encode("utf-16-le")[: 2 * position["character"]]
        return before + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda edit: offset(edit["range"]["start"]), reverse=True):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text
