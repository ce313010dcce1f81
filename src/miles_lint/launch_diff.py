"""Do two folds launch the same? Every difference, with the condition it shows under."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from miles_lint.compare.differences import differences, effective
from miles_lint.compare.joint import Joint
from miles_lint.compare.occurrences import Reader, Use
from miles_lint.domain.defaults import nearest_to_defaults
from miles_lint.domain.guard import Guard, TooComplex
from miles_lint.domain.provenance import Origin
from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Value
from miles_lint.launch import Launch
from miles_lint.recipe import Fold
from miles_lint.show.guards import at, relative, words

_KEYWORDS = ("num_gpus_per_node", "megatron_path")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between what two folds launch at an entry point.

    `kind` is one of
    `entry` (an entry point came, went or got another name),
    `launch` (a submission came or went; `when` tells where),
    `driver`, `model type`, `environment` (`name` is the variable), `keyword` (of the launch helper),
    `argument` (`name` is the flag; empty for a word that belongs to none),
    `order` (the same uses of a flag, but another one comes last and wins),
    `undecided` (the conditions are too complex to compare).

    `old` and `new` are the words of either side, None where there are none. `when` is empty for a difference
    wherever the launch happens; `at_defaults` tells whether it shows at the default knobs.
    """

    kind: str
    entry: str
    name: str = ""
    old: tuple[str | None, ...] | None = None
    new: tuple[str | None, ...] | None = None
    when: str = ""
    at_defaults: Truth = Truth.YES
    old_origin: Origin | None = None
    new_origin: Origin | None = None


def same_launches(before: Fold, after: Fold, roots: tuple[str, str] = ("", "")) -> tuple[Change, ...]:
    """What differs between two folds, empty when they launch the same at every assignment of knobs.

    Knobs meet by name: a value passed to one side is passed to the other, and what is not passed has the
    default of each side. Unknown parts are the same when they read the same. The order of different flags
    does not matter, except around an unknown rest. An entry point that went is compared with that one of those
    that came which differs least. `roots` are the folders of the two checkouts: texts that
    name them are compared without.
    """
    olds, news = _by_entry(before), _by_entry(after)
    come = [name for name in news if name not in olds]
    found: list[Change] = []
    for name in olds:
        if name in news:
            found.extend(_compared(name, olds[name], news[name], roots))
        elif come:
            results = {other: _compared(other, olds[name], news[other], roots) for other in come}
            nearest = min(come, key=lambda other: len(results[other]))
            come.remove(nearest)
            found.append(Change("entry", nearest, "", (name,), (nearest,)))
            found.extend(results[nearest])
        else:
            found.append(Change("entry", name, "", (name,), None))
    found.extend(Change("entry", name, "", None, (name,)) for name in come)
    return tuple(found)


def _by_entry(fold: Fold) -> dict[str, list[Launch]]:
    found: dict[str, list[Launch]] = {}
    for launch in fold.launches:
        found.setdefault(launch.entry, []).append(launch)
    return found


def _compared(entry: str, olds: list[Launch], news: list[Launch], roots: tuple[str, str]) -> list[Change]:
    try:
        return _Comparison(entry, olds, news, roots).run()
    except TooComplex:
        return [Change("undecided", entry, at_defaults=Truth.MAYBE)]


@dataclass
class _Comparison:
    entry: str
    before: Sequence[Launch]
    after: Sequence[Launch]
    roots: tuple[str, str]
    found: list[Change] = field(default_factory=list)

    def run(self) -> list[Change]:
        joint = Joint(self.before, self.after)
        self.readers = tuple(Reader(side, root) for side, root in zip(joint.sides, self.roots))
        olds = list(_slots(self.before, self.readers[0]))
        news = list(_slots(self.after, self.readers[1]))
        for old, new in self.paired(olds, news):
            self.found.extend(self.slot(old, new))
        return self.found

    def paired(
        self, olds: list[list[Launch]], news: list[list[Launch]]
    ) -> Iterator[tuple[list[Launch], list[Launch]]]:
        """Submissions in order; where their numbers differ, equal ones first."""
        if len(olds) != len(news):
            for old in list(olds):
                twin = next((new for new in news if not self.slot(old, new)), None)
                if twin is not None:
                    olds.remove(old)
                    news.remove(twin)
        for old, new in zip(olds, news):
            yield old, new
        for old in olds[len(news) :]:
            yield old, []
        for new in news[len(olds) :]:
            yield [], new

    def slot(self, olds: list[Launch], news: list[Launch]) -> list[Change]:
        """What differs between one submission of either side; a side that has none is empty."""
        return _Slot(self.entry, olds, news, self.readers[0], self.readers[1]).run()


