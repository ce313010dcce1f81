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
from miles_lint.recipe import Fold
from miles_lint.source import Place
from miles_lint.surface import Surface


@dataclass(frozen=True, slots=True)
class Repair:
    """What a fix would do to the argv: `old`, given in this order, becomes the words `new`.

    An empty `new` removes the arguments, None says that what comes in their place is only known afterwards;
    without `old` the argv stays as it is. The edits are derived from where `old` was written, or given as
    `edits`: places with the text to put there. They are proved.
    """

    title: str
    old: tuple[Argument, ...]
    new: tuple[str, ...] | None
    applicability: Applicability = Applicability.SAFE
    withheld: str = ""
    edits: tuple[tuple[Place, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation that is certain under `guard`; whether anybody hears of it is policy, not the rule's choice.

    `origin` is where it is shown; None means the call that launches. `notes` are the other places. `reach` is the
    condition under which the program gets there at all; None means that it launches. `secrets` are places whose text
    no output may show.
    """

    guard: Guard
    message: str
    origin: Origin | None = None
    notes: tuple[tuple[Origin, str], ...] = ()
    repair: Repair | None = None
    severity: Severity | None = None
    reach: Guard | None = None
    secrets: tuple[Place, ...] = ()


Check = Callable[[Binding], Iterable[Finding]]
Examine = Callable[[Fold, Surface], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `doc` is Markdown: what it finds, an example, the repair, when it stays silent.

    `check` is asked of every launch, `examine` once of the whole file; its findings say themselves where they hold.
    """

    code: str
    name: str
    severity: Severity
    since: str
    doc: str
    check: Check | None = None
    fix: Applicability | None = None
    default_on: bool = True
    examine: Examine | None = None

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


def file_rule(
    code: str,
    name: str,
    *,
    since: str,
    severity: Severity = Severity.ERROR,
    fix: Applicability | None = None,
    default_on: bool = True,
) -> Callable[[Examine], Rule]:
    """Make a rule of a function over a whole folded file and the names of its trainer."""

    def make(examine: Examine) -> Rule:
        doc = inspect.cleandoc(examine.__doc__ or "")
        return Rule(code, name, severity, since, doc, None, fix, default_on, examine)

    return make
