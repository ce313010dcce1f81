"""Parser actions of a fold as flags of the contract."""

from __future__ import annotations

import re
from collections.abc import Callable

from miles_lint.contract.model import Flag, Site
from miles_lint.domain.value import Callee, Items, Known, Ref, Text, Value, options_of
from miles_lint.fold.heap import ClassObject, DictObject, FunctionObject, InstanceObject, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.parsers import BOOLEAN_OPTIONAL, SUPPRESS, names_of, plain
from miles_lint.program import nodes as n
from miles_lint.program.walk import walk

_DEPRECATED = re.compile(r"\W*deprecated", re.IGNORECASE)
UNKNOWN = object()
"""Stands for what a value does not tell."""

EFFECT, OUTDATED = "__effect__", "__deprecated__"
"""Keywords that carry what is known of a program's own action class through wrappers of `add_argument`."""


def flag_of(machine: Machine, action: InstanceObject, owner: str, origin: Site | None) -> Flag:
    """The flag that an action defines."""
    fields = action.fields
    word, effect = action_word(machine, fields["action"]), plain(fields.get(EFFECT))
    default = to_data(machine, fields["default"])
    choices = to_data(machine, fields["choices"])
    arity = to_data(machine, fields["nargs"])
    dest = plain(fields["dest"])
    listed = isinstance(choices, list) and UNKNOWN not in choices and bool(choices)
    return Flag(
        names=names_of(machine, action),
        dest=str(dest) if isinstance(dest, str) else "",
        action=effect if word == "unknown" and isinstance(effect, str) else word,
        arity=arity if isinstance(arity, (int, str)) and not isinstance(arity, bool) else None,
        type=type_name(machine, fields["type"]),
        choices=_hashable(choices) if listed and isinstance(choices, list) else None,
        choices_unknown=choices is not None and not listed,
        default=None if default is UNKNOWN or _suppressed(fields["default"]) else default,
        default_known=default is not UNKNOWN,
        const=_known(to_data(machine, fields.get("const_value", fields["const"]))),
        required=plain(fields["required"]) is True,
        owner=owner,
        origin=origin,
        deprecated=is_deprecated(machine, action),
        suppressed=_suppressed(fields["default"]),
        replacement=_replacement(fields.get("new_flag")),
    )


def _replacement(value: Value | None) -> str:
    told = plain(value)
    return told if isinstance(told, str) else ""


def _known(data: object) -> object:
    return None if data is UNKNOWN else data


def _suppressed(value: Value) -> bool:
    return isinstance(value, Callee) and value.name == SUPPRESS


def _hashable(values: list[object]) -> tuple[object, ...]:
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def to_data(machine: Machine, value: Value) -> object:
    """A value as JSON would have it; `UNKNOWN` where it is not told. Members of an enumeration by value or name."""
    leaves = [leaf for _, leaf in options_of(value, machine.space.always)]
    if len(leaves) > 1:
        return _unset(machine, value)
    leaf = leaves[0]
    if isinstance(leaf, Text):
        plain_text = leaf.plain
        return UNKNOWN if plain_text is None else plain_text
    if isinstance(leaf, Known):
        return leaf.value if isinstance(leaf.value, (type(None), bool, int, float)) else str(leaf.value)
    if isinstance(leaf, Items):
        return _list(machine, [element for _, element in leaf.items], leaf.kind)
    if isinstance(leaf, Ref):
        return _object(machine, leaf)
    return None if _suppressed(leaf) else UNKNOWN


def _unset(machine: Machine, value: Value) -> object:
    """A value that hangs on the environment, with every variable unset; on anything else, unknown."""
    unset = {v: v.default for v in machine.space.variables if v.default is not None}
    kept = [
        leaf
        for guard, leaf in options_of(value, machine.space.always.restrict(unset))
        if guard.restrict(unset).certain
    ]
    return to_data(machine, kept[0]) if len(kept) == 1 else UNKNOWN


def _list(machine: Machine, elements: list[Value], kind: str) -> object:
    made = [to_data(machine, element) for element in elements]
    if UNKNOWN in made:
        return UNKNOWN
    return sorted(made, key=repr) if kind == "set" else made


def _object(machine: Machine, ref: Ref) -> object:
    target = machine.object(ref)
    if isinstance(target, ListObject):
        return UNKNOWN if target.tail is not None else _list(machine, [v for _, v in target.items], target.kind)
    if isinstance(target, DictObject) and target.unknown is None:
        made = {str(key): to_data(machine, value) for _, key, value, _ in target.entries if value is not None}
        return UNKNOWN if UNKNOWN in made.values() else made
    if isinstance(target, InstanceObject) and {"name", "value"} <= set(target.fields):
        told = to_data(machine, target.fields["value"])
        return (
            told
            if isinstance(told, str) and _is_text(machine, target.cls)
            else to_data(machine, target.fields["name"])
        )
    return UNKNOWN


def _is_text(machine: Machine, cell: int) -> bool:
    cls = machine.heap[cell]
    bases = cls.bases if isinstance(cls, ClassObject) else []
    return any(isinstance(base, Callee) and base.name.rpartition(".")[2] in ("str", "StrEnum") for base in bases)


def action_word(machine: Machine, value: Value) -> str:
    """argparse's word for an action, or what the program's own action class stores; `unknown` otherwise."""
    word = plain(value)
    if isinstance(word, str):
        return word
    if isinstance(value, Callee):
        return "boolean_optional" if value.name == BOOLEAN_OPTIONAL else "unknown"
    target = machine.object(value) if isinstance(value, Ref) else None
    return _stores(target) if isinstance(target, ClassObject) else "unknown"


_STORED: dict[Callable[[n.Expr], bool], str] = {
    lambda node: isinstance(node, n.Name) and node.id == "values": "store",
    lambda node: isinstance(node, n.Constant) and node.value is True: "store_true",
    lambda node: isinstance(node, n.Constant) and node.value is False: "store_false",
    lambda node: isinstance(node, n.Attribute) and node.name in ("const", "const_value"): "store_const",
}


def _stores(cls: ClassObject) -> str:
    method = cls.names.get("__call__")
    body = method.target.body if isinstance(method, Callee) and isinstance(method.target, FunctionObject) else ()
    for node in walk(body):
        named = isinstance(node, n.Call) and isinstance(node.func, n.Name) and node.func.id == "setattr"
        if named and isinstance(node, n.Call) and len(node.args) == 3:
            return next((word for fits, word in _STORED.items() if fits(node.args[2].value)), "unknown")
    return "unknown"


def type_name(machine: Machine, value: Value) -> str:
    """The dotted name of a converter, bare for builtins; `str` for none, `unknown` for one without a name."""
    if isinstance(value, Known) and value.value is None:
        return "str"
    if isinstance(value, Callee):
        name = value.target.qualified if isinstance(value.target, FunctionObject) else value.name
        return name if name and "<" not in name else "unknown"
    if isinstance(value, Ref):
        target = machine.object(value)
        return target.qualified if isinstance(target, ClassObject) else "unknown"
    return "unknown"


def is_deprecated(machine: Machine, action: InstanceObject) -> bool:
    """Whether the help begins by saying so, or the action's class is named so."""
    if plain(action.fields.get(OUTDATED)) is True:
        return True
    told = action.fields.get("help")
    if isinstance(told, Text) and _DEPRECATED.match(told.shown()):
        return True
    given = action.fields["action"]
    target = machine.object(given) if isinstance(given, Ref) else None
    return isinstance(target, ClassObject) and "deprecated" in target.name.lower()
