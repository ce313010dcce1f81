"""MIL002."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.rules.conflicts import conflicts
from miles_lint.rules.queries import equals, origin_of, winners
from miles_lint.rules.rule import Finding, rule


@rule("MIL002", "fully-async-conflict", since="0.1.0")
def fully_async_conflict(binding: Binding) -> Iterator[Finding]:
    """Fully-async rollout is combined with something that excludes it.

    ## What it finds
    `--fully-async` together with `--rollout-function-path`, `--colocate`, `--partial-rollout`,
    `--pause-generation-mode abort`, `--recompute-logprobs-via-prefill`, `--rollout-all-samples-process-path`,
    multi-LoRA, or `MILES_USE_LEGACY_ROLLOUT_V1=1` in the environment of the job. The trainer refuses each of them
    after the cluster has booted. Where fully-async is selected by its path (MIL001), it refuses nothing and goes
    wrong later.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--fully-async --colocate --rollout-num-gpus 8 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train_multi_lora_async.py",
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
    When the two stand on branches that exclude each other.

    ## Fix safety
    There is no fix: which of the two was meant is not known.
    """
    for selector in binding.contract.selectors:
        switch = binding.contract.by_name.get(selector.switch)
        flag = binding.contract.by_name.get(selector.flag)
        if switch is None or flag is None:
            continue
        for guard, where, bypassed in _chosen(binding, switch.dest, flag.dest, selector.value):
            for conflict in conflicts(binding, switch.dest):
                if bypassed and conflict.dest == flag.dest:
                    continue
                both = guard & conflict.guard
                if both.impossible:
                    continue
                verdict = (
                    "which nothing checks when the path selects it"
                    if bypassed
                    else f"which `{selector.switch}` excludes"
                )
                message = f"`{conflict.shown}` is given with fully-async rollout, {verdict}; {conflict.remedy}"
                notes = ((where, "fully-async rollout is selected here"),) if where is not None else ()
                yield Finding(both, message, conflict.origin or where, notes)


def _chosen(binding: Binding, switch: str, flag: str, value: str) -> Iterator[tuple[Guard, Origin | None, bool]]:
    """Where fully-async rollout is selected: by the switch, or (True) by its path without the switch."""
    for won, use in winners(binding, switch):
        yield won, origin_of(use.arguments[0]), False
    rest = binding.launch.space.always - binding.present(switch)
    for won, use in winners(binding, flag):
        guard = won & rest
        if use.values and not guard.impossible:
            chosen = guard & equals(use.values[-1].text, value, guard)
            if not chosen.impossible:
                yield chosen, origin_of(use.arguments[0]), True
