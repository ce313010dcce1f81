"""Reading an argv against a real parser built from the same contract: random argvs, plain and guarded."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from miles_lint.binding import ABSENT, Binding, Rejected, bind, readings
from miles_lint.contract.model import Contract, Flag
from miles_lint.domain.guard import Guard, Space, Variable
from miles_lint.domain.value import Chars, Known, Text
from miles_lint.launch import Argument, Launch
from miles_lint.source import Place, Span
from tests.oracles.real_argparse import Parsed, parse, parser_of

FLAGS = (
    Flag(("--lr",), "lr", type="float", default=1e-6),
    Flag(("--rollout-batch-size",), "rollout_batch_size", type="int", required=True),
    Flag(("--rollout-num-gpus",), "rollout_num_gpus", type="int"),
    Flag(("--mode", "--pause-mode"), "mode", choices=("abort", "retract"), default="retract"),
    Flag(("--colocate",), "colocate", "store_true", 0, default=False),
    Flag(("--no-rope",), "rope", "store_false", 0, default=True),
    Flag(("--offload", "--no-offload"), "offload", "boolean_optional", 0),
    Flag(("--eval-data",), "eval_data", arity="+"),
    Flag(("--stop",), "stop", arity="*", type="int"),
    Flag(("--server",), "server", arity="?", const="v1", default=False),
    Flag(("--betas",), "betas", arity=2, type="float", default=[0.9, 0.95]),
    Flag(("--one",), "one", arity=1),
    Flag(("--adapter",), "adapter", "append", 2, default=[]),
    Flag(("--hook",), "hook", "append"),
    Flag(("--path",), "paths", "extend", "+"),
    Flag(("--kwargs",), "kwargs", type="json.loads", default="{}"),
    Flag(("--backend-a",), "backend", "store_const", 0, const="a"),
    Flag(("--backend",), "backend", suppressed=True),
    Flag(("--verbose",), "verbose", "count", 0, default=0),
    Flag(("--mark",), "marks", "append_const", 0, const=1),
    Flag(("--seed",), "seed", type="int", choices=(1, 2, 3), default="1"),
    Flag(("--lazy",), "lazy", type="bool", default=None),
    Flag(("--hidden",), "hidden", "store_true", 0, suppressed=True),
)
STRICT = Contract("miles", "test", flags=FLAGS)
LENIENT = Contract("miles", "test", flags=FLAGS, allow_abbrev=True)
NAMES = tuple(name for flag in FLAGS for name in flag.names)
VALUES = ("1", "2", "-3", "-0.5", "a", "abort", "true", "", "a b", "-x y", "-", "--", "--new", '{"k": [1]}', "v2")
KNOBS = 3


def word(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.5:
        return chance.choice(VALUES)
    name = chance.choice(NAMES)
    if kind < 0.6:
        return f"{name}={chance.choice(VALUES[:10])}"
    return name[: chance.randint(3, len(name))] if kind < 0.7 else name


def argv(chance: random.Random) -> list[str]:
    """Mostly well-formed uses, with stray words and mistakes between them."""
    words = ["--rollout-batch-size", "8"] if chance.random() < 0.9 else []
    for _ in range(chance.randint(0, 5)):
        flag = chance.choice(FLAGS)
        words.append(chance.choice(flag.names))
        low, high = flag.words
        words += [chance.choice(VALUES[:6]) for _ in range(chance.randint(low, min(high, low + 2)))]
        if chance.random() < 0.3:
            words.append(word(chance))
    return words


def launch_of(arguments: Sequence[Argument], space: Space) -> Launch:
    site = Place("recipe.py", Span(0, 0))
    return Launch("main", site, space, space.always, Known(None), tuple(arguments))


def plain_launch(words: Sequence[str]) -> Launch:
    space = Space()
    return launch_of([Argument(Text((Chars(w, space.always),)), space.always) for w in words], space)


def holds(guard: Guard, choice: dict[Variable, int]) -> bool:
    found = guard.restrict(choice)
    assert found.certain or found.impossible
    return found.certain


def values_of(binding: Binding, choice: dict[Variable, int]) -> dict[str, object]:
    """The namespace that a binding promises under an assignment."""
    found: dict[str, object] = {}
    for dest in binding.contract.by_dest:
        (reading,) = (r for r in binding.effective(dest) if holds(r.guard, choice))
        if reading.value is not ABSENT:
            found[dest] = reading.value
    return found


def shown(text: Text, choice: dict[Variable, int]) -> str:
    pieces = (piece for piece in text.pieces if isinstance(piece, Chars) and holds(piece.guard, choice))
    return "".join(piece.text for piece in pieces)


def left_over(binding: Binding, choice: dict[Variable, int]) -> tuple[str, ...]:
    """The words that no flag takes, an unknown option followed by those behind it."""
    found = []
    for unbound in binding.unbound:
        if holds(unbound.guard, choice):
            found.append(shown(unbound.argument.text, choice))
            inline = "=" in found[-1]
            found += [shown(v.text, choice) for v in unbound.values if not inline and holds(v.guard, choice)]
    return tuple(found)


def listed(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [listed(item) for item in value]
    return {k: listed(v) for k, v in value.items()} if isinstance(value, dict) else value


def check(binding: Binding, choice: dict[Variable, int], parsed: Parsed) -> None:
    refused = any(holds(error.guard, choice) for error in binding.errors)
    refused = refused or any(holds(absent, choice) for _, absent in binding.missing())
    refused = refused or any(
        isinstance(reading.value, Rejected) and holds(reading.guard, choice)
        for use in binding.assignments
        for reading in readings(use)
    )
    assert refused == bool(parsed.refused), parsed
    if refused:
        return
    assert left_over(binding, choice) == parsed.left
    assert listed(values_of(binding, choice)) == parsed.values


@pytest.mark.parametrize("contract", [STRICT, LENIENT], ids=["strict", "lenient"])
def test_ten_thousand_argvs_read_as_argparse_reads_them(contract: Contract) -> None:
    parser = parser_of(contract)
    chance = random.Random(4)
    refused = 0
    for _ in range(5_000):
        words = argv(chance)
        parsed = parse(parser, words)
        refused += bool(parsed.refused)
        try:
            check(bind(plain_launch(words), contract), {}, parsed)
        except AssertionError as error:
            raise AssertionError(words) from error
    assert 1_000 < refused < 4_000


def guards(chance: random.Random, space: Space) -> Iterator[Guard]:
    """Random conditions over a few knobs, most of them certain."""
    knobs = [space.knob(name, domain) for name, domain in (("a", (True, False)), ("b", (1, 2, 3)), ("c", (1, 2)))]
    while True:
        guard = space.always
        while chance.random() < 0.3:
            knob = chance.choice(knobs)
            test = space.test(knob, frozenset((chance.randrange(len(knob.domain)),)))
            guard = guard & (test if chance.random() < 0.6 else ~test)
        if not guard.impossible:
            yield guard


def guarded_text(chance: random.Random, words: list[str], conditions: Iterator[Guard]) -> Text:
    """A word, a word with a conditional end, or one of two words, depending on knobs."""
    written = chance.choice(words)
    kind = chance.random()
    if kind < 0.5:
        return Text((Chars(written, next(conditions).space.always),))
    if kind < 0.75:
        cut = chance.randint(0, len(written))
        always = next(conditions).space.always
        return Text(tuple(Chars(s, g) for s, g in ((written[:cut], always), (written[cut:], next(conditions))) if s))
    guard = next(conditions)
    pieces = (Chars(written, guard), Chars(chance.choice(words), ~guard))
    return Text(tuple(piece for piece in pieces if not piece.guard.impossible and piece.text))


def assignments(space: Space) -> Iterator[dict[Variable, int]]:
    for row in product(*(range(len(variable.domain)) for variable in space.variables)):
        yield dict(zip(space.variables, row))


@pytest.mark.parametrize("contract", [STRICT, LENIENT], ids=["strict", "lenient"])
def test_a_guarded_launch_reads_under_each_assignment_as_its_argv_there(contract: Contract) -> None:
    parser = parser_of(contract)
    chance = random.Random(5)
    accepted = 0
    for _ in range(400):
        space = Space()
        conditions = guards(chance, space)
        arguments = []
        for written in argv(chance):
            text = guarded_text(chance, [written, written, word(chance)], conditions)
            arguments.append(Argument(text, next(conditions)))
        binding = bind(launch_of(arguments, space), contract)
        for choice in assignments(space):
            words = [shown(a.text, choice) for a in arguments if holds(a.guard, choice)]
            parsed = parse(parser, words)
            accepted += not parsed.refused
            check(binding, choice, parsed)
    assert accepted > 500
