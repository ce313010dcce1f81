"""What folding a recipe costs, and how the cost grows with the recipe. `make bench`, or with paths of recipes.

python benchmarks/fold.py                     a launcher of 27 branch points, and 4 and 16 times that
python benchmarks/fold.py scripts/run_x.py    these recipes instead
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from unittest.mock import patch

from miles_lint import recipe
from miles_lint.program.lower import lower
from miles_lint.recipe import Fold
from miles_lint.source import Source

BRANCHES = 27
KNOBS = 48
SIZES = (1, 4, 16)


def launcher(branches: int) -> str:
    """A launcher in the style of the trainer's own: one group of flags per branch point, about 15 lines each.

    Past `KNOBS` branch points they share knobs, and past `BRANCHES` functions share the work, as in real recipes.
    """
    knobs = range(min(branches, KNOBS))
    parts = [range(start, min(start + BRANCHES, branches)) for start in range(0, branches, BRANCHES)]
    lines = [
        *("from dataclasses import dataclass", "from typing import Literal", "", "import typer", ""),
        *("import miles.utils.external_utils.command_utils as U", "", "", "@dataclass"),
        "class ScriptArgs(U.ExecuteTrainConfig):",
        *(f"    {line}" for index in knobs for line in _knob(index)),
        '    model_dir: str = "/models"',
        '    extra_args: str = ""',
        *("", "    def __post_init__(self):"),
        *(f"        self.size_{index} = 1 if self.knob_{index} else 4" for index in knobs[::3]),
        *(line for number, part in enumerate(parts) for line in _part(number, part)),
        *("", "", "def execute(args: ScriptArgs):", '    env = {"NCCL_NVLS_ENABLE": "0"}'),
        '    train_args = f"{args.extra_args} "',
        *(f"    train_args += part_{number}(args, env)" for number in range(len(parts))),
        *("    U.execute_train(", "        train_args=train_args,", "        num_gpus_per_node=8,"),
        *("        megatron_model_type=None,", "        extra_env_vars=env,", "    )"),
        *("", "", "@U.dataclass_cli", "def main(args: ScriptArgs):", "    execute(args)", "", ""),
        *('if __name__ == "__main__":', "    typer.run(main)", ""),
    ]
    return "\n".join(lines)


def _part(number: int, groups: range) -> Iterator[str]:
    yield from ("", "", f"def part_{number}(args: ScriptArgs, env: dict[str, str]) -> str:")
    for index in groups:
        yield from (f"    {line}" for line in _group(index))
    yield "    return (" + " + ".join(f"group_{index}" for index in groups) + ")"


def _knob(index: int) -> Iterator[str]:
    if index % 3 == 1:
        yield f'knob_{index}: Literal["low", "mid", "high"] = "mid"'
    else:
        yield f"knob_{index}: bool = {index % 2 == 0}"


def _group(index: int) -> Iterator[str]:
    knob = index % KNOBS
    yield f"group_{index} = ("
    yield f'    f"--path-{index} {{args.model_dir}}/part-{index} "'
    for flag in range(6):
        yield f'    "--flag-{index}-{flag} {flag} "'
    yield ")"
    if index % 3 == 0:
        yield f"if args.knob_{knob}:"
        yield f'    group_{index} += f"--size-{index} {{args.size_{knob}}} "'
        yield f'    env["VARIABLE_{index}"] = "1"'
    elif index % 3 == 1:
        yield f"match args.knob_{knob}:"
        yield '    case "low":'
        yield f'        group_{index} += "--level-{index} 1 "'
        yield "    case _:"
        yield f'        group_{index} += "--level-{index} 2 "'
    else:
        yield f"group_{index} += f\"{{'--switch-{index} ' if args.knob_{knob} else ''}}\""


def milliseconds(action: Callable[[], object], repeats: int) -> float:
    """The median time of a call."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        action()
        times.append(perf_counter() - start)
    return median(times) * 1000


def measure(name: str, source: Source, repeats: int) -> tuple[float, float]:
    """Print and return what parsing a recipe costs, and folding it afterwards."""
    program = lower(source)
    parsing = milliseconds(lambda: lower(source), repeats)
    found: list[Fold] = []
    with patch.object(recipe, "program_of", lambda _: program):
        folding = milliseconds(lambda: found.append(recipe.fold(source)), repeats)
    words = sum(len(launch.argv) for launch in found[0].launches)
    rows = source.text.count("\n")
    print(f"{name:<32} {rows:>6} lines {words:>6} words   parse {parsing:>8.1f} ms   fold {folding:>8.1f} ms")
    for _, reason in found[0].widened:
        print(f"{'':<32} given up: {reason}")
    return parsing, folding


def main() -> None:
    """Measure, and print growth against the first size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipes", nargs="*", help="recipes to measure instead of generated ones")
    parser.add_argument("--repeats", type=int, default=5, help="the median of this many runs is printed")
    options = parser.parse_args()
    for path in options.recipes:
        with open(path, encoding="utf-8") as stream:
            measure(path, Source.from_text(path, stream.read()), options.repeats)
    if options.recipes:
        return
    first: tuple[float, float] | None = None
    for size in SIZES:
        name = f"{BRANCHES * size} branch points ({size}×)"
        cost = measure(name, Source.from_text("launcher.py", launcher(BRANCHES * size)), options.repeats)
        first = first or cost
        if size > 1:
            print(f"{'':<32} growth: parse {cost[0] / first[0]:.1f}×, fold {cost[1] / first[1]:.1f}×")


if __name__ == "__main__":
    main()
