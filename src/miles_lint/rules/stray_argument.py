"""MIL210."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.pieces import malformed
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule

_EXPANDED = re.compile(r"[$`]")


@rule("MIL210", "stray-argument", since="0.1.0")
def stray_argument(binding: Binding) -> Iterator[Finding]:
    """A word belongs to no flag.

    ## What it finds
    A word of the argv that no flag takes as its value: a second value for a flag with one, or a value for a switch.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--colocate true ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--colocate ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When it stands behind an unknown flag or a word that another rule tells of, whose value it may be, or is something
    that the shell puts another text for.

    ## Fix safety
    There is no fix.
    """
    argv = binding.launch.argv
    for word in binding.unbound:
        if word.option or word.argument.model or malformed(binding, word.argument):
            continue
        if word.index and malformed(binding, argv[word.index - 1]):
            continue
        if not _EXPANDED.search(word.spelled):
            message = f"`{word.spelled}` belongs to no flag; the trainer's parser takes no such argument"
            yield Finding(word.guard, message, origin_of(word.argument))
