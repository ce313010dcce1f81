"""Statements: every write is made under the live condition, so branches need no copies of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Hole, Known, Reason, Ref, Text, Unknown, Value, choose, options_of
from miles_lint.fold import attributes, classes, domains, inplace, modules, operations, parsers, patterns
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.builtins import decorate
from miles_lint.fold.calls import call
from miles_lint.fold.containers import iterate
from miles_lint.fold.evaluate import evaluate
from miles_lint.fold.events import Kind
from miles_lint.fold.havoc import spoil
from miles_lint.fold.heap import DictObject, Frame, FunctionObject, InstanceObject, ListObject, Module
from miles_lint.fold.machine import Machine
from miles_lint.fold.targets import assign
from miles_lint.fold.telling import tell
from miles_lint.program import nodes as n
from miles_lint.program.walk import assigned_names, only_grown, target_names, walk, walk_calls


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
    if not (machine.live & machine.assumed).impossible:
        execute(machine, frame, node.body)
        after = machine.live
    machine.live = before - holds
    if not (machine.live & machine.assumed).impossible:
        execute(machine, frame, node.orelse)
        after = after | machine.live
    machine.live = after
    machine.revive(mark)


def _for(machine: Machine, frame: Frame, node: n.For) -> None:
    _loop(machine, frame, node, evaluate(machine, frame, node.iterable))


def _loop(machine: Machine, frame: Frame, node: n.For, iterable: Value) -> None:
    elements = parsers.matching(machine, frame, node, iterable)
    if elements is None:
        elements = iterate(machine, iterable)
    if elements is None:
        leaves = list(options_of(iterable, machine.live))
        after = machine.space.never
        for guard, leaf in leaves if len(leaves) > 1 else ():
            machine.live = guard
            _loop(machine, frame, node, leaf)
            after = after | machine.live
        if len(leaves) > 1:
            machine.live = after
        else:
            _unknown_loop(machine, frame, node, node.target)
        return
    outer = frame.breaks, frame.continues
    frame.breaks = machine.space.never
    known = len(machine.space.variables)
    for guard, element in elements:
        if _undecided(machine, known):
            _unknown_loop(machine, frame, node, node.target)
            break
        before = machine.live
        mark = len(machine.failures)
        machine.live = before & guard
        frame.continues = machine.space.never
        if not machine.live.impossible:
            assign(machine, frame, node.target, element)
            execute(machine, frame, node.body)
        machine.live = machine.live | frame.continues | (before - guard)
        machine.revive(mark)
    breaks = frame.breaks
    frame.breaks, frame.continues = outer
    execute(machine, frame, node.orelse)
    machine.live = machine.live | breaks


def _while(machine: Machine, frame: Frame, node: n.While) -> None:
    outer = frame.breaks, frame.continues
    frame.breaks = done = machine.space.never
    known = len(machine.space.variables)
    for _ in range(machine.budget.iterations):
        holds = operations.truth(machine, evaluate(machine, frame, node.test))
        done = done | (machine.live - holds)
        machine.live = machine.live & holds
        if machine.live.impossible:
            break
        if _undecided(machine, known):
            break
        frame.continues = machine.space.never
        execute(machine, frame, node.body)
        machine.live = machine.live | frame.continues
    breaks = frame.breaks
    frame.breaks, frame.continues = outer
    if not machine.live.impossible:
        _unknown_loop(machine, frame, node, None)
    machine.live = machine.live | done
    execute(machine, frame, node.orelse)
    machine.live = machine.live | breaks


def _undecided(machine: Machine, known: int) -> bool:
    """Whether a loop's turns hang on so many conditions that nobody can decide, that unrolling it says nothing."""
    fresh = sum(variable.opaque for variable in machine.space.variables[known:])
    return fresh > machine.budget.undecided


