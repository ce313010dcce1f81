"""The strings of a program according to `ast`, and according to the lowered program, in one comparable form."""

from __future__ import annotations

import ast
import sys
import warnings
from collections import Counter
from collections.abc import Iterator

from miles_lint.program import nodes as n
from miles_lint.program.program import Program
from miles_lint.program.walk import children
from miles_lint.source import Source

Shape = tuple[object, ...]
"""Constant texts and fields `(conversion, spec)` of one string expression, neighbouring texts merged."""

NESTED_PLACES_ARE_RIGHT = sys.version_info >= (3, 12)
_CONVERSIONS = {-1: "", 97: "a", 114: "r", 115: "s"}


def merged(parts: list[object]) -> Shape:
    """Neighbouring texts joined and empty ones dropped."""
    found: list[object] = []
    for part in parts:
        if isinstance(part, str) and found and isinstance(found[-1], str):
            found[-1] += part
        elif part != "":
            found.append(part)
    return tuple(found)


def ast_shape(node: ast.expr) -> Shape:
    if isinstance(node, ast.Constant):
        return merged([node.value])
    assert isinstance(node, ast.JoinedStr)
    parts: list[object] = []
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            spec = ast_shape(value.format_spec) if value.format_spec is not None else ()
            parts.append((_CONVERSIONS[value.conversion], spec))
        else:
            parts += ast_shape(value)
    return merged(parts)


def lowered_shape(node: n.Literal | n.Joined) -> Shape:
    if isinstance(node, n.Literal):
        return merged([run.text for run in node.runs])
    parts: list[object] = []
    for part in node.parts:
        if isinstance(part, n.Formatted):
            parts.append((part.conversion, lowered_shape(part.spec) if part.spec is not None else ()))
        else:
            parts += lowered_shape(part)
    return merged(parts)


def ast_strings(source: Source) -> tuple[dict[tuple[int, int], Shape], Counter[Shape]]:
    """Every string expression by its offsets, and those inside fields of f-strings counted by shape alone.

    Raises SyntaxError or ValueError for text that is not Python.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source.full_text.encode() if _declares(source.text) else source.text)
    placed: dict[tuple[int, int], Shape] = {}
    inside: Counter[Shape] = Counter()
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, nested = stack.pop()
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            if nested:
                inside[ast_shape(node)] += 1
            else:
                placed[offsets(source, node)] = ast_shape(node)
            stack += [(each.value, True) for each in _fields(node)]
        else:
            stack += [(child, nested) for child in ast.iter_child_nodes(node)]
    return placed, inside


def _declares(text: str) -> bool:
    return "coding" in "".join(text.splitlines()[:2])


def _fields(node: ast.expr) -> Iterator[ast.FormattedValue]:
    """The fields of a string, those of its format specifications too."""
    for value in getattr(node, "values", ()):
        if isinstance(value, ast.FormattedValue):
            yield value
            if value.format_spec is not None:
                yield from _fields(value.format_spec)


def offsets(source: Source, node: ast.expr) -> tuple[int, int]:
    """Code-point offsets of a node; `ast` counts columns in UTF-8 bytes."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return _offset(source, node.lineno, node.col_offset), _offset(source, node.end_lineno, node.end_col_offset)


def _offset(source: Source, row: int, column: int) -> int:
    return source.line_starts[row - 1] + len(source.line(row).encode()[:column].decode())


def lowered_strings(program: Program) -> tuple[list[n.Literal | n.Joined], list[n.Literal | n.Joined]]:
    """Every string expression of a lowered program, and those inside fields of f-strings."""
    placed: list[n.Literal | n.Joined] = []
    inside: list[n.Literal | n.Joined] = []
    stack: list[tuple[object, bool]] = [(program.body, False)]
    while stack:
        node, nested = stack.pop()
        if isinstance(node, (n.Literal, n.Joined)):
            (inside if nested else placed).append(node)
            stack += [(each.value, True) for each in lowered_fields(node)]
        else:
            stack += [(child, nested) for child in children(node)]
    return placed, inside


def lowered_fields(node: n.Literal | n.Joined) -> Iterator[n.Formatted]:
    for part in getattr(node, "parts", ()):
        if isinstance(part, n.Formatted):
            yield part
            if part.spec is not None:
                yield from lowered_fields(part.spec)
        else:
            yield from lowered_fields(part)


def literals(node: n.Literal | n.Joined) -> Iterator[n.Literal]:
    """The literal texts of a string expression in order of writing, those of format specifications too."""
    if isinstance(node, n.Literal):
        yield node
        return
    for part in node.parts:
        if not isinstance(part, n.Formatted):
            yield from literals(part)
        elif part.spec is not None:
            yield from literals(part.spec)
