"""Rule selectors: codes, prefixes and names; the most specific selector wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

_FORM = re.compile(r"[A-Z]+[0-9]*")
OWN_PREFIX = "MIL"
_OWN = re.compile(r"MIL[0-9]*")
_EXACT = 1_000


class UnknownSelector(ValueError):
    """A selector that is malformed, or starts like one of ours and fits no rule; `hint` may name the nearest."""

    def __init__(self, selector: str, hint: str) -> None:
        super().__init__(f"Unknown rule selector `{selector}`")
        self.hint = hint


class RuleLike(Protocol):
    """What selection needs to know of a rule."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def default_on(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Named:
    """What is known of a rule without loading it."""

    code: str
    name: str
    default_on: bool


@lru_cache(maxsize=1)
def known() -> tuple[Named, ...]:
    """Every rule, from the list that `python -m miles_lint.docs` writes; the rules themselves take long to load."""
    import json

    listed = (Path(__file__).parent / "data" / "rules.json").read_text(encoding="utf-8")
    return tuple(Named(**entry) for entry in json.loads(listed))


@dataclass(frozen=True, slots=True)
class Selection:
    """The selectors of one layer (a file, or the command line); `select` of None leaves weaker layers' choice."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fixable: tuple[str, ...] | None = None
    extend_fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()


def matches(selector: str, rules: Iterable[RuleLike]) -> frozenset[str]:
    """The codes that a selector means: `ALL`, a prefix, a code, or a rule's name.

    A well-formed selector of another tool (`I001`) means none. Raises `UnknownSelector` otherwise.
    """
    known = {rule.code: rule.name for rule in rules}
    if selector == "ALL":
        return frozenset(known)
    found = frozenset(code for code, name in known.items() if name == selector or code.startswith(selector))
    if _OWN.fullmatch(selector) and found:
        return found
    if _FORM.fullmatch(selector) and not _OWN.fullmatch(selector):
        return frozenset()
    if found and selector in known.values():
        return found
    raise UnknownSelector(selector, _hint(selector, known))


def _hint(selector: str, known: Mapping[str, str]) -> str:
    """The code that it would be in capitals, or the nearest name."""
    from difflib import get_close_matches

    code = selector.strip().upper()
    close = [code] if code in known else get_close_matches(selector, known.values(), 1)
    return f"; did you mean `{close[0]}`?" if close else ""


def enabled(layers: Iterable[Selection], rules: Sequence[RuleLike]) -> frozenset[str]:
    """The codes that are on: those on by default, changed by each layer in turn, strongest last."""
    defaults = {rule.code for rule in rules if rule.default_on}
    triples = ((layer.select, layer.extend_select, layer.ignore) for layer in layers)
    return _resolve(defaults, triples, rules)


def fixable(layers: Iterable[Selection], rules: Sequence[RuleLike]) -> frozenset[str]:
    """The codes whose fixes are offered: all of them, changed by each layer in turn."""
    triples = ((layer.fixable, layer.extend_fixable, layer.unfixable) for layer in layers)
    return _resolve({rule.code for rule in rules}, triples, rules)


_Layer = tuple["tuple[str, ...] | None", tuple[str, ...], tuple[str, ...]]


def _resolve(chosen: set[str], layers: Iterable[_Layer], rules: Sequence[RuleLike]) -> frozenset[str]:
    carried: tuple[str, ...] = ()
    for select, extend, ignore in layers:
        wanted = [(selector, True) for selector in (*(select or ()), *extend)]
        unwanted = [(selector, False) for selector in (*ignore, *carried)]
        updates: dict[str, bool] = {}
        for selector, on in sorted((*wanted, *unwanted), key=lambda each: _specificity(each[0], rules)):
            updates.update(dict.fromkeys(matches(selector, rules), on))
        if select is None:
            chosen = {code for code in chosen | set(updates) if updates.get(code, True)}
            carried = ()
        else:
            chosen = {code for code, on in updates.items() if on}
            carried = ignore if not select and not extend else ()
    return frozenset(chosen)


def _specificity(selector: str, rules: Sequence[RuleLike]) -> int:
    if selector == "ALL":
        return 0
    exact = any(selector in (rule.code, rule.name) for rule in rules)
    return _EXACT if exact else len(selector)
