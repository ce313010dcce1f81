"""Functions of a checkout that a launch may name: looked up in its files when one is asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache

from miles_lint.contract.model import Contract

_HOOK = "add_arguments"


class InTree(Set[str]):
    """The dotted paths of functions below `root` whose own flags, if any, are among those of a contract.

    A module without the hook by which a function adds flags has none; one with it must be one that was read.
    """

    def __init__(self, root: str, contract: Contract) -> None:
        self.root = root
        self.known = contract.plugged
        self.read = frozenset(flag.owner.rpartition(".")[0] for flag in contract.flags)

    @classmethod
    def _from_iterable(cls, paths: Iterable[str]) -> frozenset[str]:  # type: ignore[override]
        return frozenset(paths)

    def __contains__(self, path: object) -> bool:
        module, _, name = str(path).rpartition(".")
        text = _text(self.root, module) if module else None
        if text is None:
            return False
        defined = re.search(rf"^(?:async def|def|class) {re.escape(name)}\b(\(.)?", text, re.MULTILINE)
        if defined is None:
            return False
        plain = _HOOK not in text and not (defined.group(0).startswith("class") and defined.group(1))
        return plain or (path in self.known and (_HOOK not in text or module in self.read))

    def __ge__(self, paths: Set[object]) -> bool:
        return all(path in self for path in paths)

    def __iter__(self) -> Iterator[str]:
        return (path for path in self.known if path in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def forget() -> None:
    """Look at the files anew."""
    _text.cache_clear()


@lru_cache(maxsize=64)
def _text(root: str, module: str) -> str | None:
    base = os.path.join(root, *module.split("."))
    for path in (f"{base}.py", os.path.join(base, "__init__.py")):
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeDecodeError):
            continue
    return None
