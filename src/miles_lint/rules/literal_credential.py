"""MIL405."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Chars, Text, Value, options_of
from miles_lint.launch import Argument
from miles_lint.rules.queries import origin_of, spellings
from miles_lint.rules.rule import Finding, rule
from miles_lint.source import Place

_FLAGS = re.compile(r"--(?:[\w-]+-)?(?:api-key|wandb-key|access-token|auth-token|hf-token|secret(?:-key)?|password)$")
_VARIABLES = re.compile(r"(?:\w+_)?(?:API_KEY|ACCESS_KEY|SECRET(?:_KEY)?|(?:ACCESS_|AUTH_|HF_|API_)TOKEN|PASSWORD)$")
_LIKE_FLAGS = re.compile(r"--[\w-]*?(?:key|token|secret|password)\w*(?=[^\w-]|$)")
_RUN = re.compile(r"\w(?:[\w.+/]|-(?!-))*")
_SHORTEST = 16
_REMEDY = "that is written in the recipe; read it from the environment"


@rule("MIL405", "literal-credential", since="0.1.0", severity=Severity.WARNING)
def literal_credential(binding: Binding) -> Iterator[Finding]:
    """A key or token is written in the recipe.

    ## What it finds
    The value of a flag or variable that holds a credential, when it is written out in the source and looks like a real
    one. It ends up in the repository, in the process list of the cluster and in the logs of the job. No output of ours
    shows it: stars stand for it in excerpts and diffs.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--use-wandb --wandb-key 0123456789abcdef0123 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import os

    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = "--num-rollout 300 "
        if "WANDB_API_KEY" in os.environ:
            train_args += f"--use-wandb --wandb-key {os.environ['WANDB_API_KEY']} "
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For values from the environment, and for placeholders: short ones, words in brackets, and texts without digits.

    ## Fix safety
    There is no fix: the credential must be revoked, not only moved.
    """
    for use in binding.assignments:
        if _FLAGS.search(use.spelled) and not use.model:
            for value in use.values:
                for guard, secrets in _written(value.text, use.guard & value.guard):
                    message = f"the value of `{use.spelled}` is a credential {_REMEDY}"
                    yield Finding(guard, message, origin_of(use.arguments[0]), secrets=secrets)
    yield from _loose(binding)
    for name, variants in binding.launch.environment:
        for variant in variants if _VARIABLES.fullmatch(name) else ():
            for guard, secrets in _written(variant.value, variant.guard):
                message = f"`{name}` is set to a credential {_REMEDY}"
                yield Finding(guard, message, variant.key_origin, secrets=secrets)


def _loose(binding: Binding) -> Iterator[Finding]:
    """Credentials in words that another mistake keeps from being the value of their flag."""
    argv = binding.launch.argv
    for word in binding.unbound:
        before = argv[word.index - 1].text.shown() if word.index else ""
        spelled = word.argument.text.shown()
        if word.option and _LIKE_FLAGS.match(word.spelled):
            for value in word.values:
                yield from _in_parts(value, word.spelled, word.guard & value.guard, 0)
        elif not word.argument.model:
            named = _LIKE_FLAGS.search(spelled)
            start = named.end() if named is not None else 0
            named = named or re.search(f"{_LIKE_FLAGS.pattern}$", before)
            if named is not None:
                yield from _in_parts(word.argument, named.group(), word.guard, start)


def _in_parts(argument: Argument, flag: str, live: Guard, start: int) -> Iterator[Finding]:
    """Every run of characters behind `start` that looks like a credential, within one piece of a word."""
    at = 0
    for piece in argument.text.pieces:
        if not isinstance(piece, Chars):
            return
        for run in _RUN.finditer(piece.text) if piece.exact else ():
            cut = piece.slice(run.start(), run.end()).origin
            if at + run.start() >= start and _looks_real(run.group()) and cut is not None:
                message = f"the text behind `{flag}` is a credential {_REMEDY}"
                yield Finding(live & piece.guard, message, origin_of(argument), secrets=(cut.place,))
        at += len(piece.text)


def _written(value: Value, live: Guard) -> Iterator[tuple[Guard, tuple[Place, ...]]]:
    """The conditions on which a value is a text of the source that looks like a credential, and where it stands."""
    for guard, leaf in options_of(value, live):
        if not isinstance(leaf, Text) or not all(isinstance(piece, Chars) and piece.exact for piece in leaf.pieces):
            continue
        places = tuple(piece.origin.place for piece in leaf.pieces if piece.origin is not None)
        for under, spelled in spellings(leaf, guard):
            if _looks_real(spelled):
                yield under, places


def _looks_real(text: str) -> bool:
    if len(text) < _SHORTEST or not re.fullmatch(r"[\w.+/=-]+", text):
        return False
    digits = sum(char.isdigit() for char in text)
    return digits >= 4 and len(set(text)) >= 8 and not re.search(r"your|example|placeholder|dummy|x{4}", text, re.I)
