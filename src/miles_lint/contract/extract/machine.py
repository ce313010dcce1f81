"""A fold that reads a trainer: failures are noted where they happen, and nothing is ruled out by them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from miles_lint.domain.guard import Guard, Space
from miles_lint.domain.value import Callee, Ref, Unknown, Value
from miles_lint.fold import attributes, modules
from miles_lint.fold.budget import Budget
from miles_lint.fold.heap import Module
from miles_lint.fold.interpreter import Evaluator
from miles_lint.fold.machine import Loader, Machine, Raised
from miles_lint.program.program import Program

BUDGET = Budget(iterations=6_000, items=20_000, steps=6_000_000, depth=60, undecided=12)
THOROUGH = replace(BUDGET, undecided=10_000)
"""For an owner, whose options come out of one long loop over its fields."""
NODES, VARIABLES = 400_000, 20_000


class NoTrainer(Exception):
    """The sources do not hold a trainer that can be read; the message says what is missing."""


@dataclass(eq=False)
class Reading(Machine):
    """A machine whose checks do not narrow what follows: every constraint stands for itself."""

    thorough: bool = True

    def mutated(self, unknown: Unknown) -> None:
        """What a command line gives is not changed in place: flags keep their symbolic form."""

    def fail(self, kind: Raised = None) -> None:
        if self.raised:
            self.raised[-1].append((self.live, kind))
        else:
            self.failures.append(self.live)
        self.live = self.space.never

    def require(self, guard: Guard, kind: Raised = None) -> None:
        failing = self.live - guard
        if failing.impossible:
            return
        kept = self.live & guard
        if self.raised:
            self.raised[-1].append((failing, kind))
            self.live = kept
        elif kept.impossible:
            self.failures.append(self.live)
            self.live = kept


def reading(loader: Loader, budget: Budget = BUDGET) -> Reading:
    """A fresh machine over a tree of sources."""
    return Reading(Space(node_limit=NODES, variable_limit=VARIABLES), loader, Evaluator(), budget)


def importer() -> Module:
    """The module in whose name the first import happens."""
    return Module("__extract__", "", lambda: Program("", ()))


def member(machine: Machine, dotted: str) -> Value | None:
    """A global of a module, or an attribute of a class there, by its dotted name; None when there is none."""
    parts = dotted.split(".")
    for stop in range(len(parts) - 1, 0, -1):
        module = modules.load(machine, ".".join(parts[:stop]), importer())
        if module is None or (module.package and module.program.empty and stop < len(parts) - 1):
            continue
        found = modules.module_name(machine, module, parts[stop])
        for name in parts[stop + 1 :]:
            if found is None:
                break
            found = attributes.find(machine, found.cell, name) if isinstance(found, Ref) else None
        if found is not None:
            return replace(found, kind="function") if isinstance(found, Callee) and found.bound == () else found
    return None


def replace_global(machine: Machine, module: Module, name: str, value: Value) -> None:
    """Bind a name of a module for good: its own statements will not bind it again."""
    assert module.frame is not None
    for index in module.binders.get(name, ()):
        module.done.update((index, (index, name)))
    module.frame.names[name] = value


def native(name: str, function: object) -> Callee:
    return Callee("native", name, function)
