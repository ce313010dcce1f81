"""A contract's constraints against what the trainer's validators did with the same argument sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from miles_lint.contract.model import Constraint, Contract
from miles_lint.domain.truth import Truth
from tests.oracles.trainer_validators import Case, Outcome

Verdict = Callable[[Constraint, Mapping[str, object], Mapping[str, str]], Truth]
"""Whether a constraint acts on a namespace as the parser leaves it, given the job's environment."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A case on which the contract is certain of something that did not happen, or of the absence of what did."""

    case: Case
    outcome: Outcome
    why: str

    def __str__(self) -> str:
        place = f"{self.outcome.path}:{self.outcome.row}" if self.outcome.error else "accepted"
        return f"{self.why}; trainer: {self.outcome.error} {place}; {dict(self.case.args)} {dict(self.case.env)}"


def rejecting(contract: Contract) -> dict[tuple[str, int], list[Constraint]]:
    """The rejecting constraints by path and first row of the check that they come from."""
    places: dict[tuple[str, int], list[Constraint]] = {}
    for constraint in contract.constraints:
        if constraint.kind == "rejects" and constraint.origin is not None:
            places.setdefault((constraint.origin.path, constraint.origin.row), []).append(constraint)
    return places


def disagreements(
    contract: Contract,
    judged: Sequence[tuple[Case, Outcome]],
    defaults: Mapping[str, object],
    verdict: Verdict,
) -> Iterator[Disagreement]:
    """Every disagreement over cases that the trainer accepted, or refused by a check of its own that is captured.

    A crash that no check states says nothing about constraints and is passed over.
    """
    sites = rejecting(contract)
    overrides = [constraint for constraint in contract.constraints if constraint.kind == "overrides"]
    for case, outcome in judged:
        values = {**defaults, **case.args}
        if not outcome.error:
            for place, found in sites.items():
                if any(verdict(constraint, values, case.env) is Truth.YES for constraint in found):
                    yield Disagreement(case, outcome, f"{place[0]}:{place[1]} said to reject")
            for constraint in overrides:
                target = constraint.target
                acts = target in case.args and verdict(constraint, values, case.env) is Truth.YES
                if acts and target not in outcome.final:
                    yield Disagreement(case, outcome, f"{target} said to be overridden ({constraint.origin})")
        elif outcome.explicit and (outcome.path, outcome.row) in sites:
            found = sites[outcome.path, outcome.row]
            if all(verdict(constraint, values, case.env) is Truth.NO for constraint in found):
                yield Disagreement(case, outcome, "said not to reject")


def decided(
    contract: Contract, judged: Sequence[tuple[Case, Outcome]], defaults: Mapping[str, object], verdict: Verdict
) -> dict[tuple[str, int], tuple[int, int]]:
    """For each captured check: how many refusals by it the contract was certain of, and how many there were."""
    counts: dict[tuple[str, int], tuple[int, int]] = {}
    sites = rejecting(contract)
    for case, outcome in judged:
        place = (outcome.path, outcome.row)
        if not outcome.explicit or place not in sites:
            continue
        values = {**defaults, **case.args}
        sure = any(verdict(constraint, values, case.env) is Truth.YES for constraint in sites[place])
        certain, total = counts.get(place, (0, 0))
        counts[place] = (certain + sure, total + 1)
    return counts
