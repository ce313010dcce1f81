"""Guards in few words: made relative to what is known anyway, and covered by few conjunctions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import inf

from miles_lint.domain.guard import OTHER, Guard, TooComplex, Variable
from miles_lint.domain.term import Term
from miles_lint.domain.truth import Truth

Cube = Mapping[Variable, frozenset[int]]
_ALTERNATIVES = 6
_TESTS = 10


def relative(guard: Guard, context: Guard) -> Guard:
    """A guard that agrees with `guard` wherever `context` holds and asks for as little as possible."""
    space = guard.space
    memo: dict[tuple[int, int], Guard] = {}

    def walk(wanted: Guard, known: Guard) -> Guard:
        if wanted.variable is None or known.variable is None:
            return wanted
        key = (id(wanted), id(known))
        if key not in memo:
            memo[key] = step(wanted, known)
        return memo[key]

    def step(wanted: Guard, known: Guard) -> Guard:
        assert wanted.variable is not None and known.variable is not None
        if known.level < wanted.level:
            return walk(wanted, _any(known.children, space.never))
        variable = wanted.variable
        facts = known.children if known.variable is variable else (known,) * len(wanted.children)
        parts = [None if fact.impossible else walk(child, fact) for child, fact in zip(wanted.children, facts)]
        possible = [part for part in parts if part is not None]
        if all(part is possible[0] for part in possible):
            return possible[0]
        found = space.never
        for index, part in enumerate(parts):
            found = found | (space.test(variable, frozenset((index,))) & (possible[0] if part is None else part))
        return found

    if guard.excludes(context):
        return space.never
    return _without_needless(walk(guard, context), context)


def _without_needless(guard: Guard, context: Guard) -> Guard:
    """The guard without the variables that it can do without wherever `context` holds."""
    wanted = guard & context
    for variable in guard.support():
        indices = range(len(variable.domain))
        freed = _any(tuple(guard.restrict({variable: index}) for index in indices), guard.space.never)
        if freed & context is wanted:
            guard = freed
    return guard


def _any(guards: tuple[Guard, ...], never: Guard) -> Guard:
    for guard in guards:
        never = never | guard
    return never


@dataclass(frozen=True)
class Cover:
    """A guard as alternatives, each a conjunction of tests; `complete` is False when there are more.

    With `negated` the alternatives are those under which the guard does not hold.
    """

    cubes: tuple[Cube, ...]
    complete: bool = True
    negated: bool = False


def cover(guard: Guard, limit: int = _ALTERNATIVES) -> Cover:
    """The guard, or what it excludes where that is much shorter, as at most `limit` alternatives."""
    straight = _cover(guard, limit)
    if straight.complete and len(straight.cubes) < 3:
        return straight
    inverse = _cover(~guard, limit)
    if inverse.complete and (not straight.complete or 2 * _length(inverse) <= _length(straight)):
        return Cover(inverse.cubes, inverse.complete, True)
    return straight


def _length(found: Cover) -> int:
    return sum(map(len, found.cubes))


def _cover(guard: Guard, limit: int) -> Cover:
    rest = guard
    cubes: list[Cube] = []
    guards: list[Guard] = []
    while not rest.impossible and len(cubes) < limit:
        cube = _widened(_shortest(rest), guard)
        cubes.append(cube)
        held = guard.space.always
        for variable, indices in sorted(cube.items(), key=lambda item: -item[0].level):
            held = held & guard.space.test(variable, indices)
        guards.append(held)
        rest = rest - held
    if rest.impossible:
        cubes = _needed(guard, cubes, guards)
    return Cover(tuple(cubes), rest.impossible)


def _needed(guard: Guard, cubes: list[Cube], guards: list[Guard]) -> list[Cube]:
    """The alternatives of a guard without those that the others make up for."""
    kept = list(range(len(cubes)))
    for index in range(len(cubes)):
        others = [other for other in kept if other != index]
        if reduce(Guard.__or__, (guards[other] for other in others), guard.space.never) is guard:
            kept = others
    return [cubes[index] for index in kept]


def _shortest(guard: Guard) -> Cube:
    """The alternative of a feasible guard with the fewest tests."""
    known: dict[int, tuple[float, Guard | None]] = {}

    def length(node: Guard) -> float:
        if node.variable is None:
            return 0 if node.certain else inf
        if id(node) not in known:
            best = min((1 + length(child), index) for index, child in enumerate(node.children))
            known[id(node)] = best[0], node.children[best[1]]
        return known[id(node)][0]

    length(guard)
    cube: dict[Variable, frozenset[int]] = {}
    while guard.variable is not None:
        following = known[id(guard)][1]
        assert following is not None
        cube[guard.variable] = frozenset(i for i, child in enumerate(guard.children) if child is following)
        guard = following
    return cube


def _widened(cube: Cube, guard: Guard) -> Cube:
    """The cube without the tests, and with all the values, that `guard` does not need."""
    kept = dict(cube)
    for variable in sorted(cube, key=lambda each: each.level, reverse=True):
        without = {each: indices for each, indices in kept.items() if each is not variable}
        if _implies(without, guard):
            kept = without
            continue
        for index in range(len(variable.domain)):
            wider = {**kept, variable: kept[variable] | {index}}
            if index not in kept[variable] and _implies(wider, guard):
                kept = wider
    return kept


def _implies(cube: Cube, guard: Guard) -> bool:
    """Whether a guard holds wherever a cube does; no diagram is made for the answer."""
    seen: set[int] = set()
    stack = [guard]
    while stack:
        node = stack.pop()
        if node.impossible:
            return False
        if node.variable is not None and id(node) not in seen:
            seen.add(id(node))
            allowed = cube.get(node.variable)
            stack.extend(child for i, child in enumerate(node.children) if allowed is None or i in allowed)
    return True


def words(guard: Guard, mark: bool = False) -> str:
    """A guard in words; with `mark` a test that holds at the default of its knob is followed by `*`.

    Empty for a guard that always holds.
    """
    if guard.certain:
        return ""
    if guard.impossible:
        return "never"
    try:
        found = cover(guard)
    except TooComplex:
        return "a condition too complex to print"
    told = _told(found, mark)
    return f"unless {told}" if found.negated else told


def _told(found: Cover, mark: bool) -> str:
    """Alternatives joined by `or`, the tests common to all of them in front."""
    shared = [item for item in _ordered(found.cubes[0]) if all(cube.get(item[0]) == item[1] for cube in found.cubes)]
    names = {variable for variable, _ in shared}
    rests = [[item for item in _ordered(cube) if item[0] not in names] for cube in found.cubes]
    inner = [_all(rest, mark) for rest in rests]
    if len(inner) > 1:
        inner = [f"({text})" if len(rest) > 1 else text for text, rest in zip(inner, rests)]
    either = " or ".join([*filter(None, inner), *(() if found.complete else ("…",))])
    if shared and len(rests) > 1:
        either = f"({either})"
    return " and ".join(filter(None, (_all(shared, mark), either)))


def _all(tests: Sequence[tuple[Variable, frozenset[int]]], mark: bool) -> str:
    told = [told_test(variable, indices, mark) for variable, indices in tests[:_TESTS]]
    if len(tests) > _TESTS:
        told.append(f"{len(tests) - _TESTS} more tests")
    return " and ".join(told)


def _ordered(cube: Cube) -> list[tuple[Variable, frozenset[int]]]:
    return sorted(cube.items(), key=lambda item: item[0].level)


def told_test(variable: Variable, indices: frozenset[int], mark: bool = False) -> str:
    """One test in words, without the element that stands for all other values."""
    star = "*" if mark and variable.default in indices else ""
    name = knob_name(variable)
    if variable.opaque:
        if isinstance(variable.term, Term) and variable.term.op == "truth":
            return f"{name} is {'truthy' if 0 in indices else 'falsy'}"
        return name if 0 in indices else f"not ({name})"
    domain = variable.domain
    if variable.name.startswith("env:") and domain == (None, OTHER):
        return f"{name} is {'not set' if 0 in indices else 'set'}{star}"
    other = domain.index(OTHER) if OTHER in domain else None
    positive = other is None or other not in indices
    chosen = indices if positive else frozenset(range(len(domain))) - indices
    values = [domain[index] for index in sorted(chosen)]
    if len(values) == 1 and set(domain) == {True, False} and all(isinstance(each, bool) for each in domain):
        return f"{'' if values[0] else 'not '}{name}{star}"
    if len(values) == 1:
        return f"{name} {_relation(values[0], positive)}{star}"
    return f"{name} {'in' if positive else 'not in'} ({', '.join(map(repr, values))}){star}"


def _relation(value: object, positive: bool) -> str:
    if value is None or type(value).__repr__(value) == "<default>":
        shown = "None" if value is None else "its default"
        return f"is {shown}" if positive else f"is not {shown}"
    return f"{'==' if positive else '!='} {value!r}"


def knob_name(variable: Variable) -> str:
    """The name of a knob as people write it: `$NAME` for a variable of the environment."""
    return variable.name.replace("env:", "$")


def at(guard: Guard, choice: Mapping[Variable, int]) -> Truth:
    """Whether a guard holds at an assignment of knobs; MAYBE where opaque conditions decide."""
    return guard.restrict(choice).truth()
