"""Which names a program binds, and which it reads: told from its text alone, whatever is run."""

from __future__ import annotations

import builtins
from functools import lru_cache

from miles_lint.program import nodes as n
from miles_lint.program.walk import children, target_names, walk
from miles_lint.source import Span

_DYNAMIC = frozenset(("locals", "globals", "vars", "exec", "eval"))
_IMPLICIT = frozenset((*dir(builtins), "__file__", "__name__", "__doc__", "__spec__", "__path__", "__class__"))


def bound_nowhere(program: n.Program, name: str, place: Span) -> bool:
    """Whether a name that is read at a place is certainly bound in none of its scopes, so that it is a NameError."""
    if name in _IMPLICIT or dynamic(program):
        return False
    if name in _bound(program.body):
        return False
    return not any(name in _bound((scope,), True) for scope in _functions(program) if _within(place, scope.span))


@lru_cache(maxsize=256)
def dynamic(program: n.Program) -> bool:
    """Whether a program may bind or read names behind its text: star imports, `exec`, `globals()` and their kind."""
    for node in walk(program.body):
        if isinstance(node, n.ImportFrom) and any(alias.name == "*" for alias in node.aliases):
            return True
        if isinstance(node, n.Name) and node.id in _DYNAMIC:
            return True
    return False


@lru_cache(maxsize=256)
def _functions(program: n.Program) -> tuple[n.FunctionDef | n.ClassDef | n.Lambda | n.Comprehension, ...]:
    scopes = (n.FunctionDef, n.ClassDef, n.Lambda, n.Comprehension)
    return tuple(node for node in walk(program.body) if isinstance(node, scopes))


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _bound(block: tuple[object, ...], nested: bool = False) -> frozenset[str]:
    """The names that statements bind in their own scope; with `nested` those of the scopes inside too."""
    found: set[str] = set()
    stack: list[object] = [block]
    while stack:
        node = stack.pop()
        found.update(_binds(node))
        if nested or not isinstance(node, (n.FunctionDef, n.ClassDef, n.Lambda)):
            stack.extend(children(node))
    return frozenset(found)


def _binds(node: object) -> tuple[str, ...]:
    if isinstance(node, (n.FunctionDef, n.ClassDef, n.Param)):
        return (node.name,)
    if isinstance(node, n.Assign):
        return tuple(name for target in node.targets for name in target_names(target))
    if isinstance(node, (n.AugAssign, n.AnnAssign, n.For, n.Clause)):
        return tuple(target_names(node.target))
    if isinstance(node, n.Walrus):
        return (node.target,)
    if isinstance(node, n.Import):
        return tuple(alias.asname or alias.name.partition(".")[0] for alias in node.aliases)
    if isinstance(node, n.ImportFrom):
        return tuple(alias.asname or alias.name for alias in node.aliases)
    if isinstance(node, n.With):
        return tuple(name for _, target in node.items if target is not None for name in target_names(target))
    if isinstance(node, (n.Handler, n.Pattern)) and node.name is not None:
        return (node.name,)
    if isinstance(node, n.Scope):
        return node.names
    return ()


def read_names(block: object) -> frozenset[str]:
    """The names that code reads, in its own scope or one inside it; assigning to a name is not reading it."""
    found: set[str] = set()
    stack: list[object] = [block]
    while stack:
        node = stack.pop()
        if isinstance(node, n.Name):
            found.add(node.id)
        elif isinstance(node, n.Assign):
            stack += [node.value, *(target for target in node.targets if not isinstance(target, n.Name))]
        elif isinstance(node, n.AugAssign):
            stack += [node.value, *(() if isinstance(node.target, n.Name) else (node.target,))]
        elif isinstance(node, n.AnnAssign):
            stack += [node.annotation, node.value, *(() if isinstance(node.target, n.Name) else (node.target,))]
        else:
            stack.extend(children(node))
    return frozenset(found)
