"""Which contract a recipe is read with: of the trainer named, of the checkout that holds it, or the bundled one."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pkgutil import get_data

from miles_lint.contract import plugged
from miles_lint.contract.keep import alone, recall, remember
from miles_lint.contract.model import Contract
from miles_lint.contract.patches import patched
from miles_lint.contract.recognise import TRAINER, is_bundled, scripts
from miles_lint.contract.revision import revision_of
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
    root = _root(os.path.dirname(os.path.abspath(recipe)), trainer)
    store = _store_of(root) if root is not None else None
    return _chosen(bundled(), None, backend, driver) if store is None else _chosen(store, root, backend, driver)


def prepare(folder: str, trainer: str | None = None) -> None:
    """Have the contracts of the recipes in a folder at hand: what a process does before it forks into several."""
    root = _root(os.path.abspath(folder), trainer)
    if root is None or _store_of(root) is None:
        bundled()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector, which finds nothing among thousands of new records but looks again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _root(folder: str, trainer: str | None) -> str | None:
    if trainer is not None:
        return None if trainer == "bundled" else os.path.abspath(trainer)
    found = trainer_root(folder)
    return None if found is None else found[0]


def _store_of(root: str) -> Store | None:
    with _lock:
        if root not in _stores:
            _stores[root] = _live(root)
        return _stores[root]


def forget() -> None:
    """Look at checkouts anew: what a long-lived process does when files have changed."""
    with _lock:
        _stores.clear()
        _chosen.cache_clear()
        owner_roots.cache_clear()
        plugged.forget()


@lru_cache(maxsize=64)
def _chosen(store: Store, root: str | None, backend: str, driver: str) -> Contract:
    pairs = ((backend, driver), (backend, "train.py"), ("megatron", driver), ("megatron", "train.py"), *store.keys)
    return next(found for found in (completed(store, root, *pair) for pair in pairs) if found is not None)


def completed(store: Store, root: str | None, backend: str, driver: str) -> Contract | None:
    """A stored contract with the corrections that concern it, as that of the checkout at `root` if there is one.

    Its parser is described whatever commit it was read at. None where the store has no such pair.
    """
    with _uncollected():
        stored = store.contract(backend, driver)
        found = patched(stored) if stored is not None else None
    if found is None or root is None or not os.path.isdir(root):
        return found
    revision = revision_of(root) or found.revision
    return replace(found, revision=revision, plugged=plugged.InTree(root, found), root=root)


@lru_cache(maxsize=1)
@_uncollected()
def bundled() -> Store:
    """The contracts that come with the linter: miles at 31f1ca961, SGLang 0.5.16 and the matching Megatron fork."""
    return loads((get_data("miles_lint.contract", f"data/{BUNDLED}") or b"").decode("utf-8"))


@_uncollected()
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
        why = str(error) or type(error).__name__
        tell(f"warning: the trainer at {root} cannot be read: {why}; the bundled contract serves")
    return None


class Unreadable(Exception):
    """The sources hold no trainer that can be read; the message says why."""


def stored(root: str) -> Store:
    """The contracts of a checkout: the bundled ones where its sources are those, kept ones, or read now.

    Of several processes that want the same only one reads. Raises `Unreadable`.
    """
    owners = owner_roots(root)
    if not owners and is_bundled(TRAINER, root):
        return bundled()
    key = (root, repr(sorted(owners.items())), *scripts(root))
    text = recall("trainer", *key)
    if text is None:
        with alone("trainer", *key), _patience(root):
            text = recall("trainer", *key) or _read(root, owners, key)
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
