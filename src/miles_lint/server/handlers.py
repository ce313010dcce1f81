"""Registering handlers so that no exception of ours reaches the client."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from pygls.exceptions import JsonRpcException

from miles_lint.server.session import Server

Handler = Callable[..., Awaitable[Any]]


def guarded(handler: Handler) -> Handler:
    """A handler that logs what it raises and answers nothing then; errors of the protocol pass."""

    @functools.wraps(handler)
    async def run(ls: Server, *arguments: Any) -> Any:
        try:
            return await handler(ls, *arguments)
        except JsonRpcException:
            raise
        except Exception:
            ls.log(traceback.format_exc())
            return None

    return run


def feature(server: Server, name: str, options: object = None) -> Callable[[Handler], Handler]:
    """Register an asynchronous handler whose first parameter is `ls`."""

    def register(handler: Handler) -> Handler:
        server.feature(name, options)(guarded(handler))
        return handler

    return register
