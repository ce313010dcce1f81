"""Random simple statements: they define and extend variables that later code reads."""

from __future__ import annotations

from tests.oracles.generate.flags import Flags
from tests.oracles.generate.scope import (
    BOOL,
    FLAGS,
    INT,
    INTS,
    MAYBE_INT,
    OPTIONS,
    WORD,
    WORDS,
    Draws,
    Name,
    Scope,
)

Lines = list[str]


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


class Simple(Flags):
    """`helpers` are the call expressions of functions that build flags, each needing `args` in scope."""

    def __init__(self, draws: Draws) -> None:
        super().__init__(draws)
        self.helpers: list[str] = []
        self.refusals = 0

    def new_flags(self, scope: Scope, depth: int) -> Lines:
        value = self.flags_expression(scope)
        name = scope.add(Name(scope.fresh("group_args"), FLAGS, assignable=True))
        return [f"{name.text} = {value}"]

    def more_flags(self, scope: Scope, depth: int) -> Lines:
        name = self.variable(scope, FLAGS)
        if name is None:
            return self.new_flags(scope, depth)
        value = self.flags_expression(scope, 1) if self.draws.chance(30) else self.flags(scope, 1)
        return self.draws.pick(
            ([f"{name} += {value}"], [f"{name} = {name} + {value}"], [f"{name} = {value} + {name}"])
        )

    def variable(self, scope: Scope, kind: str) -> str | None:
        names = [name.text for name in scope.of(kind) if name.assignable]
        return self.draws.pick(names) if names else None

    def new_number(self, scope: Scope, depth: int) -> Lines:
        value = self.integer(scope)
        return [f"{scope.add(Name(scope.fresh('count'), INT, assignable=True)).text} = {value}"]

    def new_word(self, scope: Scope, depth: int) -> Lines:
        value = self.word(scope)
        return [f"{scope.add(Name(scope.fresh('word'), WORD, assignable=True)).text} = {value}"]

    def new_switch(self, scope: Scope, depth: int) -> Lines:
        value = self.boolean(scope)
        return [f"{scope.add(Name(scope.fresh('is_on'), BOOL, assignable=True)).text} = {value}"]

    def change(self, scope: Scope, depth: int) -> Lines:
        """Assign again to a local, or to a field of the argument object."""
        names = [name for name in scope.names if name.assignable and name.kind in (BOOL, INT, WORD, MAYBE_INT)]
        if not names:
            return self.new_number(scope, depth)
        name = self.draws.pick(names)
        if name.values:
            return [f"{name.text} = {self.literal(self.draws.pick(name.values), chr(34))}"]
        if name.kind in (INT, MAYBE_INT):
            augmented = name.kind == INT and self.draws.below(2)
            return [
                f"{name.text} {self.draws.pick(('+=', '-=', '*=')) if augmented else '='} {self.integer(scope, 1)}"
            ]
        return [f"{name.text} = {self.word(scope, 1) if name.kind == WORD else self.boolean(scope, 1)}"]

    def unpack(self, scope: Scope, depth: int) -> Lines:
        number, word = self.integer(scope, 1), self.word(scope, 1)
        first, second = scope.fresh("count"), scope.fresh("word")
        if self.draws.chance(30):
            lines = [f"{first}, *{second}_rest = ({number}, {word}, {self.word(scope, 1)})"]
            scope.add(Name(f"{second}_rest", WORDS))
        elif self.draws.chance(40):
            cases = [f"({self.integer(scope, 0)}, {self.word(scope, 0)})" for _ in range(2)]
            lines = [f"{first}, {second} = {cases[0]} if {self.boolean(scope, 1)} else {cases[1]}"]
            scope.add(Name(second, WORD, assignable=True))
        else:
            lines = [f"{first}, {second} = {number}, {word}"]
            scope.add(Name(second, WORD, assignable=True))
        scope.add(Name(first, INT, assignable=True))
        return lines

    def numbers(self, scope: Scope, depth: int) -> Lines:
        values = [self.integer(scope, 1) for _ in range(1 + self.draws.below(3))]
        value = self.draws.pick(
            (
                f"[{', '.join(values)}]",
                f"tuple(x + 1 for x in ({', '.join(values)},))",
                f"[x for x in ({', '.join(values)},) if x > 2]",
                f"sorted([{', '.join(values)}])",
                f"[x * y for x in (1, 2) for y in ({', '.join(values)},)]",
                f"list(reversed(({', '.join(values)},)))",
                f"[{values[0]}] * {self.draws.below(3)}",
            )
        )
        return [f"{scope.add(Name(scope.fresh('sizes'), INTS)).text} = {value}"]

    def new_options(self, scope: Scope, depth: int) -> Lines:
        value = f'{{"f-1": {self.integer(scope, 1)}, "name": {self.word(scope, 1)}}}'
        older = scope.of(OPTIONS)
        if older and self.draws.below(2):
            value = f'{{**{self.draws.pick(older).text}, "more": {self.integer(scope, 1)}}}'
        elif self.draws.chance(30):
            value = f"dict(lr={self.integer(scope, 1)}, wd={self.word(scope, 1)})"
        elif self.draws.chance(30):
            value = f'{{f"f-{{i}}": i * {self._tight(scope, chr(39))} for i in range(3)}}'
        return [f"{scope.add(Name(scope.fresh('options'), OPTIONS, assignable=True)).text} = {value}"]

    def change_options(self, scope: Scope, depth: int) -> Lines:
        name = self.variable(scope, OPTIONS)
        if name is None:
            return self.new_options(scope, depth)
        key = self.draws.pick(('"f-1"', '"f-2"', '"name"'))
        return [
            self.draws.pick(
                (
                    f"{name}[{key}] = {self.word(scope, 1)}",
                    f"{name}.update({{{key}: {self.integer(scope, 1)}}})",
                    f"{name}.pop({key}, None)",
                    f"{name}.setdefault({key}, {self.integer(scope, 1)})",
                    f"{name} |= {{{key}: {self.integer(scope, 1)}}}",
                    f"{name}.update(extra={self.word(scope, 1)})",
                )
            )
        ]

    def new_words(self, scope: Scope, depth: int) -> Lines:
        words = [self.word(scope, 1) for _ in range(self.draws.below(3))]
        value = f'["--w", {", ".join(words)}]' if words else self.draws.pick(("[]", '"a b c".split()', '["--w", "x"]'))
        return [f"{scope.add(Name(scope.fresh('tokens'), WORDS, assignable=True)).text} = {value}"]

    def change_words(self, scope: Scope, depth: int) -> Lines:
        name = self.variable(scope, WORDS)
        if name is None:
            return self.new_words(scope, depth)
        word = self.word(scope, 1)
        return [
            self.draws.pick(
                (
                    f"{name}.append({word})",
                    f'{name}.extend(["--w-2", {word}])',
                    f'{name} += ["--w-3", {word}]',
                    f'{name} = ["--w-4", *{name}]',
                    f"{name}.insert(0, {word})",
                    f'{name}.extend(["--w-5", {word}] if {self.boolean(scope, 1)} else [])',
                    f"{name} = {name}[1:]",
                )
            )
        ]

    def call_helper(self, scope: Scope, depth: int) -> Lines:
        if not self.helpers or not any(name.text.startswith("args.") for name in scope.names):
            return self.new_flags(scope, depth)
        call = self.draws.pick(self.helpers).format(
            number=self.integer(scope, 1), word=self.word(scope, 1), switch=self.boolean(scope, 1)
        )
        return [f"{scope.add(Name(scope.fresh('group_args'), FLAGS, assignable=True)).text} = {call}"]

    def local_function(self, scope: Scope, depth: int) -> Lines:
        name, value = scope.fresh("flag"), self._word_or_number(scope)
        result = scope.fresh("group_args")
        made = self.draws.pick(
            (
                [f'{name} = lambda key, value={self.integer(scope, 0)}: f"--{{key}} {{value}} "'],
                [
                    f"def {name}(key, value={self.integer(scope, 0)}):",
                    f'    return f"--{{key}} {{value}} {{{value}}} "',
                ],
                [f'{name} = partial("--{{}} {{}} ".format, "k", {self.integer(scope, 0)})'],
                [f"def {name}(*keys, **rest):", '    return "".join(f"--{k} " for k in (*keys, *rest))'],
            )
        )
        call = f'{name}("a")' if self.draws.below(2) else f'{name}("a") + {name}("b")'
        scope.add(Name(result, FLAGS, assignable=True))
        return [*made, f"{result} = {call}"]
