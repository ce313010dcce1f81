"""What a binding consists of: uses of flags, words of no flag, words that argparse refuses, unknown parts."""

from __future__ import annotations

from dataclasses import dataclass

from miles_lint.contract.model import Flag
from miles_lint.domain.guard import Guard
from miles_lint.launch import Argument


@dataclass(frozen=True, slots=True)
class Assignment:
    """One use of a flag: the words that wrote it, the values it takes, and the condition it stands under.

    `spelled` is the option string as written; `inline` says that the value follows `=` in the same word.
    `values` are in order, each under its own guard: where the guard of one does not hold the use has fewer.
    A value that differs from path to path is one argument with guarded pieces. `arguments` are the words of the
    argv that wrote the use, its name first; `index` is the position of the name in the argv.
    """

    flag: Flag
    spelled: str
    arguments: tuple[Argument, ...]
    values: tuple[Argument, ...]
    guard: Guard
    index: int
    model: bool
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Unbound:
    """A word that the parser would not take: an option it does not know, or a value that belongs to none.

    `values` are the words behind an unknown option that may be meant for it, each under its own guard.
    """

    argument: Argument
    spelled: str
    guard: Guard
    index: int
    option: bool
    values: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class BindingError:
    """A use of a flag that argparse refuses: `kind` is `missing value`, `extra value` or `ambiguous`.

    `following` is the word that stands where a value was expected; `flag` is None for an ambiguous name.
    """

    kind: str
    flag: Flag | None
    argument: Argument
    guard: Guard
    index: int
    following: Argument | None = None


_OF_MODELS = frozenset(("custom_model_provider_path", "megatron_to_hf_mode"))
"""What definitions of models set beside flags of Megatron (miles scripts/models at 31f1ca961: 2 of 91 flags)."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A part of the argv that may hold any further words, or one option that begins with `prefix`.

    The definition of a model speaks of the model: where it is not known, flags of Megatron may be set,
    but for those of evaluation, and few others.
    """

    index: int
    guard: Guard
    argument: Argument
    prefix: str = ""

    def may_set(self, flag: Flag) -> bool:
        if self.argument.model and flag.dest not in _OF_MODELS:
            if flag.owner != "megatron" or flag.dest.startswith("eval_"):
                return False
        return not self.prefix or any(name.startswith(self.prefix) for name in flag.names)
