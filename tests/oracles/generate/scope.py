"""Drawing choices, and the names that generated code may use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

BOOL, INT, WORD, FLAGS = "bool", "int", "word", "flags"
MAYBE_INT, MAYBE_WORD, WORDS, INTS, OPTIONS = "maybe_int", "maybe_word", "words", "ints", "options"
FLOAT, MAYBE_FLOAT = "float", "maybe_float"

WORD_POOL = ("alpha", "Qwen3-4B", "m-4layer", "/root/models", "x_y.z", "GLM-4.7-Flash", "b2", "data-16k")
WORD_ENVIRONMENT = ("RUN_TAG", "DATA_DIR")
NUMBER_ENVIRONMENT = ("NUM_PARTS", "SLURM_JOB_NUM_NODES")
SWITCH_ENVIRONMENT = ("ENABLE_EVAL", "MILES_SCRIPT_DEBUG")


class Draws:
    """Choices taken from Hypothesis; each shrinks towards its first alternative."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw
        self._below: dict[int, st.SearchStrategy[int]] = {}

    def below(self, count: int) -> int:
        if count <= 1:
            return 0
        strategy = self._below.get(count)
        if strategy is None:
            strategy = self._below[count] = st.integers(0, count - 1)
        return self._draw(strategy)

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """True in about `percent` of the draws; shrinks to False."""
        return self.below(100) >= 100 - percent

    def some(self, options: Sequence[T], least: int = 0) -> list[T]:
        """A subset in order, at least the first `least`."""
        return [option for index, option in enumerate(options) if index < least or self.below(2)]


@dataclass(frozen=True)
class Name:
    """An expression without operators that code in scope may read; `values` lists what it can be, if few."""

    text: str
    kind: str
    values: tuple[object, ...] = ()
    assignable: bool = False


@dataclass
class Scope:
    """What is visible; a child sees its parent's names, its own are lost with it."""

    names: list[Name] = field(default_factory=list)
    counter: list[int] = field(default_factory=lambda: [0])

    def of(self, *kinds: str) -> list[Name]:
        return [name for name in self.names if name.kind in kinds]

    def child(self) -> Scope:
        return Scope(list(self.names), self.counter)

    def add(self, name: Name) -> Name:
        self.names.append(name)
        return name

    def enclosed(self) -> Scope:
        """What a function inside sees: it can read these names but an assignment would make its own."""
        return Scope([replace(name, assignable=False) for name in self.names], self.counter)

    def fresh(self, stem: str) -> str:
        self.counter[0] += 1
        return f"{stem}_{self.counter[0]}"

    def rebased(self, old: str, new: str) -> Scope:
        """The same names read through another object: `args.` in functions, `self.` in methods."""
        return Scope([replace(name, text=name.text.replace(old, new)) for name in self.names], self.counter)
