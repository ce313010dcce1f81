"""Guards and terms of a fold as formulas of the contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import reduce

from miles_lint.contract.model import Atom
from miles_lint.domain.guard import OTHER, Guard, Variable
from miles_lint.domain.term import Term

TRUE, FALSE = Atom("and", ()), Atom("or", ())
LARGEST = 1_000
"""Products of one formula; one with more says only that it is not known."""
_TOLD = 3
_COMPARED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_NEGATED = {
    **{op: _COMPARED[op] for op in ("==", "!=")},
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
}


def unknown(text: str) -> Atom:
    return Atom("unknown", (text,))


def negation(atom: Atom) -> Atom:
    """`not atom`, pushed inside where that says the same of every value."""
    if atom.op == "not" and isinstance(atom.operands[0], Atom):
        return atom.operands[0]
    if atom.op in ("and", "or"):
        flipped = "or" if atom.op == "and" else "and"
        return Atom(flipped, tuple(negation(part) for part in atom.operands if isinstance(part, Atom)))
    if atom.op in _NEGATED:
        return Atom(_NEGATED[atom.op], atom.operands)
    return Atom("not", (atom,))


def both(*parts: Atom) -> Atom:
    return _joined("and", parts, TRUE, FALSE)


def either(*parts: Atom) -> Atom:
    return _joined("or", parts, FALSE, TRUE)


def _joined(op: str, parts: Iterable[Atom], neutral: Atom, final: Atom) -> Atom:
    flat: dict[Atom, None] = {}
    for part in parts:
        if part == final:
            return final
        if part == neutral:
            continue
        inner = part.operands if part.op == op else (part,)
        flat.update((each, None) for each in inner if isinstance(each, Atom))
    if any(negation(part) in flat for part in flat):
        return final if all(_certain(part) for part in flat) else Atom(op, tuple(flat))
    return next(iter(flat)) if len(flat) == 1 else Atom(op, tuple(flat))


def _certain(atom: Atom) -> bool:
    """Whether an atom has no part that is never decided."""
    return atom.op != "unknown" and all(_certain(part) for part in atom.operands if isinstance(part, Atom))


def has_unknown(atom: Atom) -> bool:
    return not _certain(atom)


def size(atom: Atom) -> int:
    return 1 + sum(size(part) for part in atom.operands if isinstance(part, Atom))


def formula(guard: Guard) -> Atom:
    """The condition on which a guard holds, over the flags and the environment of a job.

    What no job tells is left out: the formula is true where the guard holds whatever that is, and not known where
    it decides.
    """
    hidden = _hidden(guard)
    surely, perhaps = guard, possible(guard)
    for variable in hidden:
        surely = _over(variable, surely, surely.space.conjoin)
    found = _smallest(surely)
    if not hidden or surely is perhaps:
        return found
    words = unknown(", ".join(dict.fromkeys(variable.name for variable in hidden[:_TOLD])))
    return either(found, both(_smallest(perhaps), words))


def possible(guard: Guard) -> Guard:
    """Where a guard may hold, whatever it is that no job tells."""
    return reduce(lambda left, variable: _over(variable, left, left.space.disjoin), _hidden(guard), guard)


def _hidden(guard: Guard) -> list[Variable]:
    """The variables of a guard that no job tells."""
    return [variable for variable in guard.support() if has_unknown(_literal(variable, frozenset((0,))))]


def _over(variable: Variable, guard: Guard, joined: Callable[[Guard, Guard], Guard]) -> Guard:
    """A guard with a variable taken out: what holds for all its values, or for some."""
    return reduce(joined, [guard.restrict({variable: index}) for index in range(len(variable.domain))])


def _smallest(guard: Guard) -> Atom:
    """The smaller of the formula that a guard's products make, and of the negated one of its negation."""
    made = []
    for given, turned in ((guard, False), (~guard, True)):
        products = _products(given)
        if products is not None:
            found = _factored(products)
            made.append(negation(found) if turned else found)
    return min(made, key=size, default=unknown("a condition over many flags"))


_Literal = tuple[Variable, frozenset[int]]
_Product = frozenset[_Literal]


class _TooMany(Exception):
    pass


