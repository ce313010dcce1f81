"""A launch seen at one assignment of knobs, or at all of them: its words with their alternatives, flag by flag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from miles_lint.domain.defaults import nearest_to_defaults
from miles_lint.domain.guard import Guard, Variable
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Hole, Known, Piece, Text, Unknown, Value, options_of
from miles_lint.launch import Argument, Launch
from miles_lint.show.alternatives import alternatives, first_origin, free_values
from miles_lint.show.guards import relative

_NEGATIVE = re.compile(r"-\d+$|-\d*\.\d+$")


@dataclass(frozen=True)
class Option:
    """One alternative of a word, its guard relative to the launch; an inexact one has guarded pieces left."""

    guard: Guard
    text: Text
    exact: bool = True

    @property
    def lone_hole(self) -> bool:
        """Whether it is one unknown outside quotes, which may stand for any number of words."""
        pieces = self.text.pieces
        return len(pieces) == 1 and isinstance(pieces[0], Hole) and not pieces[0].quoted

    @property
    def shown(self) -> str:
        """The word for people; guarded pieces of an inexact one stand as ⟨…⟩."""
        if self.exact:
            return self.text.shown()
        return "".join(_shown(piece) for piece in self.text.pieces)


def _shown(piece: Piece) -> str:
    text = piece.text if isinstance(piece, Chars) else str(piece.unknown)
    return text if piece.guard.certain else f"⟨{text.strip('⟨⟩')}?⟩"


@dataclass(frozen=True)
class Word:
    """One argument as it can be: alternatives that exclude each other; absent under none of them."""

    argument: Argument
    options: tuple[Option, ...]

    @property
    def certain(self) -> bool:
        return len(self.options) == 1 and self.options[0].guard.certain

    @property
    def option_like(self) -> bool:
        """Whether some alternative starts with a dash and is no negative number."""
        return any(is_option(option.shown) for option in self.options)


@dataclass(frozen=True)
class Row:
    """A flag with the words behind it, or a word that follows no flag."""

    words: tuple[Word, ...]

    @property
    def flag(self) -> Word:
        return self.words[0]

    @property
    def model(self) -> bool:
        return self.flag.argument.model

    @property
    def origin(self) -> Origin | None:
        return next(self.flag.argument.origins(), None)

    @property
    def name(self) -> str:
        """The flag as written, a value behind `=` cut off; empty for a word that is no flag."""
        shown = self.flag.options[0].shown
        return shown.partition("=")[0] if is_option(shown) else ""


@dataclass(frozen=True)
class Setting:
    """One alternative of something beside the argv: its guard is relative to the launch."""

    guard: Guard
    value: Value
    origin: Origin | None = None

    @property
    def shown(self) -> str | None:
        """The value for people; None for the value None."""
        return shown_value(self.value)


@dataclass(frozen=True)
class View:
    """A launch at `choice`, or at all assignments of its knobs where that is None.

    `guard` is what is left of the launch's own guard there.
    """

    launch: Launch
    choice: Mapping[Variable, int] | None
    guard: Guard
    driver: tuple[Setting, ...]
    model_type: tuple[Setting, ...]
    environment: tuple[tuple[str, tuple[Setting, ...]], ...]
    rows: tuple[Row, ...]

    @property
    def words(self) -> Iterator[Word]:
        for row in self.rows:
            yield from row.words


def is_option(text: str) -> bool:
    """Whether a word reads as an option: a dash in front, no negative number."""
    return text.startswith("-") and text not in ("-", "--") and not _NEGATIVE.match(text)


def shown_value(value: Value) -> str | None:
    """A folded value for people; None for the value None."""
    if isinstance(value, Text):
        return value.shown()
    if isinstance(value, Known):
        return None if value.value is None else str(value.value)
    return str(value) if isinstance(value, Unknown) else f"⟨{type(value).__name__.lower()}⟩"


def at_defaults(launch: Launch) -> View:
    """The launch with every knob at its default, or as near to it as the launch allows."""
    return view(launch, nearest_to_defaults(launch.guard))


def view(launch: Launch, choice: Mapping[Variable, int] | None = None) -> View:
    """The launch at an assignment of knobs; without one, all its alternatives under their guards."""
    return _Viewer(launch, choice).run()


@dataclass
class _Viewer:
    launch: Launch
    choice: Mapping[Variable, int] | None
    known: dict[int, Guard] = field(default_factory=dict)

    def run(self) -> View:
        launch = self.launch
        self.guard = launch.guard.restrict(self.choice) if self.choice else launch.guard
        environment = []
        for name, variants in launch.environment:
            found = [each for v in variants for each in self.settings(v.value, v.guard, v.key_origin)]
            if found:
                environment.append((name, tuple(found)))
        words = carried([word for argument in launch.argv if (word := self.word(argument)) is not None])
        return View(
            launch,
            self.choice,
            self.guard,
            tuple(self.settings(launch.train_script, launch.space.always)),
            tuple(self.settings(launch.model_type, launch.space.always)),
            tuple(environment),
            tuple(rows(self.told(word) for word in words)),
        )

    def inside(self, guard: Guard) -> Guard:
        """The guard at the assignment, where the launch happens."""
        return (guard.restrict(self.choice) if self.choice else guard) & self.guard

    def relative(self, guard: Guard) -> Guard:
        """A guard that lies inside the launch's, told relative to it."""
        if id(guard) not in self.known:
            self.known[id(guard)] = relative(guard, self.guard)
        return self.known[id(guard)]

    def settings(self, value: Value, guard: Guard, origin: Origin | None = None) -> Iterator[Setting]:
        for under, leaf in options_of(value, guard):
            if not isinstance(leaf, Text):
                inside = self.inside(under)
                if not inside.impossible:
                    yield Setting(self.relative(inside), leaf, origin)
                continue
            for option in self.options(leaf, under):
                yield Setting(self.relative(option.guard), option.text, origin or first_origin(option.text))

    def word(self, argument: Argument) -> Word | None:
        options = self.options(argument.text, argument.guard)
        return Word(argument, options) if options else None

    def options(self, text: Text, guard: Guard) -> tuple[Option, ...]:
        present = self.inside(guard)
        if present.impossible:
            return ()
        pieces = [(piece, self.inside(piece.guard)) for piece in text.pieces]
        kept = free_values([piece.guarded(under) for piece, under in pieces if not under.impossible])
        found = alternatives(kept, present)
        if found is None:
            shortened = Text(tuple(piece.guarded(relative(piece.guard, present)) for piece in kept))
            return (Option(present, shortened, False),)
        return tuple(Option(under, each) for under, each in found)

    def told(self, word: Word) -> Word:
        """A word with its guards relative to the launch."""
        return Word(word.argument, tuple(replace(each, guard=self.relative(each.guard)) for each in word.options))


