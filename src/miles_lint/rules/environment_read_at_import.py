"""MIL453."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.diagnostic import Severity
from miles_lint.fold.events import Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.surface import Surface


@file_rule("MIL453", "environment-read-at-import", since="0.1.0", severity=Severity.INFO, default_on=False)
def environment_read_at_import(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A recipe reads the environment when it is imported.

    ## What it finds
    `os.environ` at the top of the file or in the default of a field. Whoever imports the recipe, a test or another
    recipe, gets what the environment was then; a function or a `default_factory` reads it when it is needed.

    ## Example
    ```python
    import os

    import miles.utils.external_utils.command_utils as U
    import typer

    MODEL_DIR = os.environ.get("MODEL_DIR", "/models")


    def main():
        U.execute_train(
            train_args=f"--hf-checkpoint {MODEL_DIR}/Qwen3-4B ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Use instead
    ```python
    import os

    import miles.utils.external_utils.command_utils as U
    import typer


    def main():
        model_dir = os.environ.get("MODEL_DIR", "/models")
        U.execute_train(
            train_args=f"--hf-checkpoint {model_dir}/Qwen3-4B ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Stays silent
    By default: this is a convention of launchers in the trainer's own repository.

    ## Fix safety
    There is no fix.
    """
    for event in fold.events:
        if event.kind is Kind.IMPORT_TIME:
            message = f"`{event.subject}` is read when this file is imported; read it where it is needed"
            yield Finding(event.guard, message, event.origin, reach=event.reach)
