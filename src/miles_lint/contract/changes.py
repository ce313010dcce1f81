"""What differs between two contracts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from miles_lint.contract.model import Constraint, Contract, Flag
from miles_lint.contract.words import constraint_words, reads_of

_IGNORED = frozenset(("origin", "names"))
_ASPECTS = tuple(item.name for item in fields(Flag) if item.name not in _IGNORED)


@dataclass(frozen=True, slots=True)
class Changes:
    """Flags by their first option string; constraints as they are told. `changed` has aspect, before and after."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[tuple[str, str, object, object], ...]
    constraints_added: tuple[str, ...]
    constraints_removed: tuple[str, ...]
    selectors: tuple[tuple[str, str], ...] = ()

    @property
    def any(self) -> bool:
        """Whether there is any difference."""
        return any(getattr(self, item.name) for item in fields(self))

    def lines(self) -> Iterator[str]:
        """The differences, one a line, marked as a diff marks them."""
        yield from (f"+ {name}" for name in self.added)
        yield from (f"- {name}" for name in self.removed)
        for name, aspect, before, after in self.changed:
            yield f"~ {name} {aspect}: {before!r} → {after!r}"
        yield from (f"+ {words}" for words in self.constraints_added)
        yield from (f"- {words}" for words in self.constraints_removed)
        yield from (f"{mark} selects {words}" for mark, words in self.selectors)

    def summary(self) -> str:
        """Counts in one line."""
        return (
            f"flags: {len(self.added)} added, {len(self.removed)} removed, {len(self.changed)} changed; "
            f"constraints: {len(self.constraints_added)} added, {len(self.constraints_removed)} removed"
        )


def changes(before: Contract, after: Contract) -> Changes:
    """What the second contract has that the first has not, and the reverse; places do not count."""
    old, new = before.by_name, after.by_name
    added = _first_names(flag for flag in after.flags if not any(name in old for name in flag.names))
    removed = _first_names(flag for flag in before.flags if not any(name in new for name in flag.names))
    changed: list[tuple[str, str, object, object]] = []
    for name in dict.fromkeys(flag.names[0] for flag in after.flags):
        if name in old:
            one, two = old[name], new[name]
            if set(one.names) != set(two.names):
                changed.append((name, "names", list(one.names), list(two.names)))
            pairs = ((aspect, getattr(one, aspect), getattr(two, aspect)) for aspect in _ASPECTS)
            changed.extend((name, *pair) for pair in pairs if pair[1] != pair[2])
    gone, come = _told(before), _told(after)
    return Changes(
        added,
        removed,
        tuple(changed),
        tuple(words for words in come if words not in gone),
        tuple(words for words in gone if words not in come),
        (*_selected("-", before, after), *_selected("+", after, before)),
    )


def _first_names(flags: Iterator[Flag]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(flag.names[0] for flag in flags))


def _told(contract: Contract) -> dict[str, None]:
    spell = speller(contract)
    return dict.fromkeys(constraint_words(constraint, spell) for constraint in contract.constraints)


def _selected(mark: str, contract: Contract, other: Contract) -> Iterator[tuple[str, str]]:
    known = {(selector.switch, selector.flag, selector.value) for selector in other.selectors}
    for selector in contract.selectors:
        if (selector.switch, selector.flag, selector.value) not in known:
            yield mark, f"{selector.switch} is {selector.flag} {selector.value}"


def speller(contract: Contract) -> Callable[[str], str]:
    """The option string of a dest: the first of its first flag, or the dest itself."""
    by_dest = contract.by_dest

    def spell(dest: str) -> str:
        found = by_dest.get(dest)
        return found[0].names[0] if found else dest

    return spell


def concerning(contract: Contract, dests: frozenset[str]) -> tuple[Constraint, ...]:
    """The constraints that read or overwrite one of some dests."""
    return tuple(c for c in contract.constraints if c.target in dests or not dests.isdisjoint(reads_of(c.when)))
