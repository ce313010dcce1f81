"""Constants of the standard library that recipes read."""

from __future__ import annotations

import builtins
import math
import sys

from miles_lint.domain.value import Items, Known, Reason, Unknown, Value
from miles_lint.fold.machine import Machine

_CONSTANTS: dict[str, object] = {
    "os.sep": "/",
    "os.pathsep": ":",
    "os.linesep": "\n",
    "os.path.sep": "/",
    "math.inf": math.inf,
    "math.pi": math.pi,
    "sys.maxsize": sys.maxsize,
}
CONVERTERS = frozenset(("json.loads", "ast.literal_eval", "pathlib.Path", "shlex.split", "yaml.safe_load"))
"""Functions and classes that programs hand on as values; a name from elsewhere may be anything, even false."""


def external_constant(machine: Machine, qualified: str) -> Value | None:
    if qualified in _CONSTANTS:
        value = _CONSTANTS[qualified]
        return machine.text(value) if isinstance(value, str) else Known(value)
    if qualified == "builtins.__dict__":
        return Items(tuple((machine.space.always, machine.text(name)) for name in dir(builtins)), "set")
    if qualified == "sys.argv":
        return Unknown(Reason.OUTSIDE, "sys.argv", list)
    return None
