"""MIL407."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.rule import Finding, rule

_OF_MODELS = "MODEL_ARGS_"


@rule("MIL407", "variable-for-another-process", since="0.1.0", severity=Severity.WARNING)
def variable_for_another_process(binding: Binding) -> Iterator[Finding]:
    """A variable is given to the job, but the launching process is the one that reads it.

    ## What it finds
    The variables with which a model definition is adjusted (`MODEL_ARGS_…`) in the environment of the job. The
    launching process reads the definition, before there is a job, so the model stays as it was.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 300 --colocate "
        )
        U.execute_train(
            train_args=train_args,
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            extra_env_vars={"MODEL_ARGS_ROTARY_BASE": "5000000"},
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import os

    import miles.utils.external_utils.command_utils as U


    def execute():
        os.environ["MODEL_ARGS_ROTARY_BASE"] = "5000000"
        train_args = (
            "--num-rollout 300 --colocate "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For all other variables.

    ## Fix safety
    There is no fix: the value must be set at another place.
    """
    for name, variants in binding.launch.environment:
        for variant in variants if name.startswith(_OF_MODELS) else ():
            message = f"the model definition is read before the job runs, so `{name}` in the job's environment is idle"
            yield Finding(variant.guard, message, variant.key_origin)
