"""A recipe's launches: its entry points are run one by one, each with its own knobs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from miles_lint.collector import paused
from miles_lint.domain.guard import Guard, Space, TooComplex
from miles_lint.domain.value import Callee, Known, Reason, Text, Unknown, Value
from miles_lint.entries import name_of, other_entries
from miles_lint.fold import knobs, modules
from miles_lint.fold.calls import call
from miles_lint.fold.evaluate import lookup
from miles_lint.fold.events import Event
from miles_lint.fold.execute import execute
from miles_lint.fold.heap import Frame, FunctionObject, Module
from miles_lint.fold.interpreter import Evaluator
from miles_lint.fold.leftovers import tell_unused
from miles_lint.fold.machine import Loader, Machine
from miles_lint.fold.printing import as_text
from miles_lint.fold.records import OutOfSteps, Sink
from miles_lint.job_environment import job_environment
from miles_lint.launch import Launch, split
from miles_lint.program import nodes as n
from miles_lint.program.lower import NotUnderstood
from miles_lint.program.outline import program_of
from miles_lint.program.program import Program
from miles_lint.program.walk import walk
from miles_lint.project import ProjectLoader
from miles_lint.recursion import deep
from miles_lint.source import Place, Source, Span
from miles_lint.submission import command_launch

_START = Span(0, 0)
_FRAMES = 12_000
_COMPLEX = "the conditions are too complex"
_PATIENCE = 2
"""Functions that the budget did not let come to their end, after which no others are tried."""


@dataclass
class Fold:
    """The result of folding one file: its launches, the places where something was given up, its commands.

    `events` are what it does wrong on the way, as far as the fold can tell.
    """

    launches: tuple[Launch, ...]
    widened: tuple[tuple[Place, str], ...] = ()
    entries: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass
class _Runner:
    source: Source
    program: Program
    loader: Loader
    file: str
    assignments: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    widened: list[tuple[Place, str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def start(self, entry: str, script: bool) -> tuple[Machine, Frame]:
        """A fresh machine that has run the module body, as a script or as an import."""
        machine = Machine(
            Space(), self.loader, Evaluator(), assignments=self.assignments, environment=self.environment, entry=entry
        )
        module = Module("__main__", self.program.path, lambda: self.program, self.file, eager=True)
        modules.prepare(machine, module)
        assert module.frame is not None
        if not script:
            module.frame.names["__name__"] = machine.text(os.path.splitext(os.path.basename(self.file))[0])
        machine.modules["__main__"] = module
        for name, constants in self.program.mentions.items():
            machine.mentions.setdefault(name, set()).update(constants)
        self.guarded(machine, lambda: self.run_body(machine, _frame(module)))
        return machine, module.frame

    def run_body(self, machine: Machine, frame: Frame) -> None:
        for statement in self.program.body:
            machine.importing = not _of_script(statement)
            execute(machine, frame, (statement,))
        made = [sink.guard for sink in machine.sinks if not sink.via]
        made += [command.guard for command in machine.commands if not command.via]
        launched = reduce(Guard.__or__, made, machine.space.never)
        tell_unused(machine, frame, self.program.body, launched, frozenset())

    def guarded(self, machine: Machine, action: Callable[[], object]) -> bool:
        """Run an action within the budget; what it hit is remembered. Whether it came to its end."""
        ended = False
        try:
            action()
            ended = True
        except TooComplex:
            self.widened.append((Place(self.program.path, _START), _COMPLEX))
        except OutOfSteps:
            self.widened.append((Place(self.program.path, _START), "the fold took too many steps"))
        except RecursionError:
            self.widened.append((Place(self.program.path, _START), "the code is nested too deeply"))
        self.widened.extend(machine.widened)
        machine.widened.clear()
        self.events.extend(machine.events)
        machine.events.clear()
        return ended

    def launches(self, machine: Machine, covered: set[Span]) -> list[Launch]:
        """The launches of a machine that has run an entry; what they gave up is remembered."""
        found = list(_launches(machine, covered))
        self.widened.extend(machine.widened)
        machine.widened.clear()
        return found

    def call_entry(self, name: str, function: Value, machine: Machine, frame: Frame) -> bool:
        """Call a function with its knobs; False when the budget did not let it come to its end."""
        machine.live = machine.space.always if machine.begun is None else machine.begun
        machine.sinks.clear()
        machine.commands.clear()
        target = function.target if isinstance(function, Callee) else None
        if not isinstance(target, FunctionObject) or not isinstance(function, Callee) or function.bound:
            return True
        span = target.origin.place.span if target.origin is not None else _START
        return self.guarded(
            machine, lambda: call(machine, frame, function, knobs.parameters(machine, frame, target, span), span)
        )


def _frame(module: Module) -> Frame:
    assert module.frame is not None
    return module.frame


def fold_file(
    source: Source,
    *,
    assignments: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
    entry: str | None = None,
    loader: Loader | None = None,
) -> tuple[Launch, ...]:
    """Every launch of a recipe, entry by entry. Raises `ParseError` for text that is not Python."""
    return fold(source, assignments=assignments, environment=environment, entry=entry, loader=loader).launches


def fold(
    source: Source,
    *,
    assignments: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
    entry: str | None = None,
    loader: Loader | None = None,
) -> Fold:
    """As `fold_file`, with what was given up on the way."""
    with paused(), deep(_FRAMES):
        return _fold(source, assignments, environment, entry, loader)


def _fold(
    source: Source,
    assignments: Mapping[str, object] | None,
    environment: Mapping[str, str] | None,
    entry: str | None,
    loader: Loader | None,
) -> Fold:
    try:
        program = program_of(source)
    except NotUnderstood as error:
        return Fold((), ((Place(source.path, _START), str(error)),))
    file = os.path.abspath(source.path)
    runner = _Runner(
        source, program, loader or ProjectLoader(file, source.path), file, assignments or {}, environment or {}
    )
    launches, entries = _run_entries(runner, entry)
    return Fold(tuple(launches), tuple(dict.fromkeys(runner.widened)), tuple(entries), tuple(runner.events))


def _run_entries(runner: _Runner, wanted: str | None) -> tuple[list[Launch], list[str]]:
    launches: list[Launch] = []
    entries: list[str] = []
    machine, frame = runner.start("__main__", True)
    script = machine.begun is not None
    commands = [(name or name_of(function), function) for name, function in machine.registered]
    covered: set[Span] = set()
    if wanted in (None, "__main__"):
        launches.extend(runner.launches(machine, covered))
    if launches:
        entries.append("__main__")
    names = [name.replace("-", "_") for name, _ in commands]
    for index, name in enumerate(names):
        if wanted is not None and name != wanted.replace("-", "_"):
            continue
        machine, frame = runner.start(name, script)
        function: Value | None = None
        if index < len(machine.registered):
            function = machine.registered[index][1]
        elif isinstance(commands[index][1], Callee):
            function = lookup(machine, frame, name_of(commands[index][1]))
        if function is not None:
            runner.call_entry(name, function, machine, frame)
        launches.extend(runner.launches(machine, covered))
        entries.append(name)
    given_up = 0
    for name in other_entries(runner.program, names, wanted, covered):
        if given_up >= _PATIENCE:
            runner.widened.append((Place(runner.program.path, _START), "further functions are not tried"))
            break
        machine, frame = runner.start(name, False)
        function = lookup(machine, frame, name)
        if function is not None:
            before = len(launches)
            given_up += not runner.call_entry(name, function, machine, frame)
            launches.extend(runner.launches(machine, covered))
            if len(launches) > before:
                entries.append(name)
    return launches, entries


def _of_script(statement: n.Stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__"` or its kin."""
    return isinstance(statement, n.If) and any(
        isinstance(node, n.Name) and node.id == "__name__" for node in walk(statement.test)
    )


