"""String literals around a cursor, found without a parser so that half-written text has them too."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from miles_lint.source import Span

_TOKEN = re.compile(
    r"""(?xs)
    \#[^\r\n]*
    | (?<!\w) (?:[rRbBuUfFtT]{1,2}(?=["']))?
      (?: (?P<triple>\"{3}|'{3}) (?P<long>(?:[^\\]|\\.)*?) (?:(?P=triple)|\Z)
        | (?P<quote>["'])        (?P<short>(?:(?!(?P=quote))[^\\\r\n]|\\(?:\r\n|.))*) (?P=quote)? )
    """
)
_BETWEEN = re.compile(r"(?:[\s,+\\()\[\]{}]|#[^\r\n]*)*")
_FLAG = re.compile(r"-{1,2}[A-Za-z][\w.-]*")
_PARTIAL = re.compile(r"-[\w.-]*\Z")
_REST = re.compile(r"[\w.-]*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a literal at a cursor.

    `typed` is the part before the cursor, `span` the whole of it; `before` is the word in front of it, also from
    the literal before when only punctuation lies between; empty when there is none.
    """

    typed: str
    span: Span
    before: str


@lru_cache(maxsize=16)
def literals(text: str) -> tuple[Span, ...]:
    """The bodies of the string literals of a text, in order; one that is not closed ends with its line or the text."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = "long" if match["triple"] else "short"
        if match["triple"] or match["quote"]:
            found.append(Span(*match.span(kind)))
    return tuple(found)


def literal_at(text: str, offset: int) -> int | None:
    """The index in `literals` of the one whose body holds an offset, its ends included."""
    bodies = literals(text)
    index = bisect_right(bodies, offset, key=lambda body: body.start) - 1
    return index if index >= 0 and offset <= bodies[index].end else None


def word_at(text: str, offset: int) -> Word | None:
    """The word of a string literal that ends at, or contains, an offset; it may be empty. None outside literals."""
    index = literal_at(text, offset)
    if index is None:
        return None
    body = literals(text)[index]
    typed = re.split(r"[\s{}]", text[body.start : offset])[-1]
    rest = _REST.match(text, offset, body.end)
    end = rest.end() if rest is not None else offset
    start = offset - len(typed)
    before = text[body.start : start].split()
    return Word(typed, Span(start, end), before[-1] if before else _last_word(text, index))


def _last_word(text: str, index: int) -> str:
    """The last word of the literal before the one at `index`, when nothing but punctuation lies between them."""
    bodies = literals(text)
    if index == 0:
        return ""
    before, body = bodies[index - 1], bodies[index]
    between = text[before.end : body.start].strip("\"'")
    between = re.sub(r"[rRbBuUfFtT]{1,2}\Z", "", between)
    if _BETWEEN.fullmatch(between) is None:
        return ""
    words = text[before.start : before.end].split()
    return words[-1] if words else ""


def flag_at(text: str, offset: int) -> tuple[str, Span] | None:
    """The option string in a literal at an offset, as written."""
    index = literal_at(text, offset)
    if index is None:
        return None
    body = literals(text)[index]
    for match in _FLAG.finditer(text, body.start, body.end):
        in_front = text[match.start() - 1 : match.start()] if match.start() > body.start else " "
        if match.start() <= offset <= match.end() and not (in_front.isalnum() or in_front in "-_."):
            return match[0], Span(*match.span())
    return None


def looks_like_flags(text: str, offset: int) -> bool:
    """Whether the literal at an offset holds an option string, or the beginning of one at its start."""
    index = literal_at(text, offset)
    if index is None:
        return False
    body = literals(text)[index]
    content = text[body.start : body.end]
    return content.lstrip().startswith("-") or re.search(r"(?:^|[\s}])--?[A-Za-z]", content) is not None


def partial_flag(typed: str) -> bool:
    """Whether what was typed of a word could become an option string."""
    return _PARTIAL.match(typed) is not None
