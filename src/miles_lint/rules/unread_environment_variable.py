"""MIL401."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.diagnostic import Severity
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars
from miles_lint.launch import Launch
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import one_slip
from miles_lint.rules.variables import GONE, KNOWN, MISSPELLED, REFUSED
from miles_lint.surface import Surface

_EXPORT = re.compile(r"\bexport\s+([A-Z][A-Z0-9_]*)=")
_SHORTEST = 12


@file_rule("MIL401", "unread-environment-variable", since="0.1.0", severity=Severity.WARNING)
def unread_environment_variable(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """The job gets an environment variable that nothing reads.

    ## What it finds
    A variable that the trainer or its engine stopped reading, and one that is a slip away from a known one: both are
    accepted by everybody and do nothing. And one with which the trainer does not start at all.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            extra_env_vars={"PYTHONBUFFERED": "1"},
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--num-rollout 300 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            extra_env_vars={"PYTHONUNBUFFERED": "1"},
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For every variable that is not on short lists or one character off, for those that the checkout at hand still
    names, and for those that ask for what happens anyway (MIL454).

    ## Fix safety
    There is no fix.
    """
    for launch in fold.launches:
        for name, guard, origin in variables(launch):
            if name in REFUSED:
                message = f"with `{name}` in its environment the trainer refuses to start; {REFUSED[name]}"
                yield Finding(guard, message, origin, severity=Severity.ERROR, reach=launch.guard)
                continue
            message = _message(name, surface)
            if message:
                yield Finding(guard, message, origin, reach=launch.guard)


def variables(launch: Launch) -> Iterator[tuple[str, Guard, Origin | None]]:
    """Every variable that a launch gives to its job, or exports before it submits it, with condition and place."""
    for name, variants in launch.environment:
        for variant in variants:
            yield name, variant.guard, variant.key_origin
    for piece in launch.text.pieces if not launch.keywords else ():
        if isinstance(piece, Chars):
            for found in _EXPORT.finditer(piece.text):
                yield found.group(1), piece.guard, piece.slice(*found.span(1)).origin


def _message(name: str, surface: Surface) -> str:
    meant = MISSPELLED.get(name)
    if meant is None and (surface.reads(name) or name in KNOWN):
        return ""
    gone = GONE.get(name)
    if gone is not None:
        return "" if gone.idle else f"`{name}` is read by nothing since {gone.since}: {gone.now}"
    if meant is None and len(name) >= _SHORTEST:
        meant = next((known for known in KNOWN if one_slip(name, known)), None)
    return f"nothing reads `{name}`; did you mean `{meant}`?" if meant is not None else ""
