"""What argparse takes one word of an argv for: an option, a value, or, where it is not known, either."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from miles_lint.contract.model import Contract, Flag
from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Chars, Hole, Piece, Text
from miles_lint.launch import Argument

LIMIT = 32
_NEGATIVE = re.compile(r"-\d+$|-\d*\.\d+$")


class Kind(Enum):
    """What a word is to the parser."""

    VALUE = auto()
    OPTION = auto()
    AMBIGUOUS = auto()
    SEPARATOR = auto()
    HOLE = auto()
    PARTIAL = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """One reading of an argument, under `guard`; the readings of one argument exclude each other.

    An OPTION has its `flag` (None: not known to the contract), the option string as `spelled`, and the `value`
    that stands behind `=` in the same word. HOLE begins with something unknown and PARTIAL is an option of which
    only the beginning, `spelled`, is known. `spread` says that the word may turn out to be any number of words.
    """

    kind: Kind
    guard: Guard
    argument: Argument
    spelled: str = ""
    flag: Flag | None = None
    value: Argument | None = None
    spread: bool = False


def words(argument: Argument, contract: Contract) -> tuple[Word, ...]:
    """The readings of an argument as CPython 3.12's argparse would classify it; their guards cover its own."""
    pieces = argument.text.pieces
    if len(pieces) == 1 and isinstance(pieces[0], Chars) and pieces[0].guard is argument.guard:
        text = pieces[0].text
        settled = _settled(argument, 0, argument.guard, "", text, contract)
        return (settled or _whole(argument, argument.guard, text, contract),)
    found: list[Word] = []
    frontier: list[tuple[Guard, str]] = [(argument.guard, "")]
    for index, piece in enumerate(argument.text.pieces):
        grown: list[tuple[Guard, str]] = []
        for guard, prefix in frontier:
            inside, outside = guard & piece.guard, guard - piece.guard
            if not outside.impossible:
                grown.append((outside, prefix))
            if inside.impossible:
                continue
            if isinstance(piece, Hole):
                found.append(_unfinished(argument, index, inside, prefix, contract))
                continue
            settled = _settled(argument, index, inside, prefix, piece.text, contract)
            if settled is None:
                grown.append((inside, prefix + piece.text))
            else:
                found.append(settled)
        if len(grown) > LIMIT:
            found.extend(replace(_read(argument, guard, Kind.PARTIAL, ""), spread=True) for guard, _ in grown)
            return _merged(found, argument)
        frontier = grown
    found.extend(_whole(argument, guard, text, contract) for guard, text in frontier)
    return _merged(found, argument)


def _read(argument: Argument, guard: Guard, kind: Kind, spelled: str, flag: Flag | None = None) -> Word:
    whole = guard is argument.guard
    narrowed = argument if whole else replace(argument, guard=guard, text=argument.text.under(guard))
    return Word(kind, guard, narrowed, spelled, flag)


def _settled(argument: Argument, index: int, guard: Guard, prefix: str, added: str, contract: Contract) -> Word | None:
    """The word, where its beginning tells all: a value, or an option with `=` behind its name."""
    text = prefix + added
    if not text:
        return None
    if not text.startswith("-"):
        return _read(argument, guard, Kind.VALUE, "")
    name, equals, _ = text.partition("=")
    if not equals or name not in contract.by_name or text in contract.by_name:
        return None
    rest = (*_cut(argument.text.pieces[index], len(name) + 1 - len(prefix)), *argument.text.pieces[index + 1 :])
    return _joined(_read(argument, guard, Kind.OPTION, name), contract.by_name[name], rest)


def _joined(word: Word, flag: Flag | None, rest: tuple[Piece, ...]) -> Word:
    value = replace(word.argument, guard=word.guard, text=Text(rest).under(word.guard))
    return replace(word, flag=flag, value=value)


def _cut(piece: Piece, start: int) -> tuple[Piece, ...]:
    if isinstance(piece, Chars):
        return (piece.slice(start, len(piece.text)),) if start < len(piece.text) else ()
    return (piece,)


