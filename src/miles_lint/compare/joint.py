"""One space for the conditions of two folds: knobs meet by name and value, opaque conditions by what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from miles_lint.domain.guard import OTHER, Constant, Guard, Space, Variable
from miles_lint.domain.term import BINARY, Term, symbol
from miles_lint.domain.value import Choice, Text
from miles_lint.launch import Launch

_NODES = 200_000
_TEMPORARY = re.compile(r"temporary path \S.*?:\d+")


class _NotPassed:
    """The domain element of a knob that nobody passes, where its two defaults are not one constant."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<default>"


NOT_PASSED = _NotPassed()


UNCOMPUTED = object()


Key = tuple[object, ...]


@dataclass(eq=False)
class Joint:
    """The joint space of the launches of two folds of one entry point, and each side's way into it."""

    before: Sequence[Launch]
    after: Sequence[Launch]
    space: Space = field(default_factory=lambda: Space(_NODES))

    def __post_init__(self) -> None:
        self.sides = (Side(self, _keys(self.before)), Side(self, _keys(self.after)))
        self.knobs: dict[str, Variable] = {}
        one, two = (side.variables for side in self.sides)
        for key in _merged(list(one), list(two)):
            first, second = one.get(key), two.get(key)
            some = first or second
            assert some is not None
            if some.opaque:
                self.space.condition(some.name, key, some.term)
            else:
                self.knobs[some.name] = self.space.knob(some.name, _domain(first, second))


def _keys(launches: Sequence[Launch]) -> dict[Key, Variable]:
    """The knobs of launches, and the opaque conditions that they depend on, by what tells them apart."""
    used: set[Variable] = set()
    for launch in launches:
        for guard in _guards(launch):
            used |= launch.space.support(guard)
    found: dict[Key, Variable] = {}
    for variable in launches[0].space.variables if launches else ():
        if not variable.opaque:
            found["knob", variable.name] = variable
        elif isinstance(variable.term, Term):
            found["term", spelled(variable.term)] = variable
        elif variable in used:
            number = sum(key[0] == "name" and key[1] == variable.name for key in found)
            found["name", variable.name, number] = variable
    return found


def _guards(launch: Launch) -> Iterator[Guard]:
    """Every guard that a comparison of a launch meets."""
    yield launch.guard
    values = [launch.train_script, launch.model_type, *(value for _, value in launch.keywords)]
    for argument in launch.argv:
        yield argument.guard
        values.append(argument.text)
    for _, variants in launch.environment:
        for variant in variants:
            yield variant.guard
            values.append(variant.value)
    for value in values:
        for guard, leaf in value.options if isinstance(value, Choice) else ((launch.guard, value),):
            yield guard
            yield from (piece.guard for piece in leaf.pieces) if isinstance(leaf, Text) else ()


def spelled(term: Term) -> str:
    """A symbolic form as it is compared: in parentheses, and without the place where a temporary file is made."""
    operands = (symbol("", _operand(each)) if isinstance(each, Term) else each for each in term.operands)
    return _TEMPORARY.sub("temporary path", str(Term(term.op, tuple(operands))))


def _operand(term: Term) -> str:
    return f"({spelled(term)})" if term.op in BINARY else spelled(term)


def _merged(one: list[Key], two: list[Key]) -> list[Key]:
    """Both lists in one: the first in order, each new element of the second behind its elder."""
    merged = list(one)
    position = 0
    for key in two:
        if key in one:
            position = merged.index(key) + 1
        else:
            merged.insert(position, key)
            position += 1
    return merged


def _domain(one: Variable | None, two: Variable | None) -> tuple[Constant, ...]:
    """The default first, then every value that a side lists, then the rest where a side has one."""
    sides = [side for side in (one, two) if side is not None]
    defaults = [side.domain[side.default or 0] for side in sides]
    shared = all(_plain(value) and _same(value, defaults[0]) for value in defaults)
    values: list[Constant] = [defaults[0] if shared else NOT_PASSED]
    for side, twin in ((one, two), (two, one)):
        for value in side.domain if side is not None else ():
            if _plain(value) and not _only_default(value, side, twin) and not any(_same(value, v) for v in values):
                values.append(value)
    if any(OTHER in side.domain or not all(map(_plain, side.domain)) for side in sides):
        values.append(OTHER)
    return tuple(values)


