"""MIL501."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.domain.provenance import Origin
from miles_lint.fold.events import Event, Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.surface import Surface


@file_rule("MIL501", "group-bound-to-tuple", since="0.1.0")
def group_bound_to_tuple(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A group of flags is a tuple or list, and reaches the argv as Python prints it.

    ## What it finds
    A comma behind a literal in parentheses makes a tuple of it, and parentheses of which every line is commented out
    are the empty tuple. Interpolated they become `('--colocate ',)` or `()`: parentheses in a shell command are a
    syntax error.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        rollout_args = "--num-rollout 300 "
        eval_args = (
            # "--eval-interval 20 "
            # "--eval-prompt-data aime /data/aime.jsonl "
        )
        U.execute_train(train_args=f"{rollout_args}{eval_args}", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        rollout_args = "--num-rollout 300 "
        eval_args = (
            ""
            # "--eval-interval 20 "
            # "--eval-prompt-data aime /data/aime.jsonl "
        )
        U.execute_train(train_args=f"{rollout_args}{eval_args}", num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For lists and tuples that are the value of a flag, for those that are joined or quoted, and where the text goes
    anywhere but into the argv.

    ## Fix safety
    There is no fix: whether the comma or the comment is the mistake is not known.
    """
    events = [event for event in fold.events if event.kind is Kind.CONTAINER]
    for launch in fold.launches if events else ():
        bare = {piece.origin for argument in launch.argv for piece in argument.text.pieces if not piece.quoted}
        for event in events:
            whole = event.subject == "train_args" and event.origin.place == launch.site
            if whole or (event.origin in bare and event.owner == "tuple"):
                yield _finding(event, whole, launch.guard & event.guard)


def _finding(event: Event, whole: bool, guard: object) -> Finding:
    name = f"`{event.subject}`" if event.subject else "this value"
    message = (
        f"{name} is a {event.owner}, not a text, and reaches the argv as Python prints it, brackets, quotes and all"
    )
    origin: Origin = event.places[0] if event.places else event.origin
    notes = ((event.origin, "it is made a text here"),) if event.places and not whole else ()
    return Finding(event.guard, message, origin, notes, reach=event.reach)
