"""Path conditions as multi-valued decision diagrams over knobs and opaque conditions.

A diagram is reduced, ordered and hash-consed inside its `Space`, so two guards of one space say the
same exactly when they are the same object: feasibility, implication and negation cost no search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from miles_lint.domain.truth import Truth

Constant = object


class TooComplex(Exception):
    """The conditions of a fold have outgrown the limit of their space."""


class Other:
    """The domain element that stands for every value not listed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<other>"


OTHER = Other()


@dataclass(eq=False, slots=True)
class Variable:
    """One input of a fold: a knob with its listed values, or an opaque condition over (True, False).

    `default` indexes `domain`; None marks an opaque condition, whose value nobody can choose.
    """

    name: str
    domain: tuple[Constant, ...]
    default: int | None
    level: int
    term: object = None
    source: object = None

    @property
    def opaque(self) -> bool:
        return self.default is None


_LAST = 1 << 60
_NEVER, _ALWAYS = 0, 1


class Guard:
    """A node of a decision diagram. Made only by a `Space`; compare with `is`.

    `level` is that of its variable, `serial` its position among the nodes of its space.
    """

    __slots__ = ("certain", "children", "impossible", "level", "serial", "space", "variable")

    def __init__(self, space: Space, variable: Variable | None, children: tuple[Guard, ...], serial: int) -> None:
        self.space = space
        self.variable = variable
        self.children = children
        self.level = _LAST if variable is None else variable.level
        self.serial = serial
        self.impossible = serial == _NEVER
        self.certain = serial == _ALWAYS

    def __and__(self, other: Guard) -> Guard:
        if self is other or other.certain:
            return self
        return other if self.certain else self.space.conjoin(self, other)

    def __or__(self, other: Guard) -> Guard:
        if self is other or other.impossible:
            return self
        return other if self.impossible else self.space.disjoin(self, other)

    def __invert__(self) -> Guard:
        return self.space.negate(self)

    def __sub__(self, other: Guard) -> Guard:
        if other.impossible or self.impossible:
            return self
        if self is other or other.certain:
            return self.space.never
        return self.space.conjoin(self, self.space.negate(other))

    def implies(self, other: Guard) -> bool:
        return other is self or other.certain or self.space.apart(self, self.space.negate(other))

    def excludes(self, other: Guard) -> bool:
        """Whether both cannot hold at once; makes no new guard, and stops at the first way in which they can."""
        return self.space.apart(self, other)

    def restrict(self, choice: Mapping[Variable, int]) -> Guard:
        """This guard with the given variables fixed to domain indices."""
        return self.space.restrict(self, choice)

    def support(self) -> tuple[Variable, ...]:
        """The variables that this guard depends on, in order."""
        return tuple(sorted(self.space.support(self), key=lambda variable: variable.level))

    def truth(self) -> Truth:
        if self.certain:
            return Truth.YES
        return Truth.NO if self.impossible else Truth.MAYBE

    def __repr__(self) -> str:
        if self.variable is None:
            return "Guard(always)" if self.certain else "Guard(never)"
        return f"Guard({self.variable.name}, …)"