def _unfinished(argument: Argument, index: int, guard: Guard, prefix: str, contract: Contract) -> Word:
    """A word whose beginning is `prefix` and that goes on with a hole."""
    hole = argument.text.pieces[index]
    following = next((p for p in argument.text.pieces[index + 1 :] if not (p.guard & guard).impossible), None)
    if not prefix:
        dashed = isinstance(following, Chars) and following.text.startswith("-")
        spread = isinstance(hole, Hole) and not hole.quoted and (following is None or dashed)
        return replace(_read(argument, guard, Kind.HOLE, ""), spread=spread)
    name, equals, _ = prefix.partition("=")
    short = not prefix.startswith("--")
    if not equals and " " not in prefix and (short or contract.names_with(prefix)):
        return replace(_read(argument, guard, Kind.PARTIAL, prefix), spread=short)
    found = _option(_read(argument, guard, Kind.OPTION, name), prefix, contract)
    if found.kind is not Kind.OPTION or not equals:
        return found
    return _joined(found, found.flag, tuple(_behind(argument, index, len(name) + 1, guard)))


def _behind(argument: Argument, index: int, skip: int, guard: Guard) -> Iterator[Piece]:
    """The pieces of an argument from its character `skip` on, as they stand under a guard that decides the first."""
    for position, piece in enumerate(argument.text.pieces):
        if position < index and (piece.guard & guard).impossible:
            continue
        if skip and isinstance(piece, Chars):
            taken = min(skip, len(piece.text))
            skip -= taken
            yield from _cut(piece, taken)
        else:
            yield piece


def _whole(argument: Argument, guard: Guard, text: str, contract: Contract) -> Word:
    if text == "--":
        return _read(argument, guard, Kind.SEPARATOR, text)
    if not text.startswith("-"):
        return _read(argument, guard, Kind.VALUE, "")
    flag = contract.by_name.get(text)
    if flag is not None:
        return _read(argument, guard, Kind.OPTION, text, flag)
    if text == "-":
        return _read(argument, guard, Kind.VALUE, "")
    found = _option(_read(argument, guard, Kind.OPTION, text.partition("=")[0]), text, contract)
    if found.kind is not Kind.OPTION or "=" not in text:
        return found
    return _joined(found, found.flag, tuple(_behind(argument, len(argument.text.pieces), text.index("=") + 1, guard)))


def _option(word: Word, text: str, contract: Contract) -> Word:
    """A word with a dash that is no option string: an abbreviation, a number, a text with blanks, or unknown."""
    if text.startswith("--"):
        candidates = contract.names_with(text.partition("=")[0]) if contract.allow_abbrev else ()
        if len(candidates) > 1:
            return replace(word, kind=Kind.AMBIGUOUS)
        if candidates:
            return replace(word, flag=contract.by_name[candidates[0]])
    elif contract.names_with(text[:2]) or contract.names_with(text):
        return replace(word, kind=Kind.PARTIAL, spelled=text)
    elif _NEGATIVE.match(text) and not any(map(_NEGATIVE.match, contract.short_names)):
        return replace(word, kind=Kind.VALUE, spelled="")
    return replace(word, kind=Kind.VALUE, spelled="") if " " in text else word


def _merged(found: list[Word], argument: Argument) -> tuple[Word, ...]:
    """Readings that say the same are one, its value piecewise what each of them said."""
    merged: dict[tuple[object, ...], Word] = {}
    for word in found:
        key = (word.kind, word.spelled, id(word.flag), word.value is None, word.spread)
        known = merged.get(key)
        if known is None:
            merged[key] = word
            continue
        value = joined(known.value, word.value) if known.value is not None and word.value is not None else None
        whole = _read(argument, known.guard | word.guard, known.kind, known.spelled)
        merged[key] = replace(known, guard=whole.guard, argument=whole.argument, value=value)
    return tuple(merged.values())


def joined(first: Argument, second: Argument) -> Argument:
    """One argument for two that exclude each other: each text where it is present."""
    text = Text(first.text.under(first.guard).pieces + second.text.under(second.guard).pieces)
    return replace(first, guard=first.guard | second.guard, text=text)
