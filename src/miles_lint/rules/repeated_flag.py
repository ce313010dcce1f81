"""MIL212."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.names import same_author, same_values
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL212", "repeated-flag", since="0.1.0", severity=Severity.INFO, default_on=False)
def repeated_flag(binding: Binding) -> Iterator[Finding]:
    """A flag is given twice with the same value.

    ## What it finds
    A flag that stands twice among the recipe's own arguments. Harmless, but one of them will be edited alone one
    day.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--colocate --colocate ",
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
    When the uses exclude each other.

    ## Fix safety
    There is no fix.
    """
    for earlier, later in binding.repeats():
        if earlier.flag.action in ("append", "extend") or not same_author(earlier, later):
            continue
        both = earlier.guard & later.guard
        same = both if not earlier.values and not later.values else same_values(earlier, later, both)
        if not same.impossible:
            where = origin_of(earlier.arguments[0])
            notes = ((where, "first given here"),) if where is not None else ()
            message = f"`{later.spelled}` is given twice with the same value"
            yield Finding(same, message, origin_of(later.arguments[0]), notes)
