"""Python files of a git repository at two revisions, beside each other in folders of their own."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory


class GitError(Exception):
    """What git says when it cannot do what was asked."""


@dataclass(frozen=True)
class Trees:
    """The roots of two trees. `changed` are Python files that differ between them, by their paths in the repository.

    `renamed` maps the path of a file in the second tree to its path in the first. `came_or_went` are files
    that only one tree has.
    """

    before: str
    after: str
    changed: frozenset[str]
    renamed: Mapping[str, str]
    came_or_went: frozenset[str]


def top_level(folder: str) -> str:
    """The root of the repository around a folder. Raises `GitError`."""
    return os.path.realpath(_git(folder, "rev-parse", "--show-toplevel").decode().rstrip("\n"))


@contextmanager
def checked_out(root: str, before: str, after: str | None) -> Iterator[Trees]:
    """The trees of two revisions, or of one and the working files. Raises `GitError`."""
    old = _commit(root, before)
    new = None if after is None else _commit(root, after)
    with TemporaryDirectory(prefix="miles-lint-") as folder:
        folder = os.path.realpath(folder)
        one, two = os.path.join(folder, "before"), os.path.join(folder, "after")
        _extract(root, old, one)
        if new is not None:
            _extract(root, new, two)
        changed, renamed, came_or_went = _changes(root, old, new)
        yield Trees(one, root if new is None else two, changed, renamed, came_or_went)


def _commit(root: str, revision: str) -> str:
    try:
        return (
            _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
            .decode()
            .strip()
        )
    except GitError:
        raise GitError(f"no revision '{revision}'") from None


def _extract(root: str, revision: str, folder: str) -> None:
    """Write the Python files of a revision as they are stored; links are left out."""
    os.makedirs(folder)
    names: list[str] = []
    objects: list[str] = []
    for entry in _fields(_git(root, "ls-tree", "-r", "-z", "--full-tree", revision)):
        about, _, name = entry.partition("\t")
        mode, kind, stored = about.split()
        if kind == "blob" and mode.startswith("100") and name.endswith(".py"):
            names.append(name)
            objects.append(stored)
    answers = io.BytesIO(_git(root, "cat-file", "--batch", given="".join(f"{each}\n" for each in objects).encode()))
    for name in names:
        size = answers.readline().split()[-1]
        if not size.isdigit():
            raise GitError(f"'{name}' cannot be read at {revision}")
        content = answers.read(int(size))
        answers.read(1)
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)


def _changes(root: str, old: str, new: str | None) -> tuple[frozenset[str], Mapping[str, str], frozenset[str]]:
    given = ["diff", "--name-status", "-M", "-z", old, *([new] if new is not None else []), "--", ":(glob)**/*.py"]
    fields = iter(_fields(_git(root, *given)))
    changed: set[str] = set()
    renamed: dict[str, str] = {}
    came_or_went: set[str] = set()
    for status in fields:
        path = next(fields)
        changed.add(path)
        if status[0] in "RC":
            other = next(fields)
            changed.add(other)
            came_or_went.update((path, other))
            if status[0] == "R":
                renamed[other] = path
        elif status[0] in "AD":
            came_or_went.add(path)
    if new is None:
        listed = _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", ":(glob)**/*.py")
        untracked = set(_fields(listed))
        changed |= untracked
        came_or_went |= untracked
    return frozenset(changed), renamed, frozenset(came_or_went)


def _fields(output: bytes) -> list[str]:
    """The parts of an output of git that end with a null byte."""
    return [os.fsdecode(field) for field in output.split(b"\0") if field]


def _git(folder: str, *arguments: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(("git", "-C", folder, *arguments), input=given, capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror}") from None
    if done.returncode:
        raise GitError(done.stderr.decode("utf-8", "replace").strip() or f"git {arguments[0]} failed")
    return done.stdout
