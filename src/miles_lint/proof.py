"""Does a repaired text launch what the fix announced, and nothing else?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from miles_lint.domain.defaults import nearest_to_defaults
from miles_lint.domain.guard import OTHER, Guard, Variable, same
from miles_lint.domain.value import Chars, Text
from miles_lint.launch import Launch

Choice = Mapping[Variable, int]


def words(launch: Launch, choice: Choice) -> tuple[str, ...]:
    """The argv under an assignment of knobs, holes and undecided parts spelled as they print."""
    found = []
    for argument in launch.argv:
        present = argument.guard.restrict(choice)
        if present.impossible:
            continue
        mark = "" if present.certain else "?"
        found.append(mark + _shown(argument.text, choice))
    return tuple(found)


def _shown(text: Text, choice: Choice) -> str:
    shown = []
    for piece in text.pieces:
        present = piece.guard.restrict(choice)
        if present.impossible:
            continue
        mark = "" if present.certain else "?"
        shown.append(mark + (piece.text if isinstance(piece, Chars) else str(piece.unknown)))
    return "".join(shown)


def assignments(launch: Launch, limit: int = 200) -> Iterator[dict[Variable, int]]:
    """The defaults, and every single knob of the launch changed to each of its other values."""
    base = nearest_to_defaults(launch.guard)
    yield base
    count = 1
    for variable in launch.space.variables:
        if variable.opaque:
            continue
        for index in range(len(variable.domain)):
            if index == base.get(variable, variable.default):
                continue
            count += 1
            if count > limit:
                return
            yield {**base, variable: index}


def feasible(guard: Guard, choice: Choice) -> bool:
    return not guard.restrict(choice).impossible


def renamed(choice: Choice, launch: Launch) -> dict[Variable, int]:
    """The same assignment in the space of another fold of the same recipe, by knob names and values."""
    by_name = {variable.name: variable for variable in launch.space.variables if not variable.opaque}
    found: dict[Variable, int] = {}
    for variable, index in choice.items():
        twin = by_name.get(variable.name)
        if twin is None:
            continue
        value = variable.domain[index]
        for position, other in enumerate(twin.domain):
            if (value is OTHER and other is OTHER) or (value is not OTHER and repr(value) == repr(other)):
                found[twin] = position
    return found


def only_replaced(
    before: tuple[Launch, ...], after: tuple[Launch, ...], old: tuple[str, ...], new: tuple[str, ...] | None
) -> bool:
    """Whether two folds launch the same, but for `old`, which is `new` wherever it stood, and did stand somewhere.

    With `new` of None anything may come in place of the first `old`; without `old` nothing may differ. Drivers,
    guards and environments must agree too.
    """
    if len(before) != len(after):
        return False
    changed = False
    for one, two in zip(before, after):
        if one.entry != two.entry or not same(one.guard, two.guard):
            return False
        for choice in assignments(one):
            if not feasible(one.guard, choice):
                continue
            twin = renamed(choice, two)
            was, now = words(one, choice), words(two, twin)
            expected = replace_words(was, old, new) if new is not None else _spliced(was, old, now)
            if now != expected or _outside(one, choice) != _outside(two, twin):
                return False
            changed = changed or was != now
    return changed or not old


def _spliced(was: tuple[str, ...], old: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """`was` with the words that `now` has in place of its first run `old`."""
    width = len(old)
    at = next((i for i in range(len(was) - width + 1) if was[i : i + width] == old), None)
    if at is None:
        return was
    rest = was[at + width :]
    return (*was[:at], *now[at : len(now) - len(rest)], *rest)


def _outside(launch: Launch, choice: Choice) -> tuple[str, ...]:
    values = [launch.train_script, launch.model_type]
    values += [variant.value for _, variants in launch.environment for variant in variants]
    return tuple(_shown(value, choice) if isinstance(value, Text) else type(value).__name__ for value in values)


def replace_words(argv: tuple[str, ...], old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """Every run `old` of an argv replaced by `new`."""
    if not old:
        return argv
    found: list[str] = []
    index = 0
    while index < len(argv):
        if argv[index : index + len(old)] == old:
            found.extend(new)
            index += len(old)
        else:
            found.append(argv[index])
            index += 1
    return tuple(found)
