"""Showing a longer text to the user: as a document where the client can, else as a message."""

from __future__ import annotations

import os
import tempfile

from lsprotocol import types

from miles_lint.server.convert import path_of, uri_of
from miles_lint.server.session import Server


def show(server: Server, uri: str, text: str) -> None:
    """Show the command of a launch of a document, in a temporary file that ends with the server."""
    if not server.client.shows_documents:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
        return
    if server.scratch is None:
        server.scratch = tempfile.TemporaryDirectory(prefix="miles-lint-")
    stem = os.path.splitext(os.path.basename(path_of(uri)))[0]
    path = os.path.join(server.scratch.name, f"{stem}.sh")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text + "\n")
    server.window_show_document(types.ShowDocumentParams(uri_of(path), take_focus=True))
