"""MIL208."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL208", "wrong-arity", since="0.1.0")
def wrong_arity(binding: Binding) -> Iterator[Finding]:
    """A flag has fewer or more values than it takes.

    ## What it finds
    A flag that needs a value at the end of the command, or a switch with `=value`. Where another flag follows
    instead of the value, MIL104 says so.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--colocate --rollout-batch-size ",
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
            train_args="--colocate --rollout-batch-size 16 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When what follows is not known.

    ## Fix safety
    There is no fix.
    """
    for error in binding.errors:
        shown = error.argument.text.shown()
        if error.kind == "missing value" and error.following is None:
            message = f"`{shown}` stands without its value at the end of the command"
        elif error.kind == "extra value":
            message = f"`{shown}` gives a value to a switch, which takes none"
        else:
            continue
        yield Finding(error.guard, message, origin_of(error.argument))