def carried(words: Sequence[Word]) -> list[Word]:
    """Words in which no value stands later than where it was written.

    A word that only blanks on some path have ended stays open on the others, and is an alternative of the
    next word there; it goes back to its place, behind which nothing stands on those paths.
    """
    found: list[Word] = []
    for word in words:
        kept = tuple(option for option in word.options if not _put_back(option, found))
        if kept:
            found.append(Word(word.argument, kept))
    return found


def _put_back(option: Option, words: list[Word]) -> bool:
    """Join an alternative with the same one of an earlier word, or with the values behind its flag.

    Every word between must be absent on its paths.
    """
    position = len(words)
    while position and all(each.guard.excludes(option.guard) for each in words[position - 1].options):
        position -= 1
        for index, each in enumerate(words[position].options):
            if each.exact and option.exact and _same_place(each.text, option.text):
                joined = replace(each, guard=each.guard | option.guard)
                others = words[position].options
                words[position] = replace(words[position], options=(*others[:index], joined, *others[index + 1 :]))
                return True
    if position == len(words) or is_option(option.shown) or words[position].option_like:
        return False
    words[position] = replace(words[position], options=(*words[position].options, option))
    return True


def _same_place(one: Text, two: Text) -> bool:
    origin = first_origin(one)
    return origin is not None and origin == first_origin(two) and one.shown() == two.shown()


def rows(words: Iterable[Word]) -> Iterator[Row]:
    """Words put in rows: a flag starts one, words that are no flags follow it; an unknown rest stands alone."""
    current: list[Word] = []
    for word in words:
        if current and (word.option_like or not current[0].option_like or _alone(word, current)):
            yield Row(tuple(current))
            current = []
        current.append(word)
    if current:
        yield Row(tuple(current))


def _alone(word: Word, before: list[Word]) -> bool:
    """Whether a word is one unknown that is not there wherever the flag before it is, or comes after its value."""
    if not all(option.lone_hole for option in word.options):
        return False
    flag = before[0].argument.guard.space.never
    for option in before[0].options:
        flag = flag | option.guard
    return len(before) > 1 or any(not flag.implies(option.guard) for option in word.options)
