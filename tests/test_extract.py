"""Extraction against the parser and the validators of a miniature trainer, which are run for real."""

from __future__ import annotations

import functools
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from miles_lint.constraints import verdict
from miles_lint.contract.extract import NoTrainer, extract_all
from miles_lint.contract.model import Atom, Contract, Flag
from miles_lint.contract.store import dumps
from miles_lint.contract.words import constraint_words
from miles_lint.domain.truth import Truth

HERE = Path(__file__).parent
TRAINERS = HERE / "fixtures" / "trainers"
ORBIT, OWNERS = TRAINERS / "orbit", TRAINERS / "owners"
CHILD = HERE / "oracles" / "orbit_child.py"

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="the miniature trainer needs StrEnum")


@functools.cache
def contracts() -> dict[tuple[str, str], Contract]:
    owners = str(OWNERS)
    made = extract_all(str(ORBIT), megatron=owners, sglang=owners, router=owners)
    return {(contract.backend, contract.driver): contract for contract in made}


def contract(backend: str = "megatron", driver: str = "train.py") -> Contract:
    return contracts()[backend, driver]


def run(question: object) -> object:
    """The answer of the real trainer in an interpreter of its own."""
    path = os.pathsep.join((str(ORBIT), str(OWNERS), str(HERE.parent)))
    done = subprocess.run(
        [sys.executable, str(CHILD)],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@functools.cache
def real_flags(backend: str) -> dict[str, dict[str, object]]:
    found = run({"flags": backend})
    assert isinstance(found, dict)
    return found


def told(flag: Flag) -> dict[str, object]:
    default = flag.default if flag.default_known else "unknown"
    return {
        "names": list(flag.names),
        "dest": flag.dest,
        "arity": flag.arity,
        "type": None if flag.type in ("str", "unknown") or flag.arity == 0 else flag.type.rpartition(".")[2],
        "choices": None if flag.choices is None else list(flag.choices),
        "default": list(default) if isinstance(default, tuple) else default,
        "required": flag.required,
        "suppressed": flag.suppressed,
    }


@pytest.mark.parametrize("backend", ["megatron", "fsdp"])
def test_flags_are_those_of_the_real_parser(backend: str) -> None:
    real = real_flags(backend)
    own = {name: told(flag) for name, flag in contract(backend).by_name.items() if not flag.owner.startswith("orbit.")}
    assert len(real) > 50
    assert own.keys() == real.keys()
    assert own == real


@pytest.mark.parametrize("backend", ["megatron", "fsdp"])
def test_abbreviations_are_accepted_where_the_parser_accepts_them(backend: str) -> None:
    assert contract(backend).allow_abbrev == (backend == "fsdp")


def test_actions_and_their_replacements() -> None:
    by_name = contract().by_name
    assert by_name["--offload"].action == by_name["--no-offload"].action == "boolean_optional"
    assert by_name["--sglang-talk"].action == "store_true"
    assert by_name["--sglang-talk"].deprecated
    assert by_name["--sglang-talk"].replacement == "--verbose"
    assert by_name["--sglang-old-backend"].action == "store"
    assert by_name["--eval-sglang-verbose"].action == "boolean_optional"
    assert by_name["--session"].const is True


def test_owners_and_origins() -> None:
    by_name = contract().by_name
    owners = {name: by_name[name].owner for name in ("--width", "--sglang-mode", "--router-policy", "--nodes")}
    assert owners == {
        "--width": "megatron",
        "--sglang-mode": "sglang",
        "--router-policy": "router",
        "--nodes": "orbit",
    }
    origin = by_name["--nodes"].origin
    assert origin is not None
    line = (ORBIT / origin.path).read_text().splitlines()[origin.row - 1]
    assert '"--nodes"' in line
    assert contract("fsdp").by_name["--warmup"].owner == "fsdp"


def test_functions_that_add_flags() -> None:
    flag = contract().by_name["--tool-turns"]
    assert (flag.owner, flag.type, flag.default) == ("orbit.rollout.tools.generate", "int", 4)
    assert "orbit.rollout.free.FreeFn" in contract().plugged


def test_the_switch_that_selects_a_function() -> None:
    (selector,) = contract().selectors
    assert (selector.switch, selector.flag) == ("--free-running", "--rollout-function-path")
    assert selector.value == "orbit.rollout.free.FreeFn"


def test_a_backend_without_a_value_that_the_parser_admits_is_none() -> None:
    assert {backend for backend, _ in contracts()} == {"megatron", "fsdp"}
    assert {driver for _, driver in contracts()} == {"train.py", "train_async.py"}


def _spell(dest: str) -> str:
    return dest


def words(driver: str, backend: str = "megatron") -> list[str]:
    found = contract(backend, driver).constraints
    return [constraint_words(each, _spell) for each in found if each.kind == "rejects"]


def test_formulas_of_checks() -> None:
    told = words("train.py")
    assert "refused when free_running and colocate" in told
    assert "refused when free_running and pause_mode == 'abort'" in told
    assert "refused when partial and session == 'v2'" in told
    assert "refused when not colocate and rollout_gpus is None" in told
    assert "refused when tokenizer == 'strict' and (partial or session)" in told
    (datasets,) = [each for each in told if "eval_interval" in each]
    assert datasets.startswith("refused when not eval_data and eval_interval is not None or ")


def test_guards_of_drivers() -> None:
    only = set(words("train_async.py")) - set(words("train.py"))
    assert any("colocate" in each for each in only)
    assert any("partial" in each for each in only)
    assert any("free_running" in each for each in set(words("train.py")) - set(words("train_async.py")))


VALUES: dict[str, tuple[object, ...]] = {
    "nodes": (1, 2),
    "rollout_gpus": (None, 0, 8),
    "colocate": (False, True),
    "offload": (None, False, True),
    "partial": (False, True),
    "session": (False, True, "v2"),
    "tokenizer": ("plain", "strict"),
    "eval_data": (None, ["a"]),
    "eval_interval": (None, 5),
    "steps": (None, 2),
    "global_batch_size": (None, 16, 64),
    "free_running": (False, True),
    "pause_mode": ("abort", "keep"),
    "rollout_function_path": (None, "a.b"),
    "rounds": (None, 3),
    "epochs": (None, 2),
    "sglang_tp_size": (1, 2),
    "sglang_backend": (None, "torch"),
    "sglang_fraction": (None, 0.5, 2.0),
    "sglang_strict": (True, False),
    "context_parallel_size": (1, 2),
}
ENVIRONMENTS: tuple[dict[str, str], ...] = ({}, {}, {"ORBIT_LEGACY": "1"}, {"ORBIT_HOME": "/nowhere"})


@pytest.mark.parametrize("backend", ["megatron", "fsdp"])
@pytest.mark.parametrize("driver", ["train.py", "train_async.py"])
def test_constraints_agree_with_the_real_validators(backend: str, driver: str) -> None:
    chance = random.Random(f"{backend} {driver}")
    safe = {"nodes": 1, "rollout_gpus": 8, "rounds": 3, "tokenizer": "plain", "pause_mode": "keep", "session": False}
    cases = []
    for _ in range(1_500):
        changed = chance.sample(sorted(VALUES), chance.randint(1, 5))
        given = {**safe, **{dest: chance.choice(VALUES[dest]) for dest in changed}}
        cases.append({"args": given, "env": chance.choice(ENVIRONMENTS)})
    answer = run({"backend": backend, "driver": driver, "cases": cases})
    assert isinstance(answer, dict)
    found = contract(backend, driver)
    rejecting = [each for each in found.constraints if each.kind == "rejects"]
    overriding = [each for each in found.constraints if each.kind == "overrides"]
    decided = refused = 0
    for case, outcome in zip(cases, answer["outcomes"]):
        values = {**answer["defaults"], **case["args"]}
        environment: Mapping[str, str] = case["env"]
        if outcome["at"] is None:
            for each in rejecting:
                assert verdict(each, values, environment) is not Truth.YES, (case, each)
            for each in overriding:
                if verdict(each, values, environment) is Truth.YES:
                    assert outcome["final"].get(each.target, ...) != values[each.target], (case, each)
        elif outcome["stated"]:
            here = [e for e in rejecting if e.origin is not None and [e.origin.path, e.origin.row] == outcome["at"]]
            assert here, outcome
            answers = [verdict(each, values, environment) for each in here]
            assert any(each is not Truth.NO for each in answers), (case, outcome, here)
            if not any("isdir" in constraint_words(each, _spell) for each in here):
                refused += 1
                decided += any(each is Truth.YES for each in answers)
    assert refused > 300
    assert decided == refused


def test_every_check_is_captured() -> None:
    """Every `assert` and `raise` of the validators and guards stands in some contract."""
    rows = set()
    for path in ("orbit/utils/arguments.py", "orbit/backends/engine.py", "train.py", "train_async.py"):
        for row, line in enumerate((ORBIT / path).read_text().splitlines(), 1):
            if line.strip().startswith(("assert ", "raise ")):
                rows.add((path, row))
    found = {
        (each.origin.path, each.origin.row)
        for one in contracts().values()
        for each in one.constraints
        if each.origin is not None and each.kind == "rejects"
    }
    assert len(rows) > 15
    assert rows <= found


def test_what_a_file_says_is_not_known() -> None:
    (fraction,) = [each for each in words("train.py") if " sglang_fraction" in each]
    assert "not settings" in fraction
    assert "settings and ⟨" in fraction


def test_formulas_are_small() -> None:
    for one in contracts().values():
        for each in one.constraints:
            assert _size(each.when) < 120, constraint_words(each, _spell)


def _size(atom: object) -> int:
    return 1 + sum(map(_size, atom.operands)) if isinstance(atom, Atom) else 1


def test_a_folder_without_a_trainer(tmp_path: Path) -> None:
    with pytest.raises(NoTrainer, match="holds no package"):
        extract_all(str(tmp_path))


def test_a_file_that_is_no_python(tmp_path: Path) -> None:
    package = tmp_path / "orbit" / "utils"
    package.mkdir(parents=True)
    (package / "arguments.py").write_text("from orbit.utils.half import add\n\ndef parse_args():\n    add(None)\n")
    (package / "half.py").write_text("def add(parser:\n")
    (package / "__init__.py").touch()
    (tmp_path / "orbit" / "__init__.py").touch()
    with pytest.raises(NoTrainer, match=r"half\.py is not Python"):
        extract_all(str(tmp_path))


def test_a_parser_that_cannot_be_told(tmp_path: Path) -> None:
    """Half a contract would call every flag of the other half unknown."""
    shutil.copytree(ORBIT, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "orbit" / "utils" / "arguments.py"
    text = path.read_text()
    broken = text.replace("parser = add_cluster(parser)", "parser = add_clusters(parser)")
    assert broken != text
    path.write_text(broken)
    with pytest.raises(NoTrainer, match="cannot be told"):
        extract_all(str(tmp_path))


def test_extraction_is_deterministic() -> None:
    owners = str(OWNERS)
    again = extract_all(str(ORBIT), megatron=owners, sglang=owners, router=owners)
    assert dumps(again) == dumps(contracts().values())


@pytest.mark.parametrize("names", list(itertools.combinations(("megatron", "sglang", "router"), 2)))
def test_without_an_owner_the_bundled_one_serves(names: tuple[str, str]) -> None:
    given = {name: str(OWNERS) for name in names}
    found = next(iter(extract_all(str(ORBIT), **given)))
    missing = ({"megatron", "sglang", "router"} - set(names)).pop()
    probe = {"megatron": "--expert-model-parallel-size", "sglang": "--sglang-dp-size", "router": "--router-log-dir"}
    assert probe[missing] in found.by_name
    assert not any(probe[name] in found.by_name for name in names)


MERGING = """
import argparse


def parse_args():
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--quiet", action="store_true")
    before, _ = first.parse_known_args()
    engine = None
    if not before.quiet:
        second = argparse.ArgumentParser(add_help=False)
        second.add_argument("--width", type=int, default=1)
        engine, _ = second.parse_known_args()
    last = argparse.ArgumentParser()
    last.add_argument("--depth", type=int, default=1)
    args, _ = last.parse_known_args()
    for key, value in vars(before).items():
        setattr(args, key, value)
    if engine is not None:
        for key, value in vars(engine).items():
            setattr(args, key, value)
    if not args.quiet:
        assert args.width < args.depth, "too wide"
    return args
"""


def test_namespaces_that_are_merged_key_by_key(tmp_path: Path) -> None:
    package = tmp_path / "merging" / "utils"
    package.mkdir(parents=True)
    (package / "arguments.py").write_text(MERGING)
    (tmp_path / "train.py").write_text("from merging.utils.arguments import parse_args\n")
    (found,) = (each for each in extract_all(str(tmp_path)) if each.backend == "megatron")
    assert {"--quiet", "--width", "--depth"} <= found.by_name.keys()
    told = [constraint_words(each, _spell) for each in found.constraints if each.kind == "rejects"]
    assert told == ["refused when not quiet and not width < depth"]


def test_a_dest_that_another_revision_of_an_owner_has(tmp_path: Path) -> None:
    package = tmp_path / "behind" / "utils"
    package.mkdir(parents=True)
    (tmp_path / "train.py").write_text("from behind.utils.arguments import parse_args\n")
    (package / "arguments.py").write_text(
        "import argparse\n\n\ndef parse_args():\n    parser = argparse.ArgumentParser()\n"
        '    parser.add_argument("--depth", type=int, default=1)\n    args = parser.parse_args()\n'
        "    args.width = args.engine_width\n"
        "    assert args.width > 1\n    assert args.depth > 1\n    assert not hasattr(args, 'engine_height')\n"
        "    if hasattr(args, 'engine_height'):\n        assert args.engine_height\n    return args\n"
    )
    (found,) = extract_all(str(tmp_path))
    told = [constraint_words(each, _spell) for each in found.constraints if each.kind == "rejects"]
    assert told == ["refused when not engine_width > 1", "refused when not depth > 1"]
