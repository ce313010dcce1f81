"""MIL211."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.names import same_author, same_values
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL211", "shadowed-flag", since="0.1.0", severity=Severity.WARNING)
def shadowed_flag(binding: Binding) -> Iterator[Finding]:
    """A flag is given twice with different values.

    ## What it finds
    A flag among the recipe's own arguments that a later use replaces by another value: the first one is dead text.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--save-interval 20 --save-interval 5 ",
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
            train_args="--save-interval 5 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the later use stands on a branch that the earlier does not, when it comes from elsewhere (the model
    definition is overridden, a caller passes extra arguments), and for flags that collect their values.

    ## Fix safety
    There is no fix: which of the two was meant is not known.
    """
    for earlier, later in binding.repeats():
        if not earlier.values or not later.values or earlier.flag.action in ("append", "extend"):
            continue
        if not same_author(earlier, later) or not earlier.guard.implies(later.guard):
            continue
        both = earlier.guard & later.guard
        differ = both - same_values(earlier, later, both)
        where = origin_of(later.arguments[0])
        notes = ((where, "this value wins"),) if where is not None else ()
        message = f"`{earlier.spelled}` is given again later with another value, which wins"
        yield Finding(differ, message, origin_of(earlier.arguments[0]), notes)
