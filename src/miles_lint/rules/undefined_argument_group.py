"""MIL109."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.fold.events import Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import nearest_name
from miles_lint.surface import Surface


@file_rule("MIL109", "undefined-argument-group", since="0.1.0")
def undefined_argument_group(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A name that the launch needs is defined nowhere.

    ## What it finds
    A group of flags, or any other name on the way to the launch, that no statement of its scopes binds: Python raises
    `NameError` before anything is submitted.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        rollout_args = "--num-rollout 300 --rollout-batch-size 32 "
        U.execute_train(train_args=f"{rollout_args}{eval_args}", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


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
    When a branch that may not run defines the name, in files with a star import, `exec` or `globals()`, and inside
    `try`.

    ## Fix safety
    There is no fix.
    """
    for event in fold.events:
        if event.kind is Kind.NAME:
            close = nearest_name(event.subject, event.options)
            remedy = f"; did you mean `{close}`?" if close else ""
            message = f"`{event.subject}` is defined nowhere, so the recipe raises NameError here{remedy}"
            yield Finding(event.guard, message, event.origin, reach=event.reach)
