"""Guards and terms of a fold as formulas of the contract."""

from __future__ import annotations

from collections.abc import Iterable

from miles_lint.contract.model import Atom
from miles_lint.domain.guard import OTHER, Guard, Variable
from miles_lint.domain.term import Term

TRUE, FALSE = Atom("and", ()), Atom("or", ())
LARGEST = 400
"""Nodes of one formula; a larger one says only that it is not known."""
_COMPARED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_NEGATED = {**{op: _COMPARED[op] for op in ("==", "!=")}, "in": "not in", "not in": "in", "is": "is not", "is not": "is"}


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
    """The condition on which a guard holds, over the flags and the environment of a job."""
    made: dict[int, Atom] = {}

    def walk(node: Guard) -> Atom:
        if node.variable is None:
            return TRUE if node.certain else FALSE
        if id(node) not in made:
            made[id(node)] = _split(node.variable, [walk(child) for child in node.children])
        return made[id(node)]

    found = walk(guard)
    return found if size(found) <= LARGEST else unknown("a condition over many flags")


def _split(variable: Variable, children: list[Atom]) -> Atom:
    if not variable.opaque:
        groups: dict[Atom, list[int]] = {}
        for index, child in enumerate(children):
            groups.setdefault(child, []).append(index)
        return either(*(both(_listed(variable, indices), child) for child, indices in groups.items()))
    test = atom_of(variable.term) if isinstance(variable.term, Term) else unknown(variable.name)
    high, low = children
    if high == TRUE:
        return either(test, low)
    if high == FALSE:
        return both(negation(test), low)
    if low == TRUE:
        return either(negation(test), high)
    if low == FALSE:
        return both(test, high)
    agreed = both(high, low) if has_unknown(test) else FALSE
    return either(both(test, high), both(negation(test), low), agreed)


def _listed(variable: Variable, indices: list[int]) -> Atom:
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
    if any(isinstance(part, Atom) and part.op == "unknown" for part in operands):
        return unknown(str(term))
    return Atom(term.op, operands)


def _constant(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_constant, value))
    plain = value is None or isinstance(value, (bool, int, float, str))
    return value if plain else unknown(str(value))
