"""MIL105."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Applicability, Severity
from miles_lint.domain.value import Chars
from miles_lint.launch import Argument
from miles_lint.rules.pieces import quote
from miles_lint.rules.rule import Finding, rule

_ONE_CHARACTER = re.compile(r"\[[^\]/]+\]")
_ANYTHING = re.compile(r"[*?]+")
_PATHS = re.compile(r"[^=]*/.*[*?].*|[^=]*[*?].*/.*")


@rule("MIL105", "unquoted-glob", since="0.1.0", severity=Severity.WARNING, fix=Applicability.SAFE)
def unquoted_glob(binding: Binding) -> Iterator[Finding]:
    """A value is a pattern that the shell replaces by the names of files.

    ## What it finds
    A value in brackets, of stars alone, or a path with a star, without quotes around it, in arguments that go through
    a shell. `[0,1,1]` is a pattern for a file whose name is one of these characters: as long as the working folder
    has none the value arrives, and on the day that somebody makes a file called `1` the model has other layers.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--moe-layer-freq [0,1,1,1] --num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--moe-layer-freq '[0,1,1,1]' --num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For quoted values and results of `shlex.quote`, for model definitions, which the launch helper quotes, for lists of
    arguments that no shell sees, and for dotted names with a star such as `decoder.layers.*`, which no file has.

    ## Fix safety
    The fix puts the value in single quotes. It is safe: without a matching file the argv stays as it is.
    """
    if not binding.launch.text.pieces:
        return
    for argument in binding.launch.argv:
        bare = _bare(argument)
        if argument.model or bare is None:
            continue
        shown = argument.text.shown()
        if _ONE_CHARACTER.fullmatch(shown):
            what = "any file whose name is one of its characters"
        elif _ANYTHING.fullmatch(shown):
            what = "the files of the working folder"
        elif _PATHS.fullmatch(shown):
            what = "the files that it matches"
        else:
            continue
        message = f"`{shown}` has no quotes: the shell replaces it by {what}; put it in single quotes"
        yield Finding(argument.guard & bare.guard, message, bare.origin, (), quote(argument))


def _bare(argument: Argument) -> Chars | None:
    """The piece of a word that has a character of a pattern without quotes."""
    for piece in argument.text.pieces:
        if isinstance(piece, Chars) and not piece.quoted and re.search(r"[*?\[]", piece.text):
            return piece
    return None
