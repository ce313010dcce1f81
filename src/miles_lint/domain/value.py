"""Values of the fold: known, partly known, alternative, unknown.

Everything here is immutable and refuses `bool()`; lists, dicts and objects that a program may change
live in the fold's heap and are named by `Ref`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn, Union

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import Term


class Reason(Enum):
    """Why a value is not known; the word is what `miles-lint fold` prints."""

    KNOB = "knob"
    ENVIRONMENT = "environment"
    PARAMETER = "parameter"
    NAME = "name not found"
    IMPORT = "import not followed"
    CALL = "call not understood"
    ATTRIBUTE = "attribute not understood"
    SUBSCRIPT = "subscript not understood"
    OPERATION = "operation not understood"
    SYNTAX = "construct not understood"
    LOOP = "loop not unrolled"
    OUTSIDE = "known only when it runs"
    BUDGET = "budget reached"
    FLAG = "flag"


class _NoBool:
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a folded value has no truth of its own: ask the fold for a guard")


@dataclass(frozen=True, slots=True)
class Known(_NoBool):
    """A scalar that is not a string: None, a bool, a number, bytes, Ellipsis."""

    value: object
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Unknown(_NoBool):
    """A value that is not known: why, what is said about it, its Python type and symbolic form if known."""

    reason: Reason
    detail: str = ""
    type: type | None = None
    term: Term | None = None
    origin: Origin | None = None

    def __str__(self) -> str:
        return f"⟨{self.detail or self.reason.value}⟩"


@dataclass(frozen=True, slots=True)
class Chars:
    """Characters present under a guard. `exact`: they stand one to one at the origin; `quoted`: in shell quotes."""

    text: str
    guard: Guard
    origin: Origin | None = None
    exact: bool = False
    quoted: bool = False

    def slice(self, start: int, stop: int) -> Chars:
        origin = self.origin.slice(start, stop) if self.exact and self.origin is not None else self.origin
        return Chars(self.text[start:stop], self.guard, origin, self.exact, self.quoted)

    def guarded(self, guard: Guard) -> Chars:
        """The same characters under another guard."""
        return Chars(self.text, guard, self.origin, self.exact, self.quoted)


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of a string that is not known, present under a guard."""

    unknown: Unknown
    guard: Guard
    origin: Origin | None = None
    quoted: bool = False

    def guarded(self, guard: Guard) -> Hole:
        """The same hole under another guard."""
        return Hole(self.unknown, guard, self.origin, self.quoted)


Piece = Union[Chars, Hole]


@dataclass(frozen=True, slots=True)
class Text(_NoBool):
    """A string as guarded pieces: under an assignment it is the pieces whose guards hold, in order."""

    pieces: tuple[Piece, ...] = ()

    def __add__(self, other: Text) -> Text:
        return Text(self.pieces + other.pieces)

    @property
    def plain(self) -> str | None:
        """The string, when it has neither holes nor conditional parts."""
        if all(isinstance(piece, Chars) and piece.guard.certain for piece in self.pieces):
            return "".join(piece.text for piece in self.pieces if isinstance(piece, Chars))
        return None

    def under(self, guard: Guard) -> Text:
        """Each piece narrowed to a guard; impossible pieces are dropped."""
        if guard.certain:
            return self
        narrowed = ((piece, piece.guard & guard) for piece in self.pieces)
        return Text(
            tuple(
                piece if kept is piece.guard else piece.guarded(kept)
                for piece, kept in narrowed
                if not kept.impossible
            )
        )

    def shown(self) -> str:
        """The text for people: holes as ⟨what they are⟩, guards left out."""
        return "".join(piece.text if isinstance(piece, Chars) else str(piece.unknown) for piece in self.pieces)

    def __str__(self) -> str:
        return self.shown()


