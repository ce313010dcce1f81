"""What a rule is: a record around one function from a launch, read through a contract, to findings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from miles_lint.binding import Binding
from miles_lint.diagnostic import Applicability, Severity
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.launch import Argument


@dataclass(frozen=True, slots=True)
class Repair:
    """What a fix would do to the argv: `old`, given in this order, becomes the words `new`.

    An empty `new` removes the arguments. The edit is derived from where `old` was written, and proved.
    """

    title: str
    old: tuple[Argument, ...]
    new: tuple[str, ...]
    applicability: Applicability = Applicability.SAFE
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation that is certain under `guard`; whether anybody hears of it is policy, not the rule's choice.

    `origin` is where it is shown; None means the call that launches. `notes` are the other places.
    """

    guard: Guard
    message: str
    origin: Origin | None = None
    notes: tuple[tuple[Origin, str], ...] = ()
    repair: Repair | None = None
    severity: Severity | None = None


Check = Callable[[Binding], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `doc` is Markdown: what it finds, an example, the repair, when it stays silent."""

    code: str
    name: str
    severity: Severity
    since: str
    doc: str
    check: Check | None = None
    fix: Applicability | None = None
    default_on: bool = True

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.doc.partition("\n")[0]


def rule(
    code: str,
    name: str,
    *,
    since: str,
    severity: Severity = Severity.ERROR,
    fix: Applicability | None = None,
    default_on: bool = True,
) -> Callable[[Check], Rule]:
    """Make a rule of a function over one bound launch; its docstring is the documentation."""

    def make(check: Check) -> Rule:
        return Rule(code, name, severity, since, inspect.cleandoc(check.__doc__ or ""), check, fix, default_on)

    return make
