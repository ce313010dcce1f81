"""Values of several flags at once: every feasible combination that is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce

from miles_lint.binding import Assignment, Binding
from miles_lint.binding import known as certain
from miles_lint.constraints import verdicts
from miles_lint.diagnostic import Severity
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.rules.lost import lost
from miles_lint.rules.pieces import garbled
from miles_lint.rules.queries import configured, origin_of
from miles_lint.rules.rule import Finding

_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Given:
    """What a dest has in one combination: its value, and the use that wrote it (None: the default)."""

    value: object
    use: Assignment | None

    @property
    def origin(self) -> Origin | None:
        return origin_of(self.use.arguments[0]) if self.use is not None else None


Values = dict[str, Given]


def known(binding: Binding, dests: tuple[str, ...], meant: frozenset[str]) -> Iterator[tuple[Guard, Values]]:
    """Every combination of certain values of some dests, with its condition; doubtful ones are left out.

    A default is doubtful where a file of settings is named, which can set every flag, where flags are garbled, and
    for dests that are `meant` to be given.
    """
    found: list[tuple[Guard, Values]] = [(binding.launch.space.always, {})]
    plain = ~(configured(binding) | garbled(binding))
    for dest in dests:
        if dest not in binding.contract.by_dest:
            return
        grown: list[tuple[Guard, Values]] = []
        for guard, values in found:
            for reading in binding.effective(dest):
                both = guard & reading.guard
                if reading.use is None:
                    both = both.space.never if dest in meant else both & plain
                if not both.impossible and certain(reading.value):
                    grown.append((both, {**values, dest: Given(reading.value, reading.use)}))
        if len(grown) > _LIMIT:
            return
        found = grown
    yield from found


@dataclass(frozen=True, slots=True)
class Case:
    """One mistake over several dests: `wrong` says of their values whether it is there.

    The finding stands at the use of `at`, or at the launch where that is not given; `message` may name values by
    dest. A use of the dest `unless` on any path shows that a switch of the recipe decides, and nothing is said; where
    one of `without` is given, it is no mistake. `overridden`: only where the contract says that the trainer
    writes another value over that of `at`.
    """

    dests: tuple[str, ...]
    wrong: Callable[[Values], bool]
    message: str
    at: str
    backend: str = ""
    unless: str = ""
    severity: Severity | None = None
    without: tuple[str, ...] = ()
    overridden: bool = False


def _passed_on(origin: Origin | None) -> bool:
    """Whether a flag was written in another file than the launch: what its switches were set to is not seen there."""
    return origin is not None and any(place.path != origin.place.path for place in origin.via)


def _overridden(binding: Binding, dest: str) -> Guard:
    """The condition on which the trainer certainly writes over what was given for a dest."""
    found = binding.launch.space.never
    for verdict in verdicts(binding, "overrides", dest):
        found = found | verdict.violated
    return found


def findings(binding: Binding, cases: tuple[Case, ...]) -> Iterator[Finding]:
    """The findings of a table of cases, each with a note for every other flag that takes part."""
    meant = lost(binding)
    for case in cases:
        if case.backend and case.backend != binding.contract.backend:
            continue
        if case.unless and binding.uses(case.unless):
            continue
        excused = reduce(Guard.__or__, map(binding.present, case.without), binding.launch.space.never)
        for combined, values in known(binding, case.dests, meant):
            guard = combined - excused
            if guard.impossible or not case.wrong(values) or (case.unless and _passed_on(values[case.at].origin)):
                continue
            if case.overridden:
                guard = guard & _overridden(binding, case.at)
            shown = {dest: given.value for dest, given in values.items()}
            here = values[case.at].use
            notes = tuple(
                (given.origin, f"`{given.use.spelled}` is given here")
                for dest, given in values.items()
                if given.use is not None and given.origin is not None and dest != case.at
            )
            origin = values[case.at].origin if here else None
            yield Finding(guard, case.message.format(**shown), origin, notes, severity=case.severity)
