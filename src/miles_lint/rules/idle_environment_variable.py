"""MIL454."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.diagnostic import Severity
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.unread_environment_variable import variables
from miles_lint.rules.variables import GONE
from miles_lint.surface import Surface


@file_rule("MIL454", "idle-environment-variable", since="0.1.0", severity=Severity.INFO, default_on=False)
def idle_environment_variable(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """The job gets an environment variable that asks for what happens anyway.

    ## What it finds
    A variable that nothing reads any more because what it switched on has become the default. It does no harm; it
    misleads whoever reads the recipe.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            extra_env_vars={"MILES_EXPERIMENTAL_ROLLOUT_REFACTOR": "1"},
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    By default, because it does no harm, and where the checkout at hand still names the variable.

    ## Fix safety
    There is no fix.
    """
    for launch in fold.launches:
        for name, guard, origin in variables(launch):
            gone = GONE.get(name)
            if gone is not None and gone.idle and not surface.reads(name):
                message = f"`{name}` is read by nothing since {gone.since}: {gone.now}"
                yield Finding(guard, message, origin, reach=launch.guard)
