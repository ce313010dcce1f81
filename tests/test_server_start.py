"""Starting the language server."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time

import pytest


def test_a_missing_library_is_told() -> None:
    program = "import sys; sys.modules['pygls'] = None; from miles_lint.cli import main; sys.exit(main(['server']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert "needs pygls 2 or newer" in done.stderr
    assert "pip install 'miles-lint[server]'" in done.stderr
    assert done.stdout == ""


def test_one_client_over_tcp() -> None:
    pytest.importorskip("pygls", reason="the language server needs pygls")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "miles_lint", "server", "--tcp", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        with _connected(port, server) as connection:
            asked = {"capabilities": {}, "processId": None, "rootUri": None}
            for message in ({"id": 1, "method": "initialize", "params": asked}, {"id": 2, "method": "shutdown"}):
                body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                connection.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            received = b""
            while b'"id": 2' not in received and b'"id":2' not in received:
                received += connection.recv(1 << 16)
            assert b'"miles-lint"' in received
        server.terminate()
        server.communicate(timeout=30)


def _connected(port: int, server: subprocess.Popen[bytes]) -> socket.socket:
    until = time.monotonic() + 30
    while True:
        assert server.poll() is None
        try:
            return socket.create_connection(("127.0.0.1", port), 30)
        except ConnectionRefusedError:
            assert time.monotonic() < until
            time.sleep(0.1)
