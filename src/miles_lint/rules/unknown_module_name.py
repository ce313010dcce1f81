"""MIL508."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.fold.events import Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import nearest_name
from miles_lint.surface import Surface


@file_rule("MIL508", "unknown-module-name", since="0.1.0")
def unknown_module_name(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A module of the checkout does not have the name that the recipe takes from it.

    ## What it finds
    `module.name`, or `from module import name` where the name is used, when the file of the module binds no such name:
    a helper was renamed, moved or removed and the recipe was left behind. Python raises on the way to the launch.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.exec_command_gpus("nvidia-smi")
        U.execute_train(train_args="--num-rollout 300 ", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.exec_command_gpu("nvidia-smi")
        U.execute_train(train_args="--num-rollout 300 ", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    Inside `try`, for modules with a star import or a `__getattr__`, and for what a patch of the trainer adds. Outside
    a checkout of the trainer only names of the launch helper are told that are a slip away from one it has.

    ## Fix safety
    There is no fix: a name that is alike need not do the same.
    """
    for event in fold.events:
        if event.kind is Kind.MEMBER:
            close = nearest_name(event.subject, event.options)
            remedy = f"; did you mean `{close}`?" if close else ""
            message = f"`{event.owner}` has no `{event.subject}`, so Python raises an exception here{remedy}"
            yield Finding(event.guard, message, event.origin, reach=event.reach)
