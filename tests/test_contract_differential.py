"""The extracted contract against the trainer itself. Runs where MILES_ROOT names a checkout; see `oracles/`."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable

import pytest

from miles_lint.constraints import verdict
from miles_lint.contract.extract import extract_all
from miles_lint.contract.model import Contract
from tests.oracles import trainer_parser
from tests.oracles.cases import Aimed, searched
from tests.oracles.compare import ATTRIBUTES, compare, only_spelled
from tests.oracles.reachable import Reachable, reachable
from tests.oracles.sources import Sources
from tests.oracles.trainer_validators import DRIVERS, Case, Outcome, defaults, run
from tests.oracles.verdicts import Disagreement, decided, disagreements, rejecting
from tests.oracles.violating import Search

SOURCES = Sources.from_environment()
BACKENDS = SOURCES.backends if SOURCES else ("megatron",)
ROUNDS, EACH = 4, 180
"""Cases for each backend and driver: 900 in five rounds, 5,400 in all at 31f1ca961."""
UNSEEN = {
    "_ensure_metadata_overrides": "asks for the shape of a value inside a file of datasets",
    "register_hf_config_aliases": "asks which models the installed transformers knows",
    "load_function": "asks what kind of function a module holds, once imported",
}
"""Functions of the trainer whose checks no launch can decide, and what they ask."""
ALWAYS_LATE = {
    ("miles/utils/arguments.py", 3369): "the check before it refuses every optimizer but those that are spelled so",
    ("miles/utils/multi_lora.py", 82): "the check before it refuses every set that this one would",
    ("miles/utils/chat_template_utils/tito_tokenizer.py", 811): "the last case of a match over all choices",
}
"""Captured checks of 31f1ca961 that no argument set of the search reaches, and why."""

pytestmark = [
    pytest.mark.skipif(SOURCES is None, reason="MILES_ROOT names no trainer checkout"),
    pytest.mark.skipif(sys.version_info < (3, 11), reason="the trainer itself needs Python 3.11"),
]


@functools.cache
def contracts() -> dict[tuple[str, str], Contract]:
    assert SOURCES is not None
    others = {"megatron": "megatron", "sglang": "sglang", "router": "sglang_router"}
    roots = {name: str(SOURCES.roots[owner]) for name, owner in others.items() if owner in SOURCES.roots}
    made = extract_all(str(SOURCES.roots[SOURCES.package]), **roots)
    return {(each.backend, each.driver): each for each in made}


def contract(backend: str, driver: str) -> Contract:
    if (backend, driver) not in contracts():
        pytest.skip(f"this trainer has no {driver}")
    return contracts()[backend, driver]


@functools.cache
def aims(driver: str) -> Reachable:
    assert SOURCES is not None
    return reachable(SOURCES, driver)


@functools.cache
def judged(backend: str, driver: str) -> tuple[dict[str, object], list[tuple[Case, Outcome]]]:
    assert SOURCES is not None
    dumped = trainer_parser.dump(SOURCES, backend)
    if {"megatron", "sglang"} & set(dumped["missing"]):
        pytest.skip("MEGATRON_ROOT and SGLANG_ROOT do not name both owners, whose options the validators read")
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
    assert len(comparison.matched) > 300
    assert comparison.recall >= 0.995, comparison.summary()
    assert comparison.precision >= 0.995, comparison.summary()
    low = [name for name in ATTRIBUTES if comparison.agreement(name) < 0.995]
    assert not low, comparison.summary()
    assert len(comparison.untold) <= 10, comparison.untold
    assert sum(only_spelled(found.by_name[name]) for name in comparison.beyond) <= 3, comparison.beyond
    if backend not in dumped["missing"]:
        assert found.allow_abbrev == dumped["allow_abbrev"]


def test_nearly_every_reachable_check_is_captured() -> None:
    places = {place for found in contracts().values() for place in rejecting(found)}
    pairs = {check: (check.path, check.row) in places for driver in DRIVERS for check in aims(driver).checks}
    missed = [check for check, there in pairs.items() if not there]
    told = [f"{check.path}:{check.row} {UNSEEN.get(check.function, 'NOT EXPLAINED')}" for check in missed]
    print(f"{len(pairs)} checks, {len(missed)} not captured", *told, sep="\n  ")
    assert len(pairs) > 20
    assert len(missed) <= 0.05 * len(pairs), missed
    if contract("megatron", "train.py").revision.startswith("31f1ca961"):
        assert {check.function for check in missed} <= UNSEEN.keys(), told


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("driver", DRIVERS)
def test_constraints_agree_with_the_real_validators(backend: str, driver: str) -> None:
    found = contract(backend, driver)
    start, cases = judged(backend, driver)
    accepted = sum(not outcome.error for _, outcome in cases)
    assert accepted > 0.1 * len(cases)
    assert sum(outcome.explicit for _, outcome in cases) > 0.1 * len(cases)
    wrong = list(disagreements(found, cases, start, verdict))
    assert not wrong, f"{len(wrong)} of {len(cases)}\n" + "\n".join(map(str, wrong[:20]))


def test_every_captured_check_is_violated() -> None:
    """What the random cases did not come upon is aimed at by the contract's own formulas."""
    pairs = [(backend, driver) for backend in BACKENDS for driver in DRIVERS if (backend, driver) in contracts()]
    places = {place for found in contracts().values() for place in rejecting(found)}
    hit: set[tuple[str, int]] = set()
    for backend, driver in pairs:
        hit |= refused_at(outcome for _, outcome in judged(backend, driver)[1])
    wrong: list[Disagreement] = []
    for backend, driver in pairs:
        assert SOURCES is not None
        start, cases = judged(backend, driver)
        accepted = [case for case, outcome in cases if not outcome.error]
        pools = Aimed(20, trainer_parser.dump(SOURCES, backend)["flags"], aims(driver), start).pools
        found = contract(backend, driver)
        search = Search(found, accepted, start, pools, verdict)
        made = [case for place in sorted(rejecting(found).keys() - hit) for case in search.cases(place)]
        outcomes = run(SOURCES, made, backend, driver)
        hit |= refused_at(outcomes)
        wrong += disagreements(found, [*zip(made, outcomes)], start, verdict)
    left = sorted(places - hit)
    print(f"{len(places)} captured checks, {len(left)} never the one that refused:")
    print(*(f"  {path}:{row} {ALWAYS_LATE.get((path, row), '')}" for path, row in left), sep="\n")
    assert not wrong, "\n".join(map(str, wrong[:20]))
    assert len(left) <= 0.05 * len(places), left


def refused_at(outcomes: Iterable[Outcome]) -> set[tuple[str, int]]:
    return {(outcome.path, outcome.row) for outcome in outcomes if outcome.explicit}


@pytest.mark.parametrize("backend", BACKENDS)
def test_most_refusals_are_certain(backend: str) -> None:
    start, cases = judged(backend, "train_async.py")
    counts = decided(contract(backend, "train_async.py"), cases, start, verdict)
    certain, total = (sum(pair[index] for pair in counts.values()) for index in (0, 1))
    print({f"{path}:{row}": pair for (path, row), pair in sorted(counts.items()) if pair[0] < pair[1]})
    assert certain >= 0.8 * total > 0
