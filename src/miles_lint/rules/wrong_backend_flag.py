"""MIL203."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.lost import lost
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL203", "wrong-backend-flag", since="0.1.0")
def wrong_backend_flag(binding: Binding) -> Iterator[Finding]:
    """A flag of the other training backend is given.

    ## What it finds
    A flag that only Megatron's parser knows in a launch with `--train-backend fsdp`, or the reverse.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--train-backend fsdp --colocate --num-rollout 9 --recompute-granularity full ",
            num_gpus_per_node=8,
            megatron_model_type=None,
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
            train_args="--train-backend fsdp --colocate --num-rollout 9 --gradient-checkpointing ",
            num_gpus_per_node=8,
            megatron_model_type=None,
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the backend is not known, or its flag is misspelled.

    ## Fix safety
    There is no fix.
    """
    contract = binding.contract
    if "train_backend" in lost(binding):
        return
    for word in binding.unbound:
        if word.option and word.spelled in contract.foreign:
            other = contract.foreign[word.spelled]
            message = (
                f"`{word.spelled}` is a flag of the `{other}` backend; this launch trains with `{contract.backend}`"
            )
            yield Finding(word.guard, message, origin_of(word.argument))
