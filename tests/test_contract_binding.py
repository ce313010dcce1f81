"""The bundled contracts against real parsers built from them, as any launch would meet them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from miles_lint.binding import ABSENT, Rejected, bind, readings
from miles_lint.contract.live import bundled
from miles_lint.contract.model import Contract, Flag
from miles_lint.domain.guard import Space
from miles_lint.domain.value import Chars, Known, Text
from miles_lint.launch import Argument, Launch
from miles_lint.source import Place, Span
from tests.oracles.real_argparse import CONVERTERS, parse, parser_of

WORDS = ("1", "2", "-3", "-0.5", "a", "true", "", "a b", '{"k": [1]}', "16")
LONGEST = 3


def told(flag: Flag) -> bool:
    """Whether a parser can be built that has the flag: what it takes is known."""
    known = flag.default_known and not flag.choices_unknown and flag.action != "unknown"
    return known and (flag.words[1] == 0 or flag.type in CONVERTERS)


def whole(backend: str) -> Contract:
    stored = bundled().contract(backend, "train.py")
    assert stored is not None
    return replace(stored, flags=tuple(filter(told, stored.flags)))


def launch(words: list[str]) -> Launch:
    space = Space()
    arguments = tuple(Argument(Text((Chars(word, space.always),)), space.always) for word in words)
    return Launch("main", Place("recipe.py", Span(0, 0)), space, space.always, Known(None), arguments)


def argv(chance: random.Random, contract: Contract) -> tuple[list[str], set[str]]:
    """A command line, mostly well formed, and the dests that it names."""
    words: list[str] = []
    dests = {flag.dest for flag in chance.sample(contract.flags, 2)}
    for flag in contract.flags:
        if flag.required and chance.random() < 0.95:
            words += [flag.names[0], *(["1"] * max(flag.words[0], 1))]
    for flag in chance.choices(contract.flags, k=chance.randint(1, 6)):
        low, high = flag.words
        count = chance.randint(low, min(high, low + LONGEST)) if chance.random() < 0.95 else chance.randint(0, 3)
        pool = [str(choice) for choice in flag.choices or ()] or {"int": ["1", "4"], "float": ["0.5", "1e-6"]}.get(
            flag.type, list(WORDS)
        )
        values = [chance.choice(pool if chance.random() < 0.9 else WORDS) for _ in range(count)]
        name = chance.choice(flag.names)
        if len(values) == 1 and chance.random() < 0.2:
            words.append(f"{name}={values[0]}")
        else:
            words += [name, *values]
        dests.add(flag.dest)
    return words, dests


@pytest.mark.parametrize("backend", ["megatron", "fsdp"])
def test_command_lines_are_read_as_argparse_reads_them(backend: str) -> None:
    contract = whole(backend)
    assert len(contract.flags) > 1_200
    parser, chance, refused = parser_of(contract), random.Random(7), 0
    for _ in range(5_000):
        words, dests = argv(chance, contract)
        binding, parsed = bind(launch(words), contract), parse(parser, words)
        bad = any(isinstance(each.value, Rejected) for use in binding.assignments for each in readings(use))
        assert (bad or bool(binding.errors) or bool([*binding.missing()])) == bool(parsed.refused), (words, parsed)
        refused += bool(parsed.refused)
        for dest in dests if not parsed.refused else ():
            (reading,) = binding.effective(dest)
            value = ... if reading.value is ABSENT else reading.value
            assert _listed(value) == _listed(parsed.values.get(dest, ...)), (words, dest)
    assert 250 < refused < 4_750


def _listed(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [*map(_listed, value)]
    return {key: _listed(each) for key, each in value.items()} if isinstance(value, dict) else value
