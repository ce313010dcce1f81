"""What a block of statements may write, read off without folding it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from miles_lint.program import nodes as n
from miles_lint.source import Span

_PLAIN = frozenset(
    (
        *("span", "name_span", "id", "op", "kind", "prefix", "conversion", "star", "generator", "asname"),
        *("keyword", "description", "module", "level", "names", "exact", "text"),
    )
)
_LEAVES = (n.Literal, n.Constant, n.Name, n.Opaque, n.Jump, n.Scope, n.Run, n.Alias)
_PARTS: dict[type, tuple[str, ...]] = dict.fromkeys((*_LEAVES, Span), ())


def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a record that can hold records."""
    found = _PARTS.get(kind)
    if found is None:
        found = _PARTS[kind] = tuple(name for name in getattr(kind, "__slots__", ()) if name not in _PLAIN)
    return found


def children(node: Any) -> list[object]:
    """The records directly inside a record or tuple of records."""
    held = node if type(node) is tuple else [getattr(node, name) for name in _parts(type(node))]
    return [part for part in held if part is not None and type(part) is not str]


def walk(node: object) -> Iterator[object]:
    """Every record below a record or block, itself included."""
    stack = [node]
    while stack:
        current = stack.pop()
        if not isinstance(current, tuple):
            yield current
        stack.extend(children(current))


def target_names(target: n.Expr) -> Iterator[str]:
    """The plain names that an assignment target binds."""
    if isinstance(target, n.Name):
        yield target.id
    elif isinstance(target, n.Starred):
        yield from target_names(target.value)
    elif isinstance(target, n.Sequence):
        for element in target.elements:
            yield from target_names(element)


def assigned_names(block: n.Block) -> tuple[str, ...]:
    """Names that a block may bind in its own scope, nested functions and classes left out."""
    known = _ASSIGNED.get(id(block))
    if known is None or known[0] is not block:
        if len(_ASSIGNED) > _REMEMBERED:
            _ASSIGNED.clear()
        known = _ASSIGNED[id(block)] = (block, _assigned(block))
    return known[1]


_REMEMBERED = 20_000
_ASSIGNED: dict[int, tuple[n.Block, tuple[str, ...]]] = {}


def _assigned(block: n.Block) -> tuple[str, ...]:
    found: dict[str, None] = {}
    stack: list[object] = [block]
    while stack:
        node = stack.pop()
        if isinstance(node, (n.FunctionDef, n.ClassDef)):
            found[node.name] = None
            continue
        found.update((name, None) for name in _bound_by(node))
        stack.extend(children(node))
    return tuple(found)


def walk_calls(block: n.Block) -> tuple[str, ...]:
    """Names whose objects a block may change: receivers of calls, of element and attribute writes, and arguments."""
    found: dict[str, None] = {}
    for node in walk(block):
        if isinstance(node, n.Call):
            if isinstance(node.func, n.Attribute) and isinstance(node.func.value, n.Name):
                found[node.func.value.id] = None
            found.update((arg.value.id, None) for arg in node.args if isinstance(arg.value, n.Name))
        elif isinstance(node, (n.Assign, n.AugAssign)):
            targets = node.targets if isinstance(node, n.Assign) else (node.target,)
            for target in targets:
                if isinstance(target, (n.Subscript, n.Attribute)) and isinstance(target.value, n.Name):
                    found[target.value.id] = None
    return tuple(found)


def only_grown(block: n.Block, name: str) -> bool:
    """Whether a block changes a name by `+=` alone."""
    stack: list[object] = [block]
    while stack:
        node = stack.pop()
        if isinstance(node, (n.FunctionDef, n.ClassDef)):
            if node.name == name:
                return False
            continue
        if isinstance(node, n.AugAssign):
            if node.op != "+" and name in target_names(node.target):
                return False
        elif name in _bound_by(node):
            return False
        stack.extend(children(node))
    return True


def _bound_by(node: object) -> tuple[str, ...]:
    """The names that one record binds itself, what is nested in it left out."""
    if isinstance(node, n.Assign):
        return tuple(name for target in node.targets for name in target_names(target))
    if isinstance(node, (n.AugAssign, n.AnnAssign, n.For)):
        return tuple(target_names(node.target))
    if isinstance(node, n.Walrus):
        return (node.target,)
    if isinstance(node, n.Import):
        return tuple(alias.asname or alias.name.partition(".")[0] for alias in node.aliases)
    if isinstance(node, n.ImportFrom):
        return tuple(alias.asname or alias.name for alias in node.aliases)
    if isinstance(node, n.With):
        return tuple(name for _, target in node.items if target is not None for name in target_names(target))
    if isinstance(node, n.Handler) and node.name is not None:
        return (node.name,)
    return ()
