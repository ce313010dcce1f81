"""Flags that a recipe means to give and does not, because of how they are written, which other rules tell."""

from __future__ import annotations

import re
from functools import lru_cache

from miles_lint.binding import Binding
from miles_lint.rules.names import nearest
from miles_lint.rules.pieces import fusions, malformed

_FLAG = re.compile(r"--[A-Za-z][\w-]*?(?=--|[^\w-]|$)")


@lru_cache(maxsize=8)
def lost(binding: Binding) -> frozenset[str]:
    """The dests that an unknown or malformed word is meant for: that they keep their defaults is no second mistake."""
    by_name = binding.contract.by_name
    found: set[str] = set()
    for word in binding.unbound:
        spelled = word.argument.text.shown()
        close = nearest(word.spelled, binding.contract) if word.option else None
        names = _FLAG.findall(spelled) if malformed(binding, word.argument) else []
        found.update(by_name[name].dest for name in (*names, close) if name in by_name)
    for fusion in fusions(binding):
        found.update(by_name[name].dest for name in _FLAG.findall(fusion.second) if name in by_name)
    return frozenset(found)
