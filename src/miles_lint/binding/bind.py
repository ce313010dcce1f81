"""The reading itself: one pass over the argv, all paths at once, as argparse consumes it on each of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from miles_lint.binding.model import Binding
from miles_lint.binding.uses import Assignment, BindingError, Opening, Unbound
from miles_lint.binding.words import Kind, Word, joined, words
from miles_lint.contract.model import UNLIMITED, Contract, Flag
from miles_lint.domain.guard import Guard
from miles_lint.launch import Argument, Launch


def bind(launch: Launch, contract: Contract) -> Binding:
    """Read an argv with a contract. Raises `TooComplex` when the conditions outgrow their space.

    A word that begins with something unknown is one value where a flag needs one; where none is needed it may
    be any number of words. Unknown parts inside a word hold no blanks, and none makes a word the separator `--`.
    """
    return _Binder(launch, contract).run()


@dataclass(eq=False, slots=True)
class _Use:
    """A use in the making; `flag` is None for an option that the contract does not know."""

    flag: Flag | None
    word: Word
    index: int
    guard: Guard
    slots: list[list[tuple[Guard, Argument]]] = field(default_factory=list)
    words: list[Argument] = field(default_factory=list)

    def take(self, count: int, guard: Guard, argument: Argument) -> None:
        if count == len(self.slots):
            self.slots.append([])
        self.slots[count].append((guard, argument))
        self.words.append(argument)

    def values(self, live: Guard) -> tuple[Argument, ...]:
        """One argument for each position, where it is taken under `live`."""
        found = []
        for slot in self.slots:
            value: Argument | None = None
            for guard, argument in slot:
                narrowed = guard & live
                if narrowed.impossible:
                    continue
                fits = (argument.guard & live) is narrowed
                piece = argument if fits else replace(argument, guard=narrowed)
                value = piece if value is None else joined(value, piece)
            if value is not None:
                found.append(value)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class _State:
    """Where a parser may stand between two words: behind `count` values of a use, free, or past `--`.

    `loose` is the position of an unknown part whose last flag may still be waiting for values; -1 for none.
    """

    use: _Use | None = None
    count: int = 0
    ended: bool = False
    loose: int = -1


_FREE = _State()


class _Binder:
    def __init__(self, launch: Launch, contract: Contract) -> None:
        self.launch = launch
        self.contract = contract
        self.space = launch.space
        self.states: dict[_State, Guard] = {_FREE: self.space.always}
        self.uses: list[_Use] = []
        self.unbound: list[Unbound] = []
        self.errors: list[BindingError] = []
        self.openings: list[Opening] = []

    def run(self) -> Binding:
        for index, argument in enumerate(self.launch.argv):
            before, self.states = self.states, {}
            readings = words(argument, self.contract)
            made: dict[int, _Use] = {}
            for state, guard in before.items():
                self.arrive(state, guard - argument.guard)
                for word in readings:
                    live = guard & word.guard
                    if not live.impossible:
                        self.read(index, word, state, live, made)
        for state, guard in self.states.items():
            self.close(state, guard, None)
        return self.finish()

    def arrive(self, state: _State, guard: Guard) -> None:
        if not guard.impossible:
            known = self.states.get(state)
            self.states[state] = guard if known is None else known | guard

    def read(self, index: int, word: Word, state: _State, live: Guard, made: dict[int, _Use]) -> None:
        if state.ended:
            if word.kind is not Kind.HOLE:
                self.stray(word.argument, live, index)
            self.arrive(state, live)
        elif word.kind is Kind.VALUE:
            self.value(index, word.argument, state, live)
        elif word.kind is Kind.HOLE or (word.kind is Kind.PARTIAL and word.spread):
            self.hole(index, word, state, live)
        else:
            self.close(state, live, word.argument)
            self.option(index, word, live, made)

    def value(self, index: int, argument: Argument, state: _State, live: Guard) -> None:
        use = state.use
        if use is None:
            waiting = self.space.never
            if state.loose >= 0:
                waiting = self.space.condition("an unknown part ends with a flag", ("waiting", state.loose))
            self.stray(argument, live - waiting, index)
            self.arrive(state, live)
            return
        use.take(state.count, live, argument)
        count = state.count + 1
        highest = UNLIMITED if use.flag is None else use.flag.words[1]
        self.arrive(_FREE if count == highest else _State(use, count), live)

    def hole(self, index: int, word: Word, state: _State, live: Guard) -> None:
        """An unknown word: a value where one is needed, either where one is accepted, anything elsewhere."""
        use = state.use
        if use is None:
            self.open(index, word, live)
            return
        needed = use.flag is not None and state.count < use.flag.words[0] and word.kind is Kind.HOLE
        if needed or not word.spread:
            self.value(index, word.argument, state, live)
            return
        shown = word.argument.text.shown()
        one = self.space.condition(f"`{shown}` is one value", ("value", index, shown))
        if not (live & one).impossible:
            self.value(index, word.argument, state, live & one)
        if not (live - one).impossible:
            self.close(state, live - one, word.argument)
            self.open(index, word, live - one)

    def open(self, index: int, word: Word, live: Guard) -> None:
        prefix = word.spelled if word.kind is Kind.PARTIAL else ""
        self.openings.append(Opening(index, live, word.argument, prefix))
        self.arrive(_State(loose=index), live)

    def option(self, index: int, word: Word, live: Guard, made: dict[int, _Use]) -> None:
        if word.kind is Kind.SEPARATOR:
            self.stray(word.argument, live, index)
            self.arrive(_State(ended=True), live)
        elif word.kind is Kind.PARTIAL:
            self.open(index, word, live)
        elif word.kind is Kind.AMBIGUOUS:
            self.errors.append(BindingError("ambiguous", None, word.argument, live, index))
            self.arrive(_State(loose=index), live)
        elif word.value is not None and word.flag is not None and not word.flag.words[0] <= 1 <= word.flag.words[1]:
            kind = "missing value" if word.flag.words[1] else "extra value"
            self.errors.append(BindingError(kind, word.flag, word.argument, live, index))
            self.arrive(_FREE, live)
        else:
            self.start(index, word, live, made)

    def start(self, index: int, word: Word, live: Guard, made: dict[int, _Use]) -> None:
        use = made.get(id(word))
        if use is None:
            use = made[id(word)] = _Use(word.flag, word, index, live)
            self.uses.append(use)
            if word.value is not None:
                use.take(0, word.value.guard, word.value)
        else:
            use.guard = use.guard | live
        complete = word.value is not None or (word.flag is not None and word.flag.words[1] == 0)
        self.arrive(_FREE if complete else _State(use), live)

    def close(self, state: _State, live: Guard, following: Argument | None) -> None:
        """A use gets no further values under `live`: an error when it needs more."""
        use = state.use
        if use is None or use.flag is None or state.count >= use.flag.words[0]:
            return
        use.guard = use.guard - live
        self.errors.append(BindingError("missing value", use.flag, use.word.argument, live, use.index, following))

    def stray(self, argument: Argument, live: Guard, index: int) -> None:
        if not live.impossible:
            self.unbound.append(Unbound(argument, argument.text.shown(), live, index, False))

    def finish(self) -> Binding:
        """What was collected, without what no launch reaches."""
        made = [self.assignment(use) for use in self.uses if use.flag is not None and self.reached(use.guard)]
        unknown = [self.unknown(use) for use in self.uses if use.flag is None]
        unbound = sorted((*self.unbound, *unknown), key=lambda unbound: unbound.index)
        return Binding(
            self.launch,
            self.contract,
            tuple(made),
            tuple(found for found in unbound if self.reached(found.guard)),
            tuple(error for error in self.errors if self.reached(error.guard)),
            tuple(opening for opening in self.openings if self.reached(opening.guard)),
        )

    def reached(self, guard: Guard) -> bool:
        return not guard.excludes(self.launch.guard)

    def assignment(self, use: _Use) -> Assignment:
        assert use.flag is not None
        word, inline = use.word, use.word.value is not None
        arguments = (word.argument,) if inline else (word.argument, *use.words)
        values, model = use.values(use.guard), word.argument.model
        return Assignment(use.flag, word.spelled, arguments, values, use.guard, use.index, model, inline)

    def unknown(self, use: _Use) -> Unbound:
        return Unbound(use.word.argument, use.word.spelled, use.guard, use.index, True, use.values(use.guard))
