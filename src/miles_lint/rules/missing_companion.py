"""MIL303."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.combinations import Case, Values, findings
from miles_lint.rules.rule import Finding, rule


def _no_rollout_gpus(values: Values) -> bool:
    return values["rollout_num_gpus"].value is None and not any(
        values[dest].value
        for dest in (
            "colocate",
            "debug_train_only",
            "debug_rollout_only",
            "load_debug_rollout_data",
            "rollout_external",
        )
    )


def _no_interval(values: Values) -> bool:
    return values["eval_prompt_data"].use is not None and values["eval_interval"].value is None


# Conditions: miles/utils/arguments.py and miles/ray/placement_group.py at 31f1ca961.
_CASES = (
    Case(
        (
            "rollout_num_gpus",
            "colocate",
            "debug_train_only",
            "debug_rollout_only",
            "load_debug_rollout_data",
            "rollout_external",
        ),
        _no_rollout_gpus,
        "neither `--colocate` nor `--rollout-num-gpus` is given, so the number of rollout GPUs cannot be told",
        "rollout_num_gpus",
    ),
    Case(
        ("eval_prompt_data", "eval_interval"),
        _no_interval,
        "evaluation data is given without `--eval-interval`: evaluation never runs",
        "eval_prompt_data",
        unless="eval_interval",
    ),
)


@rule("MIL303", "missing-companion", since="0.1.0", severity=Severity.ERROR)
def missing_companion(binding: Binding) -> Iterator[Finding]:
    """A flag is given without another that it needs.

    ## What it finds
    Evaluation data without an interval, and a launch that neither colocates nor says how many GPUs generate. What
    the trainer itself refuses, MIL301 reports.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--train-backend fsdp --colocate --num-rollout 9 --eval-prompt-data a b ",
            num_gpus_per_node=8,
            megatron_model_type=None,
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--train-backend fsdp --colocate --num-rollout 9 --eval-prompt-data a b --eval-interval 5 ",
            num_gpus_per_node=8,
            megatron_model_type=None,
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When free text of the user, which may hold the other flag, is not empty at the defaults; for evaluation, when a
    switch of the recipe gives the interval.

    ## Fix safety
    There is no fix: the missing value is not known.
    """
    yield from findings(binding, _CASES)
