"""`with`: context managers of the program, of the standard library, and unknown ones."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Unknown, Value
from miles_lint.fold import attributes, operations, special
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.exceptions import matcher
from miles_lint.fold.heap import Frame, FunctionObject, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.protect import Action, guarded, leave
from miles_lint.fold.targets import assign
from miles_lint.program import nodes as n
from miles_lint.program.walk import walk
from miles_lint.source import Span

_NOTHING = (Known(None), Known(None), Known(None))


def run_with(machine: Machine, frame: Frame, node: n.With) -> None:
    """A `with` statement: its managers are entered one after the other, and left in reverse."""

    def enter(index: int) -> None:
        if index == len(node.items):
            machine.run.execute(machine, frame, node.body)
            return
        item, target = node.items[index]
        value = machine.narrow(machine.run.evaluate(machine, frame, item))

        def bind(entered: Value) -> None:
            if target is not None:
                assign(machine, frame, target, entered)

        _managed(machine, frame, value, bind, lambda: enter(index + 1), node.span)

    enter(0)


def _managed(
    machine: Machine, frame: Frame, value: Value, bind: Callable[[Value], None], body: Action, span: Span
) -> None:
    if isinstance(value, Callee) and value.kind == "suppress":
        bind(Known(None))
        handled = Items(tuple((machine.space.always, kind) for kind in value.bound))
        guarded(machine, frame, body, lambda: None, [(matcher(machine, handled), "", lambda: None)])
    elif isinstance(value, Callee) and value.kind == "entered":
        _generated(machine, frame, value, bind, body, span)
    elif isinstance(value, Ref) and special.method(machine, value, "__exit__") is not None:
        _own(machine, frame, value, bind, body, span)
    else:
        bind(_entered(machine, frame, value, span))
        if _passes_on(machine, value):
            body()
        else:
            _unknown(machine, frame, body)


def _entered(machine: Machine, frame: Frame, value: Value, span: Span) -> Value:
    """What `__enter__` gives."""
    if isinstance(value, Callee) and value.kind == "null":
        return value.bound[0] if value.bound else Known(None)
    if isinstance(value, Ref) and isinstance(machine.object(value), InstanceObject):
        entered = attributes.get(machine, value, "__enter__", machine.origin(frame, span))
        if isinstance(entered, Callee):
            return machine.run.call(machine, frame, entered, Arguments(), span)
    return value


def _passes_on(machine: Machine, value: Value) -> bool:
    """Whether a manager that is not of the program certainly lets exceptions through: files, locks and the like."""
    if isinstance(value, Unknown):
        root = value.detail.partition("(")[0].partition(".")[0]
        return hasattr(builtins, root) or (root in sys.stdlib_module_names and root not in ("contextlib", "unittest"))
    return isinstance(value, Callee) and value.kind == "null" or isinstance(value, Ref)


def _unknown(machine: Machine, frame: Frame, body: Action) -> None:
    """A manager that may swallow what is raised inside."""
    machine.catch(handles=False)
    body()
    swallowed = machine.space.never
    passed = []
    live = machine.live
    for guard, kind in machine.caught(handles=False):
        here = guard & machine.space.condition("an exception is swallowed")
        swallowed = swallowed | here
        passed.append((guard - here, kind))
    machine.throw(passed)
    machine.live = live | swallowed


def _own(machine: Machine, frame: Frame, value: Ref, bind: Callable[[Value], None], body: Action, span: Span) -> None:
    """A manager of the program: its `__exit__` runs on every way out, and what it returns swallows an exception."""
    leaving = special.method(machine, value, "__exit__")
    assert leaving is not None
    bind(_entered(machine, frame, value, span))
    surprising = _may_swallow(leaving)

    def inside() -> None:
        if surprising:
            takes = matcher(machine, Callee("builtin", "BaseException"))
            guarded(machine, frame, body, lambda: None, [(takes, "", lambda: machine.throw(machine.handling[-1][1]))])
        else:
            body()

    exits = leave(machine, frame, inside)
    machine.live = exits.normal | exits.jumped
    special.invoke(machine, leaving, value, *_NOTHING)
    done = machine.live
    swallowed = machine.space.never
    passed = []
    for guard, kind in exits.thrown:
        machine.live = guard
        cls: Value = kind if isinstance(kind, Ref) else Unknown(Reason.SYNTAX, "exception type")
        if isinstance(kind, type):
            cls = Callee("builtin", kind.__name__)
        raised = (cls, Unknown(Reason.SYNTAX, "exception"), Unknown(Reason.SYNTAX, "traceback"))
        holds = operations.truth(machine, special.invoke(machine, leaving, value, *raised))
        swallowed = swallowed | (machine.live & holds)
        passed.append((machine.live - holds, kind))
    exits.thrown = passed
    exits.go_on(done | _union(machine, [guard for guard, _ in passed]))
    machine.live = machine.live | swallowed


def _may_swallow(function: FunctionObject) -> bool:
    """Whether a function may return something true."""
    if not isinstance(function.body, tuple):
        return True
    returned = (found.value for found in walk(function.body) if isinstance(found, n.Return))
    return any(value is not None and not (isinstance(value, n.Constant) and not value.value) for value in returned)


def _union(machine: Machine, guards: list[Guard]) -> Guard:
    found = machine.space.never
    for guard in guards:
        found = found | guard
    return found


def _generated(
    machine: Machine, frame: Frame, value: Callee, bind: Callable[[Value], None], body: Action, span: Span
) -> None:
    """A generator as a manager: the block runs where the generator yields, and the rest of it afterwards."""
    function, args = value.target if isinstance(value.target, tuple) else (None, None)
    assert isinstance(function, FunctionObject) and isinstance(args, Arguments)
    held = []
    depth, via = machine.depth, machine.via

    def turn(yielded: Value) -> None:
        inner = machine.depth, machine.via
        machine.depth, machine.via = depth, via

        def block() -> None:
            bind(yielded)
            body()

        exits = leave(machine, frame, block)
        held.append(exits)
        machine.throw(exits.thrown)
        exits.thrown = []
        machine.live = exits.normal | exits.jumped
        machine.depth, machine.via = inner

    machine.run.drive_function(machine, function, args, span, frame.module.path, turn)
    done = machine.live
    jumped = _union(machine, [exits.jumped for exits in held])
    for exits in held:
        exits.go_on(done & exits.jumped)
    machine.live = done - jumped
