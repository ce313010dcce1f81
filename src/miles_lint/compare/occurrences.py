"""The argv of a launch as uses of flags, each with its values and the condition it stands under."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from miles_lint.compare.joint import Side, spelled
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import Term
from miles_lint.domain.value import Chars, Hole, Known, Piece, Text, Unknown, Value, options_of
from miles_lint.launch import Launch
from miles_lint.show.view import is_option

_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Use:
    """A flag with its values in a launch; a word that belongs to no flag has an empty flag. `index` tells order.

    A value is the text of a word, or None for the value None. `rest` marks an unknown that may hold any words.
    """

    flag: str
    values: tuple[str | None, ...]
    guard: Guard
    index: int
    origin: Origin | None = None
    rest: bool = False


@dataclass(frozen=True, slots=True)
class _Word:
    """One alternative of an argument, under `guard`."""

    text: str
    guard: Guard
    origin: Origin | None
    hole: bool

    @property
    def option(self) -> bool:
        return is_option(self.text)


@dataclass(frozen=True)
class Reader:
    """Reads launches of one side into the joint space; `root` in a text stands as `⟨checkout⟩`."""

    side: Side
    root: str = ""

    def reached(self, launch: Launch) -> Guard:
        return self.side.guard(launch.guard)

    def value(self, launch: Launch, value: Value, guard: Guard) -> Iterator[Use]:
        """The alternatives of a value under a joint guard."""
        for under, leaf in options_of(value, launch.space.always):
            inside = self.side.guard(under) & guard
            if inside.impossible:
                continue
            if isinstance(leaf, Text):
                for word in self.words(leaf, inside, False):
                    yield Use("", (word.text,), word.guard, 0, word.origin)
            elif isinstance(leaf, Known):
                yield Use("", (None if leaf.value is None else str(leaf.value),), inside, 0, leaf.origin)
            elif isinstance(leaf, Unknown):
                for text, known in self.hole(Hole(leaf, inside), inside):
                    yield Use("", (text,), known, 0, leaf.origin)
            else:
                yield Use("", (f"⟨{type(leaf).__name__.lower()}⟩",), inside, 0)

    def argv(self, launch: Launch, start: int = 0) -> Iterator[Use]:
        """The uses of flags of a launch, in order of the words that begin them."""
        reached = self.reached(launch)
        words: list[list[_Word]] = []
        for argument in launch.argv:
            guard = self.side.guard(argument.guard) & reached
            if not guard.impossible:
                words.append(self.words(argument.text, guard, argument.lone_hole is not None))
        taken = [self.side.joint.space.never for _ in words]
        for position, alternatives in enumerate(words):
            for word in alternatives:
                free = word.guard if word.option else word.guard - taken[position]
                if free.impossible:
                    continue
                if not word.option:
                    yield Use("", (word.text,), free, start + position, word.origin, word.hole)
                    continue
                flag, equals, inline = word.text.partition("=")
                if equals:
                    yield Use(flag, (inline,), free, start + position, word.origin)
                    continue
                for use in _values(word, words, position, taken):
                    yield replace(use, index=start + position)

    def words(self, text: Text, guard: Guard, hole: bool) -> list[_Word]:
        """The words a text can be; past the limit the parts of the text one by one."""
        first = next((piece.origin for piece in text.pieces if piece.origin is not None), None)
        found: list[tuple[Guard, str]] = [(guard, "")]
        for piece in text.pieces:
            under = self.side.guard(piece.guard)
            grown: dict[str, Guard] = {}
            for known, so_far in found:
                inside, outside = known & under, known - under
                for more, narrowed in self.piece(piece, inside):
                    grown[so_far + more] = grown.get(so_far + more, guard.space.never) | narrowed
                if not outside.impossible:
                    grown[so_far] = grown.get(so_far, guard.space.never) | outside
            if len(grown) > _LIMIT:
                return list(self.parts(text, guard))
            found = [(known, grown_text) for grown_text, known in grown.items()]
        return [_Word(found_text, known, first, hole) for known, found_text in found]

    def parts(self, text: Text, guard: Guard) -> Iterator[_Word]:
        for piece in text.pieces:
            for shown, under in self.piece(piece, self.side.guard(piece.guard) & guard):
                yield _Word(shown, under, piece.origin, True)

    def piece(self, piece: Piece, guard: Guard) -> Iterator[tuple[str, Guard]]:
        if guard.impossible:
            return
        if isinstance(piece, Hole):
            yield from self.hole(piece, guard)
        else:
            yield self.placed(piece), guard

    def placed(self, piece: Chars) -> str:
        return piece.text.replace(self.root, "⟨checkout⟩") if self.root else piece.text

    def hole(self, hole: Hole, guard: Guard) -> Iterator[tuple[str, Guard]]:
        """A hole as what it stands for; computed where the other side lists the value of its knob."""
        term = hole.unknown.term
        if isinstance(term, Term):
            for test, value in self.side.valued(term):
                inside = guard & test
                if not inside.impossible:
                    yield str(value), inside
                    guard = guard - test
        if not guard.impossible:
            yield f"⟨{spelled(term)}⟩" if isinstance(term, Term) else str(hole.unknown), guard


def _values(flag: _Word, words: Sequence[Sequence[_Word]], position: int, taken: list[Guard]) -> Iterator[Use]:
    """A flag with the words that follow it on every path, up to the next flag."""
    open_: list[tuple[Guard, tuple[str, ...]]] = [(flag.guard, ())]
    for following in range(position + 1, len(words)):
        grown: list[tuple[Guard, tuple[str, ...]]] = []
        for guard, values in open_:
            rest = guard
            for word in words[following]:
                inside = guard & word.guard
                if inside.impossible:
                    continue
                rest = rest - word.guard
                if word.option or (word.hole and (values or not flag.guard.implies(_present(words[following])))):
                    yield Use(flag.text, values, inside, 0, flag.origin)
                else:
                    taken[following] = taken[following] | inside
                    grown.append((inside, (*values, word.text)))
            if not rest.impossible:
                grown.append((rest, values))
        open_ = grown
        if not open_ or len(open_) > _LIMIT:
            break
    for guard, values in open_:
        yield Use(flag.text, values, guard, 0, flag.origin)


def _present(words: Sequence[_Word]) -> Guard:
    found = words[0].guard
    for word in words[1:]:
        found = found | word.guard
    return found
