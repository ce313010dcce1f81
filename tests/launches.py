"""What tests of the commands that show launches share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from miles_lint.cli import main
from miles_lint.recipe import Fold, fold
from miles_lint.source import Source

FIXTURES = Path(__file__).parent / "fixtures" / "recipes"
HELPER = "import miles.utils.external_utils.command_utils as U\n"


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Run:
    """Runs commands in one folder, whose files a test writes."""

    folder: Path
    capture: pytest.CaptureFixture[bytes]

    def __call__(self, *arguments: str) -> Done:
        code = main(list(arguments))
        out, err = self.capture.readouterr()
        return Done(code, out.decode(), err.decode())

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name


def recipe(body: str, knobs: str = "") -> str:
    """A recipe with these knobs and this body; the body fills `train_args` and may read `args`."""
    fields = "\n".join(f"    {line.strip()}" for line in knobs.splitlines() if line.strip()) or "    unused: int = 0"
    inner = "\n".join(f"    {line}" for line in dedent(body).strip().splitlines())
    return (
        f"from dataclasses import dataclass\nfrom typing import Literal\nimport typer\n{HELPER}\n"
        f"@dataclass\nclass ScriptArgs:\n{fields}\n\n"
        f"def main(args: ScriptArgs):\n{inner}\n"
        "    U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type=None)\n\n"
        'if __name__ == "__main__":\n    typer.run(U.dataclass_cli(main))\n'
    )


def folded(text: str, path: str = "recipe.py") -> Fold:
    """The launches of a text."""
    return fold(Source.from_text(path, text))
