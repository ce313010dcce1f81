"""Formulas and constants as JSON, parts that occur more than once written once."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

from miles_lint.contract.model import Atom

SMALLEST_SHARED = 4
"""Nodes that a part must have to be worth a line of its own."""
_PLAIN = frozenset((str, int, bool, float))
REFERENCE, FLOAT = "@", "$float"


def compact(data: object) -> str:
    """JSON on one line, keys as they stand."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def encode_constant(value: object) -> Any:
    """A constant as JSON: tuples as lists, infinities by name. Raises TypeError for what a contract cannot hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return {FLOAT: repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [encode_constant(item) for item in value]
    if isinstance(value, dict):
        return {str(key): encode_constant(item) for key, item in value.items()}
    raise TypeError(f"a contract cannot hold {value!r}")


def decode_constant(data: Any) -> object:
    """The constant of its JSON; lists stay lists."""
    if isinstance(data, list):
        return [decode_constant(item) for item in data]
    if isinstance(data, dict):
        return float(data[FLOAT]) if FLOAT in data else {key: decode_constant(item) for key, item in data.items()}
    return data


@dataclass(frozen=True, slots=True)
class _Node:
    """An atom with the digest of its contents and its number of nodes."""

    atom: Atom
    digest: str
    size: int
    operands: tuple[object, ...]


@dataclass
class AtomWriter:
    """Writes formulas; `table` then holds the parts that they share, by a digest of their contents."""

    formulas: Iterable[Atom]
    table: dict[str, Any] = field(default_factory=dict)
    _nodes: dict[int, _Node] = field(default_factory=dict)
    _kept: list[Atom] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._kept.extend(self.formulas)
        roots = [self._node(atom) for atom in self._kept]
        unique = {node.digest: node for node in roots}
        self.count = Counter(node.digest for node in roots)
        waiting = list(unique.values())
        while waiting:
            for operand in waiting.pop().operands:
                if isinstance(operand, _Node):
                    self.count[operand.digest] += 1
                    if operand.digest not in unique:
                        unique[operand.digest] = operand
                        waiting.append(operand)

    def write(self, atom: Atom) -> Any:
        """The JSON of a formula."""
        return self._written(self._node(atom))

    def _written(self, node: _Node) -> Any:
        if node.size < SMALLEST_SHARED or self.count[node.digest] < 2:
            return self._spelled(node)
        if node.digest not in self.table:
            self.table[node.digest] = self._spelled(node)
        return {REFERENCE: node.digest}

    def _spelled(self, node: _Node) -> Any:
        made = [self._written(part) if isinstance(part, _Node) else encode_constant(part) for part in node.operands]
        single = len(made) == 1 and not isinstance(made[0], list)
        return {node.atom.op: made[0] if single else made}

    def _node(self, atom: Atom) -> _Node:
        found = self._nodes.get(id(atom))
        if found is None:
            self._kept.append(atom)
            operands = tuple(self._node(part) if isinstance(part, Atom) else part for part in atom.operands)
            told = [part.digest if isinstance(part, _Node) else [encode_constant(part)] for part in operands]
            digest = sha1(compact([atom.op, *told]).encode(), usedforsecurity=False).hexdigest()[:10]
            size = 1 + sum(part.size if isinstance(part, _Node) else 1 for part in operands)
            found = self._nodes[id(atom)] = _Node(atom, digest, size, operands)
        return found


@dataclass
class AtomReader:
    """Reads formulas; a shared part becomes one object."""

    table: Mapping[str, Any]
    _made: dict[str, Atom] = field(default_factory=dict)

    def read(self, data: Mapping[str, Any]) -> Atom:
        """The formula of its JSON. Raises KeyError, TypeError or ValueError for anything else."""
        ((op, told),) = data.items()
        if op == REFERENCE:
            found = self._made.get(told)
            if found is None:
                found = self._made[told] = self.read(self.table[told])
            return found
        return Atom(op, tuple(map(self._operand, told if isinstance(told, list) else (told,))))

    def _operand(self, data: Any) -> object:
        if data is None or type(data) in _PLAIN:
            told: object = data
            return told
        if isinstance(data, dict) and FLOAT not in data:
            return self.read(data)
        return _tuples(decode_constant(data))


def _tuples(value: object) -> object:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
