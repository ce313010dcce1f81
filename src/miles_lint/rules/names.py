"""Names of flags: what was meant by one that is not known."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache

from miles_lint.binding import Assignment, Binding
from miles_lint.contract.model import Contract
from miles_lint.domain.guard import Guard
from miles_lint.rules.queries import origin_of, spellings

PREFIXES = ("--sglang-", "--router-", "--eval-sglang-")
_OWNERS = {"sglang": "engine (SGLang)", "router": "router (SGLang)"}
PLUGGED = ("rollout_function_path", "custom_generate_function_path", "eval_function_path")

_OF_SETTINGS = "use-rs tis-level rs-level tis-mode tis-lower-bound tis-upper-bound rs-lower-bound rs-upper-bound"
_FILES = {
    "--custom-config-path": f"{_OF_SETTINGS} rs-veto-threshold tis-batch-normalize rollout-interaction-env-path",
    "--sglang-config": "server-groups worker-type update-weights",
    "--eval-config": "metadata-overrides eval-datasets",
}
KEYS = {f"--{key}": flag for flag, keys in _FILES.items() for key in keys.split()}
"""Keys of configuration files, as they are written when they are taken for flags, and the flag that names the file.

Read in miles at 31f1ca961: its examples of settings, sglang_config.py and eval_config.py.
"""


def described(contract: Contract, spelled: str = "") -> str:
    """The trainer and revision that a contract was read from, as messages name them; the owner's for its options."""
    owner = "router" if spelled.startswith("--router-") else "sglang" if spelled.startswith(PREFIXES) else ""
    revision = dict(contract.owners).get(owner)
    if revision is not None:
        return f"the {_OWNERS[owner]} at {revision}"
    return f"{contract.trainer} at {contract.revision}" if contract.revision else contract.trainer


def expansions(spelled: str, contract: Contract) -> tuple[str, ...]:
    """The flags that a name may abbreviate, one spelling each."""
    found: dict[str, str] = {}
    for name, flag in contract.by_name.items():
        if name.startswith(spelled) and name.startswith("--"):
            found.setdefault(flag.dest, name)
    return tuple(found.values())


def with_prefix(spelled: str, contract: Contract) -> str | None:
    """The known flag that the name is without its family's prefix."""
    for prefix in PREFIXES:
        full = prefix + spelled.removeprefix("--")
        if full in contract.by_name and spelled not in contract.by_name:
            return full
    return None


def nearest(spelled: str, contract: Contract) -> str | None:
    """The known flag that is most like a name: by edit distance, else by shared words."""
    return _nearest(spelled, tuple(contract.by_name))


def _keys(name: str) -> tuple[str, ...]:
    """What a name and one that is like it have in common: a word, or how they begin or end."""
    bare = name.strip("-")
    return (*bare.split("-"), f"{bare[:3]}…", f"…{bare[-3:]}")


@lru_cache(maxsize=8)
def _index(names: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        for key in _keys(name):
            found.setdefault(key, []).append(name)
    return found


@lru_cache(maxsize=1024)
def _nearest(spelled: str, names: tuple[str, ...]) -> str | None:
    index = _index(names)
    alike = tuple(dict.fromkeys(name for key in _keys(spelled) for name in index.get(key, ())))
    close = get_close_matches(spelled, alike, 1, 0.8)
    if close:
        return close[0]
    words = frozenset(spelled.strip("-").split("-"))
    best, best_shared = None, 0.0
    for name in alike:
        others = frozenset(name.strip("-").split("-"))
        shared = len(words & others) / len(words | others)
        if shared > best_shared:
            best, best_shared = name, shared
    return best if best_shared >= 0.5 else None


def open_family(spelled: str, contract: Contract) -> bool:
    """Whether a name belongs to a family that may have flags nobody read, or that the user vouches for."""
    return any(fnmatchcase(spelled, pattern) for pattern in contract.open_patterns)


def plugged_in(binding: Binding) -> bool:
    """Whether a function is named on the command line that may declare flags of its own, which nobody read."""
    for dest in PLUGGED:
        for use in binding.uses(dest):
            paths = {spelled for value in use.values for _, spelled in spellings(value.text, use.guard)}
            if not paths or not all(path in binding.contract.plugged for path in paths):
                return True
    return False


def same_author(earlier: Assignment, later: Assignment) -> bool:
    """Whether two uses were written in one file and function: what another one passes in is meant to override."""
    first, second = origin_of(earlier.arguments[0]), origin_of(later.arguments[0])
    if earlier.model or later.model or first is None or second is None:
        return False
    return first.place.path == second.place.path and first.via == second.via


def same_values(earlier: Assignment, later: Assignment, both: Guard) -> Guard:
    """The condition on which two uses may have the same values: certain to be equal, or not known."""
    if len(earlier.values) != len(later.values):
        return both.space.never
    same = both
    for first, second in zip(earlier.values, later.values):
        differ = both.space.never
        for guard, one in spellings(first.text, both):
            for under, two in spellings(second.text, guard):
                if one != two:
                    differ = differ | under
        same = same - differ
    return same
