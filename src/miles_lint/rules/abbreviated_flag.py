"""MIL205."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.names import expansions
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL205", "abbreviated-flag", since="0.1.0")
def abbreviated_flag(binding: Binding) -> Iterator[Finding]:
    """A flag is written by an unambiguous beginning of its name.

    ## What it finds
    A prefix of exactly one flag. Megatron's parser is built without abbreviations, so it ends with *unrecognized
    arguments* after the cluster has booted.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--rollout-batch 16 ",
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
            train_args="--rollout-batch-size 16 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the beginning fits several flags or none (MIL201).

    ## Fix safety
    There is no fix.
    """
    for word in binding.unbound:
        if not word.option or binding.contract.allow_abbrev:
            continue
        full = expansions(word.spelled, binding.contract)
        if len(full) == 1:
            message = f"`{word.spelled}` is an abbreviation, which the trainer's parser refuses; write `{full[0]}`"
            yield Finding(word.guard, message, origin_of(word.argument))
