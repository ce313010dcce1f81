"""`same_launches` against the truth: pairs of recipes, really run at every assignment of their knobs."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st
from launches import folded, recipe

from miles_lint.domain.truth import Truth
from miles_lint.launch_diff import same_launches

KNOBS = {"a": ("bool", False), "m": ('Literal["x", "y", "z"]', "x"), "n": ("int", 2), "s": ("str", "p")}
PASSED = {"a": (False, True), "m": ("x", "y", "z"), "n": (2, 3, 7), "s": ("p", "q", "other")}
CONDITIONS = (
    *("True", "args.a", "not args.a", 'args.m == "x"', 'args.m in ("y", "z")', 'args.m != "z" and args.a'),
    *("args.n > 2", "args.n == 3", 'args.s == "q"', 'args.s == "q" or args.n == 3'),
)
VALUES = ("", "1", "2", "{args.m}", "{args.n}", "v{args.s}", "{args.n * 2}", "{1 if args.a else 2} 3")
FLAGS = ("--f0", "--f1", "--f2")


@dataclass(frozen=True)
class Item:
    condition: str
    flag: str
    value: str


@dataclass(frozen=True)
class Recipe:
    """A recipe as a list of conditional flags; `style` is the way they are put together."""

    items: tuple[Item, ...]
    style: int
    defaults: tuple[tuple[str, object], ...]

    def body(self) -> str:
        parts = [(item.condition, f'f"{item.flag} {item.value} "') for item in self.items]
        if self.style == 0:
            lines = ['train_args = "--first "']
            for condition, text in parts:
                lines += [f"if {condition}:", f"    train_args += {text}"]
        elif self.style == 1:
            lines = ['parts = ["--first"]']
            for condition, text in parts:
                lines += [f"if {condition}:", f"    parts.append({text})"]
            lines.append('train_args = " ".join(parts)')
        else:
            told = [f'({text} if {condition} else "")' for condition, text in parts]
            lines = [f"train_args = {' + '.join(('chr(32)', *told, repr('--last')))}"]
        return "\n".join(lines)

    def text(self) -> str:
        given = dict(self.defaults)
        return recipe(self.body(), "\n".join(f"{name}: {kind} = {given[name]!r}" for name, (kind, _) in KNOBS.items()))

    def runs(self) -> Iterator[dict[str, list[tuple[str, ...]]]]:
        """What it launches at every assignment: the values of each flag in order."""
        code = compile(self.body(), "<recipe>", "exec")
        for passed in assignments():
            scope: dict[str, object] = {"args": SimpleNamespace(**{**dict(self.defaults), **passed})}
            exec(code, scope)
            yield by_flag(shlex.split(str(scope["train_args"])))


def assignments() -> Iterator[Mapping[str, object]]:
    """What may be passed, nothing first; a knob that is not passed is absent."""
    absent = object()
    for values in product(*((absent, *PASSED[name]) for name in KNOBS)):
        yield {name: value for name, value in zip(KNOBS, values) if value is not absent}


def by_flag(words: list[str]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in words:
        if word.startswith("--"):
            uses = found.setdefault(word, [])
            uses.append(())
        else:
            uses[-1] = (*uses[-1], word)
    return found


def differing(old: Recipe, new: Recipe) -> list[set[str]]:
    """The flags that differ at each assignment: other values, or another use last."""
    found = []
    for one, two in zip(old.runs(), new.runs()):
        flags = {flag for flag in {*one, *two} if flag.startswith("--f") and flag != "--first"}
        found.append(
            {
                flag
                for flag in flags
                if Counter(one.get(flag, [])) != Counter(two.get(flag, [])) or one[flag][-1] != two[flag][-1]
            }
        )
    return found


DEFAULTS = tuple((name, default) for name, (_, default) in KNOBS.items())
items = st.builds(Item, st.sampled_from(CONDITIONS), st.sampled_from(FLAGS), st.sampled_from(VALUES))
recipes = st.builds(Recipe, st.lists(items, min_size=1, max_size=5).map(tuple), st.integers(0, 2), st.just(DEFAULTS))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Recipe, Recipe]:
    """A recipe and the same one written in another style, changed in up to two places."""
    old = draw(recipes)
    changed = list(old.items)
    defaults = dict(old.defaults)
    for _ in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from(("drop", "add", "value", "condition", "swap", "default")))
        index = draw(st.integers(0, max(0, len(changed) - 1)))
        if kind == "default":
            name = draw(st.sampled_from(tuple(KNOBS)))
            defaults[name] = draw(st.sampled_from(PASSED[name]))
        elif kind == "add" or not changed:
            changed.insert(index, draw(items))
        elif kind == "drop":
            del changed[index]
        elif kind == "swap":
            changed[index], changed[-1] = changed[-1], changed[index]
        else:
            pool = VALUES if kind == "value" else CONDITIONS
            changed[index] = replace(changed[index], **{kind: draw(st.sampled_from(pool))})
    return old, Recipe(tuple(changed), draw(st.integers(0, 2)), tuple(defaults.items()))


@settings(max_examples=250, deadline=None)
@given(pairs())
def test_the_flags_that_are_told_are_those_that_differ(pair: tuple[Recipe, Recipe]) -> None:
    old, new = pair
    truth = differing(old, new)
    changes = [c for c in same_launches(folded(old.text()), folded(new.text())) if c.name in FLAGS]
    assert {change.name for change in changes} == set().union(*truth)
    certain = {change.name for change in changes if change.at_defaults is Truth.YES}
    possible = {change.name for change in changes if change.at_defaults is not Truth.NO}
    assert certain <= truth[0] <= possible


@settings(max_examples=100, deadline=None)
@given(recipes, st.integers(0, 2))
def test_another_style_is_no_difference(old: Recipe, style: int) -> None:
    new = replace(old, style=style)
    named = [change for change in same_launches(folded(old.text()), folded(new.text())) if change.name in FLAGS]
    assert not named
