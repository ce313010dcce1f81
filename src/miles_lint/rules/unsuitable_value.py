"""MIL305."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.combinations import Case, Values, findings
from miles_lint.rules.rule import Finding, rule


def _one_file_for_all(values: Values) -> bool:
    template = values["save_debug_train_data"].value
    return isinstance(template, str) and "{rollout_id" in template and "{rank" not in template


def _odd(values: Values) -> bool:
    words = values["eval_prompt_data"].value
    return isinstance(words, (list, tuple)) and len(words) > 1 and len(words) % 2 == 1


# Conditions: miles/utils/train_dump_utils.py and miles/utils/arguments.py at 31f1ca961.
_CASES = (
    Case(
        ("save_debug_train_data",),
        _one_file_for_all,
        "`--save-debug-train-data` names one file for all ranks, so they overwrite each other; put `{{rank}}` in it",
        "save_debug_train_data",
    ),
    Case(
        ("eval_prompt_data", "eval_config"),
        lambda values: values["eval_config"].value is None and _odd(values),
        "`--eval-prompt-data` takes pairs of a name and a path; an odd number of words is given, which the trainer "
        "refuses",
        "eval_prompt_data",
        severity=Severity.ERROR,
    ),
)


@rule("MIL305", "unsuitable-value", since="0.1.0", severity=Severity.WARNING)
def unsuitable_value(binding: Binding) -> Iterator[Finding]:
    """A value passes the parser, and the run cannot do with it what is meant.

    ## What it finds
    A template for dumps of training data in which the rank is missing, so that every rank writes to the same file,
    and evaluation data that are not pairs of a name and a path.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 300 --colocate "
            "--save-debug-train-data /root/dump/{rollout_id}.pt "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 300 --colocate "
            "--save-debug-train-data /root/dump/{rollout_id}_{rank}.pt "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the value is not known, and for a template without the number of the rollout, which is no template.

    ## Fix safety
    There is no fix: where the rank belongs, or which word is missing, is not known.
    """
    yield from findings(binding, _CASES)
