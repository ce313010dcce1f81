"""Stored contracts: what is read is what was written, the same text every time, and nothing else is accepted."""

from __future__ import annotations

import difflib
import json
import time
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miles_lint.contract.model import Atom, Constraint, Contract, Flag, Selector, Site
from miles_lint.contract.store import SCHEMA, Store, StoreError, dest_of, dumps, loads

scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text("ab é\n", max_size=3)
defaults = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2)
)
sites = st.none() | st.builds(
    Site, st.sampled_from(("t/arguments.py", "t/ärgs.py", "m/config.py")), st.integers(1, 99)
)
names = st.text("abc-", min_size=1, max_size=5).map(lambda word: f"--{word}")
flags = st.builds(
    Flag,
    names=st.lists(names, min_size=1, max_size=3).map(tuple),
    dest=st.text("abc_", min_size=1, max_size=4),
    action=st.sampled_from(("store", "store_true", "append", "unknown")),
    arity=st.sampled_from((None, 0, 2, "+")),
    type=st.sampled_from(("str", "int", "t.parse")),
    choices=st.none() | st.lists(scalars, min_size=1, max_size=3).map(tuple),
    choices_unknown=st.booleans(),
    default=defaults,
    default_known=st.booleans(),
    const=defaults,
    required=st.booleans(),
    owner=st.sampled_from(("miles", "megatron")),
    origin=sites,
    deprecated=st.booleans(),
    suppressed=st.booleans(),
    replacement=st.sampled_from(("", "--other")),
)
constants = st.recursive(scalars, lambda inner: st.lists(inner, max_size=2).map(tuple))
atoms = st.recursive(
    st.builds(Atom, st.sampled_from(("flag", "env")), st.tuples(st.sampled_from(("a", "b")))),
    lambda inner: st.builds(
        Atom, st.sampled_from(("and", "==", "not")), st.lists(inner | constants, max_size=3).map(tuple)
    ),
    max_leaves=8,
)
constraints = st.builds(
    Constraint,
    kind=st.sampled_from(("rejects", "overrides", "ignores")),
    when=atoms,
    origin=sites,
    target=st.sampled_from(("", "a")),
    message_origin=sites,
)
contracts = st.builds(
    Contract,
    trainer=st.just("miles"),
    revision=st.just("31f1ca961"),
    backend=st.sampled_from(("megatron", "fsdp")),
    driver=st.sampled_from(("train.py", "train_async.py")),
    flags=st.lists(flags, max_size=4).map(tuple),
    constraints=st.lists(constraints, max_size=4).map(tuple),
    selectors=st.lists(st.builds(Selector, names, names, st.text("ab."), sites), max_size=1).map(tuple),
    open_prefixes=st.sampled_from(((), ("--sglang-",))),
    allow_abbrev=st.booleans(),
    removed=st.dictionaries(names, st.text("ab "), max_size=2),
    owners=st.sampled_from(((), (("sglang", "0.5.16"), ("megatron", "2e64d788b")))),
    foreign=st.dictionaries(names, st.sampled_from(("fsdp", "megatron")), max_size=2),
    plugged=st.sampled_from((frozenset(), frozenset(("t.plug.generate",)))),
)
BIG = Contract(
    "miles",
    "31f1ca961",
    flags=tuple(
        Flag((f"--flag-{i}",), f"flag_{i}", type="int", default=i, owner="miles", origin=Site("a.py", i))
        for i in range(2_000)
    ),
    constraints=tuple(
        Constraint(
            "rejects",
            Atom("and", (Atom("flag", (f"flag_{i}",)), Atom("not", (Atom("==", (Atom("flag", (f"flag_{j}",)), j)),)))),
            Site("a.py", 3 * i),
        )
        for i in range(20)
        for j in range(10)
    ),
)


def same(one: object, other: object) -> bool:
    """Equality that tells 1 from True and 1.0."""
    tables = {"removed": {}, "foreign": {}}
    assert isinstance(one, Contract)
    assert isinstance(other, Contract)
    said = [{part.name: getattr(each, part.name) for part in fields(each) if part.compare} for each in (one, other)]
    return said[0] == said[1] and repr(replace(one, **tables)) == repr(replace(other, **tables))