def _slots(launches: Iterable[Launch], reader: Reader) -> Iterator[list[Launch]]:
    """Launches put together that exclude each other: one submission, written in several places."""
    slots: list[tuple[Guard, list[Launch]]] = []
    for launch in launches:
        guard = reader.reached(launch)
        if slots and slots[-1][0].excludes(guard):
            slots[-1] = (slots[-1][0] | guard, [*slots[-1][1], launch])
        else:
            slots.append((guard, [launch]))
    return (found for _, found in slots)


@dataclass
class _Slot:
    """One submission of either side; an empty list for a side that has none."""

    entry: str
    olds: list[Launch]
    news: list[Launch]
    one: Reader
    two: Reader

    def run(self) -> list[Change]:
        never = self.one.side.joint.space.never
        was = _union(map(self.one.reached, self.olds), never)
        now = _union(map(self.two.reached, self.news), never)
        self.both = was & now
        found = list(self.launched(was, now))
        if not self.both.impossible:
            self.choice = nearest_to_defaults(self.both)
            found.extend(self.compared())
        return found

    def launched(self, was: Guard, now: Guard) -> Iterator[Change]:
        """Where only one side launches."""
        for launches, reader, here, there in ((self.olds, self.one, was, now), (self.news, self.two, now, was)):
            only = here - there
            if only.impossible:
                continue
            drivers = [use for launch in launches for use in reader.value(launch, launch.train_script, here)]
            told = tuple(use.values[0] or "" for use in drivers)
            origin = Origin(launches[0].site, launches[0].via)
            sides = (told, None, origin, None) if launches is self.olds else (None, told, None, origin)
            old, new, old_origin, new_origin = sides
            when = words(relative(only, here), mark=True)
            default = at(only, nearest_to_defaults(here))
            yield Change("launch", self.entry, "", old, new, when, default, old_origin, new_origin)

    def compared(self) -> Iterator[Change]:
        yield from self.values("driver", "", lambda launch: launch.train_script)
        yield from self.values("model type", "", lambda launch: launch.model_type)
        for name in _KEYWORDS:
            if all(name in dict(launch.keywords) for launch in (*self.olds, *self.news)):
                yield from self.values("keyword", name, partial(_keyword, name))
        names = [name for launch in (*self.olds, *self.news) for name, _ in launch.environment]
        for name in dict.fromkeys(names):
            sides = [_environment(launches, reader, name) for launches, reader in self.sides]
            yield from self.told("environment", name, sides[0], sides[1])
        uses = [[use for launch in launches for use in reader.argv(launch)] for launches, reader in self.sides]
        yield from self.told("argument", "", uses[0], uses[1])

    @property
    def sides(self) -> tuple[tuple[list[Launch], Reader], tuple[list[Launch], Reader]]:
        return (self.olds, self.one), (self.news, self.two)

    def values(self, kind: str, name: str, of: Callable[[Launch], Value]) -> Iterator[Change]:
        uses = [
            [use for launch in launches for use in reader.value(launch, of(launch), reader.reached(launch))]
            for launches, reader in self.sides
        ]
        yield from self.told(kind, name, uses[0], uses[1])

    def told(self, kind: str, name: str, old: Sequence[Use], new: Sequence[Use]) -> Iterator[Change]:
        for found in differences(old, new, self.both):
            yield Change(
                "order" if found.order else kind,
                self.entry,
                found.flag or name,
                found.old,
                found.new,
                words(relative(found.guard, self.both), mark=True),
                at(relative(found.guard, self.both), self.choice),
                found.old_origin,
                found.new_origin,
            )


def _keyword(name: str, launch: Launch) -> Value:
    return dict(launch.keywords)[name]


def _environment(launches: Iterable[Launch], reader: Reader, name: str) -> list[Use]:
    """The value that a variable has in the end under each condition."""
    found: list[Use] = []
    for launch in launches:
        for variant in dict(launch.environment).get(name, ()):
            guard = reader.side.guard(variant.guard) & reader.reached(launch)
            found.extend(reader.value(launch, variant.value, guard))
    return effective(found)


def _union(guards: Iterable[Guard], never: Guard) -> Guard:
    for guard in guards:
        never = never | guard
    return never
