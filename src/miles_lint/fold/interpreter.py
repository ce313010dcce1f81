"""The parts of the evaluator, tied together."""

from __future__ import annotations

from miles_lint.domain.value import Ref, Value
from miles_lint.fold import calls
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.containers import Turn, each
from miles_lint.fold.evaluate import evaluate
from miles_lint.fold.execute import execute
from miles_lint.fold.heap import Frame, FunctionObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.objects import iterate_object
from miles_lint.program import nodes as n
from miles_lint.source import Span


class Evaluator:
    """Satisfies `Interpreter`; it has no state of its own."""

    def evaluate(self, machine: Machine, frame: Frame, node: n.Expr) -> Value:
        return evaluate(machine, frame, node)

    def execute(self, machine: Machine, frame: Frame, block: n.Block) -> None:
        execute(machine, frame, block)

    def call(self, machine: Machine, frame: Frame, func: Value, args: Arguments, span: Span) -> Value:
        return calls.call(machine, frame, func, args, span)

    def call_function(self, machine: Machine, target: FunctionObject, args: Arguments, span: Span, path: str) -> Value:
        return calls.call_function(machine, target, args, span, path)

    def drive_function(
        self, machine: Machine, target: FunctionObject, args: Arguments, span: Span, path: str, turn: Turn
    ) -> None:
        calls.drive_function(machine, target, args, span, path, turn)

    def each(self, machine: Machine, value: Value, turn: Turn) -> bool:
        return each(machine, value, turn)

    def iterate_object(self, machine: Machine, ref: Ref, turn: Turn) -> bool:
        return iterate_object(machine, ref, turn)
