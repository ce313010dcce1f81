"""One file as statements, and what is asked of its text as a whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

from miles_lint.program import nodes as n
from miles_lint.program.names import bound, declared_global, implicit, reaches_behind, scopes, within
from miles_lint.program.walk import assigned_names
from miles_lint.source import Span


class Globals(ABC):
    """What can be asked of the names of a file."""

    @property
    @abstractmethod
    def dynamic(self) -> bool:
        """Whether it may bind or read names behind its text: star imports, `exec`, `globals()` and their kind."""

    @abstractmethod
    def binds(self, name: str) -> bool: ...

    @abstractmethod
    def scopes_at(self, place: Span) -> tuple[n.Scoped, ...]: ...

    def bound_nowhere(self, name: str, place: Span) -> bool:
        """Whether a name that is read at a place is certainly bound in none of its scopes: a NameError."""
        if implicit(name) or self.dynamic or self.binds(name):
            return False
        return not any(name in bound((scope,), True) for scope in self.scopes_at(place))


@dataclass(frozen=True, eq=False)
class Program(Globals):
    """One lowered file.

    `mentions` maps an attribute name to the constants it is compared with anywhere in the file; `launches`
    says whether its text names a way to launch.
    """

    path: str
    body: n.Block
    mentions: dict[str, frozenset[object]] = field(default_factory=dict)
    launches: bool = True

    @property
    def empty(self) -> bool:
        return not self.body

    def statement(self, index: int) -> n.Stmt:
        """A top-level statement by its position."""
        return self.body[index]

    def mentioned(self, name: str) -> frozenset[object]:
        """The constants that a name or attribute is compared with anywhere in the file."""
        return self.mentions.get(name, frozenset())

    @cached_property
    def binders(self) -> dict[str, tuple[int, ...]]:
        """Every global name to the positions of the top-level statements that may bind it."""
        found: dict[str, list[int]] = {}
        for index, statement in enumerate(self.body):
            for name in assigned_names((statement,)):
                found.setdefault(name, []).append(index)
        return {name: tuple(indices) for name, indices in found.items()}

    @cached_property
    def dynamic(self) -> bool:
        return reaches_behind(self.body)

    @cached_property
    def _bound(self) -> frozenset[str]:
        return bound(self.body) | declared_global(self.body)

    @cached_property
    def _scopes(self) -> tuple[n.Scoped, ...]:
        return scopes(self.body)

    def binds(self, name: str) -> bool:
        """Whether a global of that name may be bound anywhere in the file."""
        return name in self._bound

    def scopes_at(self, place: Span) -> tuple[n.Scoped, ...]:
        """The functions, classes, lambdas and comprehensions around a place."""
        return tuple(scope for scope in self._scopes if within(place, scope.span))