@settings(max_examples=80, deadline=None)
@given(st.lists(contracts, max_size=3, unique_by=lambda contract: (contract.backend, contract.driver)))
def test_what_is_written_is_read(written: list[Contract]) -> None:
    text = dumps(written)
    store = loads(text)
    assert store.keys == tuple((contract.backend, contract.driver) for contract in written)
    read = [store.contract(*key) for key in store.keys]
    assert all(map(same, read, written))
    assert dumps(contract for contract in read if contract is not None) == text


def test_the_order_of_tables_in_a_contract_does_not_matter() -> None:
    one = replace(BIG, removed={"--a": "x", "--b": "y"}, foreign={"--c": "fsdp", "--d": "fsdp"})
    other = replace(BIG, removed={"--b": "y", "--a": "x"}, foreign={"--d": "fsdp", "--c": "fsdp"})
    assert dumps([one]) == dumps([other])


def test_contracts_share_what_they_have_in_common() -> None:
    alone = dumps([BIG])
    both = dumps([BIG, replace(BIG, driver="train_async.py", backend="fsdp")])
    assert len(both) < len(alone) + 500
    assert alone.count("\n") > 2_200


def test_one_new_flag_is_one_new_line_and_the_line_that_counts_them() -> None:
    added = Flag(("--new",), "new", origin=Site("b.py", 1))
    new = replace(BIG, flags=(*BIG.flags[:700], added, *BIG.flags[700:]))
    diff = list(difflib.ndiff(dumps([BIG]).splitlines(), dumps([new]).splitlines()))
    assert sum(line.startswith("+ ") for line in diff) <= 4


def test_a_part_of_two_formulas_is_written_once_and_read_as_one() -> None:
    part = Atom("or", (Atom("flag", ("a",)), Atom("==", (Atom("flag", ("b",)), "abort"))))
    twin = Atom("or", (Atom("flag", ("a",)), Atom("==", (Atom("flag", ("b",)), "abort"))))
    formulas = (Atom("and", (part, Atom("flag", ("c",)))), Atom("not", (twin,)))
    contract = Contract("miles", "x", constraints=tuple(Constraint("rejects", when) for when in formulas))
    text = dumps([contract])
    assert text.count("abort") == 1
    read = loads(text).contract("megatron", "train.py")
    assert read is not None
    first, second = (constraint.when.operands[0] for constraint in read.constraints)
    assert first is second


def test_infinities_survive_and_what_json_cannot_hold_is_refused() -> None:
    contract = Contract("miles", "x", flags=(Flag(("--a",), "a", default=[float("inf")]),))
    text = dumps([contract])
    assert json.loads(text, parse_constant=pytest.fail)
    assert same(loads(text).contract("megatron", "train.py"), contract)
    with pytest.raises(TypeError):
        dumps([Contract("miles", "x", flags=(Flag(("--a",), "a", default=object()),))])


def broken(**changes: Any) -> str:
    return json.dumps({**json.loads(dumps([BIG])), **changes})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"schema": 0}',
        f'{{"schema": {SCHEMA}}}',
        broken(schema=SCHEMA + 1),
        broken(contracts=[{}]),
        broken(contracts=3),
        broken(flags=[]),
        broken(flags=[{"names": 1}] * 2_000),
        broken(flags=[{"names": ["--a"], "novelty": 1}] * 2_000),
        broken(paths={}),
        broken(constraints=[{"when": {"@": "nothing"}}] * 200),
        broken(constraints=[{"when": []}] * 200),
        broken(atoms=None, constraints=[{"when": {"@": "nothing"}}] * 200),
    ],
)
def test_anything_else_is_refused_with_its_reason(text: str) -> None:
    with pytest.raises(StoreError, match=r"\w"):
        loads(text).contract("megatron", "train.py")


def test_a_contract_that_is_not_there() -> None:
    assert loads(dumps([BIG])).contract("fsdp", "train.py") is None


@pytest.mark.parametrize(
    ("names", "dest"), [(("--a-b",), "a_b"), (("-a", "--a-b"), "a_b"), (("-a",), "a"), (("--a", "--b"), "a")]
)
def test_the_dest_is_the_one_that_argparse_derives(names: tuple[str, ...], dest: str) -> None:
    assert dest_of(names) == dest


def test_a_contract_as_large_as_the_real_one_is_read_in_no_time() -> None:
    text = dumps([BIG])

    def once() -> float:
        start = time.process_time()
        store: Store = loads(text)
        assert store.contract("megatron", "train.py") is not None
        return time.process_time() - start

    assert min(once() for _ in range(10)) < 0.03
