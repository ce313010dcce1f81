"""MIL103."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.rules.rule import Finding, rule


@rule("MIL103", "unbalanced-quote", since="0.1.0")
def unbalanced_quote(binding: Binding) -> Iterator[Finding]:
    """A quote in the arguments is opened and never closed.

    ## What it finds
    An odd quote, or a backslash at the end, in the text that the launch helper hands to the shell. The shell takes
    everything behind it for one word and then fails; an apostrophe in a text does the same.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--apply-chat-template-kwargs '{\\"enable_thinking\\": false} "
            "--num-rollout 300 "
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
            "--apply-chat-template-kwargs '{\\"enable_thinking\\": false}' "
            "--num-rollout 300 "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For argument lists that no shell splits.

    ## Fix safety
    There is no fix: where the quote should close is not known.
    """
    for problem, guard, origin in binding.launch.problems:
        if problem == "unbalanced quote":
            yield Finding(guard, "this quote is never closed; the shell takes all that follows for one word", origin)
