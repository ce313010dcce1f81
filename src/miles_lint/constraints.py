"""The constraints of a contract: where they certainly act on a launch, where they may, and because of what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from miles_lint import atoms
from miles_lint.binding import UNKNOWN, Binding, Partial, Reading
from miles_lint.binding.values import default_of, frozen
from miles_lint.contract.model import Atom, Constraint, Contract
from miles_lint.domain.guard import Guard
from miles_lint.domain.truth import Truth
from miles_lint.judge import Judge, reads


@dataclass(frozen=True, slots=True)
class Verdict:
    """A constraint that acts on a launch for certain under `violated`."""

    constraint: Constraint
    violated: Guard


@dataclass(frozen=True, slots=True)
class Cause:
    """A flag, a variable or the driver (`kind` is `flag`, `env`, `driver`) whose values make a constraint act.

    `name` is the dest or the variable. `readings` are the values it has there, each with the use that wrote it.
    """

    kind: str
    name: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class _Need:
    """One of the formulas that must all hold for a constraint to act: what it reads, its truth at the defaults."""

    formula: object
    reads: frozenset[tuple[str, ...]]
    at_defaults: Truth


def verdicts(binding: Binding, kind: str, target: str = "") -> Iterator[Verdict]:
    """The constraints of a kind, and with that target, that certainly act on some path of a launch, in their order.

    What the launch does not write is its default or not known: a need that reads nothing else and is not met by
    the defaults is certain nowhere, and most constraints have one.
    """
    judge = Judge(binding)
    for constraint, needs in zip(binding.contract.constraints, _needs(binding.contract)):
        if constraint.kind != kind or constraint.target != target:
            continue
        if any(need.at_defaults is not Truth.YES and not _written(binding, need.reads) for need in needs):
            continue
        violated = binding.launch.space.always
        for need in needs:
            violated = violated & judge.truth(need.formula)[0]
            if violated.excludes(binding.launch.guard):
                break
        else:
            yield Verdict(constraint, violated)


def _written(binding: Binding, read: frozenset[tuple[str, ...]]) -> bool:
    """Whether a launch says something of what is read."""
    return not binding.given.isdisjoint(read) or any(each[0] != "flag" for each in read)


@lru_cache(maxsize=16)
def _needs(contract: Contract) -> tuple[tuple[_Need, ...], ...]:
    """For each constraint of a contract its needs, worked out once."""
    defaults = {dest: default_of(flags) for dest, flags in contract.by_dest.items()}
    return tuple(tuple(_needs_of(constraint.when, defaults)) for constraint in contract.constraints)


def _needs_of(when: object, defaults: Mapping[str, object]) -> list[_Need]:
    """The needs of a formula; those come first that read least."""
    parts = ((part, frozenset(reads(part))) for part in _conjuncts(when))
    made = [_Need(part, read, _truth_at(part, defaults)) for part, read in parts]
    return sorted(made, key=lambda need: len(need.reads))


def _conjuncts(formula: object) -> Iterator[object]:
    if isinstance(formula, Atom) and formula.op == "and":
        for part in formula.operands:
            yield from _conjuncts(part)
    else:
        yield formula


def _truth_at(formula: object, values: Mapping[str, object]) -> Truth:
    """The truth of a formula with these values, whatever the environment of the job."""
    if any(each[0] != "flag" for each in reads(formula)):
        return Truth.MAYBE
    return atoms.truth(_value(formula, values, {}))


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
