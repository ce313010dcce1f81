"""The contracts that a launch runs under: of every backend and driver that it can choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from miles_lint.binding import Binding, bind
from miles_lint.contract.live import contract_for
from miles_lint.contract.model import Contract
from miles_lint.domain.defaults import nearest_to_defaults
from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Text, options_of
from miles_lint.launch import Launch
from miles_lint.rules.queries import spellings
from miles_lint.settings import Settings

_DRIVERS = re.compile(r"(train(?:_\w+)?\.py)$")
BACKENDS = ("megatron", "fsdp")


def contract_of(launch: Launch, path: str, trainer: str | None, extra_flags: tuple[str, ...] = ()) -> Contract:
    """The contract of the backend and driver that a launch chooses at its defaults."""
    base = nearest_to_defaults(launch.guard)
    backend = next((name for name, guard in backends_of(launch) if not guard.restrict(base).impossible), BACKENDS[0])
    driver = next((name for name, guard in drivers_of(launch) if not guard.restrict(base).impossible), "train.py")
    return _contract(path, backend, driver, trainer, extra_flags)


def _contract(path: str, backend: str, driver: str, trainer: str | None, extra_flags: tuple[str, ...]) -> Contract:
    contract = contract_for(path, backend, driver, trainer)
    others = tuple(contract_for(path, other, driver, trainer) for other in BACKENDS if other != backend)
    return _completed(contract, others, extra_flags)


@lru_cache(maxsize=16)
def _completed(contract: Contract, others: tuple[Contract, ...], extra_flags: tuple[str, ...]) -> Contract:
    foreign = {name: other.backend for other in others for name in other.by_name if name not in contract.by_name}
    return replace(contract, foreign=foreign, extra_flags=extra_flags)


def drivers_of(launch: Launch) -> Iterator[tuple[str, Guard]]:
    """The file names that the train script can have, each with its condition; `train.py` where it cannot be told."""
    left = launch.space.always
    for guard, leaf in options_of(launch.train_script, launch.space.always):
        for under, spelled in spellings(leaf, guard) if isinstance(leaf, Text) else ():
            match = _DRIVERS.search(spelled)
            if match is not None:
                yield match.group(1), under
                left = left - under
    if not left.impossible:
        yield "train.py", left


def backends_of(launch: Launch) -> Iterator[tuple[str, Guard]]:
    """The backends that `--train-backend` can choose, each with its condition; `megatron` without it."""
    left = launch.space.always
    for flag, value in reversed(tuple(zip(launch.argv, launch.argv[1:]))):
        if "--train-backend" not in flag.text.shown():
            continue
        for under, name in spellings(flag.text, flag.guard & left):
            if name == "--train-backend":
                left = left - under
                for guard, spelled in spellings(value.text, under & value.guard):
                    if spelled in BACKENDS:
                        yield spelled, guard
    if not left.impossible:
        yield BACKENDS[0], left


def bindings(launch: Launch, path: str, settings: Settings) -> Iterator[tuple[Binding, Guard]]:
    """The launch through the contract of every backend and driver it can choose, with the condition of each."""
    found: dict[tuple[str, str], Guard] = {}
    for backend, under in backends_of(launch):
        for driver, guard in drivers_of(launch):
            both = under & guard
            if not (both & launch.guard).impossible:
                key = (backend, driver)
                found[key] = found[key] | both if key in found else both
    for (backend, driver), guard in found.items():
        contract = _contract(path, backend, driver, settings.trainer, settings.extra_flags)
        yield bind(launch, contract), guard
