"""Fixes against the recipe that is run for real: its argv changes as the title of the fix says, in nothing else."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from rules_harness import BY_CODE, FIXTURES_BY_NAME, Fixture, blocks, comments, settings_for

from miles_lint.diagnostic import Diagnostic, Severity
from miles_lint.edits import apply, fix_once
from miles_lint.lint import lint_alone
from miles_lint.source import Source
from tests.oracles.stub_helper import NAME, ExecuteTrainConfig, run

Words = list[str]


def knobs(message: str) -> dict[str, object]:
    """The knobs that a finding says it is about."""
    found = re.search(r"when `--(no-)?([\w-]+)(?: (\S+))?` is passed$", message)
    if found is None:
        return {}
    return {found[2].replace("-", "_"): found[3] if found[3] is not None else found[1] is None}


def launched(text: str, assignment: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> list[Words]:
    """The argv of every launch of a recipe that is executed, the train script first."""
    commands: list[Words] = []

    def record(command: str | Sequence[str], **_: object) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        start = next(index for index, word in enumerate(words) if re.search(r"train(_\w+)?\.py$", word))
        commands.append(words[start:])

    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "run", record)
        patched.setattr(ExecuteTrainConfig, "create_backend", lambda self: sys.modules[NAME], raising=False)
        entry = re.search(r"typer\.run\((\w+)\)|@app\.command\(\)\n(?:@.*\n)*def (\w+)", text)
        done = run(text, (entry[1] or entry[2]) if entry is not None else "__main__", assignment)
    return [[start.train_script, *shlex.split(start.train_args)] for start in done.launches] + commands


def spaced(gone: Words, come: Words) -> bool:
    return len(gone) == 1 and len(come) == 2 and gone[0] in ("".join(come), "".join(reversed(come)))


def switched(gone: Words, come: Words) -> bool:
    paths = [word for word in gone if "." in word]
    return (
        come == ["--fully-async"]
        and len(paths) == 1
        and all(word.startswith("--") for word in gone if word not in paths)
    )


def removed(gone: Words, come: Words) -> bool:
    return come == [] and any("fully_async" in word for word in gone)


def one_word(gone: Words, come: Words) -> bool:
    return [word.replace(" ", "=", 1) for word in gone] == come


def formatted(gone: Words, come: Words) -> bool:
    return (
        bool(gone) and all(re.search(r"\{[\w.]+\}", word) for word in gone) and not any("{" in word for word in come)
    )


ANNOUNCED: dict[str, Callable[[Words, Words], bool]] = {
    r"Insert the space": spaced,
    r"Put it in quotes": lambda gone, come: gone == come == [],
    r"Replace with `--fully-async`": switched,
    r"Remove `--rollout-function-path`": removed,
    r"Write `--[\w-]+=…`": one_word,
    r"Make it an f-string": formatted,
}


def cases() -> list[tuple[str, Source, Diagnostic]]:
    """Every fix of every fixture and of every example in the documentation."""
    sources = [(name, fixture.source, fixture.settings) for name, fixture in FIXTURES_BY_NAME.items()]
    for rule in BY_CODE.values():
        sources += [(f"{rule.code}-example", source, settings_for(rule.code)) for source in blocks(rule, "Example")]
    return [
        (f"{name}-{number}", source, found)
        for name, source, settings in sources
        for number, found in enumerate(lint_alone(source, settings).diagnostics)
        if found.fix is not None and found.code[:4] != "MIL9"
    ]


CASES = cases()


@pytest.mark.parametrize(("name", "source", "found"), CASES, ids=[name for name, _, _ in CASES])
def test_a_fix_changes_the_argv_as_it_announces(
    name: str, source: Source, found: Diagnostic, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found.fix is not None
    text = apply(source, found.fix.edits)
    ast.parse(text)
    assert comments(text) == comments(source.text)
    before, after = (launched(each, knobs(found.message), monkeypatch) for each in (source.text, text))
    assert before
    assert len(before) == len(after)
    announced = next(check for title, check in ANNOUNCED.items() if re.fullmatch(title, found.fix.title))
    for old, new in zip(before, after):
        gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
        assert announced(sorted(gone.elements()), sorted(come.elements())), (gone, come)


@pytest.mark.parametrize("fixture", FIXTURES_BY_NAME.values(), ids=str)
def test_a_safe_fix_brings_no_new_error(fixture: Fixture) -> None:
    known = Counter(found.code for found in fixture.check().diagnostics)
    for found in fixture.check().diagnostics:
        if found.fix is not None:
            fixed, _ = fix_once(fixture.source, (found,), found.fix.applicability)
            after = lint_alone(fixed, fixture.settings).diagnostics
            new = Counter(each.code for each in after if each.severity is Severity.ERROR) - known
            assert not new or found.fix.applicability < max(type(found.fix.applicability)), new
