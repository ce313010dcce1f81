"""MIL503."""

from __future__ import annotations

import os
from collections.abc import Iterator

from miles_lint.domain.provenance import Origin
from miles_lint.fold.events import Event, Kind
from miles_lint.project import trainer_root
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import nearest_name
from miles_lint.surface import Surface


@file_rule("MIL503", "unknown-knob-field", since="0.1.0")
def unknown_knob_field(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A field is read that the argument class does not have.

    ## What it finds
    `args.name` where neither the class nor one of its bases has that field or method and nothing has set it: Python
    raises `AttributeError` on the way to the launch.

    ## Example
    ```python
    from dataclasses import dataclass

    import miles.utils.external_utils.command_utils as U
    import typer


    @dataclass
    class ScriptArgs:
        num_rollout: int = 300


    @U.dataclass_cli
    def main(args: ScriptArgs):
        U.execute_train(
            train_args=f"--num-rollout {args.num_rollouts} ",
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
    class ScriptArgs:
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

    ## Stays silent
    Where a base class was not found or makes up its attributes, where something unknown may have written to the
    object, inside `try`, and in the code of the trainer itself.

    ## Fix safety
    There is no fix.
    """
    for event in fold.events:
        if event.kind is Kind.ATTRIBUTE and not _inside_trainer(event.origin.place.path):
            yield Finding(event.guard, _message(event), event.origin, _notes(event), reach=event.reach)


def _inside_trainer(path: str) -> bool:
    """Whether a file belongs to the trainer's package, which a recipe or a test may use in pieces."""
    file = os.path.abspath(path)
    found = trainer_root(os.path.dirname(file))
    return found is not None and file.startswith(os.path.join(*found, ""))


def _message(event: Event) -> str:
    close = nearest_name(event.subject, (name for name in event.options if not name.startswith("__")))
    remedy = f"; did you mean `{close}`?" if close else ""
    return f"`{event.owner}` has no `{event.subject}`, so the recipe raises AttributeError here{remedy}"


def _notes(event: Event) -> tuple[tuple[Origin, str], ...]:
    return tuple((origin, f"`{event.owner}` is defined here") for origin in event.places)
