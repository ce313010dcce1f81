"""MIL301."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from miles_lint.binding import Assignment, Binding
from miles_lint.constraints import Cause, causes, verdicts
from miles_lint.contract.messages import message_of
from miles_lint.contract.model import Constraint, Contract
from miles_lint.domain.provenance import Origin
from miles_lint.rules.batch_arithmetic import STEPS
from miles_lint.rules.conflicts import EXCLUDED_DESTS
from miles_lint.rules.lost import lost
from miles_lint.rules.pieces import garbled
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule

_QUOTED = 200
_UNSAID = ("custom_config_path", "config")
"""What may set anything; that it is not given goes without saying."""


@rule("MIL301", "rejected-by-trainer", since="0.1.0")
def rejected_by_trainer(binding: Binding) -> Iterator[Finding]:
    """The trainer refuses this combination of flags.

    ## What it finds
    An `assert` or `raise` of the trainer's own validation or of its driver that is certain to fire for the launch.
    The conditions are read from the trainer's source; those about files, the model's configuration or the hardware
    stay out. The message names the row of the trainer that refuses, with what the trainer says there when the recipe
    lies in a checkout, and every flag that takes part is shown.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--advantage-estimator reinforce_plus_plus --kl-coef 0.1 --use-kl-loss --kl-loss-coef 0.1 ",
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
            train_args="--colocate --use-kl-loss --kl-loss-coef 0.1 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When part of the condition is not known, when a flag that is not there is to blame while the argv has unknown
    parts, where flags are lost behind an open quote or in a tuple, and for what MIL002, MIL003 and MIL304 say already.

    ## Fix safety
    There is no fix: which of the flags was meant is not known.
    """
    unsure, meant = garbled(binding), lost(binding)
    for verdict in verdicts(binding, "rejects"):
        violated = verdict.violated - unsure
        if violated.impossible:
            continue
        found = causes(binding, verdict, binding.launch.space.always)
        if any(cause.name in meant and _use(cause) is None for cause in found):
            continue
        if _told_elsewhere(verdict.constraint, found):
            continue
        if any(cause.kind == "flag" and _use(cause) is None for cause in found):
            violated = violated - binding.open
        places = tuple(_places(found))
        message = f"the trainer refuses {_shown(binding.contract, found)}{_reason(binding, verdict.constraint)}"
        yield Finding(violated, message, places[0][0] if places else None, places[1:])


def _told_elsewhere(constraint: Constraint, found: tuple[Cause, ...]) -> bool:
    """Whether MIL002, MIL003 or MIL304 reports the same check under its own name."""
    given = {cause.name for cause in found if cause.kind == "env" or _use(cause) is not None}
    if "num_steps_per_rollout" in given and given <= STEPS:
        return True
    if any(cause.kind == "driver" for cause in found) or (constraint.origin and "/" not in constraint.origin.path):
        return given <= {"colocate", "fully_async"}
    return "fully_async" in given and given - {"fully_async"} <= EXCLUDED_DESTS


def _use(cause: Cause) -> Assignment | None:
    return next((reading.use for reading in cause.readings if reading.use is not None), None)


def _places(found: tuple[Cause, ...]) -> Iterator[tuple[Origin, str]]:
    for cause in found:
        use = _use(cause)
        origin = origin_of(use.arguments[0]) if use is not None else None
        if use is not None and origin is not None:
            yield origin, f"`{use.spelled}` is given here"


def _shown(contract: Contract, found: tuple[Cause, ...]) -> str:
    """The flags that are given, left at a default and not given, as one would say it."""
    given, kept, absent = [], [], []
    for cause in found:
        name = _name(contract, cause)
        value = cause.readings[0].value if len(cause.readings) == 1 else None
        use = _use(cause)
        if cause.kind != "flag":
            given.append(f"`{_outside(cause, value)}`")
        elif use is not None:
            given.append("`" + " ".join(argument.text.shown() for argument in use.arguments) + "`")
        elif value in (None, False, 0, "", ()):
            absent += [f"`{name}`"] if cause.name not in _UNSAID else []
        else:
            kept.append(f"`{name}` left at `{value}`")
    told = " with ".join((*given, *kept)) or "this launch"
    return f"{told} without {' and '.join(absent)}" if absent else told


def _name(contract: Contract, cause: Cause) -> str:
    flags = contract.by_dest.get(cause.name, ())
    return flags[0].names[0] if flags else cause.name


def _outside(cause: Cause, value: object) -> str:
    """A variable of the environment or the driver, as it is set."""
    if cause.kind == "driver":
        return str(value) if value is not None else "the driver"
    return f"{cause.name}={value}" if value is not None else cause.name


def _reason(binding: Binding, constraint: Constraint) -> str:
    """What the trainer says, where the recipe lies in a checkout, and the place of the check."""
    site = constraint.origin
    if site is None:
        return ""
    told = message_of(binding.contract, constraint)
    quoted = f': "{textwrap.shorten(told, _QUOTED, placeholder=" …")}"' if told else ""
    return f"{quoted} ({site.path}:{site.row})"
