"""Who may lean on whom, and what is loaded when."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import miles_lint

PACKAGE = Path(miles_lint.__file__).parent
ROOT = Path(__file__).parent.parent
ALLOWED = {
    "libcst": {"program"},
    "tomli": {"cli", "settings_files"},
    "tomllib": {"cli", "settings_files"},
    "pygls": {"server"},
    "lsprotocol": {"server"},
}
"""Third-party packages, as Python 3.10 sees them, to the modules that may import them."""

FOLDED = PACKAGE / "fold" / "prelude"


def sources() -> tuple[Path, ...]:
    return tuple(path for path in sorted(PACKAGE.rglob("*.py")) if FOLDED not in path.parents)


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


def test_layers() -> None:
    pytest.importorskip("importlinter", reason="import-linter is not installed")
    command = (sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[done.stdout.find("Contracts") :] + done.stderr


def test_every_folder_of_modules_is_a_package() -> None:
    assert [path.parent for path in sources() if not (path.parent / "__init__.py").exists()] == []


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_third_party_packages_are_few_and_in_their_place(path: Path) -> None:
    part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for name in imports(path):
        top = name.partition(".")[0]
        if top != "miles_lint" and top not in sys.stdlib_module_names:
            assert part in ALLOWED.get(top, ()), name


def loaded(arguments: list[str], folder: Path) -> set[str]:
    """The top-level modules loaded by one run of the command line."""
    probe = (
        "import sys\nfrom miles_lint.cli import main\nmain(sys.argv[1:])\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    command = (sys.executable, "-c", probe, *arguments)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    return set(done.stderr.splitlines()[-1].split())


HEAVY = {"libcst", "yaml", "json", "argparse", "difflib", "typing_extensions", "pygls", "asyncio", "inspect"}


def test_the_version_is_told_without_loading_anything(tmp_path: Path) -> None:
    assert not loaded(["--version"], tmp_path) & HEAVY


def test_a_file_that_launches_nothing_costs_no_parser(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("import os\n\nprint(os.getcwd())\n")
    assert not loaded(["check", "plain.py"], tmp_path) & (HEAVY - {"argparse", "inspect"})
    (tmp_path / "recipe.py").write_text("import miles.utils.external_utils.command_utils as U\nU.execute_train()\n")
    assert "libcst" in loaded(["check", "recipe.py"], tmp_path)
