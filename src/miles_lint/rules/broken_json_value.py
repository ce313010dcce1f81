"""MIL106."""

from __future__ import annotations

import json
from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.contract.model import Flag
from miles_lint.rules.queries import origin_of, spellings
from miles_lint.rules.rule import Finding, rule


@rule("MIL106", "broken-json-value", since="0.1.0")
def broken_json_value(binding: Binding) -> Iterator[Finding]:
    """A value that the trainer reads as JSON is none when it arrives.

    ## What it finds
    Flags whose type is JSON and whose value does not parse after the shell has split the text and removed its quotes.
    Double quotes inside a value without single quotes around it are gone by then, and a blank ends the value. The
    environment of a job that is submitted by hand is checked too.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args='--apply-chat-template-kwargs {"enable_thinking":false} ',
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
            train_args="--apply-chat-template-kwargs '{\\"enable_thinking\\":false}' ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For values of which a part is not known, and where a quote that is never closed (MIL103) is the mistake.

    ## Fix safety
    There is no fix.
    """
    cut = binding.launch.space.never
    for problem, guard, origin in binding.launch.problems:
        option, colon, cause = problem.partition(": ")
        if colon:
            yield Finding(guard, f"the value of `{option}` is no JSON: {_lowered(cause)}", origin)
        else:
            cut = cut | guard
    for use in binding.assignments:
        if use.model or not use.values or not _is_json(use.flag):
            continue
        for value in use.values:
            for guard, spelled in spellings(value.text, (use.guard & value.guard) - cut):
                problem = _problem(spelled)
                if problem:
                    message = (
                        f"`{use.spelled}` takes JSON, and `{spelled}` is what the shell leaves of its value: {problem}"
                    )
                    yield Finding(guard, message, origin_of(value) or origin_of(use.arguments[0]))


def _is_json(flag: Flag) -> bool:
    return "json.loads" in flag.type or "json_list" in flag.type


def _problem(spelled: str) -> str:
    try:
        json.loads(spelled)
    except ValueError as error:
        return _lowered(str(error))
    return ""


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
