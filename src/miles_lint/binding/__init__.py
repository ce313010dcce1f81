"""A launch's argv read through a contract, as the trainer's argparse parser would read it, guards and holes kept."""

from miles_lint.binding.bind import bind
from miles_lint.binding.effective import Reading, readings, rejections
from miles_lint.binding.model import Binding
from miles_lint.binding.uses import Assignment, BindingError, Opening, Unbound
from miles_lint.binding.values import ABSENT, UNKNOWN, Absent, Partial, Rejected, known

__all__ = [
    "ABSENT",
    "UNKNOWN",
    "Absent",
    "Assignment",
    "Binding",
    "BindingError",
    "Opening",
    "Partial",
    "Reading",
    "Rejected",
    "Unbound",
    "bind",
    "known",
    "readings",
    "rejections",
]
