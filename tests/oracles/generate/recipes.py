"""Whole recipes: tables, an argument dataclass, helpers, an entry point, and assignments of its knobs."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.oracles.generate.arguments import MODES, Arguments
from tests.oracles.generate.scope import (
    BOOL,
    FLAGS,
    INT,
    OPTIONS,
    WORD,
    WORD_POOL,
    WORDS,
    Draws,
    Name,
    Scope,
)
from tests.oracles.generate.simple import Lines, indented
from tests.oracles.generate.stateful import BUILDER

IMPORTS = """\
import contextlib
import json
import os
import re
import shlex
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal, Optional

import typer

import miles.utils.external_utils.command_utils as U

app = typer.Typer()
"""


@dataclass(frozen=True)
class Recipe:
    """A recipe, its entry point and assignments to run it at; environment knobs are named `env:NAME`."""

    text: str
    entry: str
    assignments: tuple[dict[str, object], ...]

    def __repr__(self) -> str:
        return f"entry {self.entry}, assignments {self.assignments}\n{self.text}"


@st.composite
def recipes(draw: st.DrawFn, assignments: int = 3) -> Recipe:
    """Recipes that run: whatever the knobs are they launch, or refuse by an assert or a raise of their own."""
    return _Writer(Draws(draw), assignments).recipe()


class _Writer(Arguments):
    def __init__(self, draws: Draws, assignments: int) -> None:
        super().__init__(draws)
        self.wanted = assignments

    def recipe(self) -> Recipe:
        style = self.draws.below(10)
        make = self.script if style == 9 else self.wrapper if style == 8 else self.command
        body, entry = make(self.tables())
        text = IMPORTS + "\n".join(body) + "\n"
        return Recipe(text, entry, tuple(self.assignment() for _ in range(self.wanted)))

    def command(self, body: Lines) -> tuple[Lines, str]:
        """A command whose knobs are the fields of its argument class."""
        entry = self.draws.pick(("train", "execute", "main"))
        body += self.arguments()
        args = self.reading("args.")
        for _ in range(self.draws.below(3)):
            body += self.helper(args.child())
        return body + self.entry(entry, args.child()), entry

    def script(self, body: Lines) -> tuple[Lines, str]:
        """A script without arguments: its knobs are environment variables, read by the module or the function."""
        body += self.block(self.module, 1 + self.draws.below(3), 1)
        scope = self.module.enclosed()
        lines = self.block(scope, 2 + self.draws.below(4), 2)
        lines += self.joined(scope, "") + self.launch(scope, "")
        start = self.draws.pick(([], ['os.environ.pop("RUN_TAG", None)'], self.set_environment(self.module)))
        body += ["", "", "def execute():", *indented(lines)]
        return [*body, "", "", 'if __name__ == "__main__":', *indented([*start, "execute()"])], "__main__"

    def wrapper(self, body: Lines) -> tuple[Lines, str]:
        """A test that builds the arguments with values of its own and calls the recipe's function."""
        body += self.arguments()
        args = self.reading("args.").child()
        lines = self.block(args, 2 + self.draws.below(4), 2)
        lines += self.joined(args, " {args.extra_args}") + self.launch(args)
        chosen = [knob for knob in self.knobs if self.draws.below(2)]
        given = [f"{knob.name}={self.literal(self.draws.pick(knob.values), chr(34))}" for knob in chosen]
        before = self.change(Scope(list(self.fields), args.counter), 1) if self.draws.below(2) else []
        self.knobs = []
        body += ["", "", "def _execute_train(args: ScriptArgs):", *indented(lines), "", ""]
        start = [f"args = ScriptArgs({', '.join([*given, 'extra_args=' + chr(34) + '--ci-test ' + chr(34)])})"]
        return [*body, 'if __name__ == "__main__":', *indented([*start, *before, "_execute_train(args)"])], "__main__"

    def joined(self, scope: Scope, tail: str) -> Lines:
        groups = [known.text for known in scope.of(FLAGS) if '"' not in known.text][-8:]
        joined = " ".join(f"{{{group}}}" for group in groups)
        return [f'train_args = f"--train-backend fsdp {joined}{tail} "']

    # ---- module level

    def tables(self) -> Lines:
        lines = [""]
        if self.draws.chance(40):
            self.builder = True
            lines += ["", *BUILDER.splitlines(), "", ""]
        if self.draws.below(2):
            lines += self.block(self.module, 1 + self.draws.below(2), 1)
        if self.draws.below(2):
            lines += ["", "", *self.profile_class()]
        return lines

    def profile_class(self) -> Lines:
        """A table of frozen dataclasses, one entry a mode."""
        lines = [
            *("@dataclass(frozen=True)", "class Profile:", "    kind: str", "    size: int"),
            *('    flags: str = "--profile-default 1 "', "    limit: int | None = None"),
        ]
        lines += [
            "",
            "    @property",
            "    def world(self) -> int:",
            f"        return self.size * {2 + self.draws.below(3)}",
        ]
        rows = []
        for index, mode in enumerate(MODES):
            extra = self.draws.pick(("", f", flags={self.flags(self.module, 0)}", ", limit=3", ', "--own 2 ", 7'))
            rows.append(
                f'    "{mode}": Profile("{self.draws.pick(WORD_POOL)}", {index + self.draws.below(9)}{extra}),'
            )
        self.profiles = True
        return [*lines, "", "", "PROFILES: dict[str, Profile] = {", *rows, "}"]

    # ---- functions

    def helper(self, scope: Scope) -> Lines:
        """A function that builds flags from the arguments and from what the caller passes."""
        name = scope.fresh("_helper")
        count, word = Name("count", INT, assignable=True), Name("word", WORD, assignable=True)
        parameters, call, locals_ = self.draws.pick(
            (
                ("args: ScriptArgs", "(args)", ()),
                ('args: ScriptArgs, count: int, word: str = "w"', "(args, {number}, {word})", (count, word)),
                ('args: ScriptArgs, count: int, word: str = "w"', "(args, count={number})", (count, word)),
                ("args: ScriptArgs, *, is_on: bool = False", "(args, is_on={switch})", (Name("is_on", BOOL),)),
                (
                    "args: ScriptArgs, count=1, *words, **rest",
                    "(args, {number}, {word}, {word}, key={word})",
                    (count, Name("words", WORDS), Name("rest", OPTIONS)),
                ),
                (
                    "args: ScriptArgs, count=1, word='v'",
                    '(args, **{{"count": {number}, "word": {word}}})',
                    (count, word),
                ),
            )
        )
        for local in locals_:
            scope.add(local)
        lines = self.block(scope, self.draws.below(3), 2)
        for _ in range(self.draws.below(3)):
            inner = scope.child()
            early = self.block(inner, self.draws.below(2), 0)
            lines += [f"if {self.boolean(scope)}:", *indented([*early, f"return {self.flags_expression(inner, 1)}"])]
        if self.draws.chance(15) and self.refusals < 3:
            self.refusals += 1
            lines += [
                f"if {self.boolean(scope, 1)} and {self.boolean(scope, 0)}:",
                '    raise NotImplementedError("refused")',
            ]
        lines.append(f"return {self.result(scope)}")
        self.helpers.append(f"{name}{call}")
        return ["", "", f"def {name}({parameters}) -> str:", *indented(lines)]

    def result(self, scope: Scope) -> str:
        groups = [name.text for name in scope.of(FLAGS)][-4:]
        if not groups or self.draws.chance(30):
            return self.flags_expression(scope)
        joined = " ".join(f"{{{group}}}" for group in groups if '"' not in group)
        return self.draws.pick((f'f"{joined} "', " + ".join(groups), f'" ".join([{", ".join(groups)}])'))

    def entry(self, name: str, scope: Scope) -> Lines:
        lines = self.block(scope, 2 + self.draws.below(5), 2)
        lines += self.joined(scope, " {args.extra_args}")
        lines += self.launch(scope)
        decorated = self.draws.pick(([], ["@app.command()", "@U.dataclass_cli"]))
        function = name if decorated or name != "main" else "main"
        wrapper = self.draws.chance(30)
        inner = "_execute_train" if wrapper else function
        body = ["", "", *([] if wrapper else decorated), f"def {inner}(args: ScriptArgs):", *indented(lines)]
        if wrapper:
            before = self.change(Scope(list(self.fields), scope.counter), 1) if self.draws.below(2) else []
            body += [
                "",
                "",
                *decorated,
                f"def {function}(args: ScriptArgs):",
                *indented([*before, "_execute_train(args)"]),
            ]
        prelude = self.set_environment(self.module) if self.draws.chance(30) else []
        return [
            *body,
            "",
            "",
            'if __name__ == "__main__":',
            *indented(prelude),
            "    app()" if decorated else f"    typer.run({function})",
        ]

    def launch(self, scope: Scope, config: str = "config=args,") -> Lines:
        script = self.draws.pick(
            (
                "",
                'train_script="train_async.py",',
                f'train_script="train_async.py" if {self.boolean(scope, 1)} else "train.py",',
            )
        )
        switch = self.boolean(scope, 1)
        environment = self.draws.pick(
            (
                "",
                f'extra_env_vars={{"A": {self.word(scope, 1)}, "B": str({self.integer(scope, 1)})}},',
                f'extra_env_vars={{"A": "1", **({{"B": {self.word(scope, 1)}}} if {switch} else {{}})}},',
            )
        )
        call = [
            "U.execute_train(",
            *indented(["train_args=train_args,", "num_gpus_per_node=8,", "megatron_model_type=None,"]),
            *indented([line for line in (config, script, environment) if line]),
            ")",
        ]
        if self.draws.chance(15):
            return [
                f'for variant in ("a", {self.word(scope, 1)}):',
                '    train_args += f"--variant {variant} "',
                *indented(call),
            ]
        return call
