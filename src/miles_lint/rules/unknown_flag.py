"""MIL201."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from miles_lint.binding import Binding
from miles_lint.contract.live import bundled
from miles_lint.contract.model import Contract
from miles_lint.diagnostic import Severity
from miles_lint.rules.names import (
    KEYS,
    PLUGGED,
    PREFIXES,
    described,
    expansions,
    nearest,
    open_family,
    plugged_in,
    with_prefix,
)
from miles_lint.rules.pieces import malformed
from miles_lint.rules.queries import origin_of
from miles_lint.rules.rule import Finding, rule

_SLIP = 0.93
"""How like a known flag one must be to be told where a function may declare flags of its own."""


@rule("MIL201", "unknown-flag", since="0.1.0")
def unknown_flag(binding: Binding) -> Iterator[Finding]:
    """A flag is not known to the trainer's parser.

    ## What it finds
    A flag that no parser of the trainer declares, for the backend of the launch. The message says which revision of
    the trainer was read. For options of the engine it is a warning, given only where the name is nearly a known
    one: the trainer may pin a build of it that has more.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--filter-zero-reward-samples ",
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
            train_args="--dynamic-sampling-filter-path my_filters.check ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    Where a function is named on the command line that may declare flags which were not read, unless a letter makes it
    a known one; for families of flags whose owner was not at hand, for those listed in `extra-flags`, and for parts of
    the argv that are not known.

    ## Fix safety
    There is no fix: a wrong guess would change the run.
    """
    contract = binding.contract
    plugged = plugged_in(binding)
    yield from _of_functions(binding)
    for word in binding.unbound:
        if not word.option or open_family(word.spelled, contract) or malformed(binding, word.argument):
            continue
        if with_prefix(word.spelled, contract) is not None or word.spelled in contract.removed:
            continue
        if len(expansions(word.spelled, contract)) == 1 or word.spelled in contract.foreign:
            continue
        close = nearest(word.spelled, contract)
        if plugged and not get_close_matches(word.spelled, contract.by_name, 1, _SLIP):
            continue
        if word.spelled.startswith(PREFIXES) and _of_another_engine(word.spelled, contract):
            continue
        remedy = f"; did you mean `{close}`?" if close else ""
        if word.spelled in KEYS:
            remedy = f"; it is a key of the file behind `{KEYS[word.spelled]}`"
        message = f"`{word.spelled}` is not a flag of {described(contract, word.spelled)}{remedy}"
        doubtful = plugged or word.spelled.startswith(PREFIXES)
        severity = Severity.WARNING if doubtful else Severity.ERROR
        yield Finding(word.guard, message, origin_of(word.argument), severity=severity)


def _of_functions(binding: Binding) -> Iterator[Finding]:
    """Flags that a function declares which the launch does not name: the parser then has none of them."""
    for use in binding.assignments:
        if "." in use.flag.owner and not use.model:
            named = binding.launch.space.never
            for dest in PLUGGED:
                for other in binding.uses(dest):
                    named = named | other.guard
            for opening in binding.openings:
                named = named if opening.argument.model else named | opening.guard
            message = f"`{use.spelled}` is a flag only where `{use.flag.owner}` is named on the command line"
            yield Finding(use.guard - named, message, origin_of(use.arguments[0]))


def _of_another_engine(spelled: str, contract: Contract) -> bool:
    """Whether an option of the engine is like no known one, or one of the engine that the linter comes with."""
    known = bundled().contract(contract.backend, contract.driver)
    if known is not None and spelled in known.by_name:
        return True
    return not get_close_matches(spelled, contract.by_name, 1, 0.9)
