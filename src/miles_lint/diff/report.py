"""Differences as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from miles_lint.domain.provenance import Origin
from miles_lint.domain.truth import Truth
from miles_lint.launch_diff import Change
from miles_lint.show.argv import quoted
from miles_lint.show.places import Texts
from miles_lint.show.table import Paint, shortened

SCHEMA = 1
_DIM, _BOLD, _OLD, _NEW, _GUARD = "2", "1", "31", "32", "35"
_FAR = 2
_AT_DEFAULTS = {Truth.YES: "", Truth.NO: " (not at the defaults)", Truth.MAYBE: " (perhaps at the defaults)"}
_HOLDS = {Truth.YES: True, Truth.NO: False, Truth.MAYBE: None}
Json = dict[str, Any]
Spot = tuple[str, int]
Spots = tuple["Spot | None", "Spot | None"]


@dataclass(frozen=True)
class Compared:
    """Two recipes and what differs; a path is None for a recipe that only one side has. `error` says what failed.

    `places` has the path and row of each change on both sides. `assumed` are unknown parts of both that were
    taken for the same because they read the same.
    """

    old: str | None
    new: str | None
    changes: tuple[Change, ...] = ()
    places: tuple[Spots, ...] = ()
    assumed: tuple[str, ...] = ()
    error: str = ""

    @property
    def differs(self) -> bool:
        return bool(self.changes) or None in (self.old, self.new)

    @property
    def title(self) -> str:
        if self.old is None or self.new is None:
            return f"{self.old or self.new} ({'added' if self.old is None else 'removed'})"
        return self.old if self.old == self.new else f"{self.old} → {self.new}"


def located(changes: Sequence[Change], texts: Sequence[Texts], name: Callable[[str], str]) -> tuple[Spots, ...]:
    """Where the changes stand on both sides; `name` gives the paths that are shown."""
    return tuple(
        (_spot(change.old_origin, texts[0], name), _spot(change.new_origin, texts[1], name)) for change in changes
    )


def _spot(origin: Origin | None, texts: Texts, name: Callable[[str], str]) -> Spot | None:
    return None if origin is None else (name(origin.place.path), texts.row(origin.place))


def lines(found: Sequence[Compared], paint: Paint) -> Iterator[str]:
    """The differences for people, recipe by recipe, entry by entry."""
    for each in found:
        if each.error:
            yield f"{paint(each.title, _BOLD)}: {each.error}"
        elif each.differs:
            yield paint(each.title, _BOLD)
            for entry in dict.fromkeys(change.entry for change in each.changes):
                yield f"  {entry}"
                placed = (item for item in zip(each.changes, each.places) if item[0].entry == entry)
                for name, changes in _grouped(placed):
                    yield from (f"    {line}" for line in _name_lines(name, changes, each, paint))


Placed = tuple[Change, Spots]


def _grouped(changes: Iterable[Placed]) -> Iterator[tuple[str, list[Placed]]]:
    groups: dict[str, list[Placed]] = {}
    for change, spots in changes:
        groups.setdefault(_label(change), []).append((change, spots))
    yield from groups.items()


def _name_lines(name: str, changes: list[Placed], each: Compared, paint: Paint) -> Iterator[str]:
    """The changes of one flag: all that show at the defaults, a few of the others."""
    near = [item for item in changes if item[0].at_defaults is not Truth.NO]
    far = [item for item in changes if item[0].at_defaults is Truth.NO]
    shown = far if len(far) <= _FAR + 1 else far[:_FAR]
    for change, spots in (*near, *shown):
        yield _line(change, spots, each, paint)
    if len(shown) < len(far):
        yield f"  {name}: {len(far) - len(shown)} more away from the defaults (--format json has them)"


def _label(change: Change) -> str:
    if change.kind == "environment":
        return f"${change.name}"
    return f"{change.kind} {change.name}".rstrip() if change.kind != "argument" else change.name or "word"


def _line(change: Change, spots: Spots, each: Compared, paint: Paint) -> str:
    told = f"{_sign(change)} {_label(change)}  {_sides(change, paint)}".rstrip()
    return f"{told}{paint(_when(change), _GUARD)}{paint(_places(spots, each), _DIM)}"


def _sign(change: Change) -> str:
    if change.kind in ("undecided", "order") or (change.old is not None and change.new is not None):
        return "~"
    return "-" if change.new is None else "+"


def _sides(change: Change, paint: Paint) -> str:
    if change.kind == "undecided":
        return "the conditions are too complex to compare"
    old, new = (None if side is None else _words(side) for side in (change.old, change.new))
    if change.kind == "order":
        return (
            "another use comes last" if old == new else f"stood before {old or 'none'}, stands before {new or 'none'}"
        )
    if new is None:
        return paint(old or "", _OLD)
    if old is None:
        return paint(new, _NEW)
    return f"{paint(old or '(no value)', _OLD)} → {paint(new or '(no value)', _NEW)}"


def _words(values: tuple[str | None, ...]) -> str:
    return " ".join("none" if value is None else quoted(shortened(value)) for value in values)


def _when(change: Change) -> str:
    unless = change.when.startswith("unless ")
    told = f"   {'' if unless else 'when '}{change.when}" if change.when else ""
    return told + _AT_DEFAULTS[change.at_defaults]


def _places(spots: Spots, each: Compared) -> str:
    """The rows of both sides; the paths too where they are not those of the recipe."""
    pairs = zip(spots, (each.old, each.new))
    told = [f"{'' if spot[0] == title else spot[0]}:{spot[1]}" for spot, title in pairs if spot is not None]
    return f"   {' → '.join(told)}" if told else ""


def summary(found: Sequence[Compared]) -> str:
    """The last line: how many differences in how many recipes, and what could not be compared."""
    changes = sum(len(each.changes) for each in found)
    touched = sum(each.differs for each in found)
    failed = sum(bool(each.error) for each in found)
    told = f"{_count(len(found), 'recipe')} compared: "
    told += f"{_count(changes, 'difference')} in {touched}" if touched or failed else "no launch differs"
    if failed:
        told += f"; {failed} could not be compared"
    assumed = _assumed(found)
    if assumed:
        shown = ", ".join(assumed[:_FAR]) + (", …" if len(assumed) > _FAR else "")
        told += f"; {_count(len(assumed), 'unknown part')} taken for the same: {shown}"
    return told


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _assumed(found: Sequence[Compared]) -> list[str]:
    return list(dict.fromkeys(text for each in found for text in each.assumed))


def document(found: Sequence[Compared]) -> Json:
    """The differences as JSON, version 1; the shape is told in docs/fold-json.md."""
    told = [each for each in found if each.differs or each.error]
    return {
        "schema": SCHEMA,
        "compared": len(found),
        "assumed": _assumed(found),
        "recipes": [
            {
                "old": each.old,
                "new": each.new,
                "error": each.error or None,
                "changes": [_change(*item) for item in zip(each.changes, each.places)],
            }
            for each in told
        ],
    }


def _change(change: Change, spots: Spots) -> Json:
    return {
        "kind": change.kind,
        "entry": change.entry,
        "name": change.name,
        "old": None if change.old is None else list(change.old),
        "new": None if change.new is None else list(change.new),
        "when": change.when or None,
        "at_defaults": _HOLDS[change.at_defaults],
        "old_place": _place(spots[0]),
        "new_place": _place(spots[1]),
    }


def _place(place: Spot | None) -> Json | None:
    return None if place is None else {"path": place[0], "row": place[1]}
