"""Formulas against Python itself, on plain namespaces, on guarded launches, and with values hidden."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping
from typing import Any

from miles_lint.binding import bind
from miles_lint.constraints import causes, verdict, verdicts
from miles_lint.contract.model import Atom, Constraint, Contract
from miles_lint.domain.guard import Space
from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Chars, Hole, Reason, Text, Unknown
from miles_lint.judge import Judge, reads
from miles_lint.launch import Argument, Launch, Variant
from tests.oracles.real_argparse import parse, parser_of
from tests.test_binding import FLAGS, STRICT, argv, assignments, guarded_text, guards, holds, launch_of, shown, word

OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">=": operator.ge,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
    "is": lambda left, right: left is right if right is None else left == right and type(left) is type(right),
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "index": operator.getitem,
}
CONSTANTS = (None, True, False, 0, 1, 2, 8, "abort", "1", "a", (1, None), ("abort", "a"), (False, True, "v1"))
DESTS = tuple(dict.fromkeys(flag.dest for flag in FLAGS if not flag.suppressed and flag.action != "append"))
ENVIRONMENT = {"LEGACY": "1"}


class Raised(Exception):
    """Python has no value for it."""


def formula(chance: random.Random, depth: int = 3) -> object:
    """A random expression; whatever Python makes of it."""
    if depth == 0 or chance.random() < 0.15:
        kind = chance.random()
        if kind < 0.6:
            return Atom("flag", (chance.choice(DESTS),))
        return Atom("env", (chance.choice(("LEGACY", "UNSET")),)) if kind < 0.7 else chance.choice(CONSTANTS)
    kind = chance.random()
    if kind < 0.35:
        op = chance.choice(("and", "or"))
        return Atom(op, tuple(formula(chance, depth - 1) for _ in range(chance.randint(0, 3))))
    if kind < 0.5:
        return Atom(chance.choice(("not", "truth", "len")), (formula(chance, depth - 1),))
    if kind < 0.55:
        return Atom("call", (chance.choice(("lower", "bool", "int", "max")), formula(chance, depth - 1)))
    return Atom(chance.choice(tuple(OPERATORS)), (formula(chance, depth - 1), formula(chance, depth - 1)))


def real(operand: object, values: Mapping[str, Any]) -> Any:
    """What Python computes; raises `Raised` where it fails."""
    if not isinstance(operand, Atom):
        return operand
    op, parts = operand.op, operand.operands
    if op == "flag":
        value = values[str(parts[0])]
        return tuple(value) if isinstance(value, list) else value
    if op == "env":
        return ENVIRONMENT.get(str(parts[0]))
    if op == "and":
        return all(real(part, values) for part in parts)
    if op == "or":
        return any(real(part, values) for part in parts)
    if op == "call":
        name, argument = str(parts[0]), real(parts[1], values)
        called = {"bool": bool, "int": int, "max": max, "lower": str.lower}[name]
        return attempt(called, argument)
    made = [real(part, values) for part in parts]
    if op in ("not", "truth", "len"):
        return attempt({"not": operator.not_, "truth": bool, "len": len}[op], *made)
    return attempt(OPERATORS[op], *made)


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        raise Raised from error


def truth_of(when: Atom, values: Mapping[str, Any]) -> Truth:
    """MAYBE where Python fails."""
    try:
        return Truth.of(bool(real(when, values)))
    except Raised:
        return Truth.MAYBE


def random_constraint(chance: random.Random) -> Constraint:
    return Constraint("rejects", Atom("truth", (formula(chance),)))


def namespace(chance: random.Random) -> dict[str, Any]:
    while True:
        parsed = parse(PARSER, argv(chance))
        if not parsed.refused:
            return parsed.values


PARSER = parser_of(STRICT)


def test_verdicts_are_what_python_computes() -> None:
    chance = random.Random(8)
    counts = dict.fromkeys(Truth, 0)
    for _ in range(4_000):
        constraint, values = random_constraint(chance), namespace(chance)
        found, wanted = verdict(constraint, values, ENVIRONMENT), truth_of(constraint.when, values)
        assert (
            found is wanted
            or wanted is Truth.MAYBE
            or (found is Truth.MAYBE and fails_somewhere(constraint.when, values))
        )
        counts[found] += 1
    assert min(counts.values()) > 300


def fails_somewhere(operand: object, values: Mapping[str, Any]) -> bool:
    """Whether a part of a formula has no value in Python, though the whole may have."""
    if not isinstance(operand, Atom):
        return False
    try:
        real(operand, values)
    except Raised:
        return True
    if operand.op in ("+", "*", "%") and not all(isinstance(real(p, values), (int, float)) for p in operand.operands):
        return True
    return any(fails_somewhere(part, values) for part in operand.operands)


def test_a_guarded_launch_is_judged_under_each_assignment_as_its_namespace_there() -> None:
    chance = random.Random(9)
    judged = 0
    for _ in range(250):
        space = Space()
        conditions = guards(chance, space)
        arguments = []
        for written in argv(chance):
            text = guarded_text(chance, [written, written, word(chance)], conditions)
            arguments.append(Argument(text, next(conditions)))
        always = Text((Chars("1", space.always),))
        launch = launch_of(arguments, space)
        environment = (("LEGACY", (Variant(space.always, always),)),)
        launch = Launch(**{**fields_of(launch), "environment": environment})
        judge = Judge(bind(launch, STRICT))
        wanted = [random_constraint(chance) for _ in range(6)]
        wanted = [constraint for constraint in wanted if ("env", "UNSET") not in set(reads(constraint.when))]
        for choice in assignments(space):
            parsed = parse(PARSER, [shown(a.text, choice) for a in arguments if holds(a.guard, choice)])
            if parsed.refused:
                continue
            for constraint in wanted:
                yes, maybe = judge.truth(constraint.when)
                found = Truth.YES if holds(yes, choice) else Truth.MAYBE if holds(maybe, choice) else Truth.NO
                assert found is verdict(constraint, parsed.values, ENVIRONMENT), (constraint, parsed)
                judged += 1
    assert judged > 1_500


def fields_of(launch: Launch) -> dict[str, Any]:
    return {name: getattr(launch, name) for name in launch.__dataclass_fields__}


def test_what_is_hidden_may_be_anything() -> None:
    chance = random.Random(10)
    decided = 0
    for _ in range(400):
        words = argv(chance)
        space = Space()
        launch = launch_of(
            [Argument(Text((Chars(w, space.always),) if w else ()), space.always) for w in words], space
        )
        parsed = parse(PARSER, words)
        if parsed.refused:
            continue
        hidden = frozenset(("flag", dest) for dest in chance.sample(DESTS, 3))
        judge = Judge(bind(launch, STRICT), hidden)
        for constraint in (random_constraint(chance) for _ in range(5)):
            if any(read[0] == "env" for read in reads(constraint.when)):
                continue
            yes, maybe = judge.truth(constraint.when)
            if yes.certain or maybe.impossible:
                decided += 1
                for _ in range(10):
                    other = namespace(chance)
                    values = {d: other[d] if ("flag", d) in hidden else v for d, v in parsed.values.items()}
                    assert truth_of(constraint.when, values) in (Truth.of(yes.certain), Truth.MAYBE), constraint
    assert decided > 300


def flag(dest: str) -> Atom:
    return Atom("flag", (dest,))


def known_launch(*words: str, hole_after: str = "", env: str = "") -> Launch:
    space = Space()
    arguments = [Argument(Text((Chars(written, space.always),)), space.always) for written in words]
    if hole_after:
        pieces = (Chars(hole_after, space.always), Hole(Unknown(Reason.KNOB, "x"), space.always))
        arguments.append(Argument(Text(pieces), space.always))
    launch = launch_of(arguments, space)
    variants = ((env, (Variant(space.always, Text((Chars("1", space.always),))),)),) if env else ()
    script = Text((Chars("/root/miles/train_async.py", space.always),))
    return Launch(**{**fields_of(launch), "environment": variants, "train_script": script})


def told(when: Atom, launch: Launch) -> Truth:
    contract = Contract("miles", "test", flags=FLAGS, constraints=(Constraint("rejects", when),))
    binding = bind(launch, contract)
    surely, perhaps = Judge(binding).truth(when)
    found = [verdict.violated for verdict in verdicts(binding, "rejects")]
    assert found == ([] if surely.impossible else [surely])
    return Truth.NO if perhaps.impossible else Truth.YES if surely.certain else Truth.MAYBE


def test_what_is_known_of_an_unknown_value_decides() -> None:
    launch = known_launch("--one", hole_after="/data/")
    listed = Atom("index", (flag("one"), 0))
    assert told(Atom("is", (listed, None)), launch) is Truth.NO
    assert told(Atom("truth", (listed,)), launch) is Truth.YES
    assert told(Atom("==", (listed, "/other/x")), launch) is Truth.NO
    assert told(Atom("==", (listed, "/data/x")), launch) is Truth.MAYBE
    assert told(Atom("in", ("/data", listed)), launch) is Truth.YES
    assert told(Atom("in", (listed, ("a", "/data/x"))), launch) is Truth.MAYBE
    assert told(Atom("in", (listed, ("a", None, 3))), launch) is Truth.NO
    assert told(Atom("<", (listed, "/e")), launch) is Truth.MAYBE
    assert told(Atom("==", (Atom("len", (flag("one"),)), 1)), launch) is Truth.YES


def test_the_words_of_a_list_with_an_unknown_word_are_not_counted() -> None:
    space = Space()
    hole = Argument(Text((Hole(Unknown(Reason.KNOB, "data"), space.always),)), space.always)
    launch = launch_of([Argument(Text((Chars("--eval-data", space.always),)), space.always), hole], space)
    assert told(Atom("==", (Atom("%", (Atom("len", (flag("eval_data"),)), 2)), 1)), launch) is Truth.MAYBE
    assert told(Atom("truth", (flag("eval_data"),)), launch) is Truth.YES


def test_a_refused_use_leaves_its_dest_unknown() -> None:
    assert told(Atom("is", (flag("lr"), None)), known_launch("--lr")) is Truth.MAYBE
    assert told(Atom("==", (flag("lr"), 1e-6)), known_launch("--lr", "fast")) is Truth.MAYBE
    assert told(Atom("is", (flag("rollout_batch_size"), None)), known_launch()) is Truth.MAYBE
    assert told(Atom("truth", (flag("no_such_dest"),)), known_launch()) is Truth.MAYBE
    assert told(Atom("truth", (flag("hidden"),)), known_launch()) is Truth.MAYBE


def test_the_environment_and_the_driver() -> None:
    legacy, runs = Atom("==", (Atom("env", ("LEGACY",)), "1")), Atom("==", (Atom("driver", ()), "train_async.py"))
    assert told(legacy, known_launch(env="LEGACY")) is Truth.YES
    assert told(legacy, known_launch()) is Truth.MAYBE
    assert told(runs, known_launch()) is Truth.YES
    assert told(Atom("not", (runs,)), known_launch()) is Truth.NO
    assert told(Atom("unknown", ("a file exists",)), known_launch()) is Truth.MAYBE


def test_the_fewest_flags_explain_a_violation() -> None:
    when = Atom(
        "and",
        (
            flag("colocate"),
            Atom("or", (Atom("==", (flag("mode"), "abort")), Atom("is", (flag("rollout_num_gpus"), None)))),
            Atom("!=", (flag("seed"), 2)),
        ),
    )
    contract = Contract("miles", "test", flags=FLAGS, constraints=(Constraint("rejects", when),))
    binding = bind(known_launch("--colocate", "--mode", "abort"), contract)
    (found,) = verdicts(binding, "rejects")
    because = causes(binding, found, binding.launch.guard)
    assert [(cause.name, [r.value for r in cause.readings]) for cause in because] == [
        ("colocate", [True]),
        ("mode", ["abort"]),
        ("seed", [1]),
    ]
    assert [bool(cause.readings[0].use) for cause in because] == [True, True, False]
