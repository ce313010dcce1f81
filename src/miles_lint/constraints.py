"""The constraints of a contract: where they certainly act on a launch, where they may, and because of what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from miles_lint import atoms
from miles_lint.binding import UNKNOWN, Binding, Partial, Reading
from miles_lint.binding.values import frozen
from miles_lint.contract.model import Atom, Constraint
from miles_lint.domain.guard import Guard
from miles_lint.domain.truth import Truth
from miles_lint.judge import Judge, reads


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a constraint says of a launch: it acts for certain under `violated`, and nowhere outside `possible`."""

    constraint: Constraint
    violated: Guard
    possible: Guard


@dataclass(frozen=True, slots=True)
class Cause:
    """A flag, a variable or the driver (`kind` is `flag`, `env`, `driver`) whose values make a constraint act.

    `name` is the dest or the variable. `readings` are the values it has there, each with the use that wrote it.
    """

    kind: str
    name: str
    readings: tuple[Reading, ...]


def verdicts(binding: Binding) -> Iterator[Verdict]:
    """The constraints of the contract that may act on a launch, in their order."""
    judge = Judge(binding)
    for constraint in binding.contract.constraints:
        violated, possible = judge.truth(constraint.when)
        if not possible.excludes(binding.launch.guard):
            yield Verdict(constraint, violated, possible)


def causes(binding: Binding, found: Verdict, where: Guard) -> tuple[Cause, ...]:
    """The few flags and variables that make a constraint act wherever it surely acts inside `where`.

    What only has its default is left out first, as far as the rest decides.
    """
    region = found.violated & where & binding.launch.guard
    read = tuple(dict.fromkeys(reads(found.constraint.when)))
    hidden: frozenset[tuple[str, ...]] = frozenset()
    for each in sorted(read, key=lambda each: _given(binding, each, region)):
        violated, _ = Judge(binding, hidden | {each}).truth(found.constraint.when)
        if region.implies(violated):
            hidden = hidden | {each}
    judge = Judge(binding)
    kept = (each for each in read if each not in hidden)
    return tuple(Cause(each[0], each[-1], tuple(_readings(judge, each, region))) for each in kept)


def _given(binding: Binding, read: tuple[str, ...], region: Guard) -> bool:
    return read[0] != "flag" or not binding.present(read[1]).excludes(region)


def _readings(judge: Judge, read: tuple[str, ...], region: Guard) -> Iterator[Reading]:
    if read[0] == "flag":
        found = judge.binding.effective(read[1])
    else:
        found = tuple(Reading(guard, value) for guard, value in judge.value(Atom(read[0], read[1:])))
    for reading in found:
        if not reading.guard.excludes(region):
            yield reading


def verdict(constraint: Constraint, values: Mapping[str, object], environment: Mapping[str, str]) -> Truth:
    """Whether a constraint acts on a namespace as the parser leaves it, given the whole environment of the job.

    A dest that is not in `values` does not exist in the namespace: what reads it is not known.
    """
    return atoms.truth(_value(constraint.when, values, environment))


def _value(operand: object, values: Mapping[str, object], environment: Mapping[str, str]) -> object:
    if isinstance(operand, tuple):
        return tuple(_value(part, values, environment) for part in operand)
    if not isinstance(operand, Atom):
        return frozen(operand)
    op, operands = operand.op, operand.operands
    if op == "flag":
        return frozen(values.get(str(operands[0]), UNKNOWN))
    if op == "env":
        return environment.get(str(operands[0]))
    if op == "const":
        return frozen(operands[0])
    if op in ("unknown", "driver"):
        return UNKNOWN
    if op in ("and", "or"):
        return _as_value(_decided(op == "or", operands, values, environment))
    made = tuple(_value(part, values, environment) for part in operands)
    if op in ("not", "truth"):
        told = atoms.truth(made[0])
        return _as_value(~told if op == "not" else told)
    return atoms.apply(op, made)


def _decided(
    deciding: bool, operands: tuple[object, ...], values: Mapping[str, object], environment: Mapping[str, str]
) -> Truth:
    """A conjunction or disjunction, up to the first operand that decides it."""
    final, found = Truth.of(deciding), Truth.of(not deciding)
    for part in operands:
        told = atoms.truth(_value(part, values, environment))
        if told is final:
            return final
        found = Truth.MAYBE if told is Truth.MAYBE else found
    return found


def _as_value(told: Truth) -> object:
    return Partial(bool) if told is Truth.MAYBE else told is Truth.YES
