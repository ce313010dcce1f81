"""`miles-lint server`: the language server, over standard streams or TCP (extra `server`)."""

from __future__ import annotations

import argparse
import sys

from miles_lint.cli.errors import Failure


def main(argv: list[str]) -> int:
    """Run the server until its client ends it; 0 after an orderly end. Raises `Failure` where pygls 2 is missing."""
    options = _parser().parse_args(argv)
    try:
        import pygls.lsp.server  # noqa: F401
    except ImportError:
        raise Failure("the language server needs pygls 2 or newer", "run `pip install 'miles-lint[server]'`") from None
    from miles_lint.server.features import make

    server = make(options.verbose)
    if options.tcp:
        server.start_tcp(options.host, options.port)
        return 0
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    server.start_io(stdin, stdout)
    return 0 if server.ended else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("miles-lint server", description="Run the language server.")
    parser.add_argument("--stdio", action="store_true", help="speak on the standard streams (the default)")
    parser.add_argument("--tcp", action="store_true", help="listen for one client instead")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=2087, help="the port to listen on (default: 2087)")
    parser.add_argument("-v", "--verbose", action="store_true", help="log to standard error")
    return parser
