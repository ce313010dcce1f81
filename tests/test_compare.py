"""The comparison of a contract with a parser must see every kind of difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from miles_lint.contract.model import Flag
from tests.oracles.compare import ATTRIBUTES, compare, contract_of


def parsed(name: str, **changes: Any) -> dict[str, Any]:
    plain = {"action": "store", "nargs": None, "type": "int", "choices": None, "default": 1, "const": None}
    dest = name.lstrip("-").replace("-", "_")
    return {"option_strings": [name], "dest": dest, "required": False, "owner": "miles", **plain, **changes}


DUMPED: dict[str, Any] = {
    "package": "miles",
    "backend": "megatron",
    "strict": True,
    "allow_abbrev": False,
    "earlier": [],
    "missing": [],
    "flags": [
        parsed("-h", action="help", nargs=0),
        parsed("--size", choices=[1, 2]),
        parsed("--version", nargs="?", type=None, const=True, default=False),
        parsed("--inherit", default={"$suppress": True}),
        parsed("--tool", choices={"$computed": True}),
        parsed("--scope", type="megatron.arguments.<lambda>"),
    ],
}

CHANGES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("--size", "dest", {"dest": "length"}),
    ("--size", "names", {"names": ("--size", "--length")}),
    ("--size", "action", {"action": "append"}),
    ("--size", "arity", {"arity": "+"}),
    ("--size", "type", {"type": "float"}),
    ("--size", "type", {"type": "unknown"}),
    ("--size", "choices", {"choices": (1, 3)}),
    ("--size", "choices", {"choices": None, "choices_unknown": True}),
    ("--size", "default", {"default": 2}),
    ("--size", "default", {"default": None, "default_known": False}),
    ("--version", "default", {"default": 0}),
    ("--version", "const", {"const": None}),
    ("--size", "required", {"required": True}),
)


def test_a_perfect_contract_agrees() -> None:
    comparison = compare(contract_of(DUMPED), DUMPED)
    assert comparison.recall == comparison.precision == 1
    assert not comparison.differences, comparison.summary()
    assert [name.split()[0] for name in comparison.untold] == ["--tool"]
    assert "--help" not in comparison.matched


@pytest.mark.parametrize(("name", "attribute", "change"), CHANGES)
def test_a_difference_is_seen(name: str, attribute: str, change: dict[str, Any]) -> None:
    contract = contract_of(DUMPED)
    flags = tuple(replace(flag, **change) if flag.names == (name,) else flag for flag in contract.flags)
    comparison = compare(replace(contract, flags=flags), DUMPED)
    assert attribute in {difference.attribute for difference in comparison.differences if difference.name == name}
    assert comparison.agreement(attribute) < 1


def test_every_attribute_is_tried() -> None:
    assert {attribute for _, attribute, _ in CHANGES} == set(ATTRIBUTES)


def test_missing_and_invented_flags_are_seen() -> None:
    contract = contract_of(DUMPED)
    flags = (*(flag for flag in contract.flags if flag.names != ("--size",)), Flag(("--made-up",), "made_up"))
    comparison = compare(replace(contract, flags=flags), DUMPED)
    assert (comparison.missing, comparison.invented) == (("--size",), ("--made-up",))
    assert comparison.recall < 1 and comparison.precision < 1
