"""MIL107."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Applicability
from miles_lint.domain.guard import Guard
from miles_lint.domain.value import Chars
from miles_lint.launch import Argument
from miles_lint.rules.pieces import printed, two_words
from miles_lint.rules.queries import origin_of, spellings
from miles_lint.rules.rule import Finding, Repair, rule
from miles_lint.source import Place, Span


@rule("MIL107", "embedded-space", since="0.1.0", fix=Applicability.SAFE)
def embedded_space(binding: Binding) -> Iterator[Finding]:
    """One word of the argv holds a flag and its value.

    ## What it finds
    `"--lr 1e-6"` as one element of an argument list, or in shell quotes: the blank is part of the word, so the parser
    takes it for no flag at all.

    ## Example
    ```python
    import subprocess


    def execute():
        subprocess.run(
            [
                "python3",
                "train.py",
                "--colocate",
                "--lr 1e-6",
                "--num-rollout",
                "300",
            ]
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import subprocess


    def execute():
        subprocess.run(
            [
                "python3",
                "train.py",
                "--colocate",
                "--lr=1e-6",
                "--num-rollout",
                "300",
            ]
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    Where such a word is itself the value of a flag with one value, and where it begins with nothing that the trainer
    knows as a flag.

    ## Fix safety
    The fix writes `=` in place of the blank, where the flag has one value. It is safe: it is the spelling that was
    meant, in one word as before.
    """
    for argument, guard in _loose(binding):
        if printed(argument):
            continue
        for under, spelled in spellings(argument.text, guard):
            found = two_words(binding, spelled)
            if found is None:
                continue
            name, _, rest = found.groups()
            flag = binding.contract.by_name[name]
            message = f"`{spelled}` is one word, so the parser takes it for no flag; `{name}` and `{rest}` must be two"
            fits = flag.words == (1, 1) and not re.search(r"\s", rest)
            repair = _joined(argument, name, found.span(2), spelled) if fits else None
            yield Finding(under, message, origin_of(argument), (), repair)


def _loose(binding: Binding) -> Iterator[tuple[Argument, Guard]]:
    """Words that are no flag and not the one value of a flag either."""
    for word in binding.unbound:
        if not word.option and not word.argument.model:
            yield word.argument, word.guard
        for value in word.values:
            yield value, word.guard & value.guard
    for use in binding.assignments:
        if not use.model and use.flag.words[1] > 1:
            for value in use.values:
                yield value, use.guard & value.guard


def _joined(argument: Argument, name: str, blank: tuple[int, int], spelled: str) -> Repair | None:
    """Write `=` over the blank, when the word was written in one literal."""
    pieces = argument.text.pieces
    piece = pieces[0]
    if len(pieces) != 1 or not isinstance(piece, Chars) or not piece.exact or piece.origin is None:
        return None
    origin = piece.origin.slice(*blank)
    word = f"{spelled[: blank[0]]}={spelled[blank[1] :]}"
    place = Place(origin.place.path, Span(origin.place.span.start, origin.place.span.end))
    return Repair(f"Write `{name}=…`", (argument,), (word,), edits=((place, "="),))
