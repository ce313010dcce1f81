"""MIL209."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule

_ENGINE = ("sglang", "router")
_SINCE = {
    "--use-miles-router": ("--miles-router-middleware-paths", "; the default router does what it did"),
}
"""Flags that lost their use with another one (#1290), as only the history of the trainer says, and what now holds."""


@rule("MIL209", "deprecated-flag", since="0.1.0", severity=Severity.WARNING)
def deprecated_flag(binding: Binding) -> Iterator[Finding]:
    """A flag is marked as deprecated by its owner.

    ## What it finds
    A flag whose declaration says that it is deprecated. It still works; the default is usually right.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--use-miles-router ",
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
            train_args="--colocate ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For options of the engine and its router, which keep working under their old names, when the contract does not
    say, and for revisions of the trainer in which the flag still had its use.

    ## Fix safety
    There is no fix.
    """
    for use in binding.assignments:
        earlier, instead = _SINCE.get(use.spelled, ("", ""))
        if use.flag.deprecated and use.flag.owner not in _ENGINE and earlier not in binding.contract.by_name:
            instead = f"; use `{use.flag.replacement}`" if use.flag.replacement else instead
            yield Finding(use.guard, f"`{use.spelled}` is deprecated{instead}", origin_of(use.arguments[0]))
