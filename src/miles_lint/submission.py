"""Launches that a recipe submits by hand: the train script and its arguments in a command of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Piece, Reason, Text, Unknown
from miles_lint.fold.machine import Machine
from miles_lint.fold.records import Command
from miles_lint.launch import Argument, Launch, split

_TRAIN_SCRIPT = re.compile(r"(?:^|/)train(?:_\w+)?\.py$")
_PYTHON = re.compile(r"(?:^|/)python[\d.]*$")
_OPERATOR = re.compile(r"[;&|<>]")
_RUNTIME = "--runtime-env-json"


def command_launch(machine: Machine, command: Command) -> Launch | None:
    """The launch in a command that runs a train script with Python, itself or through a job submission."""
    always = machine.space.always
    unbalanced: tuple[tuple[Guard, Origin | None], ...] = ()
    if isinstance(command.given, Text):
        if ".py" not in command.given.shown():
            return None
        found = split(command.given, always)
        words, unbalanced = found.arguments, found.unbalanced
    else:
        words = tuple(Argument(text.under(guard), guard) for guard, text in command.given)
    for index, word in enumerate(words):
        plain = word.text.plain or word.text.shown()
        if index and _TRAIN_SCRIPT.search(plain) and _PYTHON.search(words[index - 1].text.shown()):
            return Launch(
                entry=machine.entry,
                site=command.site,
                space=machine.space,
                guard=command.guard,
                train_script=word.text,
                argv=tuple(_one_command(words[index + 1 :]))
                if isinstance(command.given, Text)
                else words[index + 1 :],
                model_type=Unknown(Reason.OUTSIDE, "part of the command"),
                text=command.given if isinstance(command.given, Text) else Text(),
                problems=(
                    *(("unbalanced quote", guard, origin) for guard, origin in unbalanced),
                    *_broken_environment(words[:index]),
                ),
                via=command.via,
            )
    return None


def _one_command(words: Sequence[Argument]) -> Iterator[Argument]:
    """The words up to where the shell ends the command or redirects what it prints."""
    for word in words:
        kept: list[Piece] = []
        for piece in word.text.pieces:
            found = _OPERATOR.search(piece.text) if isinstance(piece, Chars) and not piece.quoted else None
            if found is not None and isinstance(piece, Chars):
                stream = found.group() in "<>" and piece.text[: found.start()].isdigit()
                if found.start() and not stream:
                    kept.append(piece.slice(0, found.start()))
                if kept:
                    yield replace(word, text=Text(tuple(kept)))
                return
            kept.append(piece)
        yield word


def _broken_environment(words: Sequence[Argument]) -> Iterator[tuple[str, Guard, Origin | None]]:
    """Where the environment that a job submission is given is no JSON."""
    for word, following in zip(words, (*words[1:], None)):
        name, equals, value = (word.text.plain or "").partition("=")
        if name != _RUNTIME:
            continue
        given = value if equals else following.text.plain if following is not None else None
        if given is not None:
            try:
                json.loads(given)
            except ValueError as error:
                yield f"{_RUNTIME}: {error}", word.guard, next(word.origins(), None)
