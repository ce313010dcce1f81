"""MIL505."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.domain.guard import OTHER, Guard, Variable
from miles_lint.domain.provenance import Origin
from miles_lint.fold.events import Event, Kind
from miles_lint.recipe import Fold
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.source import Place
from miles_lint.surface import Surface


@file_rule("MIL505", "default-refused", since="0.1.0")
def default_refused(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """The default of a knob is one that the recipe itself refuses.

    ## What it finds
    A knob with a listed set of values whose default fails an `assert`, reaches a `raise`, or is no key of the table
    that it is looked up in. Whoever starts the recipe as it is gets an exception.

    ## Example
    ```python
    from dataclasses import dataclass
    from typing import Literal

    import miles.utils.external_utils.command_utils as U
    import typer

    GPUS_PER_NODE = {"H100": 8, "GB200": 4}


    @dataclass
    class ScriptArgs:
        hardware: Literal["H100", "GB200", "GB300"] = "GB300"


    @U.dataclass_cli
    def main(args: ScriptArgs):
        U.execute_train(
            train_args="--num-rollout 300 ",
            num_gpus_per_node=GPUS_PER_NODE[args.hardware],
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Use instead
    ```python
    from dataclasses import dataclass
    from typing import Literal

    import miles.utils.external_utils.command_utils as U
    import typer

    GPUS_PER_NODE = {"H100": 8, "GB200": 4, "GB300": 4}


    @dataclass
    class ScriptArgs:
        hardware: Literal["H100", "GB200", "GB300"] = "GB300"


    @U.dataclass_cli
    def main(args: ScriptArgs):
        U.execute_train(
            train_args="--num-rollout 300 ",
            num_gpus_per_node=GPUS_PER_NODE[args.hardware],
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        typer.run(main)
    ```

    ## Stays silent
    Where the refusal also depends on a knob without listed values, such as a number of nodes, or on the environment:
    asking for those is how many recipes are meant. Values other than the default may be refused.

    ## Fix safety
    There is no fix.
    """
    for event in fold.events:
        decided = _decided(event) if event.kind in (Kind.KEY, Kind.REFUSED) else None
        if decided is None:
            continue
        knob, guard = decided
        if event.kind is Kind.KEY:
            outcome = f"`{event.subject}` is no key of the table that is read here"
        else:
            outcome = f"this {event.subject} refuses it"
        message = f"the recipe cannot be started with the default of `{knob.name}`, `{_default(knob)}`: {outcome}"
        notes = ((Origin(knob.source), "this is its default"),) if isinstance(knob.source, Place) else ()
        yield Finding(guard, message, event.origin, notes, reach=event.reach)


def _decided(event: Event) -> tuple[Variable, Guard] | None:
    """The knob whose default is to blame, and the condition that all knobs have theirs.

    A missing key is always an oversight; a refusal is one where a single listed value decides it, in the file that
    lists it, and that value is the default.
    """
    support = event.guard.support()
    defaults = {variable: variable.default for variable in support if variable.default is not None}
    if not event.guard.restrict(defaults).certain:
        return None
    listed = [variable for variable in support if _listed(variable)]
    if len(listed) != 1 or (event.kind is Kind.REFUSED and (len(support) > 1 or not _own(listed[0], event))):
        return None
    guard = event.guard
    for variable, index in defaults.items():
        guard = guard & guard.space.test(variable, frozenset((index,)))
    return listed[0], guard


def _listed(variable: Variable) -> bool:
    """Whether a knob has nothing but listed values, and is more than a switch."""
    return len(variable.domain) > 1 and all(
        value is not OTHER and value is not None and not isinstance(value, bool) for value in variable.domain
    )


def _own(knob: Variable, event: Event) -> bool:
    return isinstance(knob.source, Place) and knob.source.path == event.origin.place.path


def _default(knob: Variable) -> object:
    return knob.domain[knob.default or 0]
