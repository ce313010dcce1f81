"""MIL110."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Applicability
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Piece
from miles_lint.launch import Launch
from miles_lint.rules.pieces import operator_in, printed, quote
from miles_lint.rules.rule import Finding, Repair, rule


@rule("MIL110", "shell-operator", since="0.1.0", fix=Applicability.UNSAFE)
def shell_operator(binding: Binding) -> Iterator[Finding]:
    """A character in the arguments means something to the shell, and ends the command there.

    ## What it finds
    `;`, `&`, `|`, `<`, `>` or a parenthesis without quotes, a `#` at the start of a word, and a line break between two
    arguments. The launch helper hands the arguments to a shell as they are: what comes behind is another command, a
    file, or a comment, and the run is submitted without it.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--wandb-group first;second --num-rollout 300 ",
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
            train_args="--wandb-group 'first;second' --num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    In quotes, for launches that do not go through the helper, and where a quoted value has line breaks of its own.

    ## Fix safety
    The fix puts the word in single quotes. It is unsafe, because the operator may be meant. A `#` and a line break are
    left alone.
    """
    launch = binding.launch
    if not launch.keywords:
        return
    for argument in launch.argv:
        found = operator_in(argument) if not argument.model and not printed(argument) else None
        if found is not None:
            piece, char = found
            outcome = "takes the rest for a comment" if char == "#" else "ends the command there"
            message = f"`{argument.text.shown()}` has `{char}` without quotes, and the shell {outcome}"
            quoted = quote(argument, Applicability.UNSAFE)
            repair: Repair | None = None if char == "#" else quoted
            yield Finding(argument.guard & piece.guard, message, piece.origin, (), repair)
    broken = _line_break(launch)
    if broken is not None:
        guard, origin = broken
        message = "a line break ends the command before this: the shell submits the run without the rest"
        yield Finding(guard, message, origin)


def _line_break(launch: Launch) -> tuple[Guard, Origin | None] | None:
    """The first text behind a line break between two arguments, with its condition."""
    own = [argument for argument in launch.argv if not argument.model]
    if any("\n" in piece.text for argument in own for piece in argument.text.pieces if isinstance(piece, Chars)):
        return None
    broken = launch.space.never
    for piece in launch.text.pieces:
        if not isinstance(piece, Chars):
            continue
        at, inside = _behind_break(piece)
        if at is not None and inside:
            return piece.guard, piece.slice(at, at + 1).origin
        if not (broken & piece.guard).impossible and piece.text.strip():
            start = len(piece.text) - len(piece.text.lstrip())
            return broken & piece.guard, piece.slice(start, start + 1).origin
        if "\n" in piece.text:
            broken = broken | piece.guard
    return None


def _behind_break(piece: Piece) -> tuple[int | None, bool]:
    """Where text goes on behind a line break inside a piece, if it does."""
    assert isinstance(piece, Chars)
    first = piece.text.find("\n")
    if first < 0:
        return None, False
    rest = piece.text[first:]
    return first + len(rest) - len(rest.lstrip()), bool(rest.strip())