def _only_default(value: Constant, side: Variable | None, twin: Variable | None) -> bool:
    """Whether a value is the default of one side and nothing special to the other: passing it is like any other."""
    if side is None or twin is None or OTHER not in twin.domain or OTHER not in side.domain:
        return False
    return value is side.domain[side.default or 0] and not any(_same(value, known) for known in twin.domain)


def _plain(value: Constant) -> bool:
    return isinstance(value, (type(None), bool, int, float, str))


def _same(one: Constant, two: Constant) -> bool:
    return type(one) is type(two) and one == two


@dataclass(eq=False)
class Side:
    """One of the two folds: its variables, and its guards translated into the joint space."""

    joint: Joint
    variables: dict[Key, Variable]

    def __post_init__(self) -> None:
        self.known: dict[int, Guard] = {}
        self.conditions: dict[Variable, Guard] = {}
        self.keys = {variable: key for key, variable in self.variables.items()}
        self.mine = {variable.name: variable for variable in self.variables.values() if not variable.opaque}

    def guard(self, guard: Guard) -> Guard:
        """A guard of this side in the joint space. Raises `TooComplex`."""
        space = self.joint.space
        if guard.variable is None:
            return space.always if guard.certain else space.never
        found = self.known.get(id(guard))
        if found is None:
            found = space.never
            for test, child in self.tests(guard.variable, guard.children):
                found = found | (test & self.guard(child))
            self.known[id(guard)] = found
        return found

    def tests(self, variable: Variable, children: tuple[Guard, ...]) -> Iterator[tuple[Guard, Guard]]:
        """What each outcome of a variable is in the joint space, with the guard that follows from it."""
        if variable.opaque:
            holds = self.condition(variable)
            yield from zip((holds, ~holds), children)
            return
        twin = self.joint.knobs[variable.name]
        by_child: dict[Guard, set[int]] = {}
        for index, value in enumerate(twin.domain):
            by_child.setdefault(children[self.index(variable, value)], set()).add(index)
        for child, indices in by_child.items():
            yield self.joint.space.test(twin, frozenset(indices)), child

    def index(self, variable: Variable, value: Constant) -> int:
        """Where a value of the joint domain stands in the domain of this side's knob."""
        if value is NOT_PASSED:
            return variable.default or 0
        for index, known in enumerate(variable.domain):
            if value is not OTHER and _same(known, value):
                return index
        return variable.domain.index(OTHER) if OTHER in variable.domain else variable.default or 0

    def others(self, name: str) -> Iterator[tuple[Guard, Constant]]:
        """Values that only the other side lists for a knob: here they are among all others."""
        twin, mine = self.joint.knobs.get(name), self.mine.get(name)
        if twin is None or mine is None:
            return
        for index, value in enumerate(twin.domain):
            if _plain(value) and mine.domain[self.index(mine, value)] is OTHER:
                yield self.joint.space.test(twin, frozenset((index,))), value

    def condition(self, variable: Variable) -> Guard:
        """An opaque condition: one with a symbolic form is computed where the other side lists the knob's value."""
        found = self.conditions.get(variable)
        if found is None:
            found = self.joint.space.condition(variable.name, self.keys[variable], variable.term)
            if isinstance(variable.term, Term):
                for test, value in self.valued(variable.term):
                    found = (found - test) | (test if value else self.joint.space.never)
            self.conditions[variable] = found
        return found

    def valued(self, term: Term) -> Iterator[tuple[Guard, object]]:
        """The values of a form over one knob, where the other side lists the knob's value."""
        symbols = term.symbols()
        if len(symbols) != 1:
            return
        for test, constant in self.others(str(next(iter(symbols))[-1])):
            value = compute(term, constant)
            if value is not UNCOMPUTED:
                yield test, value


_UNARY: dict[str, Callable[..., object]] = {
    "truth": bool,
    "not": lambda value: not value,
    "len": len,
}


def compute(term: object, symbol: Constant) -> object:
    """The value of a form whose only symbol has this value; `UNCOMPUTED` where it is not understood or fails."""
    if not isinstance(term, Term):
        return term
    if term.op == "symbol":
        return symbol
    operation = (BINARY if len(term.operands) == 2 else _UNARY).get(term.op)
    operands = [compute(operand, symbol) for operand in term.operands]
    if operation is None or UNCOMPUTED in operands:
        return UNCOMPUTED
    try:
        return operation(*operands)
    except Exception:
        return UNCOMPUTED
