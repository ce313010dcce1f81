"""Calls: functions of the program, classes, methods, builtins, the launch helper, and what is not understood."""

from __future__ import annotations

from dataclasses import replace

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Known, Reason, Ref, Unknown, Value, choose, options_of
from miles_lint.fold import attributes, helper, library, methods
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.builtins import call_builtin
from miles_lint.fold.classes import instantiate
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import ClassObject, DictObject, Frame, FunctionObject, InstanceObject, ListObject
from miles_lint.fold.leftovers import tell_unused
from miles_lint.fold.machine import Machine
from miles_lint.fold.signatures import of_function, of_method, tell_mismatches
from miles_lint.source import Place, Span


def call(machine: Machine, frame: Frame, func: Value, args: Arguments, span: Span) -> Value:
    """The value of a call under `live`, for every alternative of the callee."""
    func = machine.narrow(func)
    if not hasattr(func, "options"):
        return call_leaf(machine, frame, func, args, span)
    results: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(func, machine.live):
        before = machine.live
        machine.live = guard
        made = call_leaf(machine, frame, leaf, args, span)
        results.append((machine.live, made))
        machine.live = machine.live | (before - guard)
    return machine.bounded(choose(results)) if results else Unknown(Reason.CALL)


def call_leaf(machine: Machine, frame: Frame, func: Value, args: Arguments, span: Span) -> Value:
    if isinstance(func, Callee):
        args = args.prepend(func.bound) if func.kind not in ("method", "alias") else args
        if func.kind == "function" and isinstance(func.target, FunctionObject):
            handler = helper.handler_for(func.target.qualified)
            if handler is not None:
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
    if isinstance(func, Ref):
        target = machine.object(func)
        if isinstance(target, ClassObject):
            return instantiate(machine, func, args, frame, span)
        if isinstance(target, InstanceObject):
            method = attributes.get(machine, func, "__call__", machine.origin(frame, span))
            if isinstance(method, Callee) and method.kind == "function":
                return call_leaf(machine, frame, method, args, span)
    havoc(machine, args)
    known = func if isinstance(func, Unknown) else Unknown(Reason.CALL)
    detail = f"{known.detail}()" if known.detail else "call"
    return Unknown(Reason.CALL, detail, None, None, machine.origin(frame, span))


def call_function(machine: Machine, target: FunctionObject, args: Arguments, span: Span, path: str) -> Value:
    """Run a function of the program at a call site; its writes happen under the caller's `live`."""
    if machine.live.impossible:
        return Unknown(Reason.CALL, "unreachable")
    if machine.depth >= machine.budget.depth:
        havoc(machine, args)
        machine.widened.append((Place(path, span), "calls nested too deeply"))
        return Unknown(Reason.BUDGET, f"{target.name}() nested too deeply")
    inner = Frame(target.frame.module, {}, target.frame, machine.live, target.qualified)
    if not bind_parameters(machine, target, args, inner):
        call_origin = Origin(Place(path, span), machine.via)
        tell_mismatches(machine, of_function(target), args, call_origin, target.name, target.origin)
        machine.fail()
        return Unknown(Reason.CALL, f"{target.name}() with other arguments")
    if target.owner is not None:
        inner.names["__class__"] = Ref(target.owner)
    via, depth = machine.via, machine.depth
    machine.via, machine.depth = (*via, Place(path, span)), depth + 1
    try:
        return run_body(machine, target, inner)
    finally:
        machine.via, machine.depth = via, depth


def run_body(machine: Machine, target: FunctionObject, inner: Frame) -> Value:
    if not isinstance(target.body, tuple):
        return machine.run.evaluate(machine, inner, target.body)
    if target.generator:
        inner.yields = []
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
    if inner.yields is not None:
        return machine.allocate(ListObject(inner.yields, machine.live))
    return machine.bounded(choose(inner.returns)) if inner.returns else Unknown(Reason.CALL, f"{target.name}()")


def bind_parameters(machine: Machine, target: FunctionObject, args: Arguments, inner: Frame) -> bool:
    """Give every parameter its value; False when Python would raise TypeError."""
    positional = list(args.positional)
    keywords = dict(args.keywords)
    always = machine.space.always
    for param in target.params:
        if param.kind == "*":
            items = [(always, value) for value in positional]
            tail = args.unknown
            inner.names[param.name] = machine.allocate(ListObject(items, machine.live, tail, "tuple"))
            positional = []
        elif param.kind == "**":
            made = DictObject(
                [(always, key, value, None) for key, value in keywords.items()], machine.live, args.unknown
            )
            inner.names[param.name] = machine.allocate(made)
            keywords = {}
        elif param.kind == "positional" and positional:
            inner.names[param.name] = positional.pop(0)
        elif param.name in keywords:
            inner.names[param.name] = keywords.pop(param.name)
        elif args.unknown is not None:
            inner.names[param.name] = Unknown(Reason.PARAMETER, param.name)
        elif param.name in target.defaults:
            inner.names[param.name] = target.defaults[param.name]
        else:
            return False
    return args.unknown is not None or (not positional and not keywords)
