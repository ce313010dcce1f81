"""How deeply a text nests, estimated without a parser: the native parser of libcst dies of what it cannot hold."""

from __future__ import annotations

import re

BRACKETS = 180
CHAINED = 2_500
_BRACKET = re.compile(r"[(\[{]|[)\]}]")
_LINK = re.compile(
    r"\b(?:and|or|not|lambda|if|elif|else|await|for|in|is)\b|[-+*/%@&|^~<>=.]|[)\]]\s*[(\[]|['\"]\s*\n\s*['\"a-zA-Z]"
)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_COMMENT = re.compile(r"#.*")
_STEP = re.compile(
    r"(?P<on>[)\]]\s*[(\[])|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<end>(?<!\\)\n|;)|" + _LINK.pattern
)


def too_deep(text: str) -> bool:
    """Whether brackets are nested deeper, or one statement chains more operators, than the parser can be trusted with.

    Brackets in strings and comments count too. The limits are far above what people write: CPython
    refuses 200 nested brackets, libcst 1.9 dies at 1,200 of them and at some thousands of chained operators (8 MB
    of stack).
    """
    depth = deepest = 0
    for found in _BRACKET.finditer(text):
        if found.group() in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif depth:
            depth -= 1
    if deepest > BRACKETS or text.count("elif ") > CHAINED:
        return True
    if len(text) < 2 * CHAINED or _links(text) < CHAINED:
        return False
    return _longest_chain(_COMMENT.sub("", _STRING.sub('""', text))) > CHAINED


def _links(text: str) -> int:
    return sum(1 for _ in _LINK.finditer(text))


def _longest_chain(text: str) -> int:
    """The most operators that stand inside one another: between two commas of each bracket, and ends of statements."""
    chains, chain, longest = [0], 0, 0
    for found in _STEP.finditer(text):
        kind = found.lastgroup
        if kind == "open":
            chains.append(0)
        elif kind == "close":
            chain -= chains.pop()
            chains = chains or [0]
        elif kind == "comma" or (len(chains) == 1 and (kind == "end" or "\n" in found.group())):
            chain -= chains[-1]
            chains[-1] = 0
        elif kind != "end":
            chain, chains[-1] = chain + 1, chains[-1] + 1
            longest = max(longest, chain)
    return longest
