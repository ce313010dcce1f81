"""Names that may have been meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_name(name: str, known: Iterable[str], cutoff: float = 0.75) -> str | None:
    """The known name most like another, one that differs in case alone first; None when none is alike."""
    names = tuple(known)
    same = next((other for other in names if other.casefold() == name.casefold()), None)
    if same is not None:
        return same
    close = get_close_matches(name, names, 1, cutoff)
    return close[0] if close else None


def one_slip(name: str, known: str) -> bool:
    """Whether a name is another with one character left out, added, exchanged or swapped with its neighbour."""
    short, long = sorted((name, known), key=len)
    if name == known or len(long) - len(short) > 1:
        return False
    first = next((i for i, (a, b) in enumerate(zip(short, long)) if a != b), len(short))
    if len(short) < len(long):
        return short[first:] == long[first + 1 :]
    swapped = short[first : first + 2] == long[first : first + 2][::-1] and short[first + 2 :] == long[first + 2 :]
    return swapped or short[first + 1 :] == long[first + 1 :]
