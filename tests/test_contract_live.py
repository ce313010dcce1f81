"""Which contract a checkout is read with: recognised by content, read by one process, or the bundled one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from miles_lint.contract import keep, live, recognise
from miles_lint.contract.messages import message_of
from miles_lint.contract.model import Contract, Flag
from miles_lint.contract.plugged import InTree
from miles_lint.contract.store import dumps

FIXTURES = Path(__file__).parent / "fixtures" / "trainers"
READ = ("orbit/utils/arguments.py", "orbit/utils/misc.py", "train.py", "train_async.py")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A miniature trainer without owners beside it, nothing of it kept."""
    monkeypatch.setenv("MILES_LINT_CACHE_DIR", str(tmp_path / "kept"))
    for variable in ("MEGATRON_ROOT", "MEGATRON_PATH", "SGLANG_ROOT", "ROUTER_ROOT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(live, "PATIENCE", 600.0)
    root = tmp_path / "checkout"
    shutil.copytree(FIXTURES / "orbit", root)
    live.forget()
    yield root
    live.forget()


@pytest.fixture
def told(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, told as the revision that comes with the linter."""
    text = recognise.dump_sources({"trainer": (str(checkout), [str(checkout / path) for path in READ])})
    monkeypatch.setattr(recognise, "_bundled", lambda: json.loads(text))
    return checkout


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> str:
        raise AssertionError("the trainer is read")

    monkeypatch.setattr(live, "_read", read)


def recipe(root: Path) -> str:
    return str(root / "examples" / "run.py")


def test_sources_that_are_bundled_are_not_read(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid(monkeypatch)
    for path in READ:
        os.utime(told / path, (1, 1))
    (told / READ[1]).write_bytes((told / READ[1]).read_bytes().replace(b"\n", b"\r\n"))
    (told / "orbit" / "unread.py").write_text("x = 1\n")
    found = live.contract_for(recipe(told), "megatron", "train.py")
    assert found.by_name.keys() == live.bundled().contract("megatron", "train.py").by_name.keys()
    assert found.root == str(told)


@pytest.mark.parametrize("path", READ)
def test_a_change_of_any_file_that_is_read_counts(told: Path, path: str) -> None:
    assert recognise.is_bundled("trainer", str(told))
    with open(told / path, "a") as file:
        file.write("\nx = 1\n")
    assert not recognise.is_bundled("trainer", str(told))


def test_another_driver_counts(told: Path) -> None:
    (told / "train_other.py").write_text("parse_args()\n")
    assert not recognise.is_bundled("trainer", str(told))


def test_a_checkout_of_its_own_is_read_once(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = live.contract_for(recipe(checkout), "megatron", "train.py")
    assert "--free-running" in found.by_name
    live.forget()
    forbid(monkeypatch)
    assert dumps([live.contract_for(recipe(checkout), "megatron", "train.py")]) == dumps([found])


def test_a_new_driver_is_read(checkout: Path) -> None:
    assert live.contract_for(recipe(checkout), "megatron", "train_other.py").driver == "train.py"
    shutil.copy(checkout / "train_async.py", checkout / "train_other.py")
    live.forget()
    assert live.contract_for(recipe(checkout), "megatron", "train_other.py").driver == "train_other.py"


def test_of_several_processes_one_reads(checkout: Path) -> None:
    program = (
        "import sys\nfrom miles_lint.contract import live\n"
        "real = live._read\n"
        "live._read = lambda *given: print('read') or real(*given)\n"
        "assert '--free-running' in live.stored(sys.argv[1]).contract('megatron', 'train.py').by_name\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(checkout)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    assert "".join(said).split() == ["read"]


def test_a_half_edited_trainer_is_told_once(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(live, "tell", said.append)
    with open(checkout / "orbit" / "utils" / "arguments.py", "a") as file:
        file.write("\ndef half(\n")
    for backend in ("megatron", "fsdp"):
        found = live.contract_for(recipe(checkout), backend, "train.py")
        assert (found.trainer, found.backend, found.root) == ("miles", backend, None)
    assert len(said) == 1
    assert "the bundled contract serves" in said[0]


def test_messages_come_from_the_checkout(checkout: Path) -> None:
    found = live.contract_for(recipe(checkout), "megatron", "train.py")
    quoted = {message_of(found, each) for each in found.constraints if each.kind == "rejects"} - {None}
    text = (checkout / "orbit" / "utils" / "arguments.py").read_text()
    assert len(quoted) > 5
    assert sum(str(message).partition("{")[0] in text for message in quoted) > 5
    assert not any(message_of(live.bundled().contract("megatron", "train.py"), each) for each in found.constraints)


def test_without_a_folder_to_keep_things_in(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILES_LINT_NO_CACHE", "1")
    with keep.alone("trainer", "x"):
        assert "--free-running" in live.stored(str(checkout)).contract("megatron", "train.py").by_name


PLAIN = "def generate(args):\n    pass\n\n\nclass Fn:\n    pass\n\n\nclass Of(Fn):\n    pass\n"
HOOKED = PLAIN + "\n\ngenerate.add_arguments = print\n"


@pytest.mark.parametrize(
    ("path", "text", "known"),
    [
        ("own.mod.generate", PLAIN, True),
        ("own.mod.Fn", PLAIN, True),
        ("own.mod.Of", PLAIN, False),
        ("own.mod.missing", PLAIN, False),
        ("own.mod.generate", HOOKED, False),
        ("own.mod.Fn", HOOKED, False),
        ("told.generate", HOOKED, True),
        ("told.Of", HOOKED, True),
        ("told.other", HOOKED, False),
        ("lost.generate", PLAIN, False),
    ],
)
def test_functions_are_looked_up_in_the_tree(tmp_path: Path, path: str, text: str, known: bool) -> None:
    (tmp_path / "own" / "mod").mkdir(parents=True)
    (tmp_path / "own" / "mod" / "__init__.py").write_text(text)
    (tmp_path / "told.py").write_text(text)
    flag = Flag(("--own",), "own", owner="told.generate")
    plugged = frozenset(("told.generate", "told.Of", "lost.generate"))
    contract = Contract("t", "", flags=(flag,), plugged=plugged)
    assert (path in InTree(str(tmp_path), contract)) == known
    assert ({path} <= InTree(str(tmp_path), contract)) == known
    bare = InTree(str(tmp_path), Contract("t", ""))
    assert ({path} <= bare) == (path in bare)


def test_a_function_that_comes_later_is_found_once_the_files_are_looked_at_anew(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("")
    functions = InTree(str(tmp_path), Contract("t", ""))
    assert "own.generate" not in functions
    (tmp_path / "own.py").write_text(PLAIN)
    live.forget()
    assert "own.generate" in functions
