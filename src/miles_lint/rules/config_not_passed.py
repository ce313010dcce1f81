"""MIL404."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.diagnostic import Severity
from miles_lint.fold.events import Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.surface import Surface


@file_rule("MIL404", "config-not-passed", since="0.1.0", severity=Severity.WARNING)
def config_not_passed(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A recipe has a configuration for the launch helper and does not pass it on.

    ## What it finds
    An argument class that derives from the launch helper's configuration, and a launch without `config=`. The helper
    then makes a configuration of its own: extra environment variables, the output folder and the core-dump switch
    that the user gives on the command line are dropped in silence.

    ## Example
    ```python
    from dataclasses import dataclass

    import miles.utils.external_utils.command_utils as U
    import typer


    @dataclass
    class ScriptArgs(U.ExecuteTrainConfig):
        num_rollout: int = 300


    @U.dataclass_cli
    def main(args: ScriptArgs):
        U.execute_train(
            train_args=f"--num-rollout {args.num_rollout} ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Use instead
    ```python
    from dataclasses import dataclass

    import miles.utils.external_utils.command_utils as U
    import typer


    @dataclass
    class ScriptArgs(U.ExecuteTrainConfig):
        num_rollout: int = 300


    @U.dataclass_cli
    def main(args: ScriptArgs):
        U.execute_train(
            train_args=f"--num-rollout {args.num_rollout} ",
            config=args,
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Stays silent
    Where there is no such class, and for revisions whose helper takes no `config`.

    ## Fix safety
    There is no fix: which object to pass is not known.
    """
    for event in fold.events:
        if event.kind is Kind.CONFIG:
            message = (
                f"`{event.subject}` is a configuration of the launch helper, but this launch has no `config=`: "
                "its extra environment variables, output folder and core-dump switch are dropped"
            )
            notes = tuple((origin, f"`{event.subject}` is defined here") for origin in event.places)
            yield Finding(event.guard, message, event.origin, notes, reach=event.reach)
