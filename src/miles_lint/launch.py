"""One command line that a recipe would submit, and the shell rules that split its text into arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from miles_lint.domain.guard import Guard, Space
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Hole, Known, Piece, Text, Unknown, Value, merge_texts
from miles_lint.source import Place


@dataclass(frozen=True, slots=True)
class Argument:
    """One element of an argv, present under `guard` once the launch happens; it may have guarded pieces and holes.

    `model` tells an argument of the model definition from one of the recipe's own.
    """

    text: Text
    guard: Guard
    model: bool = False

    def origins(self) -> Iterator[Origin]:
        """Where its characters were written, in order."""
        for piece in self.text.pieces:
            if piece.origin is not None:
                yield piece.origin

    @property
    def lone_hole(self) -> Hole | None:
        """The hole, when the whole argument is one: such an argument may stand for any number of words."""
        pieces = self.text.pieces
        if len(pieces) == 1 and isinstance(pieces[0], Hole) and not pieces[0].quoted:
            return pieces[0]
        return None


@dataclass(frozen=True, slots=True)
class Variant:
    """An environment entry: the value a variable has under a guard."""

    guard: Guard
    value: Value
    key_origin: Origin | None = None


_NO_MODEL = Known(None)
_NO_TEXT = Text()


@dataclass(frozen=True)
class Launch:
    """One call that submits a training run.

    `argv` starts after the train script: model arguments first, then the recipe's own; the last use of a
    flag wins (miles/utils/external_utils/command_utils.py at 31f1ca961). `guard` is the condition under which
    the call is reached; `environment` holds what the recipe adds to the job's environment.
    """

    entry: str
    site: Place
    space: Space
    guard: Guard
    train_script: Value
    argv: tuple[Argument, ...]
    model_type: Value = _NO_MODEL
    environment: tuple[tuple[str, tuple[Variant, ...]], ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    text: Text = _NO_TEXT
    problems: tuple[tuple[str, Guard, Origin | None], ...] = ()
    via: tuple[Place, ...] = ()
    signature: tuple[str, ...] = ()


_BETWEEN, _WORD, _SINGLE, _DOUBLE, _ESCAPE, _DOUBLE_ESCAPE = range(6)
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class _State:
    guard: Guard
    mode: int
    word: Text
    started: bool


@dataclass(frozen=True)
class Split:
    """The arguments of a command text; `unbalanced` is where a quote or escape was left open."""

    arguments: tuple[Argument, ...]
    unbalanced: tuple[tuple[Guard, Origin | None], ...] = ()


def split(text: Text, live: Guard, model: bool = False) -> Split:
    """Split as `shlex.split` does (POSIX rules, no comments), keeping guards, holes and origins."""
    return _Splitter(live, model).run(text)


class _Splitter:
    def __init__(self, live: Guard, model: bool) -> None:
        self.live = live
        self.model = model
        self.found: list[Argument] = []
        self.opened: Origin | None = None

    def run(self, text: Text) -> Split:
        states = [_State(self.live, _BETWEEN, Text(), False)]
        for piece in text.pieces:
            guard = piece.guard & self.live
            if guard.impossible:
                continue
            following: list[_State] = []
            for state in states:
                inside = state.guard & guard
                if inside.impossible:
                    following.append(state)
                    continue
                entered = state if inside is state.guard else replace(state, guard=inside)
                stepped = self._hole(entered, piece) if isinstance(piece, Hole) else self._chars(entered, piece)
                if inside is state.guard:
                    following.append(stepped)
                elif stepped.mode == state.mode == _BETWEEN:
                    following.append(state)
                else:
                    following += (stepped, replace(state, guard=state.guard - guard))
            states = _merge_states(following)
        unbalanced = []
        for state in states:
            if state.mode in (_BETWEEN, _WORD):
                self._emit(state)
            else:
                unbalanced.append((state.guard, self.opened))
                self._emit(replace(state, mode=_WORD))
        return Split(tuple(self.found), tuple(unbalanced))

    def _emit(self, state: _State) -> _State:
        if state.started:
            self.found.append(Argument(state.word.under(state.guard), state.guard, self.model))
        return _State(state.guard, _BETWEEN, Text(), False)

    def _hole(self, state: _State, hole: Hole) -> _State:
        mode = state.mode
        quoted = mode in (_SINGLE, _DOUBLE)
        if mode in (_BETWEEN, _ESCAPE):
            mode = _WORD
        elif mode == _DOUBLE_ESCAPE:
            mode = _DOUBLE
        word = state.word + Text((Hole(hole.unknown, self.live, hole.origin, quoted),))
        return _State(state.guard, mode, word, True)

    def _chars(self, state: _State, chars: Chars) -> _State:
        text = chars.text
        index = 0
        while index < len(text):
            mode, char = state.mode, text[index]
            if mode in (_BETWEEN, _WORD):
                if char in _BLANK:
                    state = self._emit(state) if mode == _WORD else state
                elif char in "'\"\\":
                    self.opened = chars.slice(index, index + 1).origin
                    mode = {"'": _SINGLE, '"': _DOUBLE, "\\": _ESCAPE}[char]
                    state = replace(state, mode=mode, started=state.started or mode != _ESCAPE)
                else:
                    stop = index + 1
                    while stop < len(text) and text[stop] not in " \t\r\n'\"\\":
                        stop += 1
                    state = self._add(state, chars, index, stop, _WORD, False)
                    index = stop - 1
            elif mode == _SINGLE or (mode == _DOUBLE and char not in '"\\'):
                stop = index
                closing = "'" if mode == _SINGLE else '"\\'
                while stop < len(text) and text[stop] not in closing:
                    stop += 1
                if stop > index:
                    state = self._add(state, chars, index, stop, mode, True)
                    index = stop - 1
                else:
                    state = replace(state, mode=_WORD)
            elif mode == _DOUBLE:
                state = replace(state, mode=_WORD if char == '"' else _DOUBLE_ESCAPE)
            elif mode == _ESCAPE:
                state = self._add(state, chars, index, index + 1, _WORD, True)
            else:
                if char not in '"\\':
                    backslash = Chars("\\", self.live, chars.slice(index, index).origin, False, True)
                    state = replace(state, word=state.word + Text((backslash,)))
                state = self._add(state, chars, index, index + 1, _DOUBLE, True)
            index += 1
        return state

    def _add(self, state: _State, chars: Chars, start: int, stop: int, mode: int, quoted: bool) -> _State:
        kept = chars.slice(start, stop)
        piece = Chars(kept.text, self.live, kept.origin, kept.exact, quoted)
        return _State(state.guard, mode, state.word + Text((piece,)), True)


def _merge_states(states: list[_State]) -> list[_State]:
    merged: dict[tuple[int, bool], _State] = {}
    for state in states:
        key = (state.mode, state.started)
        known = merged.get(key)
        if known is None:
            merged[key] = state
            continue
        word = merge_texts(known.guard, known.word, state.guard, state.word)
        merged[key] = _State(known.guard | state.guard, state.mode, word, state.started)
    return list(merged.values())


def pieces_text(pieces: tuple[Piece, ...]) -> str:
    """Pieces as people read them, holes as ⟨what they are⟩."""
    return Text(pieces).shown()


def is_unknown(value: Value) -> bool:
    return isinstance(value, Unknown)
