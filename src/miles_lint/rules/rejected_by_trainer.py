"""MIL301."""

from __future__ import annotations

from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.constraints import Cause, Verdict, causes, verdicts
from miles_lint.contract.model import Contract
from miles_lint.domain.provenance import Origin
from miles_lint.judge import reads
from miles_lint.rules.conflicts import EXCLUDED_DESTS
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule


@rule("MIL301", "rejected-by-trainer", since="0.1.0")
def rejected_by_trainer(binding: Binding) -> Iterator[Finding]:
    """The trainer refuses this combination of flags.

    ## What it finds
    An `assert` or `raise` of the trainer's own validation or of its driver that is certain to fire for the launch.
    The conditions are read from the trainer's source; those about files, the model's configuration or the hardware
    stay out. The message names the row of the trainer that refuses, and every flag that takes part is shown.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--colocate --kl-coef 0.1 --use-kl-loss --kl-loss-coef 0.1 ",
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
    When part of the condition is not known, and for what MIL002 and MIL003 say already.

    ## Fix safety
    There is no fix: which of the flags was meant is not known.
    """
    for verdict in verdicts(binding):
        if verdict.constraint.kind != "rejects" or verdict.violated.impossible or _told_elsewhere(verdict):
            continue
        found = causes(binding, verdict, binding.launch.space.always)
        places = tuple(_places(found))
        shown = " with ".join(f"`{_words(binding.contract, cause)}`" for cause in found)
        site = verdict.constraint.origin
        where = f" ({site.path}:{site.row})" if site is not None else ""
        message = f"the trainer refuses {shown or 'this launch'}{where}"
        first = places[0][0] if places else None
        yield Finding(verdict.violated, message, first, places[1:])


def _told_elsewhere(verdict: Verdict) -> bool:
    """Whether MIL002 or MIL003 reports the same check under its own name."""
    read = frozenset(reads(verdict.constraint.when))
    others = read - {("flag", "fully_async")}
    if ("flag", "fully_async") in read and all(each[-1] in EXCLUDED_DESTS or each == ("driver",) for each in others):
        return True
    return ("driver",) in read and read <= {("driver",), ("flag", "colocate")}


def _places(found: tuple[Cause, ...]) -> Iterator[tuple[Origin, str]]:
    for cause in found:
        for reading in cause.readings:
            origin = origin_of(reading.use.arguments[0]) if reading.use is not None else None
            if reading.use is not None and origin is not None:
                yield origin, f"`{reading.use.spelled}` is given here"
                break


def _words(contract: Contract, cause: Cause) -> str:
    """A cause as it is written: the flag and its value, a variable, the driver."""
    value = cause.readings[0].value if len(cause.readings) == 1 else None
    if cause.kind == "env":
        return f"{cause.name}={value}" if value is not None else cause.name
    if cause.kind == "driver":
        return str(value) if value is not None else "the driver"
    use = next((reading.use for reading in cause.readings if reading.use is not None), None)
    if use is not None:
        return " ".join(argument.text.shown() for argument in use.arguments)
    flags = contract.by_dest.get(cause.name, ())
    name = flags[0].names[0] if flags else cause.name
    return f"no {name}" if value in (None, False) else f"{name} {value}"
