"""Which names a program binds, and which it reads: told from its text alone, whatever is run."""

from __future__ import annotations

import builtins

from miles_lint.program import nodes as n
from miles_lint.program.walk import children, target_names, walk
from miles_lint.source import Span

_DYNAMIC = frozenset(("locals", "globals", "vars", "exec", "eval"))
_IMPLICIT = frozenset((*dir(builtins), "__file__", "__name__", "__doc__", "__spec__", "__path__", "__class__"))


def implicit(name: str) -> bool:
    """Whether a name is there without being bound: a builtin, or one that every module has."""
    return name in _IMPLICIT


def reaches_behind(block: n.Block) -> bool:
    """Whether code may bind or read names behind its text: star imports, `exec`, `globals()` and their kind."""
    for node in walk(block):
        if isinstance(node, n.ImportFrom) and any(alias.name == "*" for alias in node.aliases):
            return True
        if isinstance(node, n.Name) and node.id in _DYNAMIC:
            return True
    return False


def scopes(block: n.Block) -> tuple[n.Scoped, ...]:
    """Everything in code that has a scope of its own."""
    kinds = (n.FunctionDef, n.ClassDef, n.Lambda, n.Comprehension)
    return tuple(node for node in walk(block) if isinstance(node, kinds))


def within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def declared_global(block: n.Block) -> frozenset[str]:
    """The names that functions in code declare `global`."""
    found = (node for node in walk(block) if isinstance(node, n.Scope) and node.kind == "global")
    return frozenset(name for node in found for name in node.names)


def bound(block: tuple[object, ...], nested: bool = False) -> frozenset[str]:
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
