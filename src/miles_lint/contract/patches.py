"""Hand-kept corrections of contracts: what extraction cannot see, each with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pkgutil import get_data
from typing import Any

from miles_lint.contract.encoding import AtomReader
from miles_lint.contract.model import Constraint, Contract, Flag, Site
from miles_lint.contract.store import dest_of

_FIELDS = frozenset(item.name for item in fields(Flag))


@dataclass(frozen=True, slots=True)
class Patch:
    """One correction. It touches only what it is right about: flags are added where no flag has their names, changed
    where the flag is there, and told as removed where it is not.

    `backends`, `trainers` and `revisions` (beginnings of revisions) limit it to some contracts; empty means all.
    """

    reason: str
    add: tuple[Flag, ...] = ()
    change: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    constraints: tuple[Constraint, ...] = ()
    backends: tuple[str, ...] = ()
    trainers: tuple[str, ...] = ()
    revisions: tuple[str, ...] = ()

    def concerns(self, contract: Contract) -> bool:
        """Whether the patch is about a contract at all."""
        backend = not self.backends or contract.backend in self.backends
        trainer = not self.trainers or contract.trainer in self.trainers
        return backend and trainer and (not self.revisions or contract.revision.startswith(self.revisions))

    def apply(self, contract: Contract) -> Contract:
        """The corrected contract; the same object where there is nothing to correct."""
        if not self.concerns(contract):
            return contract
        known = contract.by_name
        added = tuple(flag for flag in self.add if known.keys().isdisjoint(flag.names))
        changed = {id(known[name]): told for name, told in self.change if name in known}
        removed = {name: words for name, words in self.removed if name not in known and name not in contract.removed}
        new = tuple(constraint for constraint in self.constraints if constraint not in contract.constraints)
        flags = tuple(replace(flag, **changed[id(flag)]) if id(flag) in changed else flag for flag in contract.flags)
        if not (added or removed or new) and flags == contract.flags:
            return contract
        constraints, gone = (*contract.constraints, *new), {**contract.removed, **removed}
        return replace(contract, flags=(*flags, *added), constraints=constraints, removed=gone)


def patched(contract: Contract, patches: Iterable[Patch] | None = None) -> Contract:
    """A contract with all corrections that concern it, those that come with the linter by default."""
    for patch in bundled() if patches is None else patches:
        contract = patch.apply(contract)
    return contract


@lru_cache(maxsize=1)
def bundled() -> tuple[Patch, ...]:
    """The corrections that come with the linter."""
    return read((get_data("miles_lint.contract", "data/patches.json") or b"[]").decode("utf-8"))


def read(text: str) -> tuple[Patch, ...]:
    """Patches from their JSON. Raises ValueError for a patch without reason or with something unknown in it."""
    return tuple(map(_patch, json.loads(text)))


def _patch(told: dict[str, Any]) -> Patch:
    unknown = told.keys() - _KEYS
    if unknown or not told.get("reason"):
        raise ValueError(f"a patch without reason, or with unknown keys {sorted(unknown)}: {told}")
    return Patch(
        told["reason"],
        tuple(map(_flag, told.get("add", ()))),
        tuple((name, _checked(fields)) for name, fields in told.get("change", {}).items()),
        tuple(told.get("removed", {}).items()),
        tuple(map(_constraint, told.get("constraints", ()))),
        tuple(told.get("backends", ())),
        tuple(told.get("trainers", ())),
        tuple(told.get("revisions", ())),
    )


_KEYS = frozenset(item.name for item in fields(Patch))


def _checked(told: dict[str, Any]) -> dict[str, Any]:
    if not told.keys() <= _FIELDS:
        raise ValueError(f"no fields of a flag: {sorted(told.keys() - _FIELDS)}")
    return {name: tuple(value) if name in ("names", "choices") else value for name, value in told.items()}


def _flag(told: dict[str, Any]) -> Flag:
    made = _checked(told)
    return Flag(**{"dest": dest_of(made["names"]), **made})


def _constraint(told: dict[str, Any]) -> Constraint:
    path, _, row = told["at"].rpartition(":")
    return Constraint(told.get("kind", "rejects"), AtomReader({}).read(told["when"]), Site(path, int(row)))
