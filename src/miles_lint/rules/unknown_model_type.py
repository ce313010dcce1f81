"""MIL402."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.fold.events import Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import nearest_name
from miles_lint.surface import Surface

_TYPO = 0.85


@file_rule("MIL402", "unknown-model-type", since="0.1.0")
def unknown_model_type(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """No model definition has the name of the model type.

    ## What it finds
    A `megatron_model_type` for which the trainer's checkout has no file in `scripts/models`. The names are file names,
    so upper and lower case count.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4b",
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
    For names that are computed from something unknown. Outside a checkout of the trainer only names are told that are
    a slip away from a known one.

    ## Fix safety
    There is no fix: another model is another run.
    """
    known = surface.models
    for event in fold.events:
        if event.kind is not Kind.MODEL or not known or event.subject in known:
            continue
        close = nearest_name(event.subject, known, 0.6 if surface.exact else _TYPO)
        if close is None and not surface.exact:
            continue
        remedy = f"; did you mean `{close}`?" if close else ""
        message = f"no model definition is called `{event.subject}` in {surface.origin}{remedy}"
        yield Finding(event.guard, message, event.origin, reach=event.reach)
