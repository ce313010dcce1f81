"""Argument sets that one check of a contract alone refuses, found by its formula."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from miles_lint.contract.model import Atom, Constraint, Contract
from miles_lint.contract.words import reads_of
from miles_lint.domain.truth import Truth
from tests.oracles.cases import ENVIRONMENT, HINTS, MODELS
from tests.oracles.trainer_validators import Case
from tests.oracles.verdicts import Verdict, rejecting

TRIES, ENOUGH = 400, 12
_STEPS = {-1: lambda value: value - 1, 0: lambda value: value, 1: lambda value: value + 1}

Pools = Mapping[str, Sequence[object]]


class Search:
    """Looks for cases that a contract calls refused at one place and nowhere else."""

    def __init__(
        self, contract: Contract, accepted: Sequence[Case], start: Mapping[str, object], pools: Pools, verdict: Verdict
    ) -> None:
        self.places = rejecting(contract)
        self.accepted = accepted
        self.start = start
        self.pools = pools
        self.verdict = verdict
        self.chance = random.Random(5)

    def cases(self, place: tuple[str, int]) -> list[Case]:
        """Cases aimed at a place, the most promising first."""
        found: list[tuple[int, int, Case]] = []
        aims = self.places[place]
        for number in range(TRIES):
            case = self._changed(self.chance.choice(self.accepted), self.chance.choice(aims))
            if self._worst(aims, case) is Truth.NO:
                continue
            case, others = self._mended(case, place)
            unsure = self._worst(aims, case) is not Truth.YES
            found.append((others * 2 + unsure, number, case))
            if sum(not score for score, _, _ in found) >= ENOUGH:
                break
        return [case for _, _, case in sorted(found, key=lambda each: each[:2])[:ENOUGH]]

    def _changed(self, case: Case, aim: Constraint) -> Case:
        reads = [dest for dest in sorted(reads_of(aim.when)) if dest in self.pools]
        chosen = self.chance.sample(reads, min(len(reads), self.chance.randint(1, 4)))
        env = {name: self.chance.choice(values) for name, values in ENVIRONMENT.items() if self.chance.random() < 0.2}
        hf = self.chance.choice(MODELS) if self.chance.random() < 0.2 else {}
        return replace(case, args={**case.args, **{d: self._value(d, aim.when) for d in chosen}}, env=env, hf=hf)

    def _value(self, dest: str, formula: object) -> object:
        """A value of its pool, or one at the edge of what the formula compares it with."""
        near = [constant for constant in _compared(formula, dest) if _number(constant)]
        if near and dest not in HINTS and self.chance.random() < 0.4:
            return _STEPS[self.chance.choice((-1, 0, 1))](self.chance.choice(near))
        return self.chance.choice(self.pools[dest])

    def _mended(self, case: Case, place: tuple[str, int]) -> tuple[Case, int]:
        """The case with what else refuses it set back, as far as the aim allows, and how many others still do."""
        kept: set[str] = set()
        for aim in self.places[place]:
            kept |= reads_of(aim.when)
        others = self._refusing(case, place)
        for _ in range(6):
            if not others:
                break
            loose = sorted(reads_of(self.chance.choice(others).when) & set(self.pools))
            free = [dest for dest in loose if dest not in kept] or loose
            if not free:
                break
            dest = self.chance.choice(free)
            tried = replace(case, args={**case.args, dest: self.chance.choice(self.pools[dest])})
            if self._worst(self.places[place], tried) is not Truth.NO:
                left = self._refusing(tried, place)
                case, others = (tried, left) if len(left) <= len(others) else (case, others)
        return case, len(others)

    def _refusing(self, case: Case, place: tuple[str, int]) -> list[Constraint]:
        values = {**self.start, **case.args}
        return [
            each
            for where, found in self.places.items()
            for each in found
            if where != place and self.verdict(each, values, case.env) is Truth.YES
        ]

    def _worst(self, aims: Sequence[Constraint], case: Case) -> Truth:
        values = {**self.start, **case.args}
        told = [self.verdict(aim, values, case.env) for aim in aims]
        return Truth.YES if Truth.YES in told else Truth.MAYBE if Truth.MAYBE in told else Truth.NO


def _compared(formula: object, dest: str) -> Iterator[object]:
    """The constants that a formula compares a dest with."""
    if isinstance(formula, Atom):
        if any(isinstance(part, Atom) and part.operands == (dest,) for part in formula.operands):
            yield from (part for part in formula.operands if not isinstance(part, Atom))
        for part in formula.operands:
            yield from _compared(part, dest)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
