"""Expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import (
    Callee,
    Items,
    Known,
    Reason,
    Unknown,
    Value,
    choose,
    options_of,
)
from miles_lint.fold import (
    attributes,
    calls,
    domains,
    lists,
    modules,
    operations,
)
from miles_lint.fold.builtins import BUILTINS
from miles_lint.fold.call_arguments import arguments
from miles_lint.fold.comprehensions import comprehension
from miles_lint.fold.containers import each, iterate, merge_into, set_entry
from miles_lint.fold.events import Kind
from miles_lint.fold.formatted import formatted, joined, literal
from miles_lint.fold.heap import DictObject, Frame, FunctionObject, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.subscripts import subscript
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n


def evaluate(machine: Machine, frame: Frame, node: n.Expr) -> Value:
    """The value of an expression under the live condition; never raises for what the program does."""
    machine.step()
    return _EXPRESSIONS[type(node)](machine, frame, node)


def _constant(machine: Machine, frame: Frame, node: n.Constant) -> Value:
    return Known(node.value, machine.origin(frame, node.span))


def _name(machine: Machine, frame: Frame, node: n.Name) -> Value:
    value = lookup(machine, frame, node.id)
    if value is None:
        machine.doubt()
        if frame.module.program.bound_nowhere(node.id, node.span):
            tell(machine, Kind.NAME, machine.origin(frame, node.span), node.id, options=tuple(frame.names))
        return Unknown(Reason.NAME, node.id, origin=machine.origin(frame, node.span))
    return machine.narrow(value)


def lookup(machine: Machine, frame: Frame, name: str) -> Value | None:
    """A name in its scopes, the module and the builtins; None when it is nowhere."""
    scope: Frame | None = frame
    while scope is not None:
        if name in scope.names and (scope is frame or not scope.class_body):
            return modules.settle(machine, scope, name, scope.names[name])
        scope = scope.outer
    found = modules.module_name(machine, frame.module, name)
    if found is not None:
        return found
    return BUILTINS.get(name)


def _attribute(machine: Machine, frame: Frame, node: n.Attribute) -> Value:
    value = evaluate(machine, frame, node.value)
    return attributes.get(machine, value, node.name, machine.origin(frame, node.span))


def _subscript(machine: Machine, frame: Frame, node: n.Subscript) -> Value:
    value = evaluate(machine, frame, node.value)
    index = evaluate(machine, frame, node.index)
    return subscript(machine, value, index, machine.origin(frame, node.span))


def _slice(machine: Machine, frame: Frame, node: n.Slice) -> Value:
    bounds: list[Value] = [
        Known(None) if part is None else evaluate(machine, frame, part) for part in (node.lower, node.upper, node.step)
    ]
    return Callee("slice", "slice", None, tuple(bounds))


def _call(machine: Machine, frame: Frame, node: n.Call) -> Value:
    func = evaluate(machine, frame, node.func)
    if isinstance(func, Callee) and func.name == "super" and not node.args:
        return attributes.super_of(machine, frame, machine.origin(frame, node.span))
    given = arguments(machine, frame, node.args)
    if machine.live.impossible:
        return Unknown(Reason.CALL, "unreachable")
    return calls.call(machine, frame, func, given, node.span)


def _binary(machine: Machine, frame: Frame, node: n.Binary) -> Value:
    left = evaluate(machine, frame, node.left)
    right = evaluate(machine, frame, node.right)
    return operations.binary(machine, node.op, left, right, machine.origin(frame, node.span))


def _unary(machine: Machine, frame: Frame, node: n.Unary) -> Value:
    value = evaluate(machine, frame, node.operand)
    return operations.unary(machine, node.op, value, machine.origin(frame, node.span))


def _bool(machine: Machine, frame: Frame, node: n.Bool) -> Value:
    left = evaluate(machine, frame, node.left)
    holds = operations.truth(machine, left)
    live = machine.live
    stop = holds if node.op == "or" else live - holds
    going = live - stop
    if going.impossible:
        return left
    right: Value = left
    with machine.under(going) as possible:
        if possible:
            right = evaluate(machine, frame, node.right)
    if stop.impossible:
        return right
    return machine.bounded(choose([*options_of(_known_side(left, node.op), stop), *options_of(right, going)]))


def _known_side(left: Value, op: str) -> Value:
    """The left operand where it decided: what is unknown there is at least of one truth."""
    if isinstance(left, Unknown) and left.type is bool:
        return Known(op == "or")
    return left


def _compare(machine: Machine, frame: Frame, node: n.Compare) -> Value:
    left = evaluate(machine, frame, node.left)
    holds = machine.live
    before = machine.live
    for op, right_node in node.rest:
        machine.live = before & holds
        right = evaluate(machine, frame, right_node)
        holds = holds & operations.compare(machine, op, left, right, machine.origin(frame, node.span))
        if op == "==" and len(node.rest) == 1:
            domains.tell_outside(machine, frame, node.left, right, machine.origin(frame, right_node.span))
        left = right
    if len(node.rest) > 1:
        machine.live = before
    return operations.from_guard(machine, holds)


def _conditional(machine: Machine, frame: Frame, node: n.IfExp) -> Value:
    test = evaluate(machine, frame, node.test)
    holds = operations.truth(machine, test)
    options: list[tuple[Guard, Value]] = []
    live = machine.live
    for guard, branch in ((holds, node.body), (live - holds, node.orelse)):
        with machine.under(guard) as possible:
            if possible:
                options.extend(options_of(evaluate(machine, frame, branch), guard))
    return machine.bounded(choose(options)) if options else Known(None)


def _sequence(machine: Machine, frame: Frame, node: n.Sequence) -> Value:
    items: list[tuple[Guard, Value]] = []
    tail: Unknown | None = None
    for element in node.elements:
        starred = isinstance(element, n.Starred)
        value = evaluate(machine, frame, element)
        inner = iterate(machine, value) if starred else [(machine.space.always, value)]
        if inner is None:
            tail = Unknown(Reason.SYNTAX, "unknown splat", origin=machine.origin(frame, element.span))
        elif tail is None:
            items.extend(inner)
    origin = machine.origin(frame, node.span)
    if node.kind == "tuple" and tail is None:
        return Items(tuple(items), "tuple", origin)
    if node.kind == "tuple":
        return Unknown(Reason.SYNTAX, "unknown splat", tuple, None, origin)
    made = ListObject([], machine.live, None, node.kind, origin)
    lists.grow(machine, made, items)
    made.tail = tail
    return machine.allocate(made)


def _dict(machine: Machine, frame: Frame, node: n.DictDisplay) -> Value:
    made = DictObject([], machine.live, origin=machine.origin(frame, node.span))
    for key_node, value_node in node.entries:
        if key_node is None:
            merge_into(machine, made, evaluate(machine, frame, value_node))
            continue
        key = evaluate(machine, frame, key_node)
        value = evaluate(machine, frame, value_node)
        set_entry(machine, made, key, value, machine.origin(frame, key_node.span))
    return machine.allocate(made)


def _walrus(machine: Machine, frame: Frame, node: n.Walrus) -> Value:
    value = evaluate(machine, frame, node.value)
    while frame.inline and frame.outer is not None:
        frame = frame.outer
    machine.write(frame, node.target, value)
    return value


def _lambda(machine: Machine, frame: Frame, node: n.Lambda) -> Value:
    defaults = {p.name: evaluate(machine, frame, p.default) for p in node.params if p.default is not None}
    made = FunctionObject("<lambda>", node.params, node.body, frame, defaults, origin=machine.origin(frame, node.span))
    return Callee("function", "<lambda>", made)


def _yield(machine: Machine, frame: Frame, node: n.Yield) -> Value:
    value: Value = Known(None) if node.value is None else evaluate(machine, frame, node.value)
    if frame.turn is not None:
        if not node.star:
            frame.turn(value)
        elif not each(machine, value, frame.turn):
            frame.lost = True
    return Unknown(Reason.SYNTAX, "sent value")


def _opaque(machine: Machine, frame: Frame, node: n.Opaque) -> Value:
    return Unknown(Reason.SYNTAX, node.description, origin=machine.origin(frame, node.span))


def _starred(machine: Machine, frame: Frame, node: n.Starred) -> Value:
    return evaluate(machine, frame, node.value)


_EXPRESSIONS: dict[type, Callable[[Machine, Frame, Any], Value]] = {
    n.Constant: _constant,
    n.Literal: literal,
    n.Joined: joined,
    n.Formatted: formatted,
    n.Name: _name,
    n.Attribute: _attribute,
    n.Slice: _slice,
    n.Subscript: _subscript,
    n.Call: _call,
    n.Binary: _binary,
    n.Unary: _unary,
    n.Bool: _bool,
    n.Compare: _compare,
    n.IfExp: _conditional,
    n.Starred: _starred,
    n.Sequence: _sequence,
    n.DictDisplay: _dict,
    n.Comprehension: comprehension,
    n.Walrus: _walrus,
    n.Lambda: _lambda,
    n.Yield: _yield,
    n.Opaque: _opaque,
}
