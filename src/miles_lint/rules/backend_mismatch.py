"""MIL403."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Known, Text, options_of
from miles_lint.launch import Launch
from miles_lint.rules.lost import lost
from miles_lint.rules.pieces import garbled
from miles_lint.rules.queries import origin_of, spellings
from miles_lint.rules.rule import Finding, rule


@rule("MIL403", "backend-mismatch", since="0.1.0")
def backend_mismatch(binding: Binding) -> Iterator[Finding]:
    """Backend and model type are a pair that the launch helper refuses.

    ## What it finds
    `--train-backend fsdp` together with a `megatron_model_type`, or neither of them: the launch helper asserts that
    exactly one of the two is there, before it submits anything.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--train-backend fsdp --colocate --num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--train-backend fsdp --colocate --num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type=None,
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When either is not known, and for launches that do not go through the helper.

    ## Fix safety
    There is no fix: either of the two may be the mistake.
    """
    launch = binding.launch
    if not any(name == "megatron_model_type" for name, _ in launch.keywords) or "train_backend" in lost(binding):
        return
    typed, untyped = _model_type(launch)
    fsdp, unsure = _fsdp(binding)
    where = next((origin_of(use.arguments[0]) for use in binding.uses("train_backend")), None)
    both = typed & fsdp
    if not both.impossible:
        message = (
            "`--train-backend fsdp` is given with a `megatron_model_type`, which the launch helper refuses; pass None"
        )
        yield Finding(both, message, where)
    neither = (untyped - fsdp) - unsure - garbled(binding)
    if not neither.impossible:
        message = "`megatron_model_type` is None without `--train-backend fsdp`, which the launch helper refuses"
        yield Finding(neither, message, None)


def _model_type(launch: Launch) -> tuple[Guard, Guard]:
    """The conditions on which the model type certainly is a name, and certainly None."""
    typed = untyped = launch.space.never
    for guard, leaf in options_of(launch.model_type, launch.space.always):
        if isinstance(leaf, Text):
            typed = typed | guard
        elif isinstance(leaf, Known) and leaf.value is None:
            untyped = untyped | guard
    return typed, untyped


def _fsdp(binding: Binding) -> tuple[Guard, Guard]:
    """The conditions on which some use of the flag certainly says fsdp, and on which one may."""
    found = binding.launch.space.never
    maybe = binding.open
    for use in binding.uses("train_backend"):
        if use.model or not use.values:
            continue
        told = use.guard.space.never
        for value in use.values:
            for guard, spelled in spellings(value.text, use.guard & value.guard):
                told = told | guard
                if spelled == "fsdp":
                    found = found | guard
        maybe = maybe | (use.guard - told)
    return found, maybe
