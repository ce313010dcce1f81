"""Contracts as text: JSON of a stated schema, the same for the same contracts, one fact on a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields
from hashlib import sha1
from typing import Any

from miles_lint.contract.encoding import AtomReader, AtomWriter, compact, decode_constant, encode_constant
from miles_lint.contract.model import Constraint, Contract, Flag, Selector, Site

SCHEMA = 1
_FIELDS = [item.name for item in fields(Flag)]
_DEFAULTS: list[Any] = [None if item.default is MISSING else item.default for item in fields(Flag)]
_POSITIONS = {**{name: position for position, name in enumerate(_FIELDS)}, "at": _FIELDS.index("origin")}
_NAMES, _DEST, _CHOICES, _DEFAULT, _CONST, _ORIGIN = (
    _POSITIONS[name] for name in ("names", "dest", "choices", "default", "const", "origin")
)
_HELD = (dict, list)
_PUT = [Flag.__dict__[name].__set__ for name in _FIELDS]
_CONTRACT = ("trainer", "revision", "backend", "driver", "allow_abbrev")


class StoreError(ValueError):
    """A text that holds no contracts, or none of this schema."""


def dumps(contracts: Iterable[Contract]) -> str:
    """The text of some contracts, at most one for each backend and driver; what they share is written once.

    `extra_flags`, which belong to a user and not to a trainer, are left out. Raises TypeError for a constant that
    JSON cannot hold.
    """
    return _Writer(tuple(contracts)).text()


def loads(text: str) -> Store:
    """The contracts of a text; each is built when it is asked for. Raises `StoreError`."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise StoreError(f"not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else None
        raise StoreError(f"schema {found!r} where {SCHEMA} is read")
    try:
        return Store(data, {(entry["backend"], entry["driver"]): entry for entry in data["contracts"]})
    except (KeyError, TypeError) as error:
        raise StoreError(f"not a list of contracts: {error!r}") from error


@dataclass(eq=False)
class Store:
    """Stored contracts by backend and driver."""

    _data: dict[str, Any]
    _entries: dict[tuple[str, str], dict[str, Any]]
    _made: dict[tuple[str, str], Contract] = field(default_factory=dict)
    _flags: dict[int, Flag] = field(default_factory=dict)
    _sites: dict[str, Site] = field(default_factory=dict)

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """The backend and driver of each contract, in order."""
        return tuple(self._entries)

    def contract(self, backend: str, driver: str) -> Contract | None:
        """The contract of a backend and driver; None where there is none. Raises `StoreError`."""
        key = (backend, driver)
        if key not in self._made and key in self._entries:
            try:
                self._made[key] = self._contract(self._entries[key])
            except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
                raise StoreError(f"contract for {backend} and {driver}: {error!r}") from error
        return self._made.get(key)

    def _contract(self, entry: dict[str, Any]) -> Contract:
        atoms = AtomReader(self._data["atoms"])
        constraints = self._data["constraints"]
        return Contract(
            **{name: entry[name] for name in _CONTRACT},
            flags=tuple(self._flag(index) for index in _unfolded(entry["flags"])),
            constraints=tuple(self._constraint(constraints[i], atoms) for i in _unfolded(entry["constraints"])),
            selectors=tuple(self._selector(told) for told in entry["selectors"]),
            open_prefixes=tuple(entry["open_prefixes"]),
            removed=entry["removed"],
            owners=tuple((owner, revision) for owner, revision in entry["owners"]),
            foreign={name: backend for backend, names in entry["foreign"].items() for name in names},
            plugged=self._plugged(entry.get("plugged", ())),
        )

    def _plugged(self, told: int | Sequence[str]) -> frozenset[str]:
        return frozenset(self._data["plugged"][told] if isinstance(told, int) else told)

    def _flag(self, index: int) -> Flag:
        made = self._flags.get(index)
        if made is None:
            values = _DEFAULTS.copy()
            for name, told in self._data["flags"][index].items():
                values[_POSITIONS[name]] = told
            values[_NAMES] = names = tuple(values[_NAMES])
            if values[_DEST] is None:
                values[_DEST] = dest_of(names)
            if values[_ORIGIN] is not None:
                values[_ORIGIN] = self._site(values[_ORIGIN])
            if values[_CHOICES] is not None:
                values[_CHOICES] = tuple([_frozen(choice) for choice in values[_CHOICES]])
            for position in (_DEFAULT, _CONST):
                if type(values[position]) in _HELD:
                    values[position] = decode_constant(values[position])
            made = self._flags[index] = _made(values)
        return made

    def _constraint(self, told: dict[str, Any], atoms: AtomReader) -> Constraint:
        kind, target = told.get("kind", "rejects"), told.get("target", "")
        origin, message = self._site(told.get("at")), self._site(told.get("message"))
        return Constraint(kind, atoms.read(told["when"]), origin, target, message)

    def _selector(self, told: dict[str, Any]) -> Selector:
        return Selector(told["switch"], told["flag"], told["value"], self._site(told.get("at")))

    def _site(self, told: str | None) -> Site | None:
        if told is None:
            return None
        made = self._sites.get(told)
        if made is None:
            alias, row = told.split(":")
            made = self._sites[told] = Site(self._data["paths"][alias], int(row))
        return made


