"""The contract: what one revision of a trainer accepts. Data only."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Union

UNSTATED = "unstated"


@dataclass(frozen=True, slots=True)
class Site:
    """Where a fact was read: a path relative to its owner's root, and a 1-based row."""

    path: str
    row: int


UNLIMITED = 1 << 30
_SWITCHES = frozenset(
    ("store_true", "store_false", "store_const", "append_const", "count", "boolean_optional", "help", "version")
)


@dataclass(frozen=True, slots=True)
class Flag:
    """One option of the parser.

    `action` is argparse's word (`store`, `store_true`, `append`, `boolean_optional`, …) or `unknown`.
    `arity` is None (one value), an int, `?`, `*`, `+`, or 0 for flags without a value.
    `type` names the converter (`int`, `float`, `str`, `json.loads`, …), `unknown` when it cannot be told.
    `choices` is None when there are none and `()` is never used; `choices_unknown` says they are computed.
    `default` is a JSON value as the parser was told it (argparse converts a string by `type`); `default_known`
    tells None from not known, and `suppressed` that the dest does not exist unless the flag is given.
    `names` holds the `--no-…` forms too. `owner` is `miles`, `megatron`, `sglang`, `router`, `fsdp`, `dashboard`,
    or the dotted path of the function that adds it. `replacement` is the flag to use in place of a deprecated one.
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
    suppressed: bool = False
    replacement: str = ""

    @property
    def takes_value(self) -> bool:
        return self.words[1] > 0

    @property
    def words(self) -> tuple[int, int]:
        """The fewest and the most words that a use takes as its values."""
        if self.action in _SWITCHES:
            return 0, 0
        if self.arity is None:
            return 1, 1
        if isinstance(self.arity, int):
            return self.arity, self.arity
        return {"?": (0, 1), "*": (0, UNLIMITED), "+": (1, UNLIMITED)}.get(self.arity, (0, UNLIMITED))


@dataclass(frozen=True, slots=True)
class Atom:
    """A part of a constraint: `op` over operands that are constants, tuples of them, or nested `Atom`s.

    | op | operands | value |
    |---|---|---|
    | `flag` | dest | what argparse leaves there; unknown where the parser has no such dest |
    | `env` | name | a variable of the job's environment, None where it is certainly unset |
    | `driver` | | file name of the train script |
    | `unknown` | text | what no launch tells: files, the model's configuration, GPUs |
    | `const` | constant | the constant itself |
    | `and`, `or` | any number | a truth; none at all is true for `and`, false for `or` |
    | `not`, `truth`, `len` | one | |
    | `==` `!=` `<` `<=` `>` `>=` `in` `not in` `is` `is not` | two | |
    | `+` `-` `*` `/` `//` `%` `**` | two | |
    | `index` | sequence, key | |
    | `attribute` | value, name | never known |
    | `call` | name of a pure builtin or string method, arguments | |

    Lists are tuples. Where Python would raise, and for any other `op`, the value is unknown. `and` and `or` are
    decided as soon as one operand decides them, whatever the others are.
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


@dataclass(frozen=True, eq=False)
class Contract:
    """The flags and constraints of one trainer revision for one backend and driver.

    `open_prefixes` are flag families whose owner was not available: an unknown flag there is no error.
    `removed` tells of option strings that are gone what to use instead, in words. `owners` are the revisions
    that were read of the packages whose options the trainer takes over, by owner. `foreign` maps option strings
    that only other backends know to one of those backends; `extra_flags` are patterns that the user vouches
    for. `plugged` are dotted paths of functions whose own flags, if any, are among `flags`. `root` is the checkout
    whose files origins of the trainer name, where it is at hand and is what was read.
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
    owners: tuple[tuple[str, str], ...] = ()
    foreign: dict[str, str] = field(default_factory=dict)
    extra_flags: tuple[str, ...] = ()
    plugged: Set[str] = frozenset()
    root: str | None = field(default=None, compare=False)

    @cached_property
    def open_patterns(self) -> tuple[str, ...]:
        """Patterns of option strings of which an unknown one is no mistake."""
        return (*(f"{prefix}*" for prefix in self.open_prefixes), *self.extra_flags)

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

    @cached_property
    def _sorted_names(self) -> list[str]:
        return sorted(self.by_name)

    @cached_property
    def short_names(self) -> tuple[str, ...]:
        """The option strings with one dash."""
        return tuple(name for name in self.by_name if not name.startswith("--"))

    def names_with(self, prefix: str) -> tuple[str, ...]:
        """The option strings that begin with `prefix`, sorted."""
        names = self._sorted_names
        start = stop = bisect_left(names, prefix)
        while stop < len(names) and names[stop].startswith(prefix):
            stop += 1
        return tuple(names[start:stop])


Json = Union[None, bool, int, float, str, list["Json"], dict[str, "Json"]]
