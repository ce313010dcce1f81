"""MIL101."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Applicability
from miles_lint.domain.value import Chars
from miles_lint.rules.pieces import fusions
from miles_lint.rules.rule import Finding, Repair, rule


@rule("MIL101", "fused-arguments", since="0.1.0", fix=Applicability.SAFE)
def fused_arguments(binding: Binding) -> Iterator[Finding]:
    """Two literals touch without a space, so that two arguments become one word.

    ## What it finds
    Neighbouring literals of which neither has the space between two flags, or between a flag and its value. Python
    joins them; the parser of the trainer sees one word that it does not know, or a value with a flag in it. A
    comment between the two hides it well.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 3000 "
            "--colocate"  # share the GPUs
            "--use-tis "
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
            "--num-rollout 3000 "
            "--colocate "  # share the GPUs
            "--use-tis "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    Where whatever joins the pieces supplies the space (`" ".join(groups)`, `f"{first} {second}"`), where a part of
    the word is not known, and for two dashes inside one literal.

    ## Fix safety
    The fix writes the space into the first literal. It is safe: the proof is that nothing else changes.
    """
    for fusion in fusions(binding):
        seam = fusion.seam
        origin, behind = seam.before.origin, seam.behind.origin
        if not fusion.beside and isinstance(seam.behind, Chars) and seam.behind.exact:
            origin, behind = behind, None
        message = (
            f"`{fusion.first}` and `{fusion.second}` become the one word `{fusion.first}{fusion.second}`: "
            "neither literal has the space between them"
        )
        notes = ((behind, "the second one begins here"),) if behind is not None else ()
        gap = fusion.gap
        words = (fusion.first, fusion.second)
        repair = Repair("Insert the space", (seam.argument,), words, edits=((gap, " "),)) if gap is not None else None
        yield Finding(seam.guard, message, origin, notes, repair)