def _made(values: Sequence[Any]) -> Flag:
    """A flag of these values; half the time that its own constructor takes, which a contract has thousands of."""
    made = object.__new__(Flag)
    for put, value in zip(_PUT, values):
        put(made, value)
    return made


def dest_of(names: Sequence[str]) -> str:
    """The dest that argparse derives from option strings."""
    name = names[0]
    if name[:2] != "--":
        name = next((other for other in names if other.startswith("--")), name)
    return name.lstrip("-").replace("-", "_")


def _frozen(told: Any) -> object:
    if isinstance(told, (dict, list)):
        made = decode_constant(told)
        return tuple(made) if isinstance(made, list) else made
    return told


def _unfolded(runs: Sequence[Sequence[int]]) -> Iterator[int]:
    for start, count in runs:
        yield from range(start, start + count)


def _folded(indices: Iterable[int]) -> list[list[int]]:
    """Indices as runs of successive ones: start and length."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([index, 1])
    return runs


class _Writer:
    def __init__(self, contracts: tuple[Contract, ...]) -> None:
        self.contracts = contracts
        self.aliases = _aliases(_paths(contracts))
        self.atoms = AtomWriter(constraint.when for contract in contracts for constraint in contract.constraints)
        self.flags: dict[str, int] = {}
        self.constraints: dict[str, int] = {}
        self.plugged: dict[str, int] = {}

    def text(self) -> str:
        entries = [compact(self._contract(contract)) for contract in self.contracts]
        return "".join(
            (
                f'{{"schema":{SCHEMA},\n"paths":',
                _object({alias: path for path, alias in self.aliases.items()}),
                ',\n"flags":',
                _array(self.flags),
                ',\n"atoms":',
                _object(self.atoms.table),
                ',\n"constraints":',
                _array(self.constraints),
                ',\n"plugged":',
                _array(self.plugged),
                ',\n"contracts":',
                _array(entries),
                "}\n",
            )
        )

    def _contract(self, contract: Contract) -> dict[str, Any]:
        flags = [self._index(self.flags, self._flag(flag)) for flag in contract.flags]
        constraints = [self._index(self.constraints, self._constraint(each)) for each in contract.constraints]
        foreign: dict[str, list[str]] = {}
        for name, backend in sorted(contract.foreign.items()):
            foreign.setdefault(backend, []).append(name)
        return {
            **{name: getattr(contract, name) for name in _CONTRACT},
            "flags": _folded(flags),
            "constraints": _folded(constraints),
            "selectors": [self._selector(selector) for selector in contract.selectors],
            "open_prefixes": list(contract.open_prefixes),
            "removed": dict(sorted(contract.removed.items())),
            "owners": [list(owner) for owner in contract.owners],
            "foreign": foreign,
            "plugged": self.plugged.setdefault(compact(sorted(contract.plugged)), len(self.plugged)),
        }

    def _index(self, table: dict[str, int], told: dict[str, Any]) -> int:
        return table.setdefault(compact(told), len(table))

    def _flag(self, flag: Flag) -> dict[str, Any]:
        told: dict[str, Any] = {"names": list(flag.names)}
        if flag.dest != dest_of(flag.names):
            told["dest"] = flag.dest
        for name, default in zip(_FIELDS, _DEFAULTS):
            value = getattr(flag, name)
            if name not in ("names", "dest", "origin") and (value != default or type(value) is not type(default)):
                told[name] = encode_constant(value)
        return {**told, **self._at("at", flag.origin)}

    def _constraint(self, constraint: Constraint) -> dict[str, Any]:
        told: dict[str, Any] = {} if constraint.kind == "rejects" else {"kind": constraint.kind}
        if constraint.target:
            told["target"] = constraint.target
        places = {**self._at("at", constraint.origin), **self._at("message", constraint.message_origin)}
        return {**told, **places, "when": self.atoms.write(constraint.when)}

    def _selector(self, selector: Selector) -> dict[str, Any]:
        told = {"switch": selector.switch, "flag": selector.flag, "value": selector.value}
        return {**told, **self._at("at", selector.origin)}

    def _at(self, key: str, site: Site | None) -> dict[str, str]:
        return {} if site is None else {key: f"{self.aliases[site.path]}:{site.row}"}


def _paths(contracts: Iterable[Contract]) -> set[str]:
    found: set[str] = set()
    for contract in contracts:
        sites = [flag.origin for flag in contract.flags] + [selector.origin for selector in contract.selectors]
        for constraint in contract.constraints:
            sites += (constraint.origin, constraint.message_origin)
        found.update(site.path for site in sites if site is not None)
    return found


def _aliases(paths: set[str]) -> dict[str, str]:
    """A short name for each path that does not change when other paths come and go, but for a rare clash."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths):
        digest = sha1(path.encode(), usedforsecurity=False).hexdigest()
        alias = next(digest[:length] for length in range(3, len(digest)) if digest[:length] not in taken)
        taken.add(alias)
        found[path] = alias
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def _object(table: dict[str, Any]) -> str:
    lines = (f"{compact(key)}:{compact(value)}" for key, value in sorted(table.items()))
    return "{\n" + ",\n".join(lines) + "\n}" if table else "{}"


def _array(lines: Iterable[str]) -> str:
    joined = ",\n".join(lines)
    return f"[\n{joined}\n]" if joined else "[]"