@dataclass(eq=False)
class Space:
    """The variables of one fold and the diagrams over them; guards of two spaces never mix.

    Past `node_limit` nodes or `variable_limit` variables the next one raises `TooComplex`.
    """

    node_limit: int = 50_000
    variable_limit: int = 300
    variables: list[Variable] = field(default_factory=list)
    _by_key: dict[object, Variable] = field(default_factory=dict)
    _nodes: dict[tuple[int, tuple[Guard, ...]], Guard] = field(default_factory=dict)
    _conjoined: dict[tuple[Guard, Guard], Guard] = field(default_factory=dict)
    _disjoined: dict[tuple[Guard, Guard], Guard] = field(default_factory=dict)
    _apart: dict[tuple[Guard, Guard], bool] = field(default_factory=dict)
    _negated: dict[Guard, Guard] = field(default_factory=dict)
    _supports: dict[Guard, frozenset[Variable]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.never = Guard(self, None, (), _NEVER)
        self.always = Guard(self, None, (), _ALWAYS)

    def knob(self, name: str, domain: tuple[Constant, ...], default: int = 0, source: object = None) -> Variable:
        """The knob of that name, made at the first call."""
        found = self._by_key.get(("knob", name))
        if found is None:
            found = self._by_key["knob", name] = self._variable(name, domain, default, None, source)
        return found

    def named(self, name: str) -> Variable | None:
        """The knob of that name, if one was made."""
        return self._by_key.get(("knob", name))

    def condition(self, name: str, key: object = None, term: object = None) -> Guard:
        """An opaque condition; two calls with one `key` that is not None name the same condition."""
        found = self._by_key.get(("condition", key)) if key is not None else None
        if found is None:
            found = self._variable(name, (True, False), None, term, None)
            if key is not None:
                self._by_key["condition", key] = found
        return self.test(found, frozenset((0,)))

    def _variable(
        self, name: str, domain: tuple[Constant, ...], default: int | None, term: object, source: object
    ) -> Variable:
        if len(self.variables) >= self.variable_limit:
            raise TooComplex
        made = Variable(name, domain, default, len(self.variables), term, source)
        self.variables.append(made)
        return made

    def test(self, variable: Variable, indices: frozenset[int]) -> Guard:
        """The guard that a variable has one of these domain indices."""
        return self._node(
            variable, tuple(self.always if i in indices else self.never for i in range(len(variable.domain)))
        )

    def _node(self, variable: Variable, children: tuple[Guard, ...]) -> Guard:
        if children.count(children[0]) == len(children):
            return children[0]
        key = (variable.level, children)
        node = self._nodes.get(key)
        if node is None:
            if len(self._nodes) > self.node_limit:
                raise TooComplex
            node = self._nodes[key] = Guard(self, variable, children, len(self._nodes) + 2)
        return node

    def negate(self, guard: Guard) -> Guard:
        if guard is self.always:
            return self.never
        if guard is self.never:
            return self.always
        known = self._negated.get(guard)
        if known is None:
            assert guard.variable is not None
            known = self._node(guard.variable, tuple([self.negate(child) for child in guard.children]))
            self._negated[guard] = known
            self._negated[known] = guard
        return known

    def conjoin(self, left: Guard, right: Guard) -> Guard:
        if left is right or right.certain:
            return left
        if left.certain:
            return right
        if left.impossible or right.impossible:
            return self.never
        key = (left, right) if left.serial < right.serial else (right, left)
        known = self._conjoined.get(key)
        if known is None:
            known = self._conjoined[key] = self._apply(self.conjoin, left, right)
        return known

    def disjoin(self, left: Guard, right: Guard) -> Guard:
        if left is right or right.impossible:
            return left
        if left.impossible:
            return right
        if left.certain or right.certain:
            return self.always
        key = (left, right) if left.serial < right.serial else (right, left)
        known = self._disjoined.get(key)
        if known is None:
            known = self._disjoined[key] = self._apply(self.disjoin, left, right)
        return known

    def apart(self, left: Guard, right: Guard) -> bool:
        """Whether two guards have no assignment in common."""
        if left.impossible or right.impossible:
            return True
        if left is right or left.certain or right.certain:
            return False
        key = (left, right) if left.serial < right.serial else (right, left)
        known = self._conjoined.get(key)
        if known is not None:
            return known.impossible
        found = self._apart.get(key)
        if found is None:
            found = self._apart[key] = all(self.apart(one, two) for one, two in _paired(left, right))
        return found

    def _apply(self, operation: Callable[[Guard, Guard], Guard], left: Guard, right: Guard) -> Guard:
        variable = left.variable if left.level <= right.level else right.variable
        assert variable is not None
        return self._node(variable, tuple([operation(one, two) for one, two in _paired(left, right)]))

    def restrict(self, guard: Guard, choice: Mapping[Variable, int]) -> Guard:
        memo: dict[Guard, Guard] = {}

        def walk(node: Guard) -> Guard:
            if node.variable is None:
                return node
            known = memo.get(node)
            if known is None:
                index = choice.get(node.variable)
                known = memo[node] = (
                    self._node(node.variable, tuple(map(walk, node.children)))
                    if index is None
                    else walk(node.children[index])
                )
            return known

        return walk(guard)

    def support(self, guard: Guard) -> frozenset[Variable]:
        if guard.variable is None:
            return frozenset()
        known = self._supports.get(guard)
        if known is None:
            known = frozenset((guard.variable,)).union(*map(self.support, guard.children))
            self._supports[guard] = known
        return known


def _paired(left: Guard, right: Guard) -> Iterable[tuple[Guard, Guard]]:
    """What two nodes become for each value of the first variable that either depends on."""
    if left.level == right.level:
        return zip(left.children, right.children)
    if left.level < right.level:
        return [(child, right) for child in left.children]
    return [(left, child) for child in right.children]


def same(first: Guard, second: Guard) -> bool:
    """Whether two guards of different spaces say the same of variables with the same names, values and order."""
    memo: set[tuple[int, int]] = set()
    stack = [(first, second)]
    while stack:
        one, two = stack.pop()
        if (id(one), id(two)) in memo:
            continue
        memo.add((id(one), id(two)))
        if one.variable is None or two.variable is None:
            if (one.certain, one.impossible) != (two.certain, two.impossible):
                return False
            continue
        if one.variable.name != two.variable.name or repr(one.variable.domain) != repr(two.variable.domain):
            return False
        stack.extend(zip(one.children, two.children))
    return True
