"""MIL108."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.diagnostic import Severity
from miles_lint.fold.events import Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.surface import Surface


@file_rule("MIL108", "unused-argument-group", since="0.1.0", severity=Severity.WARNING)
def unused_argument_group(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A group of flags is built in the function that launches, and joined nowhere.

    ## What it finds
    A variable that holds flags when the run is launched and that nothing reads. Its flags never reach the run, which
    then works with defaults.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        rollout_args = "--num-rollout 300 --rollout-batch-size 32 "
        eval_args = "--eval-interval 20 --eval-prompt-data aime /data/aime.jsonl "
        U.execute_train(train_args=f"{rollout_args}", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        rollout_args = "--num-rollout 300 --rollout-batch-size 32 "
        eval_args = "--eval-interval 20 --eval-prompt-data aime /data/aime.jsonl "
        U.execute_train(train_args=f"{rollout_args}{eval_args}", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the function or one inside it reads the name anywhere, on whatever branch, when the file uses `locals()` or
    its kind, and for variables of functions that launch nothing.

    ## Fix safety
    There is no fix: where the group belongs, and whether it is wanted, is not known.
    """
    for event in fold.events:
        if event.kind is Kind.UNUSED:
            message = f"the flags in `{event.subject}` are joined to nothing, so the run does not get them"
            yield Finding(event.guard, message, event.origin, reach=event.reach)
