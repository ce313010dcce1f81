"""The judge of constraints must see every way in which a contract and a trainer can disagree."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from miles_lint.contract.model import Atom, Constraint, Contract, Site
from miles_lint.domain.truth import Truth
from tests.oracles.trainer_validators import Case, Outcome
from tests.oracles.verdicts import decided, disagreements

REFUSED = Outcome("AssertionError", "miles", "miles/utils/arguments.py", 10, explicit=True)
ACCEPTED = Outcome(final={"gpus": 8})
REJECTS = Constraint("rejects", Atom("flag", ("colocate",)), Site(REFUSED.path, REFUSED.row))
OVERRIDES = Constraint("overrides", Atom("flag", ("colocate",)), target="gpus")
CONTRACT = Contract("miles", "fixture", constraints=(REJECTS, OVERRIDES))


def verdict(constraint: Constraint, values: Mapping[str, object], environment: Mapping[str, str]) -> Truth:
    if environment.get("HAZE"):
        return Truth.MAYBE
    return Truth.of(bool(values[str(constraint.when.operands[0])]))


def judged(
    outcome: Outcome, contract: Contract = CONTRACT, env: Mapping[str, str] | None = None, **args: object
) -> int:
    case = Case(args, env or {})
    return len(list(disagreements(contract, [(case, outcome)], {"colocate": False}, verdict)))


def test_agreement_is_silent() -> None:
    assert judged(REFUSED, colocate=True) == 0
    assert judged(ACCEPTED, colocate=False) == 0
    assert judged(ACCEPTED) == 0


def test_certain_of_a_refusal_that_did_not_happen() -> None:
    assert judged(ACCEPTED, Contract("miles", "fixture", constraints=(REJECTS,)), colocate=True) == 1


def test_certain_of_the_absence_of_a_refusal_that_happened() -> None:
    assert judged(REFUSED, colocate=False) == 1


@pytest.mark.parametrize("outcome", [REFUSED, ACCEPTED])
def test_doubt_never_disagrees(outcome: Outcome) -> None:
    assert judged(outcome, env={"HAZE": "1"}, colocate=True, gpus=4) == 0


def test_an_override_must_change_what_was_given() -> None:
    only = Contract("miles", "fixture", constraints=(OVERRIDES,))
    assert judged(ACCEPTED, only, colocate=True, gpus=4) == 0
    assert judged(Outcome(), only, colocate=True, gpus=8) == 1
    assert judged(Outcome(), only, colocate=True) == 0


def test_a_crash_that_no_check_states_is_passed_over() -> None:
    assert judged(Outcome("TypeError", "miles", REFUSED.path, REFUSED.row), colocate=False) == 0


def test_certainty_is_counted_by_place() -> None:
    cases = [(Case({"colocate": True}), REFUSED), (Case({"colocate": True}, {"HAZE": "1"}), REFUSED)]
    assert decided(CONTRACT, cases, {}, verdict) == {(REFUSED.path, REFUSED.row): (1, 2)}
