"""Does a folded launch describe a command line that was really built? The oracle of the evaluator's soundness.

With the knobs fixed only opaque conditions are left in the guards. The folded argv is walked against the
real words; each reachable state carries the guard over those conditions under which it is reached, so
every combination of them is tried at once and in polynomial time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from miles_lint.domain.defaults import nearest_to_defaults
from miles_lint.launch import Argument, Launch
from tests.oracles.walk import Mismatch, Walk, show


def covers(launch: Launch, assignment: Mapping[str, object], argv: Sequence[str]) -> bool:
    """Whether the launch, at this knob assignment, describes exactly these words after the train script."""
    return explain(launch, assignment, argv) is None


def explain(
    launch: Launch,
    assignment: Mapping[str, object],
    argv: Sequence[str],
    *,
    train_script: str | tuple[str, ...] | None = None,
    environment: Mapping[str, str] | None = None,
    whole: bool = False,
    model: bool = True,
    terms: bool = True,
) -> Mismatch | None:
    """The first reason why the launch does not describe a real one; None when it does.

    A knob missing from `assignment` has its default. `train_script` (or its spellings) and `environment`
    (variables that the run added; `whole` says that there are no others) are compared when given. Without `model` the
    arguments of the model definition are left out. With `terms` an unknown that carries a symbolic form must have the
    value the form gives.
    """
    walk = Walk(launch.space, assignment, terms)
    live = walk.guard(launch.guard)
    if live.impossible:
        return Mismatch("the launch is impossible at this assignment")
    if train_script is not None:
        spellings = (train_script,) if isinstance(train_script, str) else train_script
        found = launch.space.never
        for spelling in spellings:
            found = found | walk.value(launch.train_script, spelling, live)
        if found.impossible:
            return Mismatch("train script", 0, show(launch.train_script), " or ".join(spellings))
        live = found
    for name, text in (environment or {}).items():
        live = walk.value_of_variable(launch, name, text, live)
        if live.impossible:
            return Mismatch(f"environment variable {name} = {text!r} is not described")
    for name in {name for name, _ in launch.environment if whole} - {*(environment or {})}:
        live = walk.unset(launch, name, live)
        if live.impossible:
            return Mismatch(f"environment variable {name} is not set")
    arguments = [argument for argument in launch.argv if model or not argument.model]
    return walk.argv(arguments, argv, live)


def possible(launch: Launch, assignment: Mapping[str, object]) -> bool:
    """Whether the launch can be reached at a knob assignment."""
    return not Walk(launch.space, assignment, True).guard(launch.guard).impossible


def words_at(launch: Launch, assignment: Mapping[str, object]) -> list[str | None]:
    """The words that the launch has at an assignment; None for an argument that is conditional or has a hole."""
    return [word for _, words in arguments_at(launch, assignment) for word in ([None] if words is None else words)]


def arguments_at(
    launch: Launch, assignment: Mapping[str, object], nearest: bool = False
) -> Iterator[tuple[Argument, list[str] | None]]:
    """The arguments possible at an assignment with their words, None where these are not settled.

    With `nearest` a default that the launch refuses is moved to the first value that it accepts.
    """
    walk = Walk(launch.space, assignment, True)
    if nearest:
        walk.choose(nearest_to_defaults(launch.guard))
    live = walk.guard(launch.guard)
    for argument in launch.argv:
        present = live & walk.guard(argument.guard)
        if not present.impossible:
            yield argument, walk.settled_words(argument.text, live) if present is live else None
