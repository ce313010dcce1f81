"""The command line: `miles-lint`, and `miles-lint-ruff` for clients that speak to ruff.

Exit codes: 0 clean, 1 findings, 2 could not run. No traceback is ever shown; `MILES_LINT_TRACEBACK` set to
anything shows it after the message.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from miles_lint import __version__

RUFF_VERSION = "0.17.6"


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point of `miles-lint`."""
    return _guarded(list(sys.argv[1:] if argv is None else argv), "miles-lint", f"miles-lint {__version__}")


def ruff_main(argv: Sequence[str] | None = None) -> int:
    """The entry point of `miles-lint-ruff`, whose version line ruff-lsp, trunk and ALE accept as ruff's."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return _guarded(arguments, "miles-lint-ruff", f"ruff {RUFF_VERSION}+miles.{__version__}")


def _guarded(argv: list[str], program: str, version: str) -> int:
    if argv in (["--version"], ["-V"]):
        print(version)
        return 0
    _open_closed_streams()
    try:
        from miles_lint.cli.dispatch import dispatch

        code = dispatch(argv, program, version)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return 130
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 2 * bool(ended.code)
    except OSError as error:
        return _failed(program, f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except Exception as error:
        return _failed(program, f"internal error: {type(error).__name__}: {error}")


def _failed(program: str, cause: str) -> int:
    print(f"{program} failed\n  Cause: {cause}", file=sys.stderr)
    if os.environ.get("MILES_LINT_TRACEBACK"):
        import traceback

        traceback.print_exc()
    return 2


def _open_closed_streams() -> None:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
