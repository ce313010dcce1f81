"""A file of which only the top level is read at once: its functions and classes are lowered when they are needed.

Most of what a recipe imports is never called. Cutting a text between its top-level statements takes a scan for
strings, comments and brackets, a tenth of the time that parsing it takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from miles_lint.program import nodes as n
from miles_lint.program.lower import Mentions, lower, lower_part
from miles_lint.program.names import bound, reaches_behind, scopes, within
from miles_lint.program.program import Globals, Program
from miles_lint.program.walk import assigned_names
from miles_lint.sniff import might_launch
from miles_lint.source import Source, Span

_TOKEN = re.compile(
    r"""
    \#[^\n]*
    | \"{3}(?:[^"\\]|\\.|"(?!""))*\"{3} | \'{3}(?:[^'\\]|\\.|'(?!''))*\'{3}
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | (?P<open>[(\[{]) | (?P<close>[)\]}])
    | (?P<joined>\\\r?\n)
    | (?P<start>(?:\A|(?<=\n))\f*(?=[^\s\#]))
    """,
    re.VERBOSE | re.DOTALL,
)
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")
_DEFINITION = re.compile(r"(?:async\s+)?(?:def|class)\s+(\w+)")
_DECORATED = re.compile(r"(?:.*\n)*?(?:async\s+)?(?:def|class)\s+(\w+)")
_ODD = re.compile(r"\r(?!\n)|[^\n\f]\f|\f[ \t]|\ufeff")
_BEHIND = re.compile(r"\b(?:locals|globals|vars|exec|eval)\b|\bimport\s*\*")


@dataclass(frozen=True, eq=False)
class Part:
    """A stretch of top-level statements; `name` is that of the one function or class it is, else empty."""

    text: str
    start: int
    name: str = ""

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.text))

    @cached_property
    def lowered(self) -> tuple[n.Block, Mentions]:
        """What is no Python is one opaque statement."""
        unread = n.ExprStmt(n.Opaque("code that cannot be read", self.span), self.span)
        return lower_part(self.text, self.start) or ((unread,), {})


@dataclass(frozen=True, eq=False)
class Outline(Globals):
    """A program whose functions and classes are lowered one by one."""

    path: str
    parts: tuple[Part, ...]
    launches: bool = True

    @property
    def empty(self) -> bool:
        return not self.parts

    @cached_property
    def _statements(self) -> tuple[tuple[Part, int], ...]:
        """Where each top-level statement is: its part and its position there."""
        return tuple(
            (part, position) for part in self.parts for position in range(1 if part.name else len(part.lowered[0]))
        )

    def statement(self, index: int) -> n.Stmt:
        part, position = self._statements[index]
        return part.lowered[0][position]

    def mentioned(self, name: str) -> frozenset[object]:
        word = re.compile(rf"\b{re.escape(name)}\b")
        holding = (part for part in self.parts if name in part.text and word.search(part.text))
        found = (part.lowered[1].get(name, frozenset()) for part in holding)
        return frozenset().union(*found)

    @cached_property
    def binders(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for index, (part, _) in enumerate(self._statements):
            for name in (part.name,) if part.name else assigned_names((self.statement(index),)):
                found.setdefault(name, []).append(index)
        return {name: tuple(indices) for name, indices in found.items()}

    @cached_property
    def dynamic(self) -> bool:
        return any(reaches_behind(part.lowered[0]) for part in self.parts if _BEHIND.search(part.text))

    def binds(self, name: str) -> bool:
        if name in self.binders:
            return True
        word = re.compile(rf"\bglobal\b.*\b{re.escape(name)}\b")
        return any(name in bound(part.lowered[0]) for part in self.parts if not part.name) or any(
            word.search(part.text) for part in self.parts
        )

    def scopes_at(self, place: Span) -> tuple[n.Scoped, ...]:
        around = (part for part in self.parts if within(place, part.span))
        return tuple(s for part in around for s in scopes(part.lowered[0]) if within(place, s.span))


def program_of(source: Source) -> Program:
    """As `lower`, part by part: what was lowered already for another file is not parsed again."""
    parts = outline(source)
    if isinstance(parts, Program):
        return parts
    lowered = [lower_part(part.text, part.start) for part in parts.parts]
    body: list[n.Stmt] = []
    mentions: dict[str, frozenset[object]] = {}
    for found in lowered:
        if found is None:
            return lower(source)
        body += found[0]
        for name, values in found[1].items():
            mentions[name] = mentions[name] | values if name in mentions else values
    return Program(source.path, tuple(body), mentions, parts.launches)


def outline(source: Source) -> Program | Outline:
    """The program of a source, what it defines lowered when it is asked for. Raises as `lower` does."""
    if _ODD.search(source.text):
        return lower(source)
    return Outline(source.path, tuple(_parts(source.text)), might_launch(source.text))


def _parts(text: str) -> Iterator[Part]:
    """The text cut between its top-level statements; what is no function or class stays together.

    A form feed is cut off: it means nothing before a statement, and the parser forgets that it was there.
    """
    begin = 0
    name = ""
    for start in _starts(text):
        defined = _defined(text, start)
        if start and (name or defined or text[start - 1] == "\f"):
            yield Part(text[begin:start], begin, name)
            begin = start
        name = defined
    if begin < len(text):
        yield Part(text[begin:], begin, name)


def _starts(text: str) -> Iterator[int]:
    """The offsets at which top-level statements begin, decorators with what they decorate."""
    depth, joined = 0, -1
    decorated = False
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(depth - 1, 0)
        elif kind == "joined":
            joined = token.end()
        elif kind == "start" and depth == 0 and token.start() != joined:
            offset = token.end()
            if not decorated and not _CONTINUES.match(text, offset):
                yield offset
            decorated = text[offset] == "@"


def _defined(text: str, start: int) -> str:
    """The name of the function or class that a statement is, or empty."""
    found = _DECORATED.match(text, start) if text[start] == "@" else _DEFINITION.match(text, start)
    return found.group(1) if found is not None else ""