def _launches(machine: Machine, covered: set[Span]) -> Iterator[Launch]:
    main = machine.modules["__main__"]
    path = main.path if main is not None else ""
    for sink in machine.sinks:
        covered.update(place.span for place in (sink.site, *sink.via) if place.path == path)
        try:
            yield launch_of(machine, sink)
        except TooComplex:
            machine.widened.append((sink.site, _COMPLEX))
            unknown = Unknown(Reason.BUDGET, _COMPLEX)
            keywords = {**sink.keywords, "train_args": unknown}
            yield launch_of(machine, replace(sink, keywords=keywords, model_text=None))
    for command in machine.commands:
        try:
            found = command_launch(machine, command)
        except TooComplex:
            machine.widened.append((command.site, _COMPLEX))
            continue
        if found is not None:
            covered.update(place.span for place in (found.site, *found.via) if place.path == path)
            yield found


def launch_of(machine: Machine, sink: Sink) -> Launch:
    """The launch that a call of the helper submits: model arguments first, then its own, split by shell rules."""
    live = machine.space.always
    machine.live = live
    text = as_text(machine, sink.keywords.get("train_args", Text()))
    model = as_text(machine, sink.model_text) if sink.model_text is not None else Text()
    own = split(text, live)
    script = sink.keywords.get("train_script")
    environment, others = job_environment(machine, sink)
    return Launch(
        entry=sink.entry,
        site=sink.site,
        space=machine.space,
        guard=sink.guard,
        train_script=script if script is not None else machine.text("train.py"),
        argv=(*split(model, live, model=True).arguments, *own.arguments),
        model_type=sink.keywords.get("megatron_model_type", Known(None)),
        environment=environment,
        other_environment=others,
        keywords=tuple(sink.keywords.items()),
        text=text,
        problems=tuple(("unbalanced quote", guard, origin) for guard, origin in own.unbalanced),
        via=sink.via,
        signature=sink.signature,
    )
