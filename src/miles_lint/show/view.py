"""A launch seen at one assignment of knobs, or at all of them: its words with their alternatives, flag by flag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from miles_lint.domain.guard import OTHER, Guard, Variable, nearest_to_defaults
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Hole, Known, Piece, Reason, Text, Unknown, Value, options_of
from miles_lint.launch import Argument, Launch
from miles_lint.show.guards import relative

_LIMIT = 48
_NEGATIVE = re.compile(r"-\d+$|-\d*\.\d+$")


@dataclass(frozen=True)
class Option:
    """One alternative of a word, its guard relative to the launch; an inexact one has guarded pieces left."""

    guard: Guard
    text: Text
    exact: bool = True

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
    """A launch at `choice` (knobs by variable, none of them for all assignments).

    `guard` is what is left of the launch's own guard there.
    """

    launch: Launch
    choice: Mapping[Variable, int]
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


def view(launch: Launch, choice: Mapping[Variable, int]) -> View:
    """The launch at an assignment of knobs; with an empty one, all its alternatives under their guards."""
    return _Viewer(launch, choice).run()


@dataclass
class _Viewer:
    launch: Launch
    choice: Mapping[Variable, int]

    def run(self) -> View:
        launch = self.launch
        self.guard = launch.guard.restrict(self.choice) if self.choice else launch.guard
        environment = []
        for name, variants in launch.environment:
            found = [each for v in variants for each in self.settings(v.value, v.guard, v.key_origin)]
            if found:
                environment.append((name, tuple(found)))
        words = [word for argument in launch.argv if (word := self.word(argument)) is not None]
        return View(
            launch,
            self.choice,
            self.guard,
            tuple(self.settings(launch.train_script, launch.space.always)),
            tuple(self.settings(launch.model_type, launch.space.always)),
            tuple(environment),
            tuple(rows(words)),
        )

    def inside(self, guard: Guard) -> Guard:
        """The guard at the assignment, where the launch happens."""
        return (guard.restrict(self.choice) if self.choice else guard) & self.guard

    def settings(self, value: Value, guard: Guard, origin: Origin | None = None) -> Iterator[Setting]:
        for under, leaf in options_of(value, guard):
            if not isinstance(leaf, Text):
                inside = self.inside(under)
                if not inside.impossible:
                    yield Setting(relative(inside, self.guard), leaf, origin)
                continue
            for option in self.options(leaf, under):
                yield Setting(option.guard, option.text, origin or next(_origins(option.text), None))

    def word(self, argument: Argument) -> Word | None:
        options = self.options(argument.text, argument.guard)
        return Word(argument, options) if options else None

    def options(self, text: Text, guard: Guard) -> tuple[Option, ...]:
        present = self.inside(guard)
        if present.impossible:
            return ()
        pieces = [(piece, self.inside(piece.guard)) for piece in text.pieces]
        kept = _free_values([piece.guarded(under) for piece, under in pieces if not under.impossible])
        found = _alternatives(kept, present)
        if found is None:
            shortened = Text(tuple(piece.guarded(relative(piece.guard, present)) for piece in kept))
            return (Option(relative(present, self.guard), shortened, False),)
        return tuple(Option(relative(under, self.guard), each) for under, each in found)


def _origins(text: Text) -> Iterator[Origin]:
    return (piece.origin for piece in text.pieces if piece.origin is not None)


def _free_values(pieces: list[Piece]) -> list[Piece]:
    """Pieces with the default of a free knob and its unknown other values put together as ⟨name=default⟩."""
    found: list[Piece] = []
    for piece in pieces:
        before = found[-1] if found else None
        joined = _joined(before, piece) if isinstance(before, Chars) and isinstance(piece, Hole) else None
        if joined is not None:
            found[-1] = joined
        else:
            found.append(piece)
    return found


def _joined(default: Chars, other: Hole) -> Hole | None:
    unknown = other.unknown
    if unknown.reason is not Reason.KNOB or not default.guard.excludes(other.guard):
        return None
    both = default.guard | other.guard
    free = any(
        variable.name == unknown.detail and len(variable.domain) == 2 and variable.domain[1] is OTHER
        for variable in default.guard.support()
        if variable not in both.support()
    )
    return Hole(replace(unknown, detail=f"{unknown.detail}={default.text}"), both, default.origin) if free else None


def _alternatives(pieces: Iterable[Piece], present: Guard) -> list[tuple[Guard, Text]] | None:
    """The strings that guarded pieces can make; None past the limit."""
    always = present.space.always
    found: list[tuple[Guard, Text]] = [(present, Text())]
    for piece in pieces:
        grown: list[tuple[Guard, Text]] = []
        for guard, text in found:
            inside, outside = guard & piece.guard, guard - piece.guard
            if not inside.impossible:
                grown.append((inside, Text((*text.pieces, piece.guarded(always)))))
            if not outside.impossible:
                grown.append((outside, text))
        if len(grown) > _LIMIT:
            return None
        found = _merged(grown)
    return found


def _merged(found: list[tuple[Guard, Text]]) -> list[tuple[Guard, Text]]:
    """Alternatives that read the same put together."""
    by_text: dict[str, tuple[Guard, Text]] = {}
    for guard, text in found:
        shown = text.shown()
        known = by_text.get(shown)
        by_text[shown] = (guard, text) if known is None else (known[0] | guard, known[1])
    return list(by_text.values())


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
    if word.argument.lone_hole is None:
        return False
    return len(before) > 1 or not before[0].argument.guard.implies(word.argument.guard)
