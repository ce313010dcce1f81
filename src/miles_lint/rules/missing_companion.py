"""MIL303."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.combinations import Case, Values, findings
from miles_lint.rules.rule import Finding, rule


def _no_rollout_gpus(values: Values) -> bool:
    if values["actor_num_gpus_per_node"].use is None and values["actor_num_nodes"].use is None:
        return False
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


def _experts_in_parts(values: Values) -> bool:
    experts, parallel = values["num_experts"].value, values["tensor_model_parallel_size"].value
    return isinstance(experts, int) and isinstance(parallel, int) and experts > 0 and parallel > 1


_REWARDS = (
    "reward_key",
    "custom_rm_path",
    "custom_reward_post_process_path",
    "custom_generate_function_path",
    "rollout_function_path",
    "debug_train_only",
    "custom_config_path",
)
# Conditions: miles/utils/arguments.py, miles/ray/placement_group.py and miles/rollout/rm_hub at 31f1ca961,
# megatron/core/transformer/moe/moe_layer.py of its Megatron fork.
_CASES = (
    Case(
        (
            "rollout_num_gpus",
            "actor_num_gpus_per_node",
            "actor_num_nodes",
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
    Case(
        ("tensor_model_parallel_size", "num_experts"),
        _experts_in_parts,
        "experts are trained with tensor parallel size {tensor_model_parallel_size} and without "
        "`--sequence-parallel`, which Megatron refuses in its first forward pass",
        "tensor_model_parallel_size",
        "megatron",
        without=("sequence_parallel", "debug_rollout_only", "custom_config_path"),
    ),
    Case(
        ("rm_type",),
        lambda values: values["rm_type"].value == "dapo",
        "the reward of `--rm-type dapo` is a mapping; say `--reward-key score`",
        "rm_type",
        severity=Severity.WARNING,
        without=_REWARDS,
    ),
)


@rule("MIL303", "missing-companion", since="0.1.0", severity=Severity.ERROR)
def missing_companion(binding: Binding) -> Iterator[Finding]:
    """A flag is given without another that it needs.

    ## What it finds
    Evaluation data without an interval, a launch that neither colocates nor says how many GPUs generate, experts
    with tensor parallelism and no sequence parallelism, a reward of several numbers without the one to take. What the
    trainer itself refuses, MIL301 reports.

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
    For a launch that does not say either how many GPUs train: its flags are not all there.
    When free text of the user, which may hold the other flag, is not empty at the defaults; for evaluation, when a
    switch of the recipe gives the interval.

    ## Fix safety
    There is no fix: the missing value is not known.
    """
    yield from findings(binding, _CASES)
