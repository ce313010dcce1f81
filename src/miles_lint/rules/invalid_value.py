"""MIL207."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding, rejections
from miles_lint.rules.pieces import malformed
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule

_KINDS = {"int": "a whole number", "float": "a number"}


@rule("MIL207", "invalid-value", since="0.1.0")
def invalid_value(binding: Binding) -> Iterator[Finding]:
    """A value cannot be converted to the type of its flag.

    ## What it finds
    A value that the parser refuses because the flag takes a number.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--rollout-batch-size 16k ",
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
            train_args="--rollout-batch-size 16384 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the value is not known or `None` (MIL502), or the flag has a converter of its own.

    ## Fix safety
    There is no fix.
    """
    for use in binding.assignments:
        kind = _KINDS.get(use.flag.type)
        if kind is None:
            continue
        for guard, value, refused in rejections(use):
            if refused.why == "type" and not malformed(binding, value):
                message = f"`{use.spelled}` takes {kind}, not `{refused.text}`"
                yield Finding(guard, message, origin_of(value))
