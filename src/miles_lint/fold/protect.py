"""`try` and `with`: where an exception leads, and what runs on every way out."""

from __future__ import annotations

from collections.abc import Callable

from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Reason, Unknown, Value
from miles_lint.fold import changes
from miles_lint.fold.exceptions import Matcher, anything, matcher
from miles_lint.fold.heap import Frame
from miles_lint.fold.machine import Machine, Thrown
from miles_lint.program import nodes as n

Action = Callable[[], None]
Handlers = list[tuple[Matcher, str, Action]]


def run_try(machine: Machine, frame: Frame, node: n.Try) -> None:
    """A `try` statement with its handlers, `else` and `finally`."""
    if not node.final:
        _handled(machine, frame, node)
        return
    exits = leave(machine, frame, lambda: _handled(machine, frame, node))
    machine.live = exits.everything
    machine.run.execute(machine, frame, node.final)
    exits.go_on(machine.live)


def _handled(machine: Machine, frame: Frame, node: n.Try) -> None:
    run = machine.run
    if not node.handlers:
        run.execute(machine, frame, node.body)
        run.execute(machine, frame, node.orelse)
        return
    handlers: Handlers = []
    for handler in node.handlers:
        takes = anything if handler.type is None else matcher(machine, _type(machine, frame, handler.type))
        handlers.append((takes, handler.name or "", _handler(machine, frame, handler)))
    guarded(
        machine,
        frame,
        lambda: run.execute(machine, frame, node.body),
        lambda: run.execute(machine, frame, node.orelse),
        handlers,
    )


def _handler(machine: Machine, frame: Frame, handler: n.Handler) -> Action:
    def run() -> None:
        if handler.name is not None:
            machine.write(frame, handler.name, Unknown(Reason.SYNTAX, "exception"))
        machine.run.execute(machine, frame, handler.body)

    return run


def _type(machine: Machine, frame: Frame, node: n.Expr) -> Value:
    """What a handler handles; the exception that looking it up may raise is not of interest."""
    before = machine.live
    machine.live = machine.space.always
    machine.catch()
    value = machine.run.evaluate(machine, frame, node)
    machine.caught()
    machine.live = before
    return value


def guarded(machine: Machine, frame: Frame, body: Action, orelse: Action, handlers: Handlers) -> None:
    """Run a body whose exceptions are handled: those that the fold sees, and where it has doubts any other."""
    before, doubts = machine.live, machine.doubts
    returns, breaks, continues = len(frame.returns), frame.breaks, frame.continues
    since = machine.begin()
    machine.enter(frame)
    machine.catch()
    body()
    thrown = machine.caught()
    machine.end(since)
    if machine.doubts > doubts and any(takes(None) is not False for takes, _, _ in handlers):
        quiet = machine.space.condition("no exception")
        surprised = before - quiet
        why = Unknown(Reason.SYNTAX, "changed before an exception")
        changes.interrupt(machine, since.journal, surprised, why)
        thrown = [(guard & quiet, kind) for guard, kind in thrown] + [(surprised, None)]
        machine.live = machine.live & quiet
        frame.returns[returns:] = [(guard & quiet, value) for guard, value in frame.returns[returns:]]
        frame.breaks = _kept(frame.breaks, breaks, quiet)
        frame.continues = _kept(frame.continues, continues, quiet)
    orelse()
    machine.live = machine.live | _handle(machine, frame, thrown, handlers)


def _kept(now: Guard | None, before: Guard | None, quiet: Guard) -> Guard | None:
    return now if now is None or before is None else before | (now & quiet)


def _handle(machine: Machine, frame: Frame, thrown: list[Thrown], handlers: Handlers) -> Guard:
    """Run the handlers of what was thrown; the paths that go on after one. What none takes is thrown on."""
    after, completed = machine.live, machine.space.never
    for index, (takes, name, action) in enumerate(handlers):
        last = index == len(handlers) - 1 and not machine.raised
        taken: list[Thrown] = []
        rest: list[Thrown] = []
        for guard, kind in thrown:
            answer = takes(kind)
            chosen = guard if answer or (last and kind is None) else machine.space.never
            if answer is None and not (last and kind is None):
                chosen = guard & machine.space.condition("this exception type")
            taken.append((chosen, kind))
            rest.append((guard - chosen, kind))
        thrown = [entry for entry in rest if not entry[0].impossible]
        machine.live = machine.space.never
        for guard, _ in taken:
            machine.live = machine.live | guard
        if not machine.live.excludes(machine.assumed):
            machine.handling.append((name, taken))
            action()
            machine.handling.pop()
            completed = completed | machine.live
    machine.throw(thrown)
    machine.live = after
    return completed


class Exits:
    """The ways out of a block: at its end, by a jump, a return or an exception. They are held until `go_on`."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        self.machine, self.frame = machine, frame
        machine.enter(frame)
        never = machine.space.never
        self.returns, self.breaks, self.continues = frame.returns, frame.breaks, frame.continues
        frame.returns = []
        frame.breaks, frame.continues = _fresh(frame.breaks, never), _fresh(frame.continues, never)
        self.normal = never
        self.thrown: list[Thrown] = []
        self.held: list[tuple[Guard, Value]] = []
        self.broken = self.continued = never

    def close(self, thrown: list[Thrown]) -> None:
        """The block is over."""
        machine, frame = self.machine, self.frame
        never = machine.space.never
        self.normal, self.thrown, self.held = machine.live, thrown, frame.returns
        self.broken = never if frame.breaks is None else frame.breaks
        self.continued = never if frame.continues is None else frame.continues
        frame.returns, frame.breaks, frame.continues = self.returns, self.breaks, self.continues

    @property
    def jumped(self) -> Guard:
        """The paths that left by a jump or a return."""
        found = self.broken | self.continued
        for guard, _ in self.held:
            found = found | guard
        return found

    @property
    def everything(self) -> Guard:
        """All paths that left, in whatever way."""
        found = self.normal | self.jumped
        for guard, _ in self.thrown:
            found = found | guard
        return found

    def go_on(self, done: Guard) -> None:
        """Let every way out lead on where it led to, on the paths that came so far."""
        machine, frame = self.machine, self.frame
        frame.returns.extend((guard & done, value) for guard, value in self.held if not (guard & done).impossible)
        if frame.breaks is not None:
            frame.breaks = frame.breaks | (self.broken & done)
        if frame.continues is not None:
            frame.continues = frame.continues | (self.continued & done)
        machine.throw([(guard & done, kind) for guard, kind in self.thrown])
        machine.live = self.normal & done


def _fresh(collected: Guard | None, never: Guard) -> Guard | None:
    return None if collected is None else never


def leave(machine: Machine, frame: Frame, body: Action) -> Exits:
    """Run a block and hold every way out of it."""
    exits = Exits(machine, frame)
    machine.catch(handles=False)
    body()
    exits.close(machine.caught(handles=False))
    return exits
