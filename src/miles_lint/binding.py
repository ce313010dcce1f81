"""A launch's argv read through a contract, as the trainer's argparse parser would read it, guards and holes kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from miles_lint.contract.model import Contract, Flag
from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Chars, Hole, Known, Piece, Reason, Text, Unknown, Value
from miles_lint.launch import Argument, Launch

_NEGATIVE = re.compile(r"-\d+$|-\d*\.\d+$")
_LIMIT = 32


@dataclass(frozen=True, slots=True)
class Assignment:
    """One use of a flag: the words that wrote it, the values it takes, and the condition it stands under.

    `spelled` is the option string as written; `inline` says that the value follows `=` in the same word.
    """

    flag: Flag
    spelled: str
    arguments: tuple[Argument, ...]
    values: tuple[Argument, ...]
    guard: Guard
    index: int
    model: bool
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Unbound:
    """A word that the parser would not take: an option it does not know, or a value that belongs to none."""

    argument: Argument
    spelled: str
    guard: Guard
    index: int
    option: bool


@dataclass(frozen=True, slots=True)
class BindingError:
    """A use of a flag that argparse refuses: `kind` is `missing value`, `extra value` or `ambiguous`."""

    kind: str
    flag: Flag
    argument: Argument
    guard: Guard
    following: Argument | None = None


@dataclass(frozen=True)
class Binding:
    """The argv of a launch through a contract: assignments in order, what belongs to no flag, what is refused.

    `open` is the condition under which an unknown part of the argv may hold any further flags.
    """

    launch: Launch
    contract: Contract
    assignments: tuple[Assignment, ...]
    unbound: tuple[Unbound, ...]
    errors: tuple[BindingError, ...]
    openings: tuple[tuple[int, Guard], ...]

    @cached_property
    def _by_dest(self) -> dict[str, tuple[Assignment, ...]]:
        found: dict[str, list[Assignment]] = {}
        for assignment in self.assignments:
            found.setdefault(assignment.flag.dest, []).append(assignment)
        return {dest: tuple(uses) for dest, uses in found.items()}

    def uses(self, dest: str) -> tuple[Assignment, ...]:
        """Every use of the flags of a dest, in order."""
        return self._by_dest.get(dest, ())

    def present(self, dest: str) -> Guard:
        """The condition under which a flag of a dest is certainly given."""
        found = self.launch.space.never
        for use in self.uses(dest):
            found = found | use.guard
        return found

    @property
    def open(self) -> Guard:
        found = self.launch.space.never
        for _, guard in self.openings:
            found = found | guard
        return found

    def opened_after(self, index: int) -> Guard:
        """The condition under which an unknown part behind a position may override what stands there."""
        found = self.launch.space.never
        for position, guard in self.openings:
            if position > index:
                found = found | guard
        return found

    def effective(self, dest: str) -> tuple[tuple[Guard, Value], ...]:
        """The value of a dest under every condition: the last use, the default, or unknown where it may be overridden."""
        space = self.launch.space
        left = space.always
        found: list[tuple[Guard, Value]] = []
        for use in reversed(self.uses(dest)):
            won = use.guard & left
            left = left - use.guard
            overridden = won & self.opened_after(use.index)
            certain = won - overridden
            if not certain.impossible:
                found.append((certain, value_of(use, space.always)))
            if not overridden.impossible:
                found.append((overridden, Unknown(Reason.FLAG, dest)))
        maybe = left & self.open
        if not maybe.impossible:
            found.append((maybe, Unknown(Reason.FLAG, dest)))
            left = left - maybe
        if not left.impossible:
            found.append((left, default_of(self.contract, dest, space.always)))
        return tuple(found)

    def repeats(self) -> Iterator[tuple[Assignment, Assignment]]:
        """Pairs of uses of one dest where the later replaces the earlier on some path."""
        for uses in self._by_dest.values():
            for position, earlier in enumerate(uses):
                for later in uses[position + 1 :]:
                    if not earlier.guard.excludes(later.guard):
                        yield earlier, later


def value_of(use: Assignment, always: Guard) -> Value:
    """What a use gives its dest: a text, or what a switch stores."""
    if use.values:
        return use.values[-1].text
    action = use.flag.action
    if action == "store_true":
        return Known(True)
    if action == "store_false":
        return Known(False)
    if action == "boolean_optional":
        return Known(not use.spelled.startswith("--no-"))
    return Known(use.flag.const)


def default_of(contract: Contract, dest: str, always: Guard) -> Value:
    """The default of a dest: a text for strings, unknown where the contract does not say."""
    flags = contract.by_dest.get(dest, ())
    if not flags or not all(flag.default_known for flag in flags):
        return Unknown(Reason.FLAG, dest)
    default = flags[0].default
    if isinstance(default, str):
        return Text((Chars(default, always),))
    if isinstance(default, (list, dict)):
        return Unknown(Reason.FLAG, dest)
    return Known(default)


def bind(launch: Launch, contract: Contract) -> Binding:
    """Read an argv with a contract. Raises `TooComplex` when the conditions outgrow their space."""
    return _Binder(launch, contract).run()


@dataclass(frozen=True, slots=True)
class _Word:
    """One alternative of an argument: its text is one string, or None where it has a hole."""

    argument: Argument
    guard: Guard
    plain: str | None
    head: str
    index: int

    @property
    def lone_hole(self) -> bool:
        return self.argument.lone_hole is not None


def alternatives(argument: Argument, index: int) -> list[_Word]:
    """The words an argument can be; past the limit one word of unknown text."""
    plain = argument.text.plain
    if plain is not None:
        return [_Word(argument, argument.guard, plain, plain, index)]
    found: list[tuple[Guard, tuple[Piece, ...]]] = [(argument.guard, ())]
    for piece in argument.text.pieces:
        grown: list[tuple[Guard, tuple[Piece, ...]]] = []
        for guard, pieces in found:
            inside, outside = guard & piece.guard, guard - piece.guard
            if not inside.impossible:
                grown.append((inside, (*pieces, piece)))
            if not outside.impossible:
                grown.append((outside, pieces))
        if len(grown) > _LIMIT:
            unknown = Hole(Unknown(Reason.BUDGET, "too many alternatives", str), argument.guard, piece.origin, True)
            return [_Word(replace(argument, text=Text((unknown,))), argument.guard, None, "", index)]
        found = grown
    words = []
    for guard, pieces in found:
        if not pieces:
            continue
        text = Text(tuple(piece.guarded(guard.space.always) for piece in pieces))
        head = ""
        for piece in pieces:
            if isinstance(piece, Hole):
                break
            head += piece.text
        words.append(_Word(replace(argument, text=text, guard=guard), guard, text.plain, head, index))
    return words


class _Binder:
    def __init__(self, launch: Launch, contract: Contract) -> None:
        self.launch = launch
        self.contract = contract
        self.words = [word for i, argument in enumerate(launch.argv) for word in alternatives(argument, i)]
        self.taken = [launch.space.never for _ in self.words]
        self.assignments: list[Assignment] = []
        self.unbound: list[Unbound] = []
        self.errors: list[BindingError] = []
        self.openings: list[tuple[int, Guard]] = []

    def run(self) -> Binding:
        for position, word in enumerate(self.words):
            free = word.guard - self.taken[position]
            if free.impossible:
                continue
            if word.lone_hole:
                self.openings.append((word.index, free))
            elif self.option_like(word):
                self.option(position, word, free)
            else:
                self.unbound.append(Unbound(word.argument, word.plain or word.head, free, word.index, False))
        return Binding(
            self.launch,
            self.contract,
            tuple(self.assignments),
            tuple(self.unbound),
            tuple(self.errors),
            tuple(self.openings),
        )

    def option_like(self, word: _Word) -> bool:
        """Whether argparse takes a word for an option: a dash, no negative number, no blank unless it is known."""
        text = word.plain if word.plain is not None else word.head
        if not text.startswith("-") or text == "-":
            return False
        if self.find(text) is not None:
            return True
        return not (_NEGATIVE.match(text) or " " in text)

    def find(self, text: str) -> tuple[Flag, str, str | None] | None:
        """The flag of a word, its option string and its inline value."""
        name, equals, value = text.partition("=")
        flag = self.contract.by_name.get(text)
        if flag is not None:
            return flag, text, None
        flag = self.contract.by_name.get(name)
        if flag is not None and equals:
            return flag, name, value
        if self.contract.allow_abbrev and name.startswith("--"):
            names = [known for known in self.contract.by_name if known.startswith(name)]
            if len({id(self.contract.by_name[known]) for known in names}) == 1:
                return self.contract.by_name[names[0]], names[0], value if equals else None
        return None

    def option(self, position: int, word: _Word, free: Guard) -> None:
        text = word.plain if word.plain is not None else word.head
        found = self.find(text)
        if found is None:
            self.unbound.append(Unbound(word.argument, text.partition("=")[0], free, word.index, True))
            self.skip_values(position, free)
            return
        flag, spelled, inline = found
        if word.plain is None and inline is None:
            self.openings.append((word.index, free))
            return
        if inline is not None:
            self.inline(word, flag, spelled, free)
            return
        if not flag.takes_value:
            self.add(flag, spelled, (word.argument,), (), free, word)
            return
        self.values(position, word, flag, spelled, free)

    def inline(self, word: _Word, flag: Flag, spelled: str, free: Guard) -> None:
        if not flag.takes_value:
            self.errors.append(BindingError("extra value", flag, word.argument, free))
        pieces: list[Piece] = []
        skip = len(spelled) + 1
        for piece in word.argument.text.pieces:
            if skip and isinstance(piece, Chars):
                cut = min(skip, len(piece.text))
                skip -= cut
                if cut < len(piece.text):
                    pieces.append(piece.slice(cut, len(piece.text)))
            else:
                pieces.append(piece)
        value = replace(word.argument, text=Text(tuple(pieces)))
        made = Assignment(flag, spelled, (word.argument,), (value,), free, word.index, word.argument.model, True)
        self.assignments.append(made)

    def add(
        self,
        flag: Flag,
        spelled: str,
        arguments: tuple[Argument, ...],
        values: tuple[Argument, ...],
        guard: Guard,
        word: _Word,
    ) -> None:
        model = word.argument.model
        self.assignments.append(Assignment(flag, spelled, arguments, values, guard, word.index, model))

    def values(self, position: int, word: _Word, flag: Flag, spelled: str, free: Guard) -> None:
        """Give a flag its values on every path: each path takes the words that follow it there."""
        low, high = _bounds(flag.arity)
        paths: list[tuple[Guard, tuple[int, ...]]] = [(free, ())]
        for following in range(position + 1, len(self.words)):
            grown: list[tuple[Guard, tuple[int, ...]]] = []
            moving = False
            for guard, taken in paths:
                other = self.words[following]
                inside = guard & other.guard
                if len(taken) == high or inside.impossible or (taken and taken[-1] == -1):
                    grown.append((guard, taken))
                    moving = moving or (len(taken) < high and not (taken and taken[-1] == -1))
                    continue
                outside = guard - other.guard
                if self.option_like(other):
                    grown.append((inside, (*taken, -1)))
                else:
                    grown.append((inside, (*taken, following)))
                    moving = True
                if not outside.impossible:
                    grown.append((outside, taken))
                    moving = True
            if len(grown) > _LIMIT:
                self.openings.append((word.index, free))
                return
            paths = grown
            if not moving:
                break
        for guard, taken in paths:
            kept = tuple(i for i in taken if i != -1)
            if len(kept) < low:
                follower = self._follower(position, guard)
                self.errors.append(BindingError("missing value", flag, word.argument, guard, follower))
            for i in kept:
                self.taken[i] = self.taken[i] | guard
            arguments = tuple(self.words[i].argument for i in kept)
            self.add(flag, spelled, (word.argument, *arguments), arguments, guard, word)

    def _follower(self, position: int, guard: Guard) -> Argument | None:
        for word in self.words[position + 1 :]:
            if not (word.guard & guard).impossible:
                return word.argument
        return None

    def skip_values(self, position: int, free: Guard) -> None:
        """The words behind an unknown option may be its values: they are nobody's mistake."""
        left = free
        for following in range(position + 1, len(self.words)):
            word = self.words[following]
            inside = left & word.guard
            if inside.impossible:
                continue
            left = left - word.guard
            if not self.option_like(word):
                self.taken[following] = self.taken[following] | inside
                left = left | inside
            if left.impossible:
                return


def _bounds(arity: int | str | None) -> tuple[int, int]:
    unlimited = 1 << 30
    if arity is None:
        return 1, 1
    if isinstance(arity, int):
        return arity, arity
    return {"?": (0, 1), "*": (0, unlimited), "+": (1, unlimited)}.get(arity, (0, unlimited))
