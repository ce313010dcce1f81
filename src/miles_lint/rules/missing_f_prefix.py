"""MIL102."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.diagnostic import Applicability
from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Chars, Piece
from miles_lint.fold.events import Event, Kind
from miles_lint.launch import Argument, Launch
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, Repair, file_rule
from miles_lint.source import Place, Span
from miles_lint.surface import Surface

_FILLED_BY_TRAINER = frozenset(("rollout_id", "rank", "iteration", "step"))


@file_rule("MIL102", "missing-f-prefix", since="0.1.0", fix=Applicability.UNSAFE)
def missing_f_prefix(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A plain literal has a known name in braces and reaches the argv like that.

    ## What it finds
    `{name}` in a string without the `f` where `name` is a variable at that place. The braces arrive in the argv as
    they are written: the run reads a folder that is literally called `{args.data_dir}`, or fails on it.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        data_dir = "/data"
        train_args = (
            "--prompt-data {data_dir}/train.jsonl "
            "--input-key prompt "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        data_dir = "/data"
        train_args = (
            f"--prompt-data {data_dir}/train.jsonl "
            "--input-key prompt "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For templates that the trainer fills in itself, such as `{rollout_id}`, for names that are not bound at that
    place, and for literals that are filled with `.format()` or `.replace()` before they reach the argv.

    ## Fix safety
    The fix writes the `f`. It is unsafe, because it changes what the run gets in a way that only its author can
    confirm. It is not offered where the literal has other braces.
    """
    templates = [
        event for event in fold.events if event.kind is Kind.TEMPLATE and event.subject not in _FILLED_BY_TRAINER
    ]
    for launch in fold.launches if templates else ():
        for event in templates:
            spot = _spot(launch, event)
            if spot is None:
                continue
            index, guard = spot
            repair = _repair(launch, event, templates, index)
            message = f"`{event.subject}` is a name here, but its braces stand in a literal without the `f` prefix"
            yield Finding(guard, message, event.origin, (), repair, reach=launch.guard)


def _spot(launch: Launch, event: Event) -> tuple[int, Guard] | None:
    """The argument that has the braces of an event as they are written, and its condition."""
    for index, argument in enumerate(launch.argv):
        for piece in argument.text.pieces:
            if _covers(piece, event.origin.place):
                return index, argument.guard & piece.guard
    return None


def _covers(piece: Piece, place: Place) -> bool:
    if not isinstance(piece, Chars) or not piece.exact or piece.origin is None:
        return False
    return _inside(place, piece.origin.place)


def _inside(inner: Place, outer: Place) -> bool:
    return inner.path == outer.path and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end


def _repair(launch: Launch, event: Event, templates: list[Event], first: int) -> Repair | None:
    """Write the `f`, when every brace of the literal that arrives belongs to a known name."""
    literal = event.literal
    if literal is None or event.owner not in ("", "r", "R"):
        return None
    fields = {other.origin.place for other in templates if other.literal == literal}
    pieces = [
        piece for piece in launch.text.pieces if piece.origin is not None and _inside(piece.origin.place, literal)
    ]
    if sum(piece.text.count("{") for piece in pieces if isinstance(piece, Chars)) != len(fields):
        return None
    touched = [i for i, argument in enumerate(launch.argv) if _any_field(argument, fields)]
    if not touched or touched[0] != first:
        return None
    old = launch.argv[touched[0] : touched[-1] + 1]
    at = Place(literal.path, Span(literal.span.start, literal.span.start))
    return Repair("Make it an f-string", old, None, Applicability.UNSAFE, edits=((at, "f"),))


def _any_field(argument: Argument, fields: set[Place]) -> bool:
    return any(_covers(piece, field) for piece in argument.text.pieces for field in fields)
