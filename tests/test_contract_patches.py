"""Corrections: each has a reason, still corrects something, and never says what a contract says better."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from miles_lint.contract.live import bundled as stored
from miles_lint.contract.model import Atom, Constraint, Contract, Flag, Site
from miles_lint.contract.patches import Patch, bundled, patched, read

CONTRACT = Contract("miles", "31f1ca961", flags=(Flag(("--old",), "old"), Flag(("--kept", "--alias"), "kept")))
CONTRACTS = tuple(found for key in stored().keys if (found := stored().contract(*key)) is not None)


def one(**told: object) -> Patch:
    (made,) = read(json.dumps([{"reason": "because", **told}]))
    return made


def test_each_kind_of_correction() -> None:
    patches = (
        one(add=[{"names": ["--new-one"], "type": "int", "choices": [1, 2]}]),
        one(change={"--alias": {"deprecated": True}}),
        one(removed={"--gone": "use `--kept`"}),
        one(constraints=[{"at": "t/a.py:3", "when": {"not": {"flag": "kept"}}}]),
    )
    found = patched(CONTRACT, patches)
    assert found.by_name["--new-one"] == Flag(("--new-one",), "new_one", type="int", choices=(1, 2))
    assert found.by_name["--kept"].deprecated
    assert found.removed == {"--gone": "use `--kept`"}
    assert found.constraints == (Constraint("rejects", Atom("not", (Atom("flag", ("kept",)),)), Site("t/a.py", 3)),)
    assert patched(found, patches) is found


def test_a_contract_that_knows_better_is_left_alone() -> None:
    patches = (
        one(add=[{"names": ["--alias"], "type": "int"}]),
        one(change={"--no-such-flag": {"deprecated": True}}),
        one(removed={"--old": "use `--kept`"}),
    )
    assert patched(CONTRACT, patches) is CONTRACT
    told = replace(CONTRACT, removed={"--gone": "ask"})
    assert patched(told, [one(removed={"--gone": "use `--kept`"})]) is told


@pytest.mark.parametrize(
    ("limits", "concerned"),
    [
        ({}, True),
        ({"backends": ["megatron"], "trainers": ["miles"], "revisions": ["31f1ca"]}, True),
        ({"backends": ["fsdp"]}, False),
        ({"trainers": ["slime"]}, False),
        ({"revisions": ["ffff"]}, False),
    ],
)
def test_limits(limits: dict[str, list[str]], concerned: bool) -> None:
    patch = one(removed={"--gone": "x"}, **limits)
    assert (patched(CONTRACT, [patch]) is not CONTRACT) == concerned


@pytest.mark.parametrize(
    "told", [{"reason": ""}, {"reason": "x", "novelty": 1}, {"reason": "x", "change": {"--a": {"novelty": 1}}}, {}]
)
def test_a_patch_without_reason_or_with_unknown_parts_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"patch without reason|no fields"):
        read(json.dumps([told]))


@pytest.mark.parametrize("patch", bundled(), ids=lambda patch: patch.reason[:40])
def test_every_bundled_patch_still_corrects_the_bundled_contract(patch: Patch) -> None:
    assert len(patch.reason) > 40
    assert any(patch.apply(contract) is not contract for contract in CONTRACTS)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: f"{contract.backend}-{contract.driver}")
def test_the_bundled_patches_fit_the_bundled_contract(contract: Contract) -> None:
    found = patched(contract)
    names = [name for flag in found.flags for name in flag.names]
    assert found.removed.keys().isdisjoint(names)
    assert len(names) - len(set(names)) == len([n for f in contract.flags for n in f.names]) - len(contract.by_name)
    known = {item.name for item in fields(Flag)}
    assert all(set(told) <= known for patch in bundled() for _, told in patch.change)
    mentioned = {
        word.strip("`") for words in found.removed.values() for word in words.split() if word.startswith("`--")
    }
    everywhere = {name for other in CONTRACTS for name in other.by_name}
    assert mentioned <= everywhere
