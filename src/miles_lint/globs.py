"""File patterns as ruff 0.17.6 reads them: a pattern fits a base name anywhere, or a path under its root."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern and the absolute directory that it is relative to; without one it fits base names only."""

    pattern: str
    root: str = ""


def fits(globs: tuple[Glob, ...], path: str) -> bool:
    """Whether any of the patterns fits an absolute path."""
    return matcher(globs)(path)


@lru_cache(maxsize=256)
def matcher(globs: tuple[Glob, ...]) -> Callable[[str], bool]:
    """A function that tells whether any of the patterns fits an absolute path."""
    names = _any([_translate(glob.pattern) for glob in globs if "/" not in glob.pattern])
    paths = _any([_absolute(glob) for glob in globs if glob.root or glob.pattern.startswith("/")])

    def fitting(path: str) -> bool:
        path = path.replace(os.sep, "/")
        return names.fullmatch(path.rpartition("/")[2]) is not None or paths.fullmatch(path) is not None

    return fitting


def _any(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or "(?!)", re.DOTALL)


def _absolute(glob: Glob) -> str:
    pattern, root = glob.pattern.removeprefix("./"), glob.root
    if os.path.isabs(pattern):
        return _translate(pattern.replace(os.sep, "/"))
    while pattern.startswith("../"):
        pattern, root = pattern[3:], os.path.dirname(root)
    return re.escape(root.replace(os.sep, "/").rstrip("/") + "/") + _translate(pattern.rstrip("/"))


def _translate(pattern: str) -> str:
    parts: list[str] = []
    index = depth = 0
    while index < len(pattern):
        char = pattern[index]
        if pattern.startswith("**/", index) and (index == 0 or pattern[index - 1] == "/"):
            parts.append("(?:.*/)?")
            index += 3
            continue
        index += 1
        closing = pattern.find("]", index + 1) if char == "[" else -1
        if closing > 0:
            body = pattern[index:closing].replace("\\", "\\\\").replace("[", "\\[")
            parts.append(f"[{'^' + body[1:] if body[0] in '!^' else body}]")
            index = closing + 1
        elif char == "{":
            depth += 1
            parts.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            parts.append(")")
        elif char == "," and depth:
            parts.append("|")
        else:
            parts.append({"*": ".*", "?": "."}.get(char) or re.escape(char))
    return "".join(parts) + ")" * depth
