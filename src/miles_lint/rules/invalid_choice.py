"""MIL206."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from miles_lint.binding import Binding, rejections
from miles_lint.rules.pieces import malformed
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL206", "invalid-choice", since="0.1.0")
def invalid_choice(binding: Binding) -> Iterator[Finding]:
    """A value is not among the choices of its flag.

    ## What it finds
    A value that the parser refuses because the flag lists what it takes.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--advantage-estimator grop ",
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
            train_args="--advantage-estimator grpo ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the choices are computed when the trainer runs, or the value is not known.

    ## Fix safety
    There is no fix.
    """
    for use in binding.assignments:
        choices = use.flag.choices
        if not choices or use.flag.choices_unknown:
            continue
        allowed = tuple(str(choice) for choice in choices)
        for guard, value, refused in rejections(use):
            if refused.why == "choice" and not malformed(binding, value):
                close = get_close_matches(refused.text, allowed, 1)
                remedy = f"did you mean `{close[0]}`?" if close else f"choose from {_listed(allowed)}"
                yield Finding(guard, f"`{use.spelled}` does not take `{refused.text}`; {remedy}", origin_of(value))


def _listed(allowed: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{choice}`" for choice in allowed[:8])
    return f"{shown}, …" if len(allowed) > 8 else shown
