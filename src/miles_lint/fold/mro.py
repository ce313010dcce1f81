"""Where a class looks its names up."""

from __future__ import annotations

from miles_lint.domain.value import Callee, Ref, Value
from miles_lint.fold.heap import ClassObject
from miles_lint.fold.machine import Machine


def linearize(machine: Machine, cell: int) -> list[ClassObject]:
    """The classes of the program that attribute look-up visits, in Python's order, the class itself first."""
    target = machine.heap[cell]
    if not isinstance(target, ClassObject):
        return []
    if target.order is None:
        target.order = [target]
        bases = [base.cell for base in target.bases if isinstance(base, Ref)]
        rows = [list(linearize(machine, base)) for base in bases]
        direct = [made for made in map(machine.heap.__getitem__, bases) if isinstance(made, ClassObject)]
        target.order = [target, *_merged([*rows, direct])]
    return target.order


def _merged(rows: list[list[ClassObject]]) -> list[ClassObject]:
    """The C3 merge; rows that contradict each other, which Python refuses, come out one after the other."""
    found: list[ClassObject] = []
    while any(rows):
        rows = [row for row in rows if row]
        heads = [row[0] for row in rows]
        free = (head for head in heads if not any(head in row[1:] for row in rows))
        chosen = next(free, heads[0])
        found.append(chosen)
        rows = [[cls for cls in row if cls is not chosen] for row in rows]
    return found


def find(machine: Machine, cell: int, name: str) -> Value | None:
    """A name of a class or its bases."""
    for cls in linearize(machine, cell):
        if name in cls.names:
            return cls.names[name]
    return None


def opaque_base(machine: Machine, cell: int) -> str:
    """The name of a base class that was not found, or empty."""
    return next((cls.opaque_base for cls in linearize(machine, cell) if cls.opaque_base), "")


_PLAIN = frozenset(("object", "ABC", "Generic", "Protocol"))


def foreign(machine: Machine, cell: int) -> bool:
    """Whether a class has a base outside the program that may bring attributes of its own."""
    bases = [base for cls in linearize(machine, cell) for base in cls.bases]
    return any(not isinstance(base, Ref) and _last(base) not in _PLAIN for base in bases)


def _last(base: Value) -> str:
    return base.name.rpartition(".")[2] if isinstance(base, Callee) else ""
