"""The walk of the cover oracle: a folded argv against real words, over all opaque conditions at once."""

from __future__ import annotations

import re
import shlex
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from miles_lint.domain.guard import OTHER, Guard, Space, Variable
from miles_lint.domain.term import Term
from miles_lint.domain.value import Choice, Hole, Known, Piece, Text, Unknown, Value
from miles_lint.launch import Argument, Launch
from tests.oracles.terms import NotComputed, compute

_TYPED = {
    bool: re.compile(r"True|False"),
    int: re.compile(r"-?\d+|True|False"),
    float: re.compile(r"[-+\w.]+"),
    type(None): re.compile(r"None"),
}
_NODES = 5_000_000
"""The walk builds guards of its own in the space of the fold, which must not count against the fold's limit."""
_Point = tuple[int, int, bool]
_Key = TypeVar("_Key", bound=Hashable)
_SPELLINGS = 64
_SPLITS = re.compile(r"[\s'\"\\]")


@dataclass(frozen=True)
class Mismatch:
    """Why a real command line is not described: how far the walk came, and what stood there."""

    what: str
    reached: int = 0
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        if not self.expected and not self.found:
            return self.what
        return f"{self.what} {self.reached}: real {self.found}, folded {self.expected}"


def choice_at(space: Space, assignment: Mapping[str, object]) -> dict[Variable, int]:
    """The domain index of every knob; raises ValueError for a value that the domain has no place for."""
    choice = {}
    for variable in space.variables:
        if variable.default is None:
            continue
        if variable.name not in assignment:
            choice[variable] = variable.default
            continue
        choice[variable] = _index(variable, assignment[variable.name])
    return choice


def _index(variable: Variable, value: object) -> int:
    other = None
    for index, listed in enumerate(variable.domain):
        if listed is OTHER:
            other = index
        elif type(listed) is type(value) and listed == value:
            return index
    if other is None:
        raise ValueError(f"{variable.name} = {value!r} is outside of its domain {variable.domain!r}")
    return other


