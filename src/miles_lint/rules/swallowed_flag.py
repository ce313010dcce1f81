"""MIL104."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL104", "swallowed-flag", since="0.1.0")
def swallowed_flag(binding: Binding) -> Iterator[Finding]:
    """A flag stands where the value of the flag before it should be.

    ## What it finds
    A value that is empty, most often because it is interpolated from a variable that is unset, so that the next flag
    follows at once. The parser then has no value for the first flag and gives up.

    ## Example
    ```python
    import os

    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            f"--wandb-key {os.environ.get('WANDB_API_KEY', '')} "
            "--use-wandb "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import os

    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = "--use-wandb "
        if key := os.environ.get("WANDB_API_KEY"):
            train_args += f"--wandb-key {key} "
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the value may be empty only for values of a knob that nobody is known to pass, and when what stands there is
    not known. A flag without its value at the very end is MIL208.

    ## Fix safety
    There is no fix: what the value should be is not known.
    """
    for error in binding.errors:
        if error.kind != "missing value" or error.following is None or error.argument.model:
            continue
        shown, next_one = error.argument.text.shown(), error.following.text.shown()
        valued = any(
            use.values and origin_of(use.arguments[0]) == origin_of(error.argument)
            for use in binding.uses(error.flag.dest if error.flag is not None else "")
        )
        cause = f"the value of `{shown}` is empty" if valued else f"`{shown}` has no value"
        remedy = "" if next_one.startswith("--") else f"; if it is the value, write `{shown}={next_one}`"
        message = f"{cause}, so `{next_one}` stands in its place and the trainer's parser refuses the command{remedy}"
        origin = origin_of(error.following)
        notes = ((origin, "this follows at once"),) if origin is not None else ()
        yield Finding(error.guard, message, origin_of(error.argument), notes)
