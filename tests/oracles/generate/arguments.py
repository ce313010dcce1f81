"""The argument dataclass of a recipe: knobs, `__post_init__`, properties and methods, and values for the knobs."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles.generate.scope import (
    BOOL,
    FLAGS,
    FLOAT,
    INT,
    INTS,
    MAYBE_FLOAT,
    MAYBE_INT,
    MAYBE_WORD,
    NUMBER_ENVIRONMENT,
    SWITCH_ENVIRONMENT,
    WORD,
    WORD_ENVIRONMENT,
    WORD_POOL,
    Draws,
    Name,
    Scope,
)
from tests.oracles.generate.simple import Lines, indented
from tests.oracles.generate.statements import Statements

MODES = ("normal", "debug", "debug_minimal", "fast")
_HARDWARE = ("H100", "GB200", "MI350X")


@dataclass(frozen=True)
class Knob:
    """A field of the argument dataclass: how it is declared, and the values that tests give it."""

    name: str
    kind: str
    declared: str
    values: tuple[object, ...]
    listed: bool = False


class Arguments(Statements):
    """What functions may read of the arguments is in `fields`, as `args.…`."""

    def __init__(self, draws: Draws) -> None:
        super().__init__(draws)
        self.knobs: list[Knob] = []
        self.fields: list[Name] = []
        self.module = Scope()
        self.profiles = False

    def reading(self, owner: str) -> Scope:
        """What a function or a method sees when it starts."""
        scope = Scope([*self.module.enclosed().names, *self.fields], self.module.counter)
        return scope.rebased("args.", owner)

    def arguments(self) -> Lines:
        self.knobs = self.draw_knobs()
        base = "U.ExecuteTrainConfig"
        lines: Lines = ["", ""]
        declared = list(self.knobs)
        if self.draws.chance(25):
            cut = self.draws.below(len(declared)) + 1
            inherited, declared = declared[:cut], declared[cut:]
            lines += ["@dataclass", f"class BaseArgs({base}):", *[f"    {k.name}: {k.declared}" for k in inherited]]
            lines += ["", ""]
            base = "BaseArgs"
        lines += ["@dataclass", f"class ScriptArgs({base}):"]
        lines += [f"    {knob.name}: {knob.declared}" for knob in declared]
        lines += ['    extra_args: str = ""', "    LIMIT: ClassVar[int] = 4"]
        self.fields = [
            Name(f"args.{k.name}", k.kind, k.values if k.listed else (), assignable=True) for k in self.knobs
        ]
        self.fields += [Name("args.num_nodes", INT, assignable=True), Name("args.LIMIT", INT)]
        self.fields += [Name("args.output_dir", WORD), Name("args.cuda_core_dump", BOOL)]
        if self.draws.chance(60):
            lines += ["", "    def __post_init__(self):", *indented(indented(self.post_init()))]
        lines += indented(self.members())
        return lines

    def draw_knobs(self) -> list[Knob]:
        modes = MODES[: 2 + self.draws.below(3)]
        listed = ", ".join(f'"{mode}"' for mode in modes)
        word = self.draws.pick(WORD_POOL)
        number = self.draws.below(9)
        knobs = [
            Knob("mode", WORD, f'Literal[{listed}] = "{self.draws.pick(modes)}"', modes, True),
            Knob("colocate", BOOL, f"bool = {self.draws.pick(('True', 'False'))}", (True, False)),
            Knob("num_gpus", INT, f"int = {number}", (number, 0, 1, 4, 8)),
            Knob("model_name", WORD, f'str = "{word}"', (word, *WORD_POOL[:4], "other-7B")),
            Knob("enable_eval", BOOL, f"bool = {self.draws.pick(('True', 'False'))}", (True, False)),
            Knob("hardware", WORD, f'Literal{list(_HARDWARE)!r} = "GB200"'.replace("'", '"'), _HARDWARE, True),
            Knob("parts", INT, "Literal[1, 2, 4] = 2", (1, 2, 4), True),
            Knob("limit", MAYBE_INT, "Optional[int] = None", (None, 0, 3, 8)),
            Knob("tag", MAYBE_WORD, "str | None = None", (None, "t1", "x-y")),
            Knob("batch", INT, "int = field(default=8)", (8, 16, 3)),
            Knob("run_id", WORD, "str = U.create_run_id()", ("run-7",)),
            Knob("sizes", INTS, "list[int] = field(default_factory=lambda: [1, 2])", ([1, 2], [], [5])),
            Knob("rank", INT, 'int = field(default=1, metadata={"help": "--rank"})', (1, 0, 32)),
            Knob("lr", FLOAT, "float = 1e-6", (1e-6, 0.5, 3.0)),
            Knob("decay", MAYBE_FLOAT, "float | None = None", (None, 0.5, 5e-6)),
        ]
        return self.draws.some(knobs, 3)

    def post_init(self) -> Lines:
        scope = self.reading("self.")
        lines: Lines = []
        for _ in range(1 + self.draws.below(3)):
            lines += self.draws.pick((self.set_field, self.set_field, self.refuse, self.set_environment))(scope)
        return lines

    def set_field(self, scope: Scope) -> Lines:
        change = self.change(scope, 1)
        if self.draws.below(3):
            test = f"if {self.boolean(scope)}:"
            return [
                test,
                *indented(change),
                *(["else:", *indented(self.change(scope, 1))] if self.draws.below(2) else []),
            ]
        return change

    def refuse(self, scope: Scope) -> Lines:
        self.refusals += 1
        if self.refusals > 2:
            return ["pass"]
        return self.draws.pick(
            (
                [f'assert {self._tight(scope, chr(34))} != {5 + self.draws.below(4)}, "refused"'],
                [f'assert not ({self.boolean(scope, 0)} and {self.boolean(scope, 0)}), "refused"'],
                [f"if {self.boolean(scope, 0)} and {self.boolean(scope, 0)}:", '    raise ValueError("refused")'],
            )
        )

    def set_environment(self, scope: Scope) -> Lines:
        name = self.draws.pick(WORD_ENVIRONMENT)
        return self.draws.pick(
            (
                [f'os.environ["{name}"] = {self.word(scope, 1)}'],
                [f'os.environ.setdefault("{name}", {self.word(scope, 1)})'],
                [f"if {self.boolean(scope, 1)}:", f'    os.environ["{name}"] = {self.word(scope, 1)}'],
                ['os.environ["NUM_PARTS"] = "3"'],
                [f'os.environ.update({{"{name}": {self.word(scope, 1)}}})'],
                [f'os.environ.pop("{name}", None)'],
            )
        )

    def members(self) -> Lines:
        """Properties and methods; each becomes something to read as `args.…`."""
        scope = self.reading("self.")
        lines: Lines = []
        if self.draws.below(2):
            lines += ["", "@property", "def world(self) -> int:"]
            if self.draws.below(2):
                lines += [f"    if {self.boolean(scope)}:", f"        return {self.integer(scope, 1)}"]
            lines += [f"    return {self.integer(scope)}"]
            self.fields.append(Name("args.world", INT))
        if self.draws.chance(40):
            lines += [
                "",
                'def describe(self, suffix: str = "x") -> str:',
                f'    return f"{{suffix}}-{{{self._word_or_number(scope)}}}"',
            ]
            self.fields += [Name("args.describe()", WORD), Name('args.describe("y")', WORD)]
        if self.draws.chance(25):
            lines += ["", "@staticmethod", "def double(value: int) -> int:", "    return value * 2"]
            self.fields.append(Name("args.double(3)", INT))
        if self.profiles:
            lines += ["", "@property", "def profile(self) -> Profile:", "    return PROFILES[self.mode]"]
            self.fields += [Name("args.profile.size", INT), Name("args.profile.kind", WORD)]
            self.fields += [Name("args.profile.flags", FLAGS), Name("args.profile.world", INT)]
            self.fields.append(Name("args.profile.limit", MAYBE_INT))
            self.fields.append(Name('PROFILES["fast"].kind', WORD))
        return lines

    def assignment(self) -> dict[str, object]:
        """Values for some knobs and some environment variables; the rest keeps its default."""
        chosen: dict[str, object] = {}
        for knob in self.knobs:
            if self.draws.below(2):
                chosen[knob.name] = self.draws.pick(knob.values)
        if self.knobs and self.draws.chance(30):
            chosen["extra_args"] = self.draws.pick(("--user 1", "--user 'a b' --more", "--f-1 9"))
        if self.knobs and self.draws.chance(30):
            chosen["num_nodes"] = self.draws.pick((1, 2, 4, 16))
        pools = (
            (SWITCH_ENVIRONMENT, ("1", "0")),
            (NUMBER_ENVIRONMENT, ("2", "4")),
            (WORD_ENVIRONMENT, ("env-a", "b2")),
        )
        for names, values in pools:
            for name in names:
                if self.draws.chance(25):
                    chosen[f"env:{name}"] = self.draws.pick(values)
        return chosen
