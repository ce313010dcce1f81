"""The contract: what one revision of a trainer accepts. Data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Union

UNSTATED = "unstated"


@dataclass(frozen=True, slots=True)
class Site:
    """Where a fact was read: a path relative to its owner's root, and a 1-based row."""

    path: str
    row: int


@dataclass(frozen=True, slots=True)
class Flag:
    """One option of the parser.

    `action` is argparse's word (`store`, `store_true`, `append`, `boolean_optional`, …) or `unknown`.
    `arity` is None (one value), an int, `?`, `*`, `+`, or 0 for flags without a value.
    `type` names the converter (`int`, `float`, `str`, `json.loads`, …), `unknown` when it cannot be told.
    `choices` is None when there are none and `()` is never used; `choices_unknown` says they are computed.
    `default` is a JSON value; `default_known` tells None from not known. `owner` is `miles`, `megatron`,
    `sglang`, `router`, `fsdp`, `dashboard`, or the dotted path of the function that adds it.
    """

    names: tuple[str, ...]
    dest: str
    action: str = "store"
    arity: int | str | None = None
    type: str = "str"
    choices: tuple[object, ...] | None = None
    choices_unknown: bool = False
    default: object = None
    default_known: bool = True
    const: object = None
    required: bool = False
    owner: str = "miles"
    origin: Site | None = None
    deprecated: bool = False

    @property
    def takes_value(self) -> bool:
        return self.action in ("store", "append", "extend", "unknown") and self.arity != 0


@dataclass(frozen=True, slots=True)
class Atom:
    """A test inside a constraint: `op` over operands that are constants or nested `Atom`s.

    `("flag", dest)` reads a flag's value, `("env", name)` a variable of the job, `("unknown", text)` is
    a part that cannot be decided from the launch.
    """

    op: str
    operands: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition that the trainer enforces or silently resolves.

    `when` is the formula under which it acts, as nested Atoms with `and`, `or`, `not`.
    `kind` is `rejects` (assert, raise), `overrides` (it writes `target` over what was given) or `ignores`.
    """

    kind: str
    when: Atom
    origin: Site | None = None
    target: str = ""
    message_origin: Site | None = None


@dataclass(frozen=True, slots=True)
class Selector:
    """A value of `flag` that the dedicated switch `switch` selects too, with the checks that go with it."""

    switch: str
    flag: str
    value: str
    origin: Site | None = None


@dataclass(frozen=True)
class Contract:
    """The flags and constraints of one trainer revision for one backend and driver.

    `open_prefixes` are flag families whose owner was not available: an unknown flag there is no error.
    """

    trainer: str
    revision: str
    backend: str = "megatron"
    driver: str = "train.py"
    flags: tuple[Flag, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    selectors: tuple[Selector, ...] = ()
    open_prefixes: tuple[str, ...] = ()
    allow_abbrev: bool = False
    removed: dict[str, str] = field(default_factory=dict)

    @cached_property
    def by_name(self) -> dict[str, Flag]:
        """Every option string to its flag."""
        return {name: flag for flag in self.flags for name in flag.names}

    @cached_property
    def by_dest(self) -> dict[str, tuple[Flag, ...]]:
        """Every dest to the flags that write it."""
        found: dict[str, tuple[Flag, ...]] = {}
        for flag in self.flags:
            found[flag.dest] = (*found.get(flag.dest, ()), flag)
        return found


Json = Union[None, bool, int, float, str, list["Json"], dict[str, "Json"]]
