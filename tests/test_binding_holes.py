"""Argvs with unknown parts: whatever stands in the holes, what the binding is sure of is true."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from miles_lint.binding import ABSENT, Binding, Partial, bind
from miles_lint.contract.model import Contract
from miles_lint.domain.guard import Space, Variable
from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Chars, Hole, Reason, Text, Unknown
from miles_lint.launch import Argument
from tests.oracles.real_argparse import Parsed, parse, parser_of
from tests.test_binding import LENIENT, STRICT, argv, assignments, holds, launch_of

ANY_WORDS = ((), ("x",), ("-2",), ("--colocate",), ("--lr", "2"), ("--eval-data", "q"), ("--new", "7"), ("--hook",))
ONE_WORD = ("x", "7", "retract")
PARTS = ("", "x", "1", "/y", "b,c")


def hole(space: Space, quoted: bool = False) -> Hole:
    return Hole(Unknown(Reason.KNOB, "hole"), space.always, None, quoted)


def with_holes(chance: random.Random, written: str, space: Space) -> Text:
    """A word with an unknown beginning, end or whole, or as it is."""
    kind = chance.random()
    whole = Chars(written, space.always)
    if kind < 0.12:
        return Text((hole(space),))
    if kind < 0.16:
        return Text((hole(space, quoted=True),))
    if kind < 0.22:
        return Text((hole(space), Chars(chance.choice(("/x", "--colocate", "--lr")), space.always)))
    if kind < 0.32 and len(written) > 1:
        return Text((replace(whole, text=written[: chance.randint(2, len(written))]), hole(space)))
    return Text((whole,)) if written else Text()


def filled(chance: random.Random, binding: Binding) -> list[str]:
    """The argv with random contents in its holes, as far as a reading may take them for granted."""
    free = {opening.index for opening in binding.openings}
    words: list[str] = []
    for index, argument in enumerate(binding.launch.argv):
        pieces = argument.text.pieces
        if argument.lone_hole is not None:
            words += chance.choice(ANY_WORDS) if index in free else (chance.choice(ONE_WORD),)
            continue
        leading = bool(pieces) and isinstance(pieces[0], Hole)
        part = chance.choice(PARTS if not leading or index in free else ONE_WORD)
        word = "".join(piece.text if isinstance(piece, Chars) else part for piece in pieces)
        words.append(word if word != "--" or argument.text.plain == "--" else "--x")
    return words


def covers(described: object, real: object) -> bool:
    """Whether a value that a parser left is one of those that a reading describes."""
    if isinstance(described, tuple) and isinstance(real, list):
        return len(described) == len(real) and all(map(covers, described, real))
    if not isinstance(described, Partial):
        return bool(described == real) and type(described) is type(real)
    if described.type is None:
        return True
    typed = isinstance(real, (list, tuple) if described.type is tuple else described.type)
    told = described.truth is Truth.MAYBE or described.truth is Truth.of(bool(real))
    pattern = "".join(".*" if part is None else re.escape(part) for part in described.text)
    return typed and told and (not described.text or re.fullmatch(pattern, str(real), re.DOTALL) is not None)


def explains(binding: Binding, choice: dict[Variable, int], parsed: Parsed) -> bool:
    """Whether the binding, with its doubts decided one way, describes all that the parser left."""
    for dest in binding.contract.by_dest:
        (reading,) = (r for r in binding.effective(dest) if holds(r.guard, choice))
        real = parsed.values.get(dest, ABSENT)
        if not covers(reading.value, real) and not (reading.value is real is ABSENT):
            return False
    return True


def certain_strays(binding: Binding) -> Iterator[str]:
    for unbound in binding.unbound:
        if unbound.guard.certain and unbound.argument.text.plain is not None:
            yield unbound.argument.text.plain


@pytest.mark.parametrize("contract", [STRICT, LENIENT], ids=["strict", "lenient"])
def test_whatever_fills_the_holes_the_binding_describes_it(contract: Contract) -> None:
    parser = parser_of(contract)
    chance = random.Random(6)
    accepted = opened = 0
    for _ in range(1_500):
        space = Space()
        texts = [with_holes(chance, written, space) for written in argv(chance)]
        binding = bind(launch_of([Argument(text, space.always) for text in texts], space), contract)
        opened += bool(binding.openings)
        for _ in range(3):
            words = filled(chance, binding)
            parsed = parse(parser, words)
            if parsed.refused:
                continue
            accepted += 1
            assert not any(error.guard.certain for error in binding.errors), (words, parsed)
            assert set(certain_strays(binding)) <= set(parsed.left), (words, parsed)
            assert any(explains(binding, choice, parsed) for choice in assignments(space)), (words, parsed)
    assert accepted > 500
    assert opened > 300