@dataclass(frozen=True, slots=True)
class Items(_NoBool):
    """An immutable sequence (tuple, set, range) of guarded elements."""

    items: tuple[tuple[Guard, Value], ...]
    kind: str = "tuple"
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Ref(_NoBool):
    """A list, dict or object in the fold's heap."""

    cell: int


@dataclass(frozen=True, slots=True)
class Callee(_NoBool):
    """Something that can be called or asked for attributes: a function, class, module, builtin, bound method.

    `kind` says which; `target` is the fold's own description of it and `bound` what was bound before.
    """

    kind: str
    name: str
    target: object = None
    bound: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice(_NoBool):
    """Guarded alternatives whose guards do not overlap; none of them is itself a Choice."""

    options: tuple[tuple[Guard, Value], ...]


Value = Union[Known, Unknown, Text, Items, Ref, Callee, Choice]


def options_of(value: Value, live: Guard) -> Iterator[tuple[Guard, Value]]:
    """The alternatives of a value that are possible under `live`, each with its guard narrowed to it."""
    if not isinstance(value, Choice):
        yield live, value
        return
    for guard, option in value.options:
        narrowed = guard & live
        if not narrowed.impossible:
            yield narrowed, option


def choose(options: Iterable[tuple[Guard, Value]]) -> Value:
    """The value that is each option under its guard; equal options are joined, strings merge piecewise."""
    leaves: list[tuple[Guard, Value]] = []
    for guard, value in options:
        if guard.impossible:
            continue
        if isinstance(value, Choice):
            leaves.extend((kept, leaf) for kept, leaf in options_of(value, guard))
        else:
            leaves.append((guard, value))
    joined: list[tuple[Guard, Value]] = []
    for guard, leaf in leaves:
        for index, (other_guard, other) in enumerate(joined):
            merged = _merge(other_guard, other, guard, leaf)
            if merged is not None:
                joined[index] = (other_guard | guard, merged)
                break
        else:
            joined.append((guard, leaf))
    return joined[0][1] if len(joined) == 1 else Choice(tuple(joined))


def _merge(first_guard: Guard, first: Value, second_guard: Guard, second: Value) -> Value | None:
    if first is second:
        return first
    if isinstance(first, Text) and isinstance(second, Text):
        return merge_texts(first_guard, first, second_guard, second)
    if isinstance(first, Known) and isinstance(second, Known):
        same = type(first.value) is type(second.value) and first.value == second.value
        return first if same and first.origin == second.origin else None
    if isinstance(first, Items) and isinstance(second, Items):
        return first if _same_items(first, second, {}) else None
    return first if first == second else None


def _same_items(first: Items, second: Items, known: dict[tuple[int, int], bool]) -> bool:
    """Whether two sequences are equal; elements that stand in many places are compared once."""
    key = (id(first), id(second))
    if key not in known:
        alike = (first.kind, first.origin, len(first.items)) == (second.kind, second.origin, len(second.items))
        known[key] = alike and all(
            guard is other and (one is two or _same(one, two, known))
            for (guard, one), (other, two) in zip(first.items, second.items)
        )
    return known[key]


def _same(one: Value, two: Value, known: dict[tuple[int, int], bool]) -> bool:
    if isinstance(one, Items) and isinstance(two, Items):
        return _same_items(one, two, known)
    return one == two


def merge_texts(first_guard: Guard, first: Text, second_guard: Guard, second: Text) -> Text:
    """One text that is `first` under its guard and `second` under the other; shared ends stay shared."""
    a, b = first.pieces, second.pieces
    shortest = min(len(a), len(b))
    head = 0
    while head < shortest and a[head] is b[head]:
        head += 1
    tail = 0
    while tail < shortest - head and a[-1 - tail] is b[-1 - tail]:
        tail += 1
    middle = Text(a[head : len(a) - tail]).under(first_guard) + Text(b[head : len(b) - tail]).under(second_guard)
    return Text(a[:head] + middle.pieces + a[len(a) - tail :])
