"""The extracted contract against the trainer itself. Runs where MILES_ROOT names a checkout; see `oracles/`."""

from __future__ import annotations

import functools
import inspect
import sys

import pytest

from miles_lint.contract.model import Contract
from tests.oracles import trainer_parser
from tests.oracles.cases import Aimed, searched
from tests.oracles.compare import ATTRIBUTES, compare
from tests.oracles.reachable import Reachable, reachable
from tests.oracles.sources import Sources
from tests.oracles.trainer_validators import DRIVERS, Case, Outcome, defaults
from tests.oracles.verdicts import decided, disagreements, rejecting

SOURCES = Sources.from_environment()
BACKENDS = SOURCES.backends if SOURCES else ("megatron",)
ROUNDS, EACH = 4, 180

pytestmark = [
    pytest.mark.skipif(SOURCES is None, reason="MILES_ROOT names no trainer checkout"),
    pytest.mark.skipif(sys.version_info < (3, 11), reason="the trainer itself needs Python 3.11"),
]


@functools.cache
def contract(backend: str, driver: str) -> Contract:
    extraction = pytest.importorskip("miles_lint.contract.extract", reason="extraction is not written yet")
    assert SOURCES is not None
    others = {"megatron": "megatron", "sglang": "sglang", "router": "sglang_router"}
    accepted = inspect.signature(extraction.extract).parameters
    given = {name: SOURCES.roots.get(owner) for name, owner in others.items() if name in accepted}
    return extraction.extract(SOURCES.roots[SOURCES.package], **given, backend=backend, driver=driver)


@functools.cache
def aims(driver: str) -> Reachable:
    assert SOURCES is not None
    return reachable(SOURCES, driver)


@functools.cache
def judged(backend: str, driver: str) -> tuple[dict[str, object], list[tuple[Case, Outcome]]]:
    assert SOURCES is not None
    dumped = trainer_parser.dump(SOURCES, backend)
    if not dumped["strict"]:
        pytest.skip("this trainer reads its command line with several lenient parsers")
    start = defaults(SOURCES, backend)
    aimed = Aimed(20, dumped["flags"], aims(driver), start)
    return start, searched(SOURCES, aimed, backend, driver, ROUNDS, EACH)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_flags_are_those_of_the_real_parser(backend: str) -> None:
    assert SOURCES is not None
    dumped = trainer_parser.dump(SOURCES, backend)
    found = contract(backend, "train.py")
    comparison = compare(found, dumped)
    print(comparison.summary())
    assert len(comparison.matched) > 500
    assert comparison.recall >= 0.995, comparison.summary()
    assert comparison.precision >= 0.995, comparison.summary()
    low = [name for name in ATTRIBUTES if comparison.agreement(name) < 0.995]
    assert not low, comparison.summary()
    assert len(comparison.untold) <= 10, comparison.untold
    assert found.allow_abbrev == dumped["allow_abbrev"]


def test_nearly_every_reachable_check_is_captured() -> None:
    places = {place for backend in BACKENDS for driver in DRIVERS for place in rejecting(contract(backend, driver))}
    pairs = {check: (check.path, check.row) in places for driver in DRIVERS for check in aims(driver).checks}
    missed = [check for check, there in pairs.items() if not there]
    print(f"{len(pairs)} checks, not captured: {[f'{check.path}:{check.row}' for check in missed]}")
    assert len(pairs) > 20
    assert len(missed) <= 0.05 * len(pairs), missed


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("driver", DRIVERS)
def test_constraints_agree_with_the_real_validators(backend: str, driver: str) -> None:
    constraints = pytest.importorskip("miles_lint.constraints", reason="constraints are not written yet")
    found = contract(backend, driver)
    start, cases = judged(backend, driver)
    accepted = sum(not outcome.error for _, outcome in cases)
    assert accepted > 0.1 * len(cases)
    assert sum(outcome.explicit for _, outcome in cases) > 0.1 * len(cases)
    wrong = list(disagreements(found, cases, start, constraints.verdict))
    assert not wrong, f"{len(wrong)} of {len(cases)}\n" + "\n".join(map(str, wrong[:20]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_most_refusals_are_certain(backend: str) -> None:
    constraints = pytest.importorskip("miles_lint.constraints", reason="constraints are not written yet")
    start, cases = judged(backend, "train_async.py")
    counts = decided(contract(backend, "train_async.py"), cases, start, constraints.verdict)
    certain, total = (sum(pair[index] for pair in counts.values()) for index in (0, 1))
    print({f"{path}:{row}": pair for (path, row), pair in sorted(counts.items()) if pair[0] < pair[1]})
    assert certain >= 0.8 * total > 0
