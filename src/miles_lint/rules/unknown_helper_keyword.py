"""MIL506."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.domain.provenance import Origin
from miles_lint.fold.events import Event, Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import nearest_name
from miles_lint.surface import Surface


@file_rule("MIL506", "unknown-helper-keyword", since="0.1.0")
def unknown_helper_keyword(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A call passes a keyword that the function does not take, or leaves out one that it needs.

    ## What it finds
    Calls of the launch helper, of functions of the recipe and of its argument classes that Python refuses with a
    `TypeError`. The signature is read from the same checkout: when a helper loses a parameter, every recipe that
    still passes it fails on the way in.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def run(train_args, num_gpus=8):
        U.execute_train(train_args=train_args, num_gpus_per_node=num_gpus, megatron_model_type="qwen3-4B")


    def execute():
        run("--num-rollout 300 ", gpus=4)


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def run(train_args, num_gpus=8):
        U.execute_train(train_args=train_args, num_gpus_per_node=num_gpus, megatron_model_type="qwen3-4B")


    def execute():
        run("--num-rollout 300 ", num_gpus=4)


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For functions that were not found, for decorated ones whose decorator is not understood, where a splat is not
    known, and for the launch helper outside a checkout of the trainer.

    ## Fix safety
    There is no fix: dropping the keyword and renaming it are different repairs.
    """
    for event in fold.events:
        if event.kind in (Kind.KEYWORD, Kind.ARGUMENT):
            yield Finding(event.guard, _message(event), event.origin, _notes(event), reach=event.reach)


def _message(event: Event) -> str:
    if event.kind is Kind.ARGUMENT:
        return f"`{event.owner}` needs `{event.subject}`, which this call does not pass; Python raises TypeError"
    close = nearest_name(event.subject, event.options)
    remedy = f"; did you mean `{close}`?" if close else ""
    return f"`{event.owner}` takes no `{event.subject}`, so Python raises TypeError here{remedy}"


def _notes(event: Event) -> tuple[tuple[Origin, str], ...]:
    return tuple((origin, f"`{event.owner}` is defined here") for origin in event.places)
