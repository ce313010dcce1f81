"""One command line that a recipe would submit, and the shell rules that split its text into arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
    the call is reached; `environment` holds what the recipe adds to the job's environment, and where it may add
    variables that are not known, `other_environment` says on which condition and why.
    """

    entry: str
    site: Place
    space: Space
    guard: Guard
    train_script: Value
    argv: tuple[Argument, ...]
    model_type: Value = _NO_MODEL
    environment: tuple[tuple[str, tuple[Variant, ...]], ...] = ()
    other_environment: tuple[tuple[Guard, Unknown], ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    text: Text = _NO_TEXT
    problems: tuple[tuple[str, Guard, Origin | None], ...] = ()
    via: tuple[Place, ...] = ()
    signature: tuple[str, ...] = ()


_BETWEEN, _WORD, _SINGLE, _DOUBLE, _ESCAPE, _DOUBLE_ESCAPE = range(6)
_BLANK = " \t\r\n"


_STRETCH = {
    _BETWEEN: re.compile(r"[ \t\r\n]+|[^ \t\r\n'\"\\]+"),
    _WORD: re.compile(r"[ \t\r\n]+|[^ \t\r\n'\"\\]+"),
    _SINGLE: re.compile(r"[^']+"),
    _DOUBLE: re.compile(r"[^\"\\]+"),
}
"""In each mode, what is read at one go: blanks, or characters of a word."""
_OPENED = {"'": _SINGLE, '"': _DOUBLE, "\\": _ESCAPE}


@dataclass(slots=True)
class _State:
    """Where a shell stands under a guard: its mode, and the word it has begun, if it has."""

    guard: Guard
    mode: int = _BETWEEN
    word: tuple[Piece, ...] = ()
    started: bool = False


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
        states = [_State(self.live)]
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
                stepped = _State(inside, state.mode, state.word, state.started)
                self._hole(stepped, piece) if isinstance(piece, Hole) else self._chars(stepped, piece)
                if inside is state.guard:
                    following.append(stepped)
                elif stepped.mode == state.mode == _BETWEEN:
                    following.append(state)
                else:
                    following += (stepped, _State(state.guard - guard, state.mode, state.word, state.started))
            states = following if len(following) == 1 else _merge_states(following)
        unbalanced = []
        for state in states:
            if state.mode not in (_BETWEEN, _WORD):
                unbalanced.append((state.guard, self.opened))
            self._emit(state)
        return Split(tuple(self.found), tuple(unbalanced))

    def _emit(self, state: _State) -> None:
        if state.started:
            word = Text(state.word) if state.guard is self.live else Text(state.word).under(state.guard)
            self.found.append(Argument(word, state.guard, self.model))
        state.mode, state.word, state.started = _BETWEEN, (), False

    def _hole(self, state: _State, hole: Hole) -> None:
        quoted = state.mode in (_SINGLE, _DOUBLE)
        if state.mode in (_BETWEEN, _ESCAPE):
            state.mode = _WORD
        elif state.mode == _DOUBLE_ESCAPE:
            state.mode = _DOUBLE
            state.word = (*state.word, Chars("\\", self.live, None, False, True))
        state.word = (*state.word, Hole(hole.unknown, self.live, hole.origin, quoted))
        state.started = True

    def _chars(self, state: _State, chars: Chars) -> None:
        text = chars.text
        index, size = 0, len(text)
        while index < size:
            mode, char = state.mode, text[index]
            stretch = _STRETCH[mode].match(text, index) if mode in _STRETCH else None
            if stretch is not None:
                stop = stretch.end()
                if mode in (_SINGLE, _DOUBLE):
                    self._add(state, chars, index, stop, mode, True)
                elif char not in _BLANK:
                    self._add(state, chars, index, stop, _WORD, False)
                elif mode == _WORD:
                    self._emit(state)
                index = stop
                continue
            if mode in (_BETWEEN, _WORD):
                self.opened = chars.slice(index, index + 1).origin
                state.mode = _OPENED[char]
                state.started = state.started or state.mode != _ESCAPE
            elif mode in (_SINGLE, _DOUBLE):
                state.mode = _DOUBLE_ESCAPE if char == "\\" else _WORD
            elif mode == _ESCAPE:
                self._add(state, chars, index, index + 1, _WORD, True)
            else:
                if char not in '"\\':
                    backslash = Chars("\\", self.live, chars.slice(index, index).origin, False, True)
                    state.word = (*state.word, backslash)
                self._add(state, chars, index, index + 1, _DOUBLE, True)
            index += 1

    def _add(self, state: _State, chars: Chars, start: int, stop: int, mode: int, quoted: bool) -> None:
        origin = chars.origin
        if chars.exact and origin is not None:
            origin = origin.slice(start, stop)
        state.word = (*state.word, Chars(chars.text[start:stop], self.live, origin, chars.exact, quoted))
        state.mode, state.started = mode, True


def _merge_states(states: list[_State]) -> list[_State]:
    merged: dict[tuple[int, bool], _State] = {}
    for state in states:
        key = (state.mode, state.started)
        known = merged.get(key)
        if known is None:
            merged[key] = state
            continue
        word = merge_texts(known.guard, Text(known.word), state.guard, Text(state.word))
        merged[key] = _State(known.guard | state.guard, state.mode, word.pieces, state.started)
    return list(merged.values())
