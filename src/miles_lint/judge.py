"""Formulas of a contract over a bound launch, on all paths at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from miles_lint import atoms
from miles_lint.binding import UNKNOWN, Binding, Partial
from miles_lint.binding.values import Fragments, alternatives, frozen
from miles_lint.contract.model import Atom
from miles_lint.domain.guard import Guard
from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Known, Text, Value, options_of

LIMIT = 48
Options = tuple[tuple[Guard, object], ...]
"""The values of an expression under guards that exclude each other and cover everything."""


@dataclass(eq=False)
class Judge:
    """Evaluates formulas over one binding, each part once. What is in `hidden`, as `reads` gives it, is not known."""

    binding: Binding
    hidden: frozenset[tuple[str, ...]] = frozenset()
    _values: dict[int, Options] = field(default_factory=dict)
    _truths: dict[int, tuple[Guard, Guard]] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.always, self.never = self.binding.launch.space.always, self.binding.launch.space.never

    def truth(self, operand: object) -> tuple[Guard, Guard]:
        """The conditions under which a formula is certainly true, and under which it may be."""
        if not isinstance(operand, Atom):
            return self._counted(self.value(operand))
        found = self._truths.get(id(operand))
        if found is None:
            self._kept.append(operand)
            found = self._truths[id(operand)] = self._truth(operand)
        return found

    def _truth(self, atom: Atom) -> tuple[Guard, Guard]:
        if atom.op == "not":
            yes, maybe = self.truth(atom.operands[0])
            return ~maybe, ~yes
        if atom.op == "truth":
            return self.truth(atom.operands[0])
        if atom.op not in ("and", "or"):
            return self._counted(self.value(atom))
        yes = maybe = self.always if atom.op == "and" else self.never
        for part in atom.operands:
            surely, perhaps = self.truth(part)
            yes, maybe = (yes & surely, maybe & perhaps) if atom.op == "and" else (yes | surely, maybe | perhaps)
            if maybe.impossible if atom.op == "and" else yes.certain:
                break
        return yes, maybe

    def _counted(self, options: Options) -> tuple[Guard, Guard]:
        yes = maybe = self.never
        for guard, value in options:
            told = atoms.truth(value)
            yes = yes | guard if told is Truth.YES else yes
            maybe = maybe if told is Truth.NO else maybe | guard
        return yes, maybe

    def value(self, operand: object) -> Options:
        """The values of an expression; past `LIMIT` alternatives it is not known."""
        if isinstance(operand, tuple):
            return self._combined(operand, lambda parts: parts)
        if not isinstance(operand, Atom):
            return ((self.always, frozen(operand)),)
        found = self._values.get(id(operand))
        if found is None:
            self._kept.append(operand)
            found = self._values[id(operand)] = self._value(operand)
        return found

    def _value(self, atom: Atom) -> Options:
        op, operands = atom.op, atom.operands
        if op in ("flag", "env", "driver"):
            return ((self.always, UNKNOWN),) if (op, *map(str, operands)) in self.hidden else self._read(op, operands)
        if op == "const":
            return ((self.always, frozen(operands[0])),)
        if op == "unknown":
            return ((self.always, UNKNOWN),)
        if op in ("and", "or", "not", "truth"):
            yes, maybe = self.truth(atom)
            return _joined(((yes, True), (~maybe, False), (maybe - yes, Partial(bool))))
        return self._combined(operands, lambda parts: atoms.apply(op, parts))

    def _combined(self, operands: tuple[object, ...], made: Callable[[tuple[object, ...]], object]) -> Options:
        found: list[tuple[Guard, tuple[object, ...]]] = [(self.always, ())]
        for operand in operands:
            options = self.value(operand)
            grown = [(guard & under, (*parts, value)) for guard, parts in found for under, value in options]
            found = [(guard, parts) for guard, parts in grown if not guard.impossible]
            if len(found) > LIMIT:
                return ((self.always, UNKNOWN),)
        return _joined((guard, made(parts)) for guard, parts in found)

    def _read(self, op: str, operands: tuple[object, ...]) -> Options:
        if op == "env":
            return _joined(self.environment(str(operands[0])))
        if op == "driver":
            scripts = _texts(self.binding.launch.train_script, self.always)
            return _joined((guard, _base_name(script)) for guard, script in scripts)
        return _joined((reading.guard, reading.value) for reading in self.binding.effective(str(operands[0])))

    def environment(self, name: str) -> Iterator[tuple[Guard, object]]:
        """The values that a launch gives a variable; not known where it gives none, for a cluster may."""
        left = self.always
        for variable, variants in self.binding.launch.environment:
            for variant in reversed(variants) if variable == name else ():
                yield from _texts(variant.value, variant.guard & left)
                left = left - variant.guard
        yield left, UNKNOWN


def _base_name(script: object) -> object:
    return PurePosixPath(script).name if isinstance(script, str) else UNKNOWN


def reads(operand: object) -> Iterator[tuple[str, ...]]:
    """What a formula reads: (`flag`, dest), (`env`, name) and (`driver`,), in order, repeated as it repeats them."""
    if isinstance(operand, Atom):
        if operand.op in ("flag", "env", "driver"):
            yield (operand.op, *map(str, operand.operands))
        operand = operand.operands
    if isinstance(operand, tuple):
        for part in operand:
            yield from reads(part)


def _texts(value: Value, live: Guard) -> Iterator[tuple[Guard, object]]:
    """The strings that a folded value can be under a guard."""
    for guard, leaf in options_of(value, live):
        if isinstance(leaf, Text):
            found = alternatives(leaf, guard)
            yield from ((guard, UNKNOWN),) if found is None else ((g, _string(parts)) for g, parts in found)
        else:
            number = isinstance(leaf, Known) and type(leaf.value) is int
            yield guard, str(leaf.value) if number and isinstance(leaf, Known) else UNKNOWN


def _string(fragments: Fragments) -> object:
    if None in fragments:
        return Partial(str, Truth.YES if any(fragments) else Truth.MAYBE, fragments)
    return "".join(part for part in fragments if part is not None)


def _joined(options: Iterable[tuple[Guard, object]]) -> Options:
    """Options without impossible ones, equal values joined."""
    found: dict[object, tuple[Guard, object]] = {}
    for guard, value in options:
        if guard.impossible:
            continue
        key = (type(value), value) if _hashable(value) else (None, id(value))
        known = found.get(key)
        found[key] = (guard if known is None else known[0] | guard, value)
    return tuple(found.values())


def _hashable(value: object) -> bool:
    return all(map(_hashable, value)) if isinstance(value, tuple) else not isinstance(value, dict)