def _unknown_loop(machine: Machine, frame: Frame, node: n.For | n.While, target: n.Expr | None) -> None:
    """A loop whose turns are not known: what its body may write becomes unknown; its launches are still seen."""
    origin = machine.origin(frame, node.span)
    entered = machine.space.condition("loop runs")
    before = machine.live
    mark = len(machine.failures)
    outer = frame.breaks, frame.continues
    frame.breaks = frame.continues = machine.space.never
    changed = Unknown(Reason.LOOP, "changed in a loop", origin=origin)

    def forget() -> None:
        for name in assigned_names(node.body):
            if name in frame.names:
                grown = only_grown(node.body, name)
                machine.write(frame, name, _loosened(frame.names[name], changed) if grown else changed)
        for owner in walk_calls(node.body):
            value = frame.names.get(owner)
            if machine.thorough and isinstance(value, Ref):
                value = _own_copy(machine, frame, owner, value)
            if isinstance(value, Ref):
                _loosen_object(machine, value, changed)

    forget()
    machine.live = before & entered
    if not (frame.module.program.launches or machine.thorough):
        _skip_body(machine, frame, node)
    elif not machine.live.impossible:
        if target is not None:
            assign(machine, frame, target, Unknown(Reason.LOOP, "loop variable", origin=origin))
        execute(machine, frame, node.body)
    machine.live = machine.live | frame.continues | frame.breaks | (before - entered)
    machine.revive(mark)
    frame.breaks, frame.continues = outer
    forget()
    machine.widened.append((origin.place, "loop not unrolled"))


def _own_copy(machine: Machine, frame: Frame, name: str, ref: Ref) -> Ref:
    """A list as it is on the live paths, apart from what it is on the others, which a loop will not touch."""
    target = machine.object(ref)
    if not isinstance(target, ListObject) or (target.born - machine.live).impossible:
        return ref
    made = machine.allocate(ListObject(list(target.items), machine.live, target.tail, target.kind, target.origin))
    machine.write(frame, name, made)
    return made


def _skip_body(machine: Machine, frame: Frame, node: n.For | n.While) -> None:
    """A loop in a file that launches nothing is not worth a run: it may return, and what it writes is unknown."""
    if isinstance(node, n.For):
        for name in target_names(node.target):
            machine.write(frame, name, Unknown(Reason.LOOP, "loop variable"))
    for name in assigned_names(node.body):
        machine.write(frame, name, Unknown(Reason.LOOP, "changed in a loop"))
    for statement in walk(node.body):
        if isinstance(statement, n.Return):
            returned = machine.live & machine.space.condition("loop returns")
            frame.returns.append((returned, Unknown(Reason.LOOP, "returned from a loop")))
            machine.live = machine.live - returned
        elif isinstance(statement, n.Yield) and frame.yields is not None:
            frame.yields.append((machine.live, Unknown(Reason.LOOP, "yielded in a loop")))


def _loosened(value: Value, changed: Unknown) -> Value:
    if isinstance(value, Text) and value.pieces:
        guard = value.pieces[0].guard.space.always
        return Text((*value.pieces, Hole(changed, guard, changed.origin)))
    return changed


def _loosen_object(machine: Machine, ref: Ref, changed: Unknown) -> None:
    target = machine.object(ref)
    if isinstance(target, ListObject):
        target.tail = changed
    elif isinstance(target, DictObject):
        target.unknown = changed
    elif isinstance(target, InstanceObject) and target.watch is None:
        spoil(machine, ref, machine.live, 0)


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
        if (machine.live & machine.assumed).impossible:
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
        frame.returns.append((machine.live, value))
    machine.live = machine.space.never


def _raise(machine: Machine, frame: Frame, node: n.Raise) -> None:
    place = machine.origin(frame, node.span).place
    message = None if node.value is None else evaluate(machine, frame, node.value)
    machine.asserted.append((machine.live, machine.space.never, place, message))
    tell(machine, Kind.REFUSED, machine.origin(frame, node.span), "raise")
    machine.fail()


def _assert(machine: Machine, frame: Frame, node: n.Assert) -> None:
    holds = operations.truth(machine, evaluate(machine, frame, node.test))
    place = machine.origin(frame, node.span).place
    machine.asserted.append((machine.live, holds, place, None))
    tell(machine, Kind.REFUSED, machine.origin(frame, node.span), "assert", guard=machine.live - holds)
    machine.require(holds)


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
        if alias.asname is not None:
            machine.write(frame, alias.asname, modules.find(machine, frame.module, alias.name))
        else:
            root = alias.name.partition(".")[0]
            machine.write(frame, root, modules.find(machine, frame.module, root))


def _import_from(machine: Machine, frame: Frame, node: n.ImportFrom) -> None:
    source = modules.find(machine, frame.module, node.module, node.level)
    for alias in node.aliases:
        if alias.name == "*":
            modules.import_all(machine, frame, source)
            continue
        origin = machine.origin(frame, alias.span)
        name = alias.asname or alias.name
        if isinstance(source, Callee) and isinstance(source.target, Module):
            machine.write(frame, name, Callee("deferred", alias.name, (source.target, origin)))
        else:
            machine.write(frame, name, _member(machine, source, alias.name, origin))


