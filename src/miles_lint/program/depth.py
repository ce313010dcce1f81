"""How deeply a text nests, estimated without a parser: the native parser of libcst dies of what it cannot hold."""

from __future__ import annotations

import re

BRACKETS = 180
CHAINED = 2_500
_BRACKET = re.compile(r"[(\[{]|[)\]}]")
_LINK = re.compile(
    r"\b(?:and|or|not|lambda|if|elif|else|await|for|in|is)\b|[-+*/%@&|^~<>=.]|[)\]]\s*[(\[]|['\"]\s*\n\s*['\"a-zA-Z]"
)
_STATEMENT = re.compile(r"\n(?=[^\s)\]}#])|;")


def too_deep(text: str) -> bool:
    """Whether brackets are nested deeper, or one statement chains more operators, than the parser can be trusted with.

    Brackets in strings and comments count too. The limits are far above what people write: CPython refuses 200
    nested brackets, libcst 1.9 dies at 1,200 of them and at some thousands of chained operators (8 MB of stack).
    """
    depth = deepest = 0
    for found in _BRACKET.finditer(text):
        if found.group() in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif depth:
            depth -= 1
    if deepest > BRACKETS:
        return True
    if len(text) < 2 * CHAINED:
        return False
    if text.count("elif ") > CHAINED:
        return True
    return any(_chained(statement) for statement in _STATEMENT.split(text))


def _chained(statement: str) -> bool:
    """Whether one run of operators without an end of line at its own level is too long."""
    if len(statement) < 2 * CHAINED:
        return False
    lines = statement.split("\n")
    longest = max(map(len, lines))
    links = sum(1 for _ in _LINK.finditer(statement))
    return links > CHAINED * (1 if longest > CHAINED else 8)
