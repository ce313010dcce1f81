"""MIL001."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Assignment, Binding
from miles_lint.diagnostic import Applicability
from miles_lint.domain.guard import Guard
from miles_lint.rules.conflicts import conflicts, wrong_driver
from miles_lint.rules.queries import equals, origin_of, winners
from miles_lint.rules.rule import Finding, Repair, rule


@rule("MIL001", "fully-async-by-path", since="0.1.0", fix=Applicability.SAFE)
def fully_async_by_path(binding: Binding) -> Iterator[Finding]:
    """A function that a dedicated switch selects is selected by its dotted path.

    ## What it finds
    `--rollout-function-path` with the class that `--fully-async` selects. Both run the same function, but the
    trainer checks what fully-async rollout cannot be combined with (colocation, partial rollout, the pause mode
    `abort`, the synchronous driver and more) only when the switch is given. The path walks around every check.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args=(
                "--rollout-function-path miles.rollout.fully_async_rollout.FullyAsyncRolloutFn "
                "--rollout-num-gpus 8 "
            ),
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train_async.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args=(
                "--fully-async "
                "--rollout-num-gpus 8 "
            ),
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train_async.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When a later `--rollout-function-path` selects another function, or when the path is not known.

    ## Fix safety
    The fix writes the switch in place of the path, or removes the path where the switch is given already. It is
    safe when folding the result shows that nothing else changed, the driver is the asynchronous one and no check
    would now fail; where one would, the fix is unsafe and the message says which.
    """
    for selector in binding.contract.selectors:
        flag = binding.contract.by_name.get(selector.flag)
        switch = binding.contract.by_name.get(selector.switch)
        if flag is None or switch is None:
            continue
        given = binding.present(switch.dest)
        for won, use in winners(binding, flag.dest):
            if not use.values:
                continue
            guard = won & equals(use.values[-1].text, selector.value, won)
            if guard.impossible:
                continue
            already = guard.implies(given)
            words = () if already else (selector.switch,)
            title = f"Remove `{selector.flag}`" if already else f"Replace with `{selector.switch}`"
            left = tuple(_left_behind(binding, flag.dest, use, guard))
            failing = left if already else (*_failing(binding, switch.dest, flag.dest, guard), *left)
            repair = Repair(
                title,
                use.arguments,
                words,
                Applicability.UNSAFE if failing else Applicability.SAFE,
                f"with `{selector.switch}` the trainer would refuse {', '.join(failing)}" if failing else "",
            )
            message = (
                f"`{selector.flag}` selects what `{selector.switch}` selects, without the checks that come with it; "
                + (f"`{selector.switch}` is given already" if already else f"use `{selector.switch}`")
            )
            yield Finding(guard, message, origin_of(use.arguments[0]), (), repair)


def _left_behind(binding: Binding, path: str, use: Assignment, guard: Guard) -> Iterator[str]:
    """Other uses of the path flag, which would count again once this one is gone."""
    for other in binding.uses(path):
        if other is not use and not other.guard.excludes(guard):
            yield f"`{' '.join(argument.text.shown() for argument in other.arguments)}`"


def _failing(binding: Binding, switch: str, path: str, guard: Guard) -> Iterator[str]:
    """What the trainer would refuse once the switch stands in place of the path."""
    for conflict in conflicts(binding, switch):
        if conflict.dest != path and not (conflict.guard & guard).impossible:
            yield f"`{conflict.shown}`"
    driver = wrong_driver(binding)
    if not (driver & guard).impossible:
        yield "the synchronous driver"
