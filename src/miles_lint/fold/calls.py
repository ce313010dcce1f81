"""Calls: functions of the program, classes, methods, builtins, the launch helper, and what is not understood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Choice, Known, Reason, Ref, Unknown, Value, choose, options_of
from miles_lint.fold import attributes, changes, helper, library, methods
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.builtins import call_builtin
from miles_lint.fold.classes import instantiate
from miles_lint.fold.comparisons import compare
from miles_lint.fold.containers import Turn
from miles_lint.fold.havoc import havoc, spoil_reachable
from miles_lint.fold.heap import ClassObject, Frame, FunctionObject, InstanceObject
from miles_lint.fold.iterators import lazy
from miles_lint.fold.leftovers import tell_unused
from miles_lint.fold.machine import Machine
from miles_lint.fold.parameters import bind_parameters
from miles_lint.fold.records import Running
from miles_lint.fold.signatures import of_function, of_method, tell_mismatches
from miles_lint.source import Place, Span


def call(machine: Machine, frame: Frame, func: Value, args: Arguments, span: Span) -> Value:
    """The value of a call under `live`, for every alternative of the callee."""
    func = machine.narrow(func)
    if not isinstance(func, Choice):
        return call_present(machine, frame, func, args, span)
    results: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(func, machine.live):
        before = machine.live
        machine.live = guard
        made = call_present(machine, frame, leaf, args, span)
        results.append((machine.live, made))
        machine.live = machine.live | (before - guard)
    return machine.bounded(choose(results)) if results else Unknown(Reason.CALL)


def call_present(machine: Machine, frame: Frame, func: Value, args: Arguments, span: Span) -> Value:
    """A call whose keywords may depend on conditions; what takes them one by one gets them as they are."""
    if not args.presence or _takes_conditions(machine, func):
        return call_leaf(machine, frame, func, args, span)
    variants = args.variants(machine.live)
    if variants is None:
        unknown = Unknown(Reason.BUDGET, "too many combinations of keywords")
        return call_leaf(machine, frame, func, replace(args, unknown=unknown, keywords={}, presence={}), span)
    live, after = machine.live, machine.space.never
    results: list[tuple[Guard, Value]] = []
    for guard, given in variants:
        machine.live = guard & live
        made = call_leaf(machine, frame, func, given, span)
        results.append((machine.live, made))
        after = after | machine.live
    machine.live = after
    return machine.bounded(choose(results))


def _takes_conditions(machine: Machine, func: Value) -> bool:
    if isinstance(func, Callee):
        if func.kind == "function" and isinstance(func.target, FunctionObject):
            return True
        return func.kind == "external" and helper.handler_for(func.name) is not None
    target = machine.object(func) if isinstance(func, Ref) else None
    return isinstance(target, ClassObject) and target.dataclass


def call_leaf(machine: Machine, frame: Frame, func: Value, args: Arguments, span: Span) -> Value:
    if isinstance(func, Callee):
        args = args.prepend(func.bound) if func.kind not in ("method", "alias") else args
        if func.kind == "function" and isinstance(func.target, FunctionObject):
            handler = helper.handler_for(func.target.qualified)
            if handler is not None:
                machine.doubt()
                parameters, given = of_method(machine, func.target, args)
                where = machine.origin(frame, span)
                tell_mismatches(machine, parameters, given, where, func.target.name, func.target.origin)
                return handler(machine, frame, func.target, args, span)
            return call_function(machine, func.target, args, span, frame.module.path)
        if func.kind == "method":
            return methods.call_method(machine, frame, func.bound[0], func.name, args, span)
        if func.kind == "builtin":
            return call_builtin(machine, frame, func.name, args, span)
        if func.kind == "external":
            handler = helper.handler_for(func.name)
            if handler is not None:
                machine.doubt()
                if func.name.endswith(".command_utils.execute_train") and args.unknown is None:
                    helper.tell_configuration(machine, args.keywords, machine.origin(frame, span))
                return handler(machine, frame, None, args, span)
            return library.call_external(machine, frame, func.name, args, span)
        if func.kind == "partial":
            inner = func.target
            assert isinstance(inner, Arguments)
            merged = replace(args, keywords={**inner.keywords, **args.keywords})
            return call(machine, frame, merged.positional[0], replace(merged, positional=merged.positional[1:]), span)
        if func.kind == "native" and callable(func.target):
            made: Value = func.target(machine, frame, args, span)
            return made
        if func.kind == "alias" and isinstance(func.target, Callee):
            return call_leaf(machine, frame, func.target, args, span)
        if func.kind in ("app", "app-method"):
            return library.call_app(machine, frame, func, args, span)
        if func.kind in ("decorator", "identity"):
            return args.positional[-1] if args.positional else func
        if func.kind == "context" and isinstance(func.target, FunctionObject):
            return Callee("entered", func.name, (func.target, args))
        if func.kind == "cached" and isinstance(func.target, FunctionObject):
            return _cached(machine, func.target, args, span, frame.module.path)
    if isinstance(func, Ref):
        target = machine.object(func)
        if isinstance(target, ClassObject):
            return instantiate(machine, func, args, frame, span)
        if isinstance(target, InstanceObject):
            method = attributes.get(machine, func, "__call__", machine.origin(frame, span))
            if isinstance(method, Callee) and method.kind == "function":
                return call_leaf(machine, frame, method, args, span)
    machine.doubt()
    havoc(machine, args)
    if isinstance(func, Unknown) and func.term is not None and func.term.op == "attribute":
        machine.mutated(func)
    known = func if isinstance(func, Unknown) else Unknown(Reason.CALL)
    detail = f"{known.detail}()" if known.detail else "call"
    return Unknown(Reason.CALL, detail, None, None, machine.origin(frame, span))


def _cached(machine: Machine, target: FunctionObject, args: Arguments, span: Span, path: str) -> Value:
    """A function that keeps its results: it runs once for the same arguments."""
    live = machine.live
    left, found = live, []
    for guard, known, value in target.known:
        hit = _same_call(machine, known, args, left & guard)
        if not hit.impossible:
            found.append((hit, value))
            left = left - hit
    if not left.impossible:
        machine.live = left
        made = call_function(machine, target, args, span, path)
        target.known.append((machine.live, args, made))
        found.append((machine.live, made))
        machine.live = machine.live | (live - left)
    return choose(found)


def _same_call(machine: Machine, known: Arguments, args: Arguments, live: Guard) -> Guard:
    """The condition on which two calls pass equal arguments."""
    alike = len(known.positional) == len(args.positional) and tuple(known.keywords) == tuple(args.keywords)
    if not alike or known.unknown is not None or args.unknown is not None:
        return machine.space.never
    before = machine.live
    for one, two in zip(known.values(), args.values()):
        machine.live = live
        if not live.impossible:
            live = live & compare(machine, "==", one, two, None)
    machine.live = before
    return live


_DEEP = 6
"""Calls inside one another from which on none is run any more once most of the steps are taken."""


def call_function(machine: Machine, target: FunctionObject, args: Arguments, span: Span, path: str) -> Value:
    """Run a function of the program at a call site; its writes happen under the caller's `live`."""
    if machine.live.impossible:
        return Unknown(Reason.CALL, "unreachable")
    running = machine.running.get(id(target.body))
    tired = machine.depth > _DEEP and machine.exhausting(machine.budget.steps // 2)
    if tired or machine.depth >= machine.budget.depth or (running is not None and _endless(machine, running)):
        return _give_up(machine, target, args, Place(path, span))
    inner = Frame(target.frame.module, {}, target.frame, machine.live, target.qualified)
    if not bind_parameters(machine, target, args, inner):
        call_origin = Origin(Place(path, span), machine.via)
        tell_mismatches(machine, of_function(target), args, call_origin, target.name, target.origin)
        machine.fail(TypeError)
        return Unknown(Reason.CALL, f"{target.name}() with other arguments")
    if target.owner is not None:
        inner.names["__class__"] = Ref(target.owner)
    if target.generator:
        return _generator(machine, target, inner, Place(path, span))
    return _at(machine, Place(path, span), lambda: _entered(machine, target, inner, running))


def _at(machine: Machine, place: Place, action: Callable[[], Value]) -> Value:
    """Do something one call deeper."""
    via, depth = machine.via, machine.depth
    machine.via, machine.depth = (*via, place), depth + 1
    try:
        return action()
    finally:
        machine.via, machine.depth = via, depth


def _entered(machine: Machine, target: FunctionObject, inner: Frame, running: Running | None) -> Value:
    if running is None:
        machine.running[id(target.body)] = Running(machine.steps, len(machine.space.variables))
        try:
            return run_body(machine, target, inner)
        finally:
            del machine.running[id(target.body)]
    since = machine.begin()
    made = run_body(machine, target, inner)
    journal = machine.end(since)
    if running.given_up:
        places = changes.Places()
        places.add(journal, machine.heap)
        changes.forget(machine, places, Unknown(Reason.BUDGET, "changed by a recursion"), lambda name: False)
    return made


def _endless(machine: Machine, running: Running) -> bool:
    """Whether a function that calls itself hangs on conditions that nobody can decide, or takes too long."""
    if machine.steps - running.steps > machine.budget.steps // 8:
        return True
    return sum(v.opaque for v in machine.space.variables[running.variables :]) > machine.budget.undecided


def _give_up(machine: Machine, target: FunctionObject, args: Arguments, place: Place) -> Value:
    """A call that is not run: whatever the function can reach may have changed."""
    running = machine.running.get(id(target.body))
    if running is not None:
        running.given_up = True
    machine.doubt()
    havoc(machine, args)
    spoil_reachable(machine, target)
    machine.widened.append((place, "calls nested too deeply"))
    return Unknown(Reason.BUDGET, f"{target.name}() nested too deeply")


def _generator(machine: Machine, target: FunctionObject, inner: Frame, place: Place) -> Value:
    """The iterator that a generator function gives: its body runs when it is read."""

    def drive(machine: Machine, turn: Turn) -> bool:
        if machine.depth >= machine.budget.depth:
            return False
        _at(machine, place, lambda: _yielding(machine, target, inner, turn))
        return not inner.lost

    return lazy(machine, drive, Origin(place, machine.via))


def _yielding(machine: Machine, target: FunctionObject, inner: Frame, turn: Turn) -> Value:
    inner.turn, inner.returns = turn, []
    return run_body(machine, target, inner)


def drive_function(
    machine: Machine, target: FunctionObject, args: Arguments, span: Span, path: str, turn: Turn
) -> None:
    """Run a generator function to its end, with a turn for every value that it yields."""
    inner = Frame(target.frame.module, {}, target.frame, machine.live, target.qualified)
    if machine.depth >= machine.budget.depth or not bind_parameters(machine, target, args, inner):
        machine.fail(TypeError)
        return
    _at(machine, Place(path, span), lambda: _yielding(machine, target, inner, turn))


def run_body(machine: Machine, target: FunctionObject, inner: Frame) -> Value:
    if not isinstance(target.body, tuple):
        return machine.run.evaluate(machine, inner, target.body)
    mark, launches = len(machine.failures), machine.launches()
    machine.run.execute(machine, inner, target.body)
    if machine.launches() > launches:
        hidden = frozenset(param.name for param in target.params)
        tell_unused(machine, inner, target.body, machine.launched(launches), hidden)
    if not machine.live.impossible:
        inner.returns.append((machine.live, Known(None)))
    machine.live = machine.space.never
    for guard, _ in inner.returns:
        machine.live = machine.live | guard
    machine.revive(mark)
    return machine.bounded(choose(inner.returns)) if inner.returns else Unknown(Reason.CALL, f"{target.name}()")
