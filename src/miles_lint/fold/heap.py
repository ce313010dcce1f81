"""Things a program can change: lists, dicts, sets, objects, classes and modules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Unknown, Value
from miles_lint.program import nodes as n

if TYPE_CHECKING:
    from miles_lint.program.outline import Outline
    from miles_lint.program.program import Program


@dataclass(slots=True)
class ListObject:
    """`items` are guarded elements in order; `tail` is an unknown rest, if any.

    `kind` is list, set, tuple or iterator; an element of an iterator is gone once it was read.
    """

    items: list[tuple[Guard, Value]]
    born: Guard
    tail: Unknown | None = None
    kind: str = "list"
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class AnyKey:
    """The key of a write to a dict where it is not known; without a `value` the write may be of many keys."""

    value: Value | None = None


@dataclass(slots=True)
class DictObject:
    """`entries` are guarded writes in order: the last one present for a key wins; deletions have no value.

    `unknown` is set where there may be more: at first, or since a write of an `AnyKey`. `written` is told of
    every write, by the dict of an object's attributes.
    """

    entries: list[tuple[Guard, object, Value | None, Origin | None]]
    born: Guard
    unknown: Unknown | None = None
    origin: Origin | None = None
    written: Callable[[Any, object, Value | None], None] | None = None


@dataclass(slots=True)
class ViewObject:
    """Something that shows what another object holds now: the views of a dict, and `vars(object)`."""

    make: Callable[[Any], ListObject | DictObject]


@dataclass(slots=True)
class Field:
    """One dataclass field. `default` is evaluated at class creation, `factory` at instantiation.

    `passing` is an `InitVar`: it is handed to `__post_init__` and not kept; `keyword` is passed by name alone.
    """

    name: str
    annotation: n.Expr | None
    default: Value | None
    factory: Value | None
    init: bool
    origin: Origin
    frame: object
    metadata: Value | None = None
    passing: bool = False
    keyword: bool = False


@dataclass(eq=False, slots=True)
class ClassObject:
    """`behaves` is what its instances are besides: `enum`, or a `tuple`, `str`, `int`, `list` or `dict`.

    `frozen`, `compares` and `ordered` are what `@dataclass` was asked for; `order` is where names are looked up.
    """

    name: str
    qualified: str
    bases: list[Value]
    names: dict[str, Value]
    fields: dict[str, Field]
    dataclass: bool
    born: Guard
    origin: Origin | None = None
    opaque_base: str = ""
    behaves: tuple[str, ...] = ()
    frozen: bool = False
    compares: bool = True
    ordered: bool = False
    order: list[ClassObject] | None = None


ANY = "*"
"""The name under which a watched object is told that something unknown may have written to any of its fields."""


@dataclass(slots=True)
class InstanceObject:
    """`havoc` is set once something unknown may have written to any of its fields.

    `absent` has the conditions on which a field is not there although it has a value otherwise; `native` marks
    an object of the fold's own, which no foreign call changes; `watch` collects what is written to its fields.
    """

    cls: int
    fields: dict[str, Value]
    born: Guard
    havoc: Unknown | None = None
    opaque: Unknown | None = None
    origin: Origin | None = None
    knobs: bool = False
    absent: dict[str, Guard] = field(default_factory=dict)
    native: bool = False
    watch: list[tuple[Guard, str, Value, Origin | None]] | None = None


@dataclass(slots=True)
class EnvironmentObject:
    """`os.environ`: what was written, over what the caller of the recipe may have set.

    `unknown` is set once a variable whose name is not known may have been written.
    """

    names: dict[str, Value] = field(default_factory=dict)
    written: list[tuple[str, Guard, Value, Origin | None]] = field(default_factory=list)
    unknown: Unknown | None = None


@dataclass(slots=True)
class LazyObject:
    """A generator or another iterator: `drive` calls back with each element in turn and says whether they are known.

    `spent` is the condition on which it was read, `stopped` that on which it was left before its end.
    """

    drive: Callable[[Any, Callable[[Value], None]], bool]
    born: Guard
    spent: Guard
    stopped: Guard
    origin: Origin | None = None


HeapObject = ListObject | DictObject | ClassObject | InstanceObject | EnvironmentObject | LazyObject | ViewObject


@dataclass(slots=True, eq=False)
class Frame:
    """A scope under execution: names, the frame around it, and where jumps collect.

    `turn` takes what a generator yields; `lost` is set when it yields what, or how often, is not known.
    `inline` is the scope of a comprehension.
    """

    module: Module
    names: dict[str, Value]
    outer: Frame | None
    entry: Guard
    qualified: str = ""
    returns: list[tuple[Guard, Value]] = field(default_factory=list)
    breaks: Guard | None = None
    continues: Guard | None = None
    turn: Callable[[Value], None] | None = None
    lost: bool = False
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    class_body: bool = False
    inline: bool = False


@dataclass(eq=False)
class Module:
    """A file being folded. Imported modules run a statement when one of its names is first asked for.

    `path` is what diagnostics print, `file` the absolute path that `__file__` gives. `source` gives the lowered
    file when it is first needed: most imports are never looked into.
    """

    name: str
    path: str
    source: Callable[[], Program | Outline]
    file: str = ""
    package: bool = False
    frame: Frame | None = None
    done: set[object] = field(default_factory=set)
    eager: bool = False
    stars: list[Value] = field(default_factory=list)

    @cached_property
    def program(self) -> Program | Outline:
        return self.source()

    @property
    def binders(self) -> dict[str, tuple[int, ...]]:
        """Every global name to the indices of the top-level statements that may bind it."""
        return self.program.binders


@dataclass(slots=True, eq=False)
class FunctionObject:
    """A function or lambda with the frame it was made in.

    `setter` is that of a property; `fields` are attributes given to the function; `known` are the results that
    a cached one gave: where, for which arguments, and what.
    """

    name: str
    params: tuple[n.Param, ...]
    body: n.Block | n.Expr
    frame: Frame
    defaults: dict[str, Value]
    generator: bool = False
    decorators: tuple[Value, ...] = ()
    qualified: str = ""
    origin: Origin | None = None
    annotations: dict[str, n.Expr] = field(default_factory=dict)
    owner: int | None = None
    setter: FunctionObject | None = None
    fields: dict[str, Value] = field(default_factory=dict)
    known: list[tuple[Guard, Any, Value]] = field(default_factory=list)


CalleeTarget = FunctionObject | Module | Callee
