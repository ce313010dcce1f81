"""Arguments to the parameters of a function."""

from __future__ import annotations

from collections.abc import Mapping

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Reason, Unknown, Value
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import DictObject, Frame, FunctionObject, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.passing import present


def bind_parameters(machine: Machine, target: FunctionObject, args: Arguments, inner: Frame) -> bool:
    """Give every parameter its value; False when Python would raise TypeError."""
    positional = list(args.positional)
    keywords = dict(args.keywords)
    always = machine.space.always
    for param in target.params:
        name = param.name
        if param.kind == "*":
            items = [(always, value) for value in positional]
            inner.names[name] = machine.allocate(ListObject(items, machine.live, args.unknown, "tuple"))
            positional = []
        elif param.kind == "**":
            entries = [(args.presence.get(key, always), key, value, None) for key, value in keywords.items()]
            made = DictObject([], machine.live, args.unknown)
            made.entries.extend(entries)
            inner.names[name] = machine.allocate(made)
            keywords = {}
        elif param.kind == "positional" and positional:
            inner.names[name] = positional.pop(0)
        elif name in keywords:
            inner.names[name] = present(machine, args, name, keywords.pop(name), target.defaults.get(name))
        elif args.unknown is not None:
            inner.names[name] = Unknown(Reason.PARAMETER, name)
        elif name in target.defaults:
            inner.names[name] = target.defaults[name]
        else:
            return False
    if args.unknown is not None:
        return True
    machine.require(_nowhere(machine, args, keywords), TypeError)
    return not positional and not any((machine.live - args.presence.get(key, always)).impossible for key in keywords)


def _nowhere(machine: Machine, args: Arguments, keywords: Mapping[str, Value]) -> Guard:
    """The condition on which no keyword is passed that the function does not take; a certain one is another matter."""
    found = machine.space.always
    for key in keywords:
        found = found - args.presence.get(key, machine.space.never)
    return found
