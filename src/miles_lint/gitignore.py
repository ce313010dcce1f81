"""Which paths git ignores (gitignore(5)), asked directory by directory while walking down a repository."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_NOTHING = re.compile("(?!)")


@dataclass(frozen=True, slots=True)
class _Rule:
    base: str
    pattern: str
    negated: bool
    directories_only: bool
    anchored: bool

    def fits(self, path: str, directory: bool) -> bool:
        if self.directories_only and not directory:
            return False
        relative = path[len(self.base) + 1 :]
        return (
            re.fullmatch(self.pattern, relative if self.anchored else relative.rpartition("/")[2], re.DOTALL)
            is not None
        )


@dataclass(frozen=True, slots=True)
class Ignores:
    """The ignore rules in force in one directory; outside a repository there are none."""

    rules: tuple[_Rule, ...] = ()
    inside: bool = False
    names: re.Pattern[str] = _NOTHING
    anchored: tuple[_Rule, ...] = ()

    @classmethod
    def of(cls, rules: tuple[_Rule, ...]) -> Ignores:
        """Rules inside a repository; `names` is all those about base names at once, to be asked first."""
        anchored = tuple(rule for rule in rules if rule.anchored)
        names = "|".join(f"(?:{rule.pattern})" for rule in rules if not rule.anchored)
        return cls(rules, True, re.compile(names, re.DOTALL) if names else _NOTHING, anchored)

    def below(self, directory: str) -> Ignores:
        """The rules in force in a subdirectory, which may be the top of another repository."""
        if os.path.exists(os.path.join(directory, ".git")):
            return _of_repository(directory)
        if not self.inside:
            return self
        more = _read(os.path.join(directory, ".gitignore"), directory)
        return Ignores.of((*self.rules, *more)) if more else self

    def ignored(self, path: str, directory: bool) -> bool:
        """Whether the last rule that fits an absolute path ignores it; its parents are not asked."""
        rules = self.rules if self.names.fullmatch(path.rpartition("/")[2]) else self.anchored
        for rule in reversed(rules):
            if rule.fits(path, directory):
                return not rule.negated
        return False


def ignores_at(directory: str) -> Ignores:
    """The rules in force in an absolute directory, read from the top of its repository downwards."""
    above: list[str] = []
    for parent in (Path(directory), *Path(directory).parents):
        if (parent / ".git").exists():
            ignores = _of_repository(str(parent))
            for each in reversed(above):
                ignores = ignores.below(each)
            return ignores
        above.append(str(parent))
    return Ignores()


def _of_repository(top: str) -> Ignores:
    git = os.path.join(top, ".git")
    return Ignores.of(
        (
            *_read(_global_file(), top),
            *_read(os.path.join(git, "info", "exclude"), top),
            *_read(os.path.join(top, ".gitignore"), top),
        )
    )


def _global_file() -> str:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(home, "git", "ignore")


@lru_cache(maxsize=4096)
def _read(file: str, base: str) -> tuple[_Rule, ...]:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as stream:
            return tuple(_rules(stream.read(), base))
    except OSError:
        return ()


def _rules(text: str, base: str) -> Iterator[_Rule]:
    for line in text.removeprefix("\ufeff").split("\n"):
        line = re.sub(r"(?<!\\)((?:\\\\)*) +$", r"\1", line.removesuffix("\r"))
        if not line or line.startswith("#"):
            continue
        negated = line.startswith("!")
        line = line[negated:]
        directories_only = line.endswith("/")
        line = line.rstrip("/") if directories_only else line
        anchored = "/" in line
        pattern = _translate(line.removeprefix("/"))
        if "[" not in line or _compiles(pattern):
            yield _Rule(base, pattern, negated, directories_only, anchored)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _translate(pattern: str) -> str:
    parts: list[str] = []
    index = 0
    while index < len(pattern):
        start = index == 0 or pattern[index - 1] == "/"
        if start and pattern.startswith("**/", index):
            parts.append("(?:.*/)?")
            index += 3
        elif start and pattern[index:] == "**":
            parts.append(".+")
            index += 2
        elif pattern[index] == "*":
            parts.append("[^/]*")
            index += 1
        elif pattern[index] == "?":
            parts.append("[^/]")
            index += 1
        elif pattern[index] == "[" and (match := re.compile(r"\[([!^]?)(\]?[^\]]*)\]").match(pattern, index)):
            body = match[2].replace("\\", "\\\\").replace("[", "\\[")
            body = "\\" + body if body.startswith(("]", "^")) else body
            parts.append(f"(?!/)[{'^' if match[1] else ''}{body}]")
            index = match.end()
        else:
            index += pattern[index] == "\\" and index + 1 < len(pattern)
            parts.append(re.escape(pattern[index]))
            index += 1
    return "".join(parts)
