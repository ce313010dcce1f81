"""String tokens to characters with their places."""

from __future__ import annotations

import re
import unicodedata

from miles_lint.program.nodes import Literal, Run
from miles_lint.source import Span

_TOKEN = re.compile(r"(?s)([A-Za-z]*)('''|\"\"\"|'|\")(.*)")
_ESCAPE = r"\\(?:\r\n|N\{[^}]*\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{1,3}|.)"
_NEWLINE = r"\r\n?"
_BRACES = r"\{\{|\}\}"
_SIMPLE = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_SPECIAL = {
    (raw, braces): re.compile(
        "(?s)" + "|".join([*(() if raw else (_ESCAPE,)), _NEWLINE, *((_BRACES,) if braces else ())])
    )
    for raw in (False, True)
    for braces in (False, True)
}


def split_token(token: str) -> tuple[str, str, str]:
    """Prefix (as written), quotes and body of a string token."""
    match = _TOKEN.match(token)
    if match is None:
        raise ValueError(f"not a string token: {token[:20]!r}")
    prefix, quotes, rest = match.groups()
    return prefix, quotes, rest[: -len(quotes)]


def string_literal(token: str, start: int) -> Literal:
    """The characters of a whole plain string token that begins at offset `start`."""
    prefix, quotes, body = split_token(token)
    offset = start + len(prefix) + len(quotes)
    runs = body_runs(body, offset, raw="r" in prefix.lower(), braces=False)
    return Literal(runs, Span(start, start + len(token)), prefix)


def body_runs(body: str, offset: int, raw: bool, braces: bool) -> tuple[Run, ...]:
    """Characters of a literal body; escapes (and `{{`, `}}` where `braces`) become runs of their own."""
    runs: list[Run] = []
    position = 0
    for found in _SPECIAL[raw, braces].finditer(body):
        start, stop = found.span()
        if start > position:
            runs.append(Run(body[position:start], Span(offset + position, offset + start), True))
        text = _decode(found.group())
        if text:
            runs.append(Run(text, Span(offset + start, offset + stop), False))
        position = stop
    if position < len(body):
        runs.append(Run(body[position:], Span(offset + position, offset + len(body)), True))
    return tuple(runs)


def _decode(written: str) -> str:
    if written in ("{{", "}}"):
        return written[0]
    if written[0] in "\r\n":
        return "\n"
    if written[1:] in ("\r\n", "\n", "\r"):
        return ""
    code = written[1]
    if code in _SIMPLE:
        return _SIMPLE[code]
    if code in "01234567":
        return chr(int(written[1:], 8))
    if code in "xuU" and len(written) > 2:
        return _character(int(written[2:], 16), written)
    if code == "N" and len(written) > 2:
        try:
            return unicodedata.lookup(written[3:-1])
        except KeyError:
            return written
    return written


def _character(number: int, written: str) -> str:
    return chr(number) if number <= 0x10FFFF else written
