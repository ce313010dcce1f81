"""MIL452."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.rule import Finding, rule


@rule("MIL452", "hand-rolled-submission", since="0.1.0", severity=Severity.INFO, default_on=False)
def hand_rolled_submission(binding: Binding) -> Iterator[Finding]:
    """A recipe submits the run itself instead of calling the launch helper.

    ## What it finds
    A command that runs one of the trainer's drivers. What the launch helper does on the way (the environment of the
    job, quoting of the model arguments, the restart of Ray) has to be kept up by hand.

    ## Example
    ```python
    import subprocess


    def execute():
        subprocess.run("ray job submit -- python3 train.py --colocate --num-rollout 300", shell=True)


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(train_args="--num-rollout 300 ", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    By default: this is a convention of launchers in the trainer's own repository.

    ## Fix safety
    There is no fix.
    """
    launch = binding.launch
    if not launch.keywords:
        yield Finding(
            launch.guard, "this command submits the run by hand; the launch helper has `execute_train` for it"
        )
