"""Statements: every write is made under the live condition, so branches need no copies of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Known, Reason, Ref, Unknown, Value, choose, options_of
from miles_lint.fold import (
    attributes,
    classes,
    domains,
    exceptions,
    inplace,
    loops,
    managers,
    modules,
    operations,
    patterns,
    protect,
    writes,
)
from miles_lint.fold.decorators import decorate
from miles_lint.fold.evaluate import evaluate
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import Frame, FunctionObject, Module
from miles_lint.fold.machine import Machine, Thrown
from miles_lint.fold.targets import assign
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n


def execute(machine: Machine, frame: Frame, block: n.Block) -> None:
    """Run statements in order until no path is live."""
    for statement in block:
        if machine.live.impossible:
            return
        machine.step()
        _STATEMENTS[type(statement)](machine, frame, statement)


def _assign(machine: Machine, frame: Frame, node: n.Assign) -> None:
    value = evaluate(machine, frame, node.value)
    for target in node.targets:
        assign(machine, frame, target, value)


def _augmented(machine: Machine, frame: Frame, node: n.AugAssign) -> None:
    old = evaluate(machine, frame, node.target)
    value = evaluate(machine, frame, node.value)
    origin = machine.origin(frame, node.span)
    live, after = machine.live, machine.space.never
    results: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(old, live):
        machine.live = guard
        made = inplace.change(machine, node.op, leaf, value, origin) if isinstance(leaf, Ref) else None
        if isinstance(leaf, Unknown) and leaf.type is None:
            machine.mutated(leaf)
        if made is None:
            made = operations.binary(machine, node.op, leaf, value, origin)
        results.append((machine.live, made))
        after = after | machine.live
    machine.live = after
    if results:
        assign(machine, frame, node.target, machine.bounded(choose(results)))


def _annotated(machine: Machine, frame: Frame, node: n.AnnAssign) -> None:
    if node.value is not None:
        assign(machine, frame, node.target, evaluate(machine, frame, node.value))


def _expression(machine: Machine, frame: Frame, node: n.ExprStmt) -> None:
    evaluate(machine, frame, node.value)


def _if(machine: Machine, frame: Frame, node: n.If) -> None:
    holds = operations.truth(machine, evaluate(machine, frame, node.test))
    before = machine.live
    mark = len(machine.failures)
    after = machine.space.never
    machine.live = before & holds
    if not machine.live.excludes(machine.assumed):
        execute(machine, frame, node.body)
        after = machine.live
    machine.live = before - holds
    if not machine.live.excludes(machine.assumed):
        execute(machine, frame, node.orelse)
        after = after | machine.live
    machine.live = after
    machine.revive(mark)


def _match(machine: Machine, frame: Frame, node: n.Match) -> None:
    subject = evaluate(machine, frame, node.subject)
    left = machine.live
    mark = len(machine.failures)
    after = machine.space.never
    for case in node.cases:
        machine.live = left
        if machine.live.impossible:
            break
        _tell_domain(machine, frame, node.subject, case.pattern)
        matched = patterns.match(machine, frame, case.pattern, subject)
        machine.live = left & matched
        if machine.live.excludes(machine.assumed):
            left = left - matched
            continue
        if case.guard is not None and not machine.live.impossible:
            matched = matched & operations.truth(machine, evaluate(machine, frame, case.guard))
            machine.live = left & matched
        left = left - matched
        execute(machine, frame, case.body)
        after = after | machine.live
    machine.live = after | left
    machine.revive(mark)


def _tell_domain(machine: Machine, frame: Frame, subject: n.Expr, pattern: n.Pattern) -> None:
    if pattern.kind == "value" and pattern.expr is not None:
        origin = machine.origin(frame, pattern.expr.span)
        domains.tell_outside(machine, frame, subject, evaluate(machine, frame, pattern.expr), origin)
    elif pattern.kind == "sequence" and isinstance(subject, n.Sequence):
        for element, part in zip(subject.elements, pattern.parts):
            _tell_domain(machine, frame, element, part)


def _return(machine: Machine, frame: Frame, node: n.Return) -> None:
    value: Value = Known(None) if node.value is None else evaluate(machine, frame, node.value)
    if not machine.live.impossible:
        machine.enter(frame)
        frame.returns.append((machine.live, value))
    machine.live = machine.space.never


def _raise(machine: Machine, frame: Frame, node: n.Raise) -> None:
    again = _handled(machine, node)
    if again is not None:
        live = machine.live
        machine.throw([(guard & live, kind) for guard, kind in again])
        return
    assert node.value is not None
    value = evaluate(machine, frame, node.value)
    tell(machine, Kind.REFUSED, machine.origin(frame, node.span), "raise")
    live = machine.live
    for guard, leaf in options_of(value, live):
        machine.live = guard
        machine.fail(exceptions.kind_of(machine, leaf))
    machine.live = machine.space.never


def _handled(machine: Machine, node: n.Raise) -> list[Thrown] | None:
    """The exceptions that `raise`, or `raise e` of the name in `except … as e`, raises again."""
    if node.value is None:
        return machine.handling[-1][1] if machine.handling else [(machine.live, None)]
    if isinstance(node.value, n.Name) and machine.handling and machine.handling[-1][0] == node.value.id:
        return machine.handling[-1][1]
    return None


def _assert(machine: Machine, frame: Frame, node: n.Assert) -> None:
    holds = operations.truth(machine, evaluate(machine, frame, node.test))
    tell(machine, Kind.REFUSED, machine.origin(frame, node.span), "assert", guard=machine.live - holds)
    machine.require(holds, AssertionError)


def _function(machine: Machine, frame: Frame, node: n.FunctionDef) -> None:
    defaults = {p.name: evaluate(machine, frame, p.default) for p in node.params if p.default is not None}
    scope = frame.qualified or frame.module.name
    made = FunctionObject(
        node.name,
        node.params,
        node.body,
        frame,
        defaults,
        node.generator,
        (),
        f"{scope}.{node.name}",
        machine.origin(frame, node.name_span),
        {p.name: p.annotation for p in node.params if p.annotation is not None},
    )
    value: Value = Callee("function", node.name, made)
    for decorator in reversed(node.decorators):
        value = decorate(machine, frame, decorator, value)
    machine.write(frame, node.name, value)


def _class(machine: Machine, frame: Frame, node: n.ClassDef) -> None:
    machine.write(frame, node.name, classes.create_class(machine, frame, node))


def _import(machine: Machine, frame: Frame, node: n.Import) -> None:
    for alias in node.aliases:
        modules.doubt(machine, alias.name)
        if alias.asname is not None:
            machine.write(frame, alias.asname, modules.find(machine, frame.module, alias.name))
        else:
            root = alias.name.partition(".")[0]
            machine.write(frame, root, modules.find(machine, frame.module, root))


def _import_from(machine: Machine, frame: Frame, node: n.ImportFrom) -> None:
    source = modules.find(machine, frame.module, node.module, node.level)
    modules.doubt(machine, node.module if not node.level else ".")
    for alias in node.aliases:
        if alias.name == "*":
            modules.import_all(machine, frame, source)
            continue
        origin = machine.origin(frame, alias.span)
        name = alias.asname or alias.name
        if isinstance(source, Callee) and isinstance(source.target, Module):
            if machine.catching > machine.handlers and modules.absent(machine, source.target, alias.name):
                machine.fail(ImportError)
                return
            machine.write(frame, name, Callee("deferred", alias.name, (source.target, origin)))
        else:
            submodule = modules.find(machine, frame.module, f"{node.module}.{alias.name}", node.level)
            found = isinstance(submodule, Callee) and isinstance(submodule.target, Module)
            machine.write(frame, name, submodule if found else _member(machine, source, alias.name, origin))


def _member(machine: Machine, source: Value, name: str, origin: Origin) -> Value:
    """What `from source import name` binds, for a source outside the checkout."""
    if isinstance(source, Callee):
        return attributes.get(machine, source, name, origin)
    return Unknown(Reason.IMPORT, name, None, None, origin)


def _scope(machine: Machine, frame: Frame, node: n.Scope) -> None:
    (frame.globals if node.kind == "global" else frame.nonlocals).update(node.names)


def _delete(machine: Machine, frame: Frame, node: n.Delete) -> None:
    for target in node.targets:
        if isinstance(target, n.Subscript):
            owner = evaluate(machine, frame, target.value)
            index = evaluate(machine, frame, target.index)
            writes.put_item(machine, owner, index, None, machine.origin(frame, target.span))
        elif isinstance(target, n.Attribute):
            writes.drop(machine, evaluate(machine, frame, target.value), target.name)
        elif isinstance(target, n.Name):
            origin = machine.origin(frame, target.span)
            machine.write(frame, target.id, Unknown(Reason.NAME, f"{target.id} was deleted", origin=origin))


def _jump(machine: Machine, frame: Frame, node: n.Jump) -> None:
    machine.enter(frame)
    if node.kind == "break" and frame.breaks is not None:
        frame.breaks = frame.breaks | machine.live
        machine.live = machine.space.never
    elif node.kind == "continue" and frame.continues is not None:
        frame.continues = frame.continues | machine.live
        machine.live = machine.space.never


_STATEMENTS: dict[type, Callable[[Machine, Frame, Any], None]] = {
    n.Assign: _assign,
    n.AugAssign: _augmented,
    n.AnnAssign: _annotated,
    n.ExprStmt: _expression,
    n.If: _if,
    n.For: loops.run_for,
    n.While: loops.run_while,
    n.Match: _match,
    n.Return: _return,
    n.Raise: _raise,
    n.Assert: _assert,
    n.FunctionDef: _function,
    n.ClassDef: _class,
    n.Import: _import,
    n.ImportFrom: _import_from,
    n.Try: protect.run_try,
    n.With: managers.run_with,
    n.Scope: _scope,
    n.Delete: _delete,
    n.Jump: _jump,
}
