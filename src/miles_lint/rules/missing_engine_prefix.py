"""MIL204."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.names import with_prefix
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL204", "missing-engine-prefix", since="0.1.0")
def missing_engine_prefix(binding: Binding) -> Iterator[Finding]:
    """An engine option is given without the prefix under which the trainer passes it on.

    ## What it finds
    A flag that no parser of the trainer knows, although the same name with `--sglang-` (or `--router-`) in front is
    known.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--mem-fraction-static 0.8 ",
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
            train_args="--sglang-mem-fraction-static 0.8 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the plain name is a flag of the trainer too.

    ## Fix safety
    There is no fix.
    """
    for word in binding.unbound:
        full = with_prefix(word.spelled, binding.contract) if word.option else None
        if full is not None:
            message = f"`{word.spelled}` is an option of the engine; the trainer passes it on as `{full}`"
            yield Finding(word.guard, message, origin_of(word.argument))
