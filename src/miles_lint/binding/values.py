"""What the words given to a flag become: converted as argparse would, or what is still known of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from miles_lint.contract.model import Flag
from miles_lint.domain.guard import Guard
from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Chars, Text

LIMIT = 32
Fragments = tuple["str | None", ...]
"""A string known in part: its known stretches in order, None for each stretch that is not."""


@dataclass(frozen=True, slots=True)
class Partial:
    """A value that is not known: its Python type (None: any, also None itself), its truth, its text if a string."""

    type: type | None = None
    truth: Truth = Truth.MAYBE
    text: Fragments = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A text that argparse refuses: `why` is `type` or `choice`."""

    text: str
    why: str


class Absent:
    """The dest does not exist in the namespace."""

    def __repr__(self) -> str:
        return "<absent>"


def known(value: object) -> bool:
    """Whether a value is plain data in all its parts: no `Partial`, `Rejected` or `ABSENT` in it."""
    if isinstance(value, tuple):
        return all(map(known, value))
    return not isinstance(value, (Partial, Rejected, Absent))


UNKNOWN = Partial()
ABSENT = Absent()
_CONVERTERS: dict[str, tuple[Callable[[str], object], type | None]] = {
    "str": (str, str),
    "int": (int, int),
    "float": (float, float),
    "bool": (bool, bool),
    "json.loads": (json.loads, None),
}


def convert(flag: Flag, text: str) -> object:
    """One word as the value that a flag makes of it: lists as tuples, `Rejected` where argparse exits."""
    value = typed(flag.type, text)
    if isinstance(value, (Partial, Rejected)) or flag.choices is None:
        return value
    return value if value in flag.choices else Rejected(text, "choice")


def typed(name: str, text: str) -> object:
    """A word through the converter of that name; `UNKNOWN` for one of the trainer's own."""
    known = _CONVERTERS.get(name)
    if known is None:
        return UNKNOWN
    try:
        return frozen(known[0](text))
    except (TypeError, ValueError):
        return Rejected(text, "type")


def frozen(value: object) -> object:
    """JSON data with its lists as tuples."""
    if isinstance(value, (list, tuple)):
        return tuple(map(frozen, value))
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    return value


def convert_fragments(flag: Flag, fragments: Fragments) -> object:
    """One word that may have holes as the value that a flag makes of it."""
    if None not in fragments:
        return convert(flag, "".join(part for part in fragments if part is not None))
    known = _CONVERTERS.get(flag.type)
    if known is None or known[1] is None:
        return UNKNOWN
    if known[1] is str:
        return Partial(str, Truth.YES if any(fragments) else Truth.MAYBE, fragments)
    return Partial(known[1])


def alternatives(text: Text, live: Guard) -> list[tuple[Guard, Fragments]] | None:
    """Every string that a text can be under `live`, equal ones joined; None when there are more than `LIMIT`."""
    pieces = text.pieces
    if len(pieces) == 1 and isinstance(pieces[0], Chars) and live.implies(pieces[0].guard):
        return [(live, (pieces[0].text,))]
    found: list[tuple[Guard, Fragments]] = [(live, ())]
    for piece in pieces:
        grown: list[tuple[Guard, Fragments]] = []
        added = piece.text if isinstance(piece, Chars) else None
        for guard, fragments in found:
            inside, outside = guard & piece.guard, guard - piece.guard
            if not inside.impossible:
                grown.append((inside, _extended(fragments, added)))
            if not outside.impossible:
                grown.append((outside, fragments))
        found = _distinct(grown)
        if len(found) > LIMIT:
            return None
    return found


def _extended(fragments: Fragments, added: str | None) -> Fragments:
    if added is not None and fragments and fragments[-1] is not None:
        return (*fragments[:-1], fragments[-1] + added)
    return (*fragments, added)


def _distinct(found: list[tuple[Guard, Fragments]]) -> list[tuple[Guard, Fragments]]:
    guards: dict[Fragments, Guard] = {}
    for guard, fragments in found:
        guards[fragments] = guards[fragments] | guard if fragments in guards else guard
    return [(guard, fragments) for fragments, guard in guards.items()]


def default_of(flags: tuple[Flag, ...]) -> object:
    """What argparse leaves in a dest that no word of the command line writes, given the flags that share it.

    The first flag that has a default decides; a string goes through its converter.
    """
    first = next((flag for flag in flags if not flag.suppressed), None)
    if first is None:
        return ABSENT if flags else UNKNOWN
    if not first.default_known or first.required:
        return UNKNOWN
    if isinstance(first.default, str):
        return typed(first.type, first.default)
    return frozen(first.default)


def stored(flag: Flag, spelled: str) -> object:
    """What a use without words puts into its dest."""
    if flag.action == "store_true":
        return True
    if flag.action == "store_false":
        return False
    if flag.action == "boolean_optional":
        return not spelled.startswith("--no-")
    if flag.action in ("store_const", "append_const"):
        return frozen(flag.const)
    if flag.action == "store" and flag.arity == "?":
        return convert(flag, flag.const) if isinstance(flag.const, str) else frozen(flag.const)
    return UNKNOWN


def gathered(flag: Flag, before: object, value: object) -> object:
    """What a dest holds after a use that adds to what was there, or replaces it."""
    if flag.action == "count":
        return UNKNOWN if isinstance(before, Partial) else (before or 0) + 1  # type: ignore[operator]
    if flag.action not in ("append", "append_const", "extend"):
        return value
    if isinstance(before, Partial) or isinstance(value, (Partial, Rejected)) or not isinstance(before or (), tuple):
        return Partial(tuple, Truth.YES)
    held = before if isinstance(before, tuple) else ()
    if flag.action == "extend":
        return (*held, *value) if isinstance(value, tuple) else UNKNOWN
    return (*held, value)


def of_words(flag: Flag, spelled: str, words: tuple[object, ...]) -> object:
    """The value of one use from its converted words."""
    if flag.action == "unknown" or flag.words == (0, 0):
        return stored(flag, spelled)
    rejected = next((word for word in words if isinstance(word, Rejected)), None)
    if rejected is not None:
        return rejected
    if flag.arity is None:
        return words[0]
    if flag.arity == "?":
        return words[0] if words else stored(flag, spelled)
    return words


def unsure_list(flag: Flag) -> object:
    """The value of a use whose words cannot be counted."""
    listed = flag.action != "unknown" and flag.arity is not None and flag.arity != "?"
    return Partial(tuple, Truth.YES if flag.words[0] else Truth.MAYBE) if listed else UNKNOWN
