"""A launch's argv read through a contract: the questions that rules ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from miles_lint.binding.effective import Event, Reading, effective
from miles_lint.binding.uses import Assignment, BindingError, Opening, Unbound
from miles_lint.binding.values import default_of
from miles_lint.contract.model import Contract, Flag
from miles_lint.domain.guard import Guard
from miles_lint.launch import Launch

_ADDING = ("append", "append_const", "extend", "count")


@dataclass(frozen=True, eq=False)
class Binding:
    """The argv of a launch through a contract: uses in order, what belongs to no flag, what is refused.

    All guards are conditions on a launch that happens; they do not repeat `launch.guard`. `openings` are the
    unknown parts of the argv that may hold further flags.
    """

    launch: Launch
    contract: Contract
    assignments: tuple[Assignment, ...]
    unbound: tuple[Unbound, ...]
    errors: tuple[BindingError, ...]
    openings: tuple[Opening, ...]
    _effective: dict[str, tuple[Reading, ...]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _by_dest(self) -> dict[str, tuple[Assignment, ...]]:
        found: dict[str, list[Assignment]] = {}
        for assignment in self.assignments:
            found.setdefault(assignment.flag.dest, []).append(assignment)
        return {dest: tuple(uses) for dest, uses in found.items()}

    @cached_property
    def given(self) -> frozenset[tuple[str, str]]:
        """Every dest that the argv writes on some path, as formulas of a contract name it."""
        return frozenset(("flag", dest) for dest in self._by_dest)

    def uses(self, dest: str) -> tuple[Assignment, ...]:
        """Every use of the flags of a dest, in order."""
        return self._by_dest.get(dest, ())

    def present(self, dest: str) -> Guard:
        """The condition under which a flag of a dest is certainly given."""
        return self._any(use.guard for use in self.uses(dest))

    def may(self, dest: str) -> Guard:
        """The condition under which a flag of a dest may be given: also badly, or by an unknown part of the argv."""
        return self._any((self.present(dest), *(guard for _, guard in self._doubts(dest))))

    @property
    def open(self) -> Guard:
        """The condition under which an unknown part of the argv may hold any further flags."""
        return self._any(opening.guard for opening in self.openings)

    def opened_after(self, index: int) -> Guard:
        """The condition under which an unknown part behind a position may override what stands there."""
        return self._any(opening.guard for opening in self.openings if opening.index > index)

    def effective(self, dest: str) -> tuple[Reading, ...]:
        """The values of a dest as argparse leaves them, under guards that exclude each other and cover everything.

        The last use wins, or is added for flags that append; without one it is the default. The value is unknown
        where an unknown part of the argv may write it and where its use is refused.
        """
        found = self._effective.get(dest)
        if found is None:
            positions: list[tuple[int, Event]] = [(use.index, (use.guard, use)) for use in self.uses(dest)]
            positions += [(index, (guard, None)) for index, guard in self._doubts(dest)]
            events = [event for _, event in sorted(positions, key=lambda position: position[0])]
            default = default_of(self.contract.by_dest.get(dest, ()))
            found = self._effective[dest] = effective(events, default, self.launch.space.always)
        return found

    def repeats(self) -> Iterator[tuple[Assignment, Assignment]]:
        """Pairs of uses of one dest where the later replaces the earlier under some condition."""
        for uses in self._by_dest.values():
            for position, earlier in enumerate(uses):
                for later in uses[position + 1 :]:
                    if later.flag.action not in _ADDING and not earlier.guard.excludes(later.guard):
                        yield earlier, later

    def missing(self) -> Iterator[tuple[Flag, Guard]]:
        """Every required flag with the condition under which it is certainly not given."""
        for flag in self.contract.flags:
            if flag.required:
                absent = ~self.may(flag.dest)
                if not absent.impossible:
                    yield flag, absent

    def _doubts(self, dest: str) -> Iterator[tuple[int, Guard]]:
        flags = self.contract.by_dest.get(dest, ())
        for error in self.errors:
            if error.flag is None or error.flag.dest == dest:
                yield error.index, error.guard
        for opening in self.openings:
            if any(map(opening.may_set, flags)) if flags else not opening.argument.model:
                yield opening.index, opening.guard

    def _any(self, guards: Iterator[Guard] | tuple[Guard, ...]) -> Guard:
        found = self.launch.space.never
        for guard in guards:
            found = found | guard
        return found