def _member(machine: Machine, source: Value, name: str, origin: Origin) -> Value:
    """What `from source import name` binds, for a source outside the checkout."""
    if isinstance(source, Callee):
        return attributes.get(machine, source, name, origin)
    return Unknown(Reason.IMPORT, name, None, None, origin)


def _try(machine: Machine, frame: Frame, node: n.Try) -> None:
    if not node.handlers:
        execute(machine, frame, node.body)
        execute(machine, frame, node.orelse)
        _finally(machine, frame, node)
        return
    before = machine.live
    machine.catch()
    execute(machine, frame, node.body)
    caught = machine.space.never
    for guard, _ in machine.caught():
        caught = caught | guard
    foreign = _may_raise(node.body) and not _own_exceptions(machine, frame, node)
    quiet = machine.space.condition("no exception") if foreign else machine.space.always
    completed = machine.live & quiet
    failing = (caught | (machine.live - quiet)) & before
    machine.live = completed
    execute(machine, frame, node.orelse)
    completed = machine.live
    for index, handler in enumerate(node.handlers):
        last = index == len(node.handlers) - 1
        chosen = machine.space.always if last else machine.space.condition("this exception type")
        machine.live = failing & chosen
        failing = failing - chosen
        if machine.live.impossible:
            continue
        for name in assigned_names(node.body):
            if name in frame.names:
                machine.write(frame, name, Unknown(Reason.SYNTAX, f"{name} after an exception"))
        if handler.name is not None:
            machine.write(frame, handler.name, Unknown(Reason.SYNTAX, "exception"))
        execute(machine, frame, handler.body)
        completed = completed | machine.live
    machine.live = completed
    _finally(machine, frame, node)


def _own_exceptions(machine: Machine, frame: Frame, node: n.Try) -> bool:
    """Whether every handler is for a class of the program, which only a `raise` that the fold sees can bring up."""
    before = machine.live
    machine.live = machine.space.always
    types = [evaluate(machine, frame, h.type) if h.type is not None else None for h in node.handlers]
    machine.live = before
    return all(isinstance(kind, Ref) for kind in types)


def _finally(machine: Machine, frame: Frame, node: n.Try) -> None:
    if not node.final:
        return
    if machine.live.impossible:
        returned = machine.space.never
        for guard, _ in frame.returns:
            returned = returned | guard
        machine.live = returned
        execute(machine, frame, node.final)
        machine.live = machine.space.never
        return
    execute(machine, frame, node.final)


def _may_raise(body: n.Block) -> bool:
    return not all(isinstance(statement, (n.Jump, n.Scope)) for statement in body)


def _with(machine: Machine, frame: Frame, node: n.With) -> None:
    for item, target in node.items:
        value = evaluate(machine, frame, item)
        if target is None:
            continue
        if isinstance(value, Ref) and isinstance(machine.object(value), InstanceObject):
            entered = attributes.get(machine, value, "__enter__", machine.origin(frame, node.span))
            if isinstance(entered, Callee):
                value = call(machine, frame, entered, Arguments(), node.span)
        elif isinstance(value, Ref) and isinstance(made := machine.object(value), ListObject) and made.items:
            value = made.items[0][1]
        assign(machine, frame, target, value)
    execute(machine, frame, node.body)


def _scope(machine: Machine, frame: Frame, node: n.Scope) -> None:
    (frame.globals if node.kind == "global" else frame.nonlocals).update(node.names)


def _delete(machine: Machine, frame: Frame, node: n.Delete) -> None:
    for target in node.targets:
        if isinstance(target, n.Subscript):
            owner = evaluate(machine, frame, target.value)
            index = evaluate(machine, frame, target.index)
            attributes.put_item(machine, owner, index, None, machine.origin(frame, target.span))


def _jump(machine: Machine, frame: Frame, node: n.Jump) -> None:
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
    n.For: _for,
    n.While: _while,
    n.Match: _match,
    n.Return: _return,
    n.Raise: _raise,
    n.Assert: _assert,
    n.FunctionDef: _function,
    n.ClassDef: _class,
    n.Import: _import,
    n.ImportFrom: _import_from,
    n.Try: _try,
    n.With: _with,
    n.Scope: _scope,
    n.Delete: _delete,
    n.Jump: _jump,
}
