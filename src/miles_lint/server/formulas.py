"""Conditions of a contract in words."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.contract.model import Atom, Constraint, Contract
from miles_lint.judge import reads

_JOINED = {"and": " and ", "or": " or "}
_ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**"))
_OPEN = ("", "and", "or", "truth", "call")
_PREFIXED = {"not": "not {}", "truth": "{}", "len": "length of {}"}


def about(contract: Contract, dest: str) -> Iterator[Constraint]:
    """The constraints that read a dest and refuse a launch, those that read the least first."""
    found = [
        (len(set(reads(each.when))), index, each)
        for index, each in enumerate(contract.constraints)
        if each.kind == "rejects" and ("flag", dest) in reads(each.when)
    ]
    return (each for _, _, each in sorted(found, key=lambda entry: entry[:2]))


def words(contract: Contract, operand: object, outer: str = "") -> str:
    """A formula as people read it; flags are spelled as options, variables with a dollar sign.

    `outer` is the operator that it is an operand of: where the two could be misread it is put in parentheses.
    """
    if not isinstance(operand, Atom):
        return repr(operand)
    op, operands = operand.op, operand.operands
    if op == "flag":
        flags = contract.by_dest.get(str(operands[0]), ())
        return flags[0].names[0] if flags else str(operands[0])
    if op == "env":
        return f"${operands[0]}"
    if op == "driver":
        return "the train script"
    if op == "unknown":
        return f"⟨{operands[0]}⟩"
    told = [words(contract, each, op) for each in operands]
    if op in _JOINED:
        joined = _JOINED[op].join(told) or ("always" if op == "and" else "never")
        return f"({joined})" if outer and len(told) > 1 else joined
    if op in _PREFIXED:
        return _PREFIXED[op].format(told[0])
    if op == "call":
        return f"{operands[0]}({', '.join(told[1:])})"
    if op == "index":
        return f"{told[0]}[{told[1]}]"
    if len(told) == 2:
        joined = f"{told[0]} {op} {told[1]}"
        plain = outer not in _ARITHMETIC and (op in _ARITHMETIC or outer in _OPEN)
        return joined if plain else f"({joined})"
    return f"{op} {' '.join(told)}".strip()
