"""MIL502."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Assignment, Binding
from miles_lint.diagnostic import Severity
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars
from miles_lint.launch import Argument
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule

_READ_AS_TEXT = ("str", "int", "float")


@rule("MIL502", "none-interpolated", since="0.1.0", severity=Severity.WARNING)
def none_interpolated(binding: Binding) -> Iterator[Finding]:
    """The value of a flag is `None`, written out as a word.

    ## What it finds
    A variable that is `None` at the defaults and is interpolated behind a flag. The run gets the four letters: a
    number fails to parse, a path becomes a folder called `None`, a name is logged as such.

    ## Example
    ```python
    import os

    import miles.utils.external_utils.command_utils as U


    def execute():
        save_dir = os.environ.get("SAVE_DIR")
        U.execute_train(
            train_args=f"--save {save_dir} --save-interval 20 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import os

    import miles.utils.external_utils.command_utils as U


    def execute():
        save_dir = os.environ.get("SAVE_DIR", "/data/checkpoints")
        U.execute_train(
            train_args=f"--save {save_dir} --save-interval 20 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    Where the word is written in the recipe itself, and for flags that understand it (a choice of that name, a
    converter of their own).

    ## Fix safety
    There is no fix.
    """
    for use in binding.assignments:
        if use.model or not _literal_minded(use):
            continue
        for value in use.values:
            for guard, origin in _nones(value, use.guard & value.guard):
                severity = Severity.WARNING if use.flag.type == "str" else Severity.ERROR
                outcome = "the word `None`" if use.flag.type == "str" else "`None`, which is no number"
                message = f"the value of `{use.spelled}` is None here, so the run gets {outcome}"
                notes = ((origin, "it is None by this"),) if origin is not None else ()
                yield Finding(guard, message, origin_of(use.arguments[0]), notes, severity=severity)


def _literal_minded(use: Assignment) -> bool:
    flag = use.flag
    return flag.type in _READ_AS_TEXT and not (flag.choices_unknown or "None" in (flag.choices or ()))


def _nones(value: Argument, live: Guard) -> Iterator[tuple[Guard, Origin | None]]:
    """The conditions on which a word is a `None` that no literal wrote, and where it comes from."""
    for piece in value.text.pieces:
        if not isinstance(piece, Chars) or piece.exact or piece.text != "None":
            continue
        alone = live & piece.guard
        for other in value.text.pieces:
            if other is not piece:
                alone = alone - other.guard
        if not alone.impossible:
            yield alone, piece.origin
