"""Which contract a recipe is read with: of the trainer named, of the checkout that holds it, or the bundled one."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources

from miles_lint.contract.keep import recall, remember
from miles_lint.contract.model import Contract
from miles_lint.contract.patches import patched
from miles_lint.contract.sources import owner_roots
from miles_lint.contract.store import Store, StoreError, dumps, loads
from miles_lint.project import trainer_root

BUNDLED = "miles-31f1ca961.json"
PATIENCE = 1.0
"""Seconds of reading before it is told."""

_lock = threading.RLock()
_stores: dict[str, Store | None] = {}


def _to_stderr(message: str) -> None:
    print(message, file=sys.stderr)


tell: Callable[[str], None] = _to_stderr
"""Where warnings and news of a long reading go."""


def contract_for(recipe: str, backend: str, driver: str, trainer: str | None = None) -> Contract:
    """The contract of a backend and driver; the nearest one there is where the trainer has no such pair.

    `trainer` is a checkout, a stored contract, or `bundled`. A checkout that cannot be read is told once, and the
    bundled contract serves.
    """
    folder = os.path.dirname(os.path.abspath(recipe))
    root = os.path.abspath(trainer) if trainer not in (None, "bundled") else _holding(folder, trainer)
    if root is None:
        return _bundled(backend, driver)
    with _lock:
        if root not in _stores:
            _stores[root] = _live(root)
        store = _stores[root]
    return _bundled(backend, driver) if store is None else _chosen(store, backend, driver)


def _holding(folder: str, trainer: str | None) -> str | None:
    found = trainer_root(folder) if trainer is None else None
    return None if found is None else found[0]


def forget() -> None:
    """Look at checkouts anew: what a long-lived process does when files have changed."""
    with _lock:
        _stores.clear()
        _chosen.cache_clear()
        owner_roots.cache_clear()


@lru_cache(maxsize=64)
def _chosen(store: Store, backend: str, driver: str) -> Contract:
    pairs = ((backend, driver), (backend, "train.py"), ("megatron", driver), ("megatron", "train.py"), *store.keys)
    return patched(next(contract for contract in (store.contract(*pair) for pair in pairs) if contract is not None))


def _bundled(backend: str, driver: str) -> Contract:
    return _chosen(bundled(), backend, driver)


@lru_cache(maxsize=1)
def bundled() -> Store:
    """The contracts that come with the linter: miles at 31f1ca961, SGLang 0.5.16 and the matching Megatron fork."""
    return loads(resources.files("miles_lint.contract").joinpath("data", BUNDLED).read_text("utf-8"))


def _live(root: str) -> Store | None:
    """The contracts of a checkout or of a stored file; None, and a warning, where they cannot be had."""
    try:
        if os.path.isfile(root):
            with open(root, encoding="utf-8") as file:
                return loads(file.read())
        return stored(root)
    except (OSError, StoreError) as error:
        tell(f"warning: {root} is no contract: {error}; the bundled one serves")
    except Exception as error:
        tell(f"warning: the trainer at {root} cannot be read: {error}; the bundled contract serves")
    return None


class Unreadable(Exception):
    """The sources hold no trainer that can be read; the message says why."""


def stored(root: str) -> Store:
    """The contracts of a checkout, kept from an earlier reading or read now. Raises `Unreadable`."""
    owners = owner_roots(root)
    key = (root, repr(sorted(owners.items())))
    text = recall("trainer", *key)
    if text is None:
        with _patience(root):
            text = _read(root, owners, key)
    return loads(text)


def _read(root: str, owners: dict[str, str], key: tuple[str, ...]) -> str:
    from miles_lint.contract.apart import extract_apart
    from miles_lint.contract.extract import NoTrainer

    try:
        found = extract_apart(root, _owned(owners))
    except NoTrainer as error:
        raise Unreadable(str(error)) from error
    text = dumps(found.contracts)
    remember(text, found.files, "trainer", *key)
    return text


def _owned(owners: dict[str, str]):  # type: ignore[no-untyped-def]
    from miles_lint.contract.extract import Owned, owned_by

    key = repr(sorted(owners.items()))
    text = recall("owners", key)
    if text is not None:
        told = json.loads(text)
        revisions = tuple((name, revision) for name, revision in told["revisions"])
        return Owned(told["options"], revisions, tuple(told["files"]))
    owned = owned_by(**owners)
    if owners:
        told = {"options": owned.options, "revisions": owned.revisions, "files": owned.files}
        remember(json.dumps(told), owned.files, "owners", key)
    return owned


@contextmanager
def _patience(root: str) -> Iterator[None]:
    """Say what is going on when a reading takes long."""
    timer = threading.Timer(PATIENCE, lambda: tell(f"reading the contract of the trainer at {root} …"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
