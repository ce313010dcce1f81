"""MIL304."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from miles_lint.binding import Binding
from miles_lint.rules.combinations import Case, Values, findings
from miles_lint.rules.rule import Finding, rule


def _whole(values: Values, *dests: str) -> tuple[int, ...] | None:
    found = tuple(values[dest].value for dest in dests)
    whole = tuple(value for value in found if isinstance(value, int) and not isinstance(value, bool) and value > 0)
    return whole if len(whole) == len(found) else None


def _too_few(values: Values) -> bool:
    sizes = _whole(values, "num_rollout", "rollout_batch_size", "n_samples_per_prompt", "global_batch_size")
    return sizes is not None and sizes[0] * sizes[1] * sizes[2] < sizes[3]


def _steps(values: Values) -> bool:
    sizes = _whole(values, "num_steps_per_rollout", "global_batch_size", "rollout_batch_size", "n_samples_per_prompt")
    return sizes is not None and sizes[0] * sizes[1] != sizes[2] * sizes[3]


def _model_parallel(values: Values) -> bool:
    sizes = _whole(values, *_WORLD, *_DENSE)
    return sizes is not None and sizes[0] * sizes[1] % (sizes[2] * sizes[3] * sizes[4]) != 0


def _expert_parallel(values: Values) -> bool:
    sizes = _whole(values, *_WORLD, *_EXPERT)
    return sizes is not None and sizes[0] * sizes[1] % (sizes[2] * sizes[3] * sizes[4]) != 0


def _data_parallel(values: Values) -> bool:
    sizes = _whole(values, *_BATCH, *_WORLD, *_DENSE)
    if sizes is None or _model_parallel(values):
        return False
    batch, micro, nodes, each, *parts = sizes
    return batch % (micro * (nodes * each // prod(parts))) != 0


STEPS = frozenset(("num_steps_per_rollout", "global_batch_size", "rollout_batch_size", "n_samples_per_prompt"))
"""Sizes of which the trainer itself checks that they fit each other."""
_BATCH = ("global_batch_size", "micro_batch_size")
_IDLE = ("debug_rollout_only",)
_WORLD = ("actor_num_nodes", "actor_num_gpus_per_node")
_DENSE = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
_EXPERT = ("expert_tensor_parallel_size", "expert_model_parallel_size", "pipeline_model_parallel_size")
# Conditions: miles/utils/arguments.py at 31f1ca961, megatron/core/parallel_state.py and
# megatron/core/num_microbatches_calculator.py of its Megatron fork.
_CASES = (
    Case(
        ("num_rollout", "rollout_batch_size", "n_samples_per_prompt", "global_batch_size"),
        _too_few,
        "{num_rollout} rollouts × {rollout_batch_size} prompts × {n_samples_per_prompt} samples are fewer than "
        "one batch of {global_batch_size}",
        "global_batch_size",
        "megatron",
        without=_IDLE,
    ),
    Case(
        ("num_steps_per_rollout", "global_batch_size", "rollout_batch_size", "n_samples_per_prompt"),
        _steps,
        "{num_steps_per_rollout} steps × batch {global_batch_size} is not {rollout_batch_size} prompts × "
        "{n_samples_per_prompt} samples",
        "num_steps_per_rollout",
    ),
    Case(
        (*_WORLD, *_DENSE),
        _model_parallel,
        "{actor_num_nodes} × {actor_num_gpus_per_node} GPUs cannot be divided by "
        "tensor {tensor_model_parallel_size} × pipeline {pipeline_model_parallel_size} × "
        "context {context_parallel_size}",
        "actor_num_gpus_per_node",
        "megatron",
        without=_IDLE,
    ),
    Case(
        (*_BATCH, *_WORLD, *_DENSE),
        _data_parallel,
        "batch {global_batch_size} cannot be divided by micro batch {micro_batch_size} on each of the "
        "{actor_num_nodes} × {actor_num_gpus_per_node} GPUs in groups of {tensor_model_parallel_size} × "
        "{pipeline_model_parallel_size} × {context_parallel_size}",
        "global_batch_size",
        "megatron",
        without=(*_IDLE, "decrease_batch_size_if_needed", "rampup_batch_size", "use_dynamic_global_batch_size"),
    ),
    Case(
        (*_WORLD, *_EXPERT),
        _expert_parallel,
        "{actor_num_nodes} × {actor_num_gpus_per_node} GPUs cannot be divided by "
        "expert tensor {expert_tensor_parallel_size} × expert {expert_model_parallel_size} × "
        "pipeline {pipeline_model_parallel_size}",
        "actor_num_gpus_per_node",
        "megatron",
        without=_IDLE,
    ),
)


@rule("MIL304", "batch-arithmetic", since="0.1.0")
def batch_arithmetic(binding: Binding) -> Iterator[Finding]:
    """Sizes that must fit each other do not.

    ## What it finds
    Fewer samples in the whole run than one batch, steps and batch that do not make up the samples of a rollout,
    parallel sizes that do not divide the GPUs, a batch that the data parallel ranks cannot share. All
    numbers must be certain.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--num-rollout 2 --rollout-batch-size 8 --n-samples-per-prompt 8 --global-batch-size 256 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
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
            train_args="--num-rollout 4 --rollout-batch-size 8 --n-samples-per-prompt 8 --global-batch-size 256 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When one of the sizes is not known, and for launches that only generate.

    ## Fix safety
    There is no fix.
    """
    yield from findings(binding, _CASES)
