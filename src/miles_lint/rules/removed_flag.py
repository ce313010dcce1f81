"""MIL202."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL202", "removed-flag", since="0.1.0")
def removed_flag(binding: Binding) -> Iterator[Finding]:
    """A flag was removed or renamed.

    ## What it finds
    A flag that the trainer, or the engine behind it, once had.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--rollout-num-gpus-per-node 8 ",
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
            train_args="--num-gpus-per-node 8 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the flag still exists.

    ## Fix safety
    There is no fix.
    """
    for word in binding.unbound:
        instead = binding.contract.removed.get(word.spelled) if word.option else None
        if instead is not None:
            message = f"`{word.spelled}` is no longer a flag of the trainer; {instead}"
            yield Finding(word.guard, message, origin_of(word.argument))
