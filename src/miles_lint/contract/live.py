"""Which contract a recipe is read with: the bundled one."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from miles_lint.contract.model import Contract
from miles_lint.contract.patches import patched
from miles_lint.contract.store import Store, loads

BUNDLED = "miles-31f1ca961.json"


def contract_for(recipe: str, backend: str, driver: str, trainer: str | None = None) -> Contract:
    """The contract of a backend and driver; the nearest one there is where the trainer has no such pair."""
    return _chosen(backend, driver)


@lru_cache(maxsize=32)
def _chosen(backend: str, driver: str) -> Contract:
    store = bundled()
    pairs = ((backend, driver), (backend, "train.py"), ("megatron", driver), ("megatron", "train.py"))
    return patched(next(contract for contract in (store.contract(*pair) for pair in pairs) if contract is not None))


@lru_cache(maxsize=1)
def bundled() -> Store:
    """The contracts that come with the linter: miles at 31f1ca961, SGLang 0.5.16 and the matching Megatron fork."""
    return loads(resources.files("miles_lint.contract").joinpath("data", BUNDLED).read_text("utf-8"))
