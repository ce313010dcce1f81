"""MIL504."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.diagnostic import Severity
from miles_lint.fold.events import Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import nearest_name
from miles_lint.surface import Surface


@file_rule("MIL504", "knob-outside-domain", since="0.1.0", severity=Severity.WARNING)
def knob_outside_domain(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A knob is compared with a value that its annotation does not list.

    ## What it finds
    `args.mode == "value"`, or a `case` of a `match`, where the `Literal` of the field has no such value: the branch
    never runs. Most often a value was renamed in one of the two places.

    ## Example
    ```python
    from dataclasses import dataclass
    from typing import Literal

    import miles.utils.external_utils.command_utils as U
    import typer


    @dataclass
    class ScriptArgs:
        mode: Literal["normal", "debug_minimal"] = "normal"


    @U.dataclass_cli
    def main(args: ScriptArgs):
        train_args = "--num-rollout 300 "
        if args.mode == "debug-minimal":
            train_args = "--num-rollout 2 "
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Use instead
    ```python
    from dataclasses import dataclass
    from typing import Literal

    import miles.utils.external_utils.command_utils as U
    import typer


    @dataclass
    class ScriptArgs:
        mode: Literal["normal", "debug_minimal"] = "normal"


    @U.dataclass_cli
    def main(args: ScriptArgs):
        train_args = "--num-rollout 300 "
        if args.mode == "debug_minimal":
            train_args = "--num-rollout 2 "
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Stays silent
    Where the recipe may give the field another value itself, for `!=` and for membership in a list, where a value too
    many does no harm, and in files other than the one with the class, which may serve several.

    ## Fix safety
    There is no fix.
    """
    for event in fold.events:
        if event.kind is Kind.DOMAIN:
            close = nearest_name(event.owner, event.options, 0.6)
            remedy = f"; did you mean `{close}`?" if close else f" (it is one of {', '.join(event.options)})"
            message = f"`{event.subject}` is never `{event.owner}`, so this branch never runs{remedy}"
            notes = tuple((origin, "its values are listed here") for origin in event.places)
            yield Finding(event.guard, message, event.origin, notes, reach=event.reach)
