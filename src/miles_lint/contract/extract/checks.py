"""What a trainer refuses and overrides: the checks and writes of one reading as constraints."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from miles_lint.contract.extract.formulas import FALSE, both, either, formula, has_unknown, possible, unknown
from miles_lint.contract.extract.trainer import TrainerReading
from miles_lint.contract.model import Atom, Constraint, Site
from miles_lint.domain.guard import Guard, TooComplex
from miles_lint.domain.term import symbol
from miles_lint.domain.value import Items, Known, Text, Unknown, Value, options_of
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import ANY
from miles_lint.fold.lifting import make_term, term_of
from miles_lint.fold.machine import Machine
from miles_lint.fold.operations import condition

_CLOUDED = unknown("what a file of settings says")


def rejections(read: TrainerReading, since: int = 0) -> Iterator[Constraint]:
    """The checks of a reading in order, each once, the first `since` events left out."""
    seen: set[tuple[Site, Atom]] = set()
    for number, event in enumerate(read.machine.events[since:], since):
        site = read.tree.site(event.origin.place) if event.kind is Kind.REFUSED else None
        if site is None or not read.owns(site.path):
            continue
        when = _when(read, event.guard, number)
        if when != FALSE and (site, when) not in seen:
            seen.add((site, when))
            yield Constraint("rejects", when, site, message_origin=site)


def _when(read: TrainerReading, failing: Guard, number: int) -> Atom:
    """The formula of a failing check; where settings were read from a file before it, that is not known."""
    clouded = failing.space.never
    for at, guard in read.clouds:
        clouded = clouded | possible(guard) if at <= number else clouded
    try:
        dim = both(formula(clouded), _CLOUDED)
        return either(formula(failing - clouded), dim)
    except TooComplex:
        return unknown("a condition over many flags")


def overrides(read: TrainerReading, dests: Collection[str]) -> Iterator[Constraint]:
    """The flags that hold something else than was given once everything is checked, where that is certain."""
    if read.held is None:
        return
    places = {id(value): origin.place for _, name, value, origin in read.written if name != ANY}
    for name, held in read.held.fields.items():
        for guard, leaf in options_of(held, read.machine.space.always) if name in dests else ():
            when = _changed(read.machine, name, guard, leaf)
            if when is not None and when != FALSE and not has_unknown(when):
                place = places.get(id(leaf))
                yield Constraint("overrides", when, None if place is None else read.tree.site(place), name)


def _changed(machine: Machine, name: str, guard: Guard, leaf: Value) -> Atom | None:
    """The formula under which a dest ends with this value and did not begin with it; None when it cannot be told."""
    own = symbol("flag", name)
    if isinstance(leaf, Unknown):
        if leaf.term is None or leaf.term == own:
            return None
        term = make_term("!=", own, leaf.term)
    elif isinstance(leaf, (Known, Text)):
        told = leaf.plain if isinstance(leaf, Text) else leaf.value
        if isinstance(leaf, Text) and told is None:
            return None
        term = make_term("is not" if told is None or isinstance(told, bool) else "!=", own, term_of(told))
    elif isinstance(leaf, Items) and not leaf.items:
        term = make_term("!=", own, ((),))
    else:
        return None
    try:
        return formula(guard & condition(machine, term)) if term is not None else None
    except TooComplex:
        return None
