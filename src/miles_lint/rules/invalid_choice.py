"""MIL206."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from miles_lint.binding import Binding
from miles_lint.rules.queries import origin_of, spellings
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
        for value in use.values:
            for guard, spelled in spellings(value.text, use.guard):
                if not _accepted(spelled, allowed, use.flag.type):
                    close = get_close_matches(spelled, allowed, 1)
                    remedy = f"did you mean `{close[0]}`?" if close else f"choose from {_listed(allowed)}"
                    yield Finding(guard, f"`{use.spelled}` does not take `{spelled}`; {remedy}", origin_of(value))


def _accepted(spelled: str, allowed: tuple[str, ...], kind: str) -> bool:
    if spelled in allowed:
        return True
    if kind in ("int", "float"):
        try:
            return any(float(spelled) == float(choice) for choice in allowed)
        except ValueError:
            return True
    return kind not in ("str", "unstated")


def _listed(allowed: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{choice}`" for choice in allowed[:8])
    return f"{shown}, …" if len(allowed) > 8 else shown
