"""The trainer's own words: the message of a check, read from the user's checkout."""

from __future__ import annotations

import ast
import os
from functools import lru_cache

from miles_lint.contract.model import Constraint, Contract, Site


def message_of(contract: Contract, constraint: Constraint) -> str | None:
    """What the trainer says when a constraint refuses, from the checkout at hand; None where there is none."""
    site = constraint.message_origin
    return None if contract.root is None or site is None else message_at(contract.root, site)


def message_at(root: str, site: Site) -> str | None:
    """The message of the `assert` or `raise` at a place below `root`, fields as they are spelled; None for none."""
    path = os.path.join(root, *site.path.split("/"))
    try:
        status = os.stat(path)
    except OSError:
        return None
    return _messages(path, status.st_mtime_ns, status.st_size).get(site.row)


@lru_cache(maxsize=64)
def _messages(path: str, modified: int, size: int) -> dict[int, str]:
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        told: ast.expr | None = None
        if isinstance(node, ast.Assert):
            told = node.msg
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            told = node.exc.args[0]
        text = _text(told) if told is not None else None
        if text is not None and isinstance(node, ast.stmt):
            found[node.lineno] = text
    return found


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_piece(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return None if left is None or right is None else left + right
    return None


def _piece(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return "{" + ast.unparse(part.value) + "}"
    return str(part.value) if isinstance(part, ast.Constant) else ""
