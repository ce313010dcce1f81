"""Formulas and flags of a contract in words."""

from __future__ import annotations

from collections.abc import Callable

from miles_lint.contract.model import Atom, Constraint, Flag

_SIGNS = frozenset(
    ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not", "+", "-", "*", "/", "//", "%", "**")
)
_BINDS = {"or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "**": 7}
_COMPARISON, _TIGHT = 4, 9
Spell = Callable[[str], str]


def formula_words(atom: object, spell: Spell) -> str:
    """A formula as an expression; `spell` gives the option string of a dest."""
    return _words(atom, spell)[0]


def _words(atom: object, spell: Spell) -> tuple[str, int]:
    """The text of an operand, and how tightly its outermost operator binds."""
    if not isinstance(atom, Atom):
        return repr(atom), _TIGHT
    op, operands = atom.op, atom.operands
    if op == "flag":
        return spell(str(operands[0])), _TIGHT
    if op == "env":
        return f"${operands[0]}", _TIGHT
    if op == "driver":
        return "the driver", _TIGHT
    if op == "unknown":
        return f"⟨{operands[0]}⟩", _TIGHT
    if op == "truth":
        return _words(operands[0], spell)
    if op in ("and", "or"):
        if not operands:
            return ("always" if op == "and" else "never"), _TIGHT
        return _joined(f" {op} ", operands, _BINDS[op], spell)
    if op == "not":
        return f"not {_inside(operands[0], _BINDS[op], spell)}", _BINDS[op]
    if op in _SIGNS and len(operands) == 2:
        return _joined(f" {op} ", operands, _BINDS.get(op, _COMPARISON), spell)
    if op == "index":
        return f"{_inside(operands[0], _TIGHT, spell)}[{formula_words(operands[1], spell)}]", _TIGHT
    name, given = (str(operands[0]), operands[1:]) if op == "call" else (op, operands)
    return f"{name}({', '.join(formula_words(part, spell) for part in given)})", _TIGHT


def _joined(sign: str, operands: tuple[object, ...], binds: int, spell: Spell) -> tuple[str, int]:
    return sign.join(_inside(part, binds, spell) for part in operands), binds


def _inside(atom: object, binds: int, spell: Spell) -> str:
    text, own = _words(atom, spell)
    return f"({text})" if own <= binds else text


def constraint_words(constraint: Constraint, spell: Spell) -> str:
    """What a constraint does, and when."""
    when = formula_words(constraint.when, spell)
    if constraint.kind == "rejects":
        return f"refused when {when}"
    verb = {"overrides": "overridden", "ignores": "ignored"}.get(constraint.kind, constraint.kind)
    return f"{spell(constraint.target)} is {verb} when {when}"


def reads_of(atom: object) -> frozenset[str]:
    """The dests that a formula reads."""
    if not isinstance(atom, Atom):
        return frozenset()
    if atom.op == "flag":
        return frozenset((str(atom.operands[0]),))
    return frozenset().union(*map(reads_of, atom.operands))


def arity_words(flag: Flag) -> str:
    """What stands behind a flag on the command line."""
    if flag.words[1] == 0:
        return ""
    name = flag.dest.upper() if flag.choices is None else "{" + ",".join(map(str, flag.choices)) + "}"
    if flag.arity is None:
        return name
    if isinstance(flag.arity, int):
        return " ".join([name] * flag.arity)
    return {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} [{name} ...]"}.get(str(flag.arity), "...")