class Walk:
    def __init__(self, space: Space, assignment: Mapping[str, object], terms: bool) -> None:
        self.space = space
        space.node_limit = max(space.node_limit, _NODES)
        self.symbols = dict(assignment)
        self.terms = terms
        self.choice = choice_at(space, assignment)
        if terms:
            self.choice.update(self._decided())
        self.memo: dict[int, tuple[Guard, Guard]] = {}

    def choose(self, choice: Mapping[Variable, int]) -> None:
        """Fix more variables, over what the assignment says."""
        self.choice.update(choice)
        self.memo.clear()

    def _decided(self) -> Iterator[tuple[Variable, int]]:
        """Opaque conditions whose symbolic form has a value at this assignment."""
        for variable in self.space.variables:
            if variable.opaque and isinstance(variable.term, Term):
                try:
                    yield variable, 0 if compute(variable.term, self.symbols) else 1
                except NotComputed:
                    continue

    def guard(self, guard: Guard) -> Guard:
        known = self.memo.get(id(guard))
        if known is None:
            known = self.memo[id(guard)] = (guard, guard.restrict(self.choice))
        return known[1]

    def hole(self, unknown: Unknown) -> str | None:
        """The text that an unknown must have, when its symbolic form settles it."""
        if not self.terms or unknown.term is None:
            return None
        try:
            return str(compute(unknown.term, self.symbols))
        except NotComputed:
            return None

    def settled_words(self, text: Text, live: Guard) -> list[str] | None:
        """The words of an argument under `live`, the same whatever the opaque conditions are; None without such."""
        found = self._spellings(text, live)
        return list(next(iter(found))) if found is not None and len(found) == 1 else None

    def _spellings(self, text: Text, live: Guard) -> dict[tuple[str, ...], Guard] | None:
        """The words that an argument is, each with its guard; None when a part of it is not settled.

        The text of an unquoted hole is split by the shell, everything else is as it stands.
        """
        lines: dict[tuple[str, bool], Guard] = {("", False): live}
        for piece in text.pieces:
            present = live & self.guard(piece.guard)
            if present.impossible:
                continue
            known = self.hole(piece.unknown) if isinstance(piece, Hole) else piece.text
            if known is None or len(lines) > _SPELLINGS:
                return None
            splits = isinstance(piece, Hole) and not piece.quoted
            grown: dict[tuple[str, bool], Guard] = {}
            for (line, split), reached in lines.items():
                self._reach(grown, (line, split), reached - present)
                longer = line + (known if splits else shlex.quote(known) if known else "")
                self._reach(grown, (longer, split or splits), reached & present)
            lines = grown
        found: dict[tuple[str, ...], Guard] = {}
        for (line, split), reached in lines.items():
            words = tuple(shlex.split(line)) if split or line else ("",)
            self._reach(found, words, reached)
        return found

    def argv(self, arguments: Sequence[Argument], argv: Sequence[str], live: Guard) -> Mismatch | None:
        states = {0: live}
        furthest, at = 0, 0
        for index, argument in enumerate(arguments):
            following: dict[int, Guard] = {}
            for position, reached in states.items():
                self._argument(argument, argv, position, reached, following)
            if not following:
                wanted = " ".join(show(a.text) for a in arguments[at : index + 1])
                return Mismatch("word", furthest, wanted, " ".join(argv[furthest : furthest + 4]))
            if max(following) > furthest:
                furthest, at = max(following), index + 1
            states = following
        if states.get(len(argv), self.space.never).impossible:
            wanted = " ".join(show(a.text) for a in arguments[at : at + 4])
            return Mismatch("word", furthest, wanted, " ".join(argv[furthest : furthest + 4]))
        return None

    def _argument(
        self, argument: Argument, argv: Sequence[str], position: int, reached: Guard, following: dict[int, Guard]
    ) -> None:
        here = self.guard(argument.guard)
        self._reach(following, position, reached - here)
        present = reached & here
        if present.impossible:
            return
        spellings = self._spellings(argument.text, present)
        if spellings is None:
            self._walk_word(argument.text, argv, position, present, following)
            return
        for words, guard in spellings.items():
            if tuple(argv[position : position + len(words)]) == words:
                self._reach(following, position + len(words), guard)

    def _walk_word(
        self, text: Text, argv: Sequence[str], position: int, live: Guard, following: dict[int, Guard]
    ) -> None:
        """Match one argument from a position on; an unquoted hole of any text may end words and begin others."""
        states: dict[_Point, Guard] = {(position, 0, False): live}
        for piece in text.pieces:
            present = self.guard(piece.guard)
            after: dict[_Point, Guard] = {}
            for point, reached in states.items():
                self._reach(after, point, reached - present)
                inside = reached & present
                if not inside.impossible:
                    for end in self._piece_ends(piece, argv, point):
                        self._reach(after, end, inside)
            states = after
        for (word, offset, loose), reached in states.items():
            if loose:
                for end in range(word if offset == 0 else word + 1, len(argv) + 1):
                    self._reach(following, end, reached)
            elif word < len(argv) and offset == len(argv[word]):
                self._reach(following, word + 1, reached)

    def _piece_ends(self, piece: Piece, argv: Sequence[str], point: _Point) -> Iterator[_Point]:
        word, offset, loose = point
        text = self.hole(piece.unknown) if isinstance(piece, Hole) else piece.text
        if isinstance(piece, Hole) and (text is None or (not piece.quoted and _SPLITS.search(text))):
            pattern = _TYPED.get(piece.unknown.type) if piece.unknown.type is not None else None
            if pattern is None and not piece.quoted:
                yield word, offset, True
                return
            for at, start in _starts(argv, point):
                for end in range(start, len(argv[at]) + 1):
                    if pattern is None or pattern.fullmatch(argv[at], start, end):
                        yield at, end, False
        elif text == "":
            yield point
        else:
            assert text is not None
            for at in range(word, len(argv) if loose else min(word + 1, len(argv))):
                start = argv[at].find(text, offset if at == word else 0)
                while start >= 0 and (loose or start == offset):
                    yield at, start + len(text), False
                    start = argv[at].find(text, start + 1) if loose else -1

    def _reach(self, states: dict[_Key, Guard], position: _Key, guard: Guard) -> None:
        if not guard.impossible:
            states[position] = states.get(position, self.space.never) | guard

    def text(self, text: Text, word: str, live: Guard) -> Guard:
        """The guard, under `live`, on which a text is this word."""
        ends: dict[int, Guard] = {}
        self._walk_word(text, (word,), 0, live, ends)
        return ends.get(1, self.space.never)

    def value(self, value: Value, real: object, live: Guard) -> Guard:
        """The guard, under `live`, on which a value is `real`; anything not understood may be it."""
        if isinstance(value, Choice):
            found = self.space.never
            for guard, option in value.options:
                found = found | self.value(option, real, live & self.guard(guard))
            return found
        if isinstance(value, Text):
            return self.text(value, real, live) if isinstance(real, str) else self.space.never
        if isinstance(value, Known):
            same = type(value.value) is type(real) and value.value == real
            return live if same else self.space.never
        if isinstance(value, Unknown):
            known = self.hole(value)
            return live if known is None or known == str(real) else self.space.never
        return live

    def value_of_variable(self, launch: Launch, name: str, real: str, live: Guard) -> Guard:
        found = self.others(launch) & live
        for written, variants in launch.environment:
            if written == name:
                for variant in variants:
                    found = found | self.value(variant.value, real, live & self.guard(variant.guard))
        return found

    def unset(self, launch: Launch, name: str, live: Guard) -> Guard:
        """The condition on which a launch does not set a variable."""
        variants = dict(launch.environment)[name]
        is_set = reduce(Guard.__or__, (self.guard(variant.guard) for variant in variants), self.space.never)
        return live & (self.others(launch) | ~is_set)

    def others(self, launch: Launch) -> Guard:
        """The condition on which a launch may set any variable."""
        return reduce(Guard.__or__, (self.guard(guard) for guard, _ in launch.other_environment), self.space.never)


def _starts(argv: Sequence[str], point: _Point) -> Iterator[tuple[int, int]]:
    """Where a piece may begin: here, or anywhere from here on after a hole of any text."""
    word, offset, loose = point
    if not loose:
        if word < len(argv):
            yield word, offset
        return
    for at in range(word, len(argv)):
        for start in range(offset if at == word else 0, len(argv[at]) + 1):
            yield at, start


def show(value: Value) -> str:
    """A value for messages, guards left out."""
    return value.shown() if isinstance(value, Text) else str(value)
