"""MIL003."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.conflicts import ASYNCHRONOUS, SYNCHRONOUS, runs
from miles_lint.rules.queries import origin_of, winners
from miles_lint.rules.rule import Finding, rule

_REFUSED = (
    (SYNCHRONOUS, "fully_async", f"fully-async rollout needs `{ASYNCHRONOUS}`"),
    (ASYNCHRONOUS, "colocate", "the asynchronous driver cannot share GPUs with rollout"),
)


@rule("MIL003", "driver-mismatch", since="0.1.0")
def driver_mismatch(binding: Binding) -> Iterator[Finding]:
    """A flag is given to the driver that refuses it.

    ## What it finds
    `--fully-async` under `train.py`, and `--colocate` under `train_async.py`: each driver refuses the other's
    mode in its first line, after the cluster has booted.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--fully-async --rollout-num-gpus 8 ",
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
            train_args="--fully-async --rollout-num-gpus 8 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train_async.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When driver and flag depend on one knob and never meet, or when the driver is not known.

    ## Fix safety
    There is no fix: the flag or the driver may be the mistake.
    """
    for driver, dest, reason in _REFUSED:
        running = runs(binding, driver)
        if running.impossible:
            continue
        for won, use in winners(binding, dest):
            both = won & running
            if not both.impossible:
                shown = use.arguments[0].text.shown()
                yield Finding(both, f"`{shown}` is given to `{driver}`: {reason}", origin_of(use.arguments[0]))
