"""The state of one fold: path condition, heap, call sites, budget; and guarded reads and writes of names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Protocol, Union

from miles_lint.domain.guard import Guard, Space
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Choice, Known, Reason, Ref, Text, Unknown, Value, choose
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.budget import Budget
from miles_lint.fold.events import Event
from miles_lint.fold.heap import EnvironmentObject, Frame, FunctionObject, HeapObject, Module, ViewObject
from miles_lint.fold.journal import Journal
from miles_lint.fold.records import Checkpoint, Command, OutOfSteps, Running, Sink
from miles_lint.program import nodes as n
from miles_lint.source import Place, Span

_CHEAP = 20
"""Elements of a container that are looked at in the time of one step."""
_COUNTED = 64
"""Pieces of a text after which its characters are counted again."""


Raised = Union[type, Ref, None]
Thrown = tuple[Guard, Raised]


class Interpreter(Protocol):
    """The mutual recursion of a fold: expressions call functions, whose statements evaluate expressions."""

    def evaluate(self, machine: Machine, frame: Frame, node: n.Expr) -> Value:
        """The value of an expression under `machine.live`."""

    def execute(self, machine: Machine, frame: Frame, block: n.Block) -> None:
        """Run statements in order until no path is live."""

    def call(self, machine: Machine, frame: Frame, func: Value, args: Arguments, span: Span) -> Value:
        """The value of a call under `machine.live`."""

    def call_function(self, machine: Machine, target: FunctionObject, args: Arguments, span: Span, path: str) -> Value:
        """Run a function of the program at a call site in `path`."""

    def drive_function(
        self,
        machine: Machine,
        target: FunctionObject,
        args: Arguments,
        span: Span,
        path: str,
        turn: Callable[[Value], None],
    ) -> None:
        """Run a generator function to its end, with a turn for every value that it yields."""

    def each(self, machine: Machine, value: Value, turn: Callable[[Value], None]) -> bool:
        """Call back with every element of a sequence; False when they are not known."""

    def iterate_object(self, machine: Machine, ref: Ref, turn: Callable[[Value], None]) -> bool:
        """The same for an object of the program."""


class Loader(Protocol):
    """Finds the files that a program imports; the only door of a fold to the file system."""

    def module(self, name: str, importer: Module) -> Module | None:
        """The module of an absolute dotted name, as `importer` would see it."""

    def file(self, path: str) -> Module | None:
        """The module in the file of that absolute path."""

    def extend_path(self, path: str) -> None:
        """The program put a folder on `sys.path`."""

    def model_file(self, model_type: str, importer: Module) -> Module | None:
        """The model definition of that type in the checkout that holds `importer`."""


@dataclass(eq=False)
class Machine:
    """Everything one fold shares. `live` is the condition under which execution is still running here.

    A write happens under `live`; a `return` or jump takes its paths out of `live`. An uncaught exception is
    an assumption instead: `assumed` is what must hold for the program to get this far. `catching` says how many
    collect what is raised, and `handlers` how many of them stand around the module that is being imported.
    `begun` is where the command line takes over from a script; `importing` what an import of the file runs too.
    """

    space: Space
    loader: Loader
    run: Interpreter
    budget: Budget = Budget()
    assignments: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    heap: list[HeapObject] = field(default_factory=list)
    modules: dict[str, Module | None] = field(default_factory=dict)
    sinks: list[Sink] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    registered: list[tuple[str, Value]] = field(default_factory=list)
    mentions: dict[str, set[object]] = field(default_factory=dict)
    raised: list[list[Thrown]] = field(default_factory=list)
    catching: int = 0
    handlers: int = 0
    doubts: int = 0
    comparing: bool = False
    compared: int = 0
    handling: list[tuple[str, list[Thrown]]] = field(default_factory=list)
    running: dict[int, Running] = field(default_factory=dict)
    stale: frozenset[tuple[object, ...]] = frozenset()
    journals: list[Journal] = field(default_factory=list)
    failures: list[Guard] = field(default_factory=list)
    via: tuple[Place, ...] = ()
    depth: int = 0
    steps: int = 0
    entry: str = ""
    widened: list[tuple[Place, str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    externals: Mapping[str, Callable[..., Value]] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()
    thorough: bool = False
    begun: Guard | None = None
    importing: bool = True
    parsers: list[Any] = field(default_factory=list)
    read_parser: Callable[[Machine, Any, Origin], Value | None] | None = None

    def __post_init__(self) -> None:
        self.live = self.assumed = self.space.always
        self.environ = self.allocate(EnvironmentObject())

    # heap

    def allocate(self, made: HeapObject) -> Ref:
        self.heap.append(made)
        return Ref(len(self.heap) - 1)

    def object(self, ref: Ref) -> HeapObject:
        target = self.heap[ref.cell]
        if type(target) is ViewObject:
            return target.make(self)
        for journal in self.journals:
            journal.touch(ref.cell, target)
        return target

    def enter(self, frame: Frame) -> None:
        """A scope is about to change."""
        for journal in self.journals:
            journal.enter(frame)

    def begin(self) -> Checkpoint:
        """From here on keep what is touched as it was."""
        made = Checkpoint(
            Journal(len(self.heap)),
            self.live,
            self.assumed,
            tuple(len(collected) for collected in self._collected()),
            tuple(len(thrown) for thrown in self.raised),
        )
        self.journals.append(made.journal)
        return made

    def end(self, since: Checkpoint) -> Journal:
        """Stop keeping; what was touched since."""
        self.journals.remove(since.journal)
        return since.journal

    def undo(self, since: Checkpoint) -> None:
        """Stop keeping and go back to where it began, as if nothing had run since."""
        self.journals.remove(since.journal)
        since.journal.undo(self.heap)
        self.live, self.assumed = since.live, since.assumed
        for collected, length in zip(self._collected(), since.lengths):
            del collected[length:]
        for thrown, length in zip(self.raised, since.thrown):
            del thrown[length:]

    def _collected(self) -> tuple[list[Any], ...]:
        return (
            self.sinks,
            self.commands,
            self.registered,
            self.failures,
            self.widened,
            self.events,
            self.parsers,
        )

    # launches

    def launches(self) -> tuple[int, int]:
        """How many launches and commands there were so far; later answers compare greater."""
        return len(self.sinks), len(self.commands)

    def launched(self, since: tuple[int, int]) -> Guard:
        """The condition under which something was launched since `launches()` gave that answer."""
        made = [sink.guard for sink in self.sinks[since[0] :]]
        made += [command.guard for command in self.commands[since[1] :]]
        return reduce(Guard.__or__, made, self.space.never)

    # places

    def origin(self, frame: Frame, span: Span) -> Origin:
        return Origin(Place(frame.module.path, span), self.via)

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.budget.steps:
            raise OutOfSteps

    def work(self, count: int) -> None:
        """Elements are gone through one by one: many of them take as long as a step."""
        self.steps += count // _CHEAP

    def exhausting(self, since: int) -> bool:
        """Whether what began when there were so many steps takes more of them than a part of a program should."""
        return self.steps - since > self.budget.steps // 4

    # path condition

    @contextmanager
    def under(self, guard: Guard) -> Iterator[bool]:
        """Run the body under `live & guard`; what is left of it afterwards joins the paths that skipped it."""
        before = self.live
        mark = len(self.failures)
        self.live = before & guard
        try:
            yield not self.live.excludes(self.assumed)
        finally:
            self.live = self.live | (before - guard)
            self.revive(mark)

    def fail(self, kind: Raised = None) -> None:
        """The program raises here, on every live path: an exception of Python's or of the program's (a `Ref`)."""
        if self.raised:
            self.raised[-1].append((self.live, kind))
        else:
            self.failures.append(self.live)
            self.assumed = self.assumed - self.live
        self.live = self.space.never

    def require(self, guard: Guard, kind: Raised = None) -> None:
        """The program raises here where `guard` does not hold."""
        failing = self.live - guard
        if failing.impossible:
            return
        kept = self.live & guard
        if self.raised:
            self.raised[-1].append((failing, kind))
            self.live = kept
            return
        self.assumed = self.assumed - failing
        if (kept & self.assumed).impossible:
            self.failures.append(self.live)
            self.live = self.space.never

    def revive(self, mark: int) -> None:
        """Let paths that failed since `mark` count as live again beside those that are.

        What happens on them is of no interest, `assumed` rules them out, and without the hole that they
        would leave the conditions of everything later stay small.
        """
        if len(self.failures) > mark and not self.live.impossible:
            for guard in self.failures[mark:]:
                self.live = self.live | guard

    def throw(self, thrown: list[Thrown]) -> None:
        """Raise these again, each on its paths; nothing else goes on."""
        for guard, kind in thrown:
            if not guard.impossible:
                self.live = guard
                self.fail(kind)
        self.live = self.space.never

    def doubt(self) -> None:
        """Something happens here that may raise an exception, for all that is known."""
        self.doubts += 1

    def catch(self, handles: bool = True) -> None:
        """From here on collect what is raised; `handles` says that some of it will not go on."""
        self.raised.append([])
        self.catching += handles

    def caught(self, handles: bool = True) -> list[Thrown]:
        """Stop collecting: what was raised, and the condition of each."""
        self.catching -= handles
        return [thrown for thrown in self.raised.pop() if not thrown[0].impossible]

    def context(self) -> tuple[Any, ...]:
        """What a call or a `try` sets and puts back, to be put back by somebody who stops in the middle."""
        lengths = len(self.raised), len(self.handling), len(self.journals)
        return self.depth, self.via, self.catching, lengths

    def resume(self, context: tuple[Any, ...]) -> None:
        """Put it back."""
        self.depth, self.via, self.catching, (raised, handling, journals) = context
        del self.raised[raised:]
        del self.handling[handling:]
        del self.journals[journals:]

    # names

    def write(self, frame: Frame, name: str, value: Value) -> None:
        target = frame
        if name in frame.globals:
            target = _module_frame(frame)
        elif name in frame.nonlocals:
            target = _owner(frame.outer, name) or frame
        self.enter(target)
        target.names[name] = self.guarded(target.names.get(name), value, target.entry)

    def guarded(self, old: Value | None, new: Value, entry: Guard) -> Value:
        """What a place holds after `new` is written to it under `live`, where it held `old` since `entry`."""
        if self.live is entry or old is None:
            return new
        rest = entry - self.live
        if rest.impossible:
            return new
        return self.bounded(choose(((rest, old), (self.live, new))))

    def bounded(self, value: Value) -> Value:
        if isinstance(value, Choice) and len(value.options) > self.budget.alternatives:
            return Unknown(Reason.BUDGET, f"more than {self.budget.alternatives} alternatives")
        if isinstance(value, Text) and len(value.pieces) > self.budget.pieces:
            return Unknown(Reason.BUDGET, "text too long", str)
        return value

    def sized(self, text: Text, before: int = 0) -> Text | Unknown:
        """A text that was put together from others, the longest of `before` pieces; too long a one is not known."""
        count = len(text.pieces)
        if count // _COUNTED == before // _COUNTED:
            return text
        length = sum(len(piece.text) for piece in text.pieces if isinstance(piece, Chars))
        if count <= self.budget.pieces and length <= self.budget.text:
            return text
        return Unknown(Reason.BUDGET, "text too long", str)

    def mutated(self, unknown: Unknown) -> None:
        """An object that is not known may have changed: its symbolic form no longer tells what it is."""
        if unknown.term is not None:
            self.stale = self.stale | unknown.term.symbols()

    def _fresh(self, value: Value) -> Value:
        if isinstance(value, Unknown) and value.type is None and value.term is not None:
            return replace(value, term=None) if value.term.symbols() & self.stale else value
        if isinstance(value, Choice):
            return Choice(tuple((guard, self._fresh(leaf)) for guard, leaf in value.options))
        return value

    def narrow(self, value: Value) -> Value:
        """The value as far as it matters under `live`."""
        if self.stale:
            value = self._fresh(value)
        if not isinstance(value, Choice):
            return value
        kept = [(guard, option) for guard, option in value.options if not guard.excludes(self.live)]
        if len(kept) == 1:
            return kept[0][1]
        return Choice(tuple(kept)) if kept else value

    # commands

    def begin_command(self) -> None:
        """The command line takes over: what stands behind this is run after the command, if at all."""
        before = self.space.never if self.begun is None else self.begun
        self.begun = before | self.live
        if self.entry != "__main__":
            self.live = self.space.never

    # constants

    def text(self, text: str, origin: Origin | None = None) -> Text:
        return Text((Chars(text, self.space.always, origin),)) if text else Text()

    def none(self) -> Known:
        return Known(None)


def _module_frame(frame: Frame) -> Frame:
    while frame.outer is not None:
        frame = frame.outer
    return frame


def _owner(frame: Frame | None, name: str) -> Frame | None:
    while frame is not None and name not in frame.names:
        frame = frame.outer
    return frame