def _products(guard: Guard) -> list[_Product] | None:
    """An irredundant sum of products (Minato and Morreale); None when it has more than `LARGEST`."""
    space = guard.space
    found: dict[tuple[int, int], tuple[list[_Product], Guard]] = {}

    def cover(low: Guard, high: Guard) -> tuple[list[_Product], Guard]:
        if low.impossible:
            return [], space.never
        if high.certain:
            return [frozenset()], space.always
        key = (id(low), id(high))
        if key not in found:
            found[key] = split(low, high)
        return found[key]

    def split(low: Guard, high: Guard) -> tuple[list[_Product], Guard]:
        top = low.variable if low.level <= high.level else high.variable
        assert top is not None
        lows = [_child(low, top, index) for index in range(len(top.domain))]
        highs = [_child(high, top, index) for index in range(len(top.domain))]
        products: list[_Product] = []
        covered, left = space.never, space.never
        for index, (lower, upper) in enumerate(zip(lows, highs)):
            others = reduce(space.conjoin, (each for other, each in enumerate(highs) if other != index))
            own, holds = cover(lower - others, upper)
            literal = (top, frozenset((index,)))
            products += [product | {literal} for product in own]
            covered = covered | (space.test(top, literal[1]) & holds)
            left = left | (lower - holds)
        shared, holds = cover(left, reduce(space.conjoin, highs))
        products += shared
        if len(products) > LARGEST:
            raise _TooMany
        return products, covered | holds

    try:
        return cover(guard, guard)[0]
    except _TooMany:
        return None


def _child(guard: Guard, variable: Variable, index: int) -> Guard:
    return guard.children[index] if guard.variable is variable else guard


def _factored(products: list[_Product]) -> Atom:
    """A sum of products, what many of them share written once."""
    if not products:
        return FALSE
    common = frozenset.intersection(*products)
    if common or len(products) == 1:
        rest = [product - common for product in products]
        tests = both(*(_literal(*literal) for literal in _ordered(common)))
        return tests if frozenset() in rest else both(tests, _factored(rest))
    counts = Counter(literal for product in products for literal in product)
    shared = max(_ordered(frozenset(counts)), key=lambda literal: counts[literal])
    if counts[shared] < 2:
        return either(*(_factored([product]) for product in products))
    inside = [product for product in products if shared in product]
    outside = [product for product in products if shared not in product]
    return either(_factored(inside), _factored(outside))


def _ordered(literals: frozenset[_Literal]) -> list[_Literal]:
    return sorted(literals, key=lambda literal: (literal[0].level, sorted(literal[1])))


def _literal(variable: Variable, indices: frozenset[int]) -> Atom:
    """The test that a variable has one of these values."""
    if not variable.opaque:
        return _listed(variable, indices)
    test = atom_of(variable.term) if isinstance(variable.term, Term) else unknown(variable.name)
    return test if 0 in indices else negation(test)


def _listed(variable: Variable, indices: frozenset[int]) -> Atom:
    """The test that a variable of the environment has one of these values."""
    if not variable.name.startswith("env:"):
        return unknown(variable.name)
    read = Atom("env", (variable.name[4:],))
    if any(variable.domain[i] is OTHER for i in indices):
        rest = [value for i, value in enumerate(variable.domain) if i not in indices]
        return both(*(Atom("is not" if value is None else "!=", (read, value)) for value in rest))
    return either(*(Atom("is" if variable.domain[i] is None else "==", (read, variable.domain[i])) for i in indices))


_READ = {"flag": "flag", "env": "env"}


def atom_of(term: Term) -> Atom:
    """A term as an atom: its symbols read flags and the environment; what no job tells is unknown."""
    if term.op == "symbol":
        kind, name = term.operands
        if kind not in _READ:
            return unknown(str(name))
        return Atom(_READ[str(kind)], (str(name).removeprefix("env:"),))
    operands = tuple(atom_of(part) if isinstance(part, Term) else _constant(part) for part in term.operands)
    if term.op == "attribute" or any(isinstance(part, Atom) and part.op == "unknown" for part in operands):
        return unknown(str(term))
    if term.op == "call" and operands[0] in ("in", "[]"):
        return Atom({"in": "in", "[]": "index"}[str(operands[0])], operands[1:])
    return Atom(term.op, operands)


def _constant(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_constant, value))
    plain = value is None or isinstance(value, (bool, int, float, str))
    return value if plain else unknown(str(value))
