"""How long a regular expression may search at worst, judged before it is run."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from miles_lint.fold.limits import BUDGET, OverBudget, keep, size

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        from re import _constants, _parser  # type: ignore[attr-defined]
    except ImportError:
        import sre_constants as _constants
        import sre_parse as _parser

SEARCHES = frozenset(("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"))
_MOST = math.log(3e7)
"""The logarithm of the steps that a search may take."""
_REPEATS = {_constants.MAX_REPEAT, _constants.MIN_REPEAT}
_NESTED = {_constants.SUBPATTERN: -1, _constants.ASSERT: 1, _constants.ASSERT_NOT: 1}


def check(pattern: Any, flags: int, given: tuple[Any, ...]) -> None:
    """Raise `OverBudget` where a search for a pattern in the longest of the given texts may take too long."""
    texts = [len(text) for text in given if isinstance(text, (str, bytes))]
    longest = max(texts, default=0)
    keep((longest + 1) * (min(texts, default=0) + 1 if len(texts) > 1 else 1), "regular expression", 10 * BUDGET.text)
    if _steps(pattern, flags, longest) > _MOST:
        raise OverBudget("regular expression")


def function(name: str) -> Callable[..., object]:
    """`re.name`, as far as it is certain to end soon."""
    run = getattr(re, name)

    def search(pattern: Any, *args: Any, **named: Any) -> object:
        given = (*args, *named.values())
        flags = named.get("flags", 0)
        if name in SEARCHES:
            compiled = isinstance(pattern, re.Pattern)
            check(pattern.pattern if compiled else pattern, pattern.flags if compiled else int(flags), given)
        else:
            keep(len(pattern.pattern if isinstance(pattern, re.Pattern) else pattern), "regular expression", 2_000)
        return run(pattern, *args, **named)

    return search


def method(owner: Any, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> object:
    """`owner.name(...)` of a compiled pattern or a match."""
    given = (*args, *named.values())
    if isinstance(owner, re.Match):
        keep(sum(map(size, given)) * (len(owner.string) + 1), "regular expression", 10 * BUDGET.text)
    elif name in SEARCHES:
        check(owner.pattern, owner.flags, given)
    return getattr(owner, name)(*args, **named)


@lru_cache(maxsize=256)
def _steps(pattern: Any, flags: int, length: int) -> float:
    """The logarithm of the steps in which a backtracking search may go through a text, at worst."""
    keep(len(pattern), "regular expression", 2_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parsed = _parser.parse(pattern, flags & ~re.DEBUG)
    ways, repeats = _ways(parsed, length)
    return math.log(length + 1) + ways - math.lgamma(repeats + 2)


def _ways(parsed: Any, length: int) -> tuple[float, int]:
    """The logarithm of the ways to match a sequence, and how many repeats in a row make them."""
    ways, repeats = 0.0, 0
    for op, given in parsed:
        if op in _REPEATS:
            low, high, body = given
            inner, _ = _ways(body, length)
            turns = min(int(high), length // max(1, body.getwidth()[0]))
            spread = max(0, turns - low) + 1
            ways += math.log(spread) + inner * min(turns, length)
            repeats += spread > 2
        elif op is _constants.BRANCH:
            branches = [_ways(branch, length) for branch in given[1]]
            ways += math.log(len(branches)) + max((inner for inner, _ in branches), default=0.0)
            repeats += max((count for _, count in branches), default=0)
        elif op in _NESTED:
            inner, count = _ways(given[_NESTED[op]], length)
            ways, repeats = ways + inner, repeats + count
        elif op is _constants.GROUPREF_EXISTS:
            ways += math.log(2) + sum(_ways(part, length)[0] for part in given[1:] if part is not None)
        elif str(op) in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP"):
            inner, count = _ways(given[-1] if isinstance(given, tuple) else given, length)
            ways, repeats = ways + inner + math.log(length + 1), repeats + count
    return ways, repeats
