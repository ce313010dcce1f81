"""No flag that the trainer's own recordings use is unknown, but for real mistakes of theirs. Needs MILES_ROOT."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from miles_lint.contract.live import contract_for
from miles_lint.contract.model import Contract
from tests.oracles.recordings import Checkout

ROOT = os.environ.get("MILES_ROOT", "")
pytestmark = pytest.mark.skipif(
    not ROOT or not (Path(ROOT) / "tests/snapshots/launch_scripts").is_dir(),
    reason="MILES_ROOT names no trainer checkout with recordings",
)
_P2P = "sh/examples/infra_features/p2p_weight_transfer"
_BRANCH = "no SGLang release has it, nor does the trainer's source name it: at best an option of an unreleased branch"
MISTAKES = {
    ("py/scripts/run_mcore_fsdp.py/execute.txt", "--save-retain-interval"): "Megatron's, but the backend is fsdp",
    ("sh/examples/lora/run-kimi-k25-megatron-lora.sh.txt", "--filter-zero-reward-samples"): "in no commit's parser",
    (f"{_P2P}/run-glm5-disagg-profile.sh.txt", "--sglang-remote-instance-weight-loader-ib-device"): _BRANCH,
    (f"{_P2P}/run-kimi-k2-64node-profile.sh.txt", "--sglang-remote-instance-weight-loader-ib-device"): _BRANCH,
}
"""A recording and a flag in it, to the reason why the trainer refuses it (at 31f1ca961)."""
_OPTION = re.compile(r"(--[A-Za-z][\w.-]*)(?:=|$)")


def commands(checkout: Checkout) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Name, driver and argv of every recorded training command."""
    folder = checkout.snapshots / "launch_scripts"
    for path in sorted(folder.rglob("*.txt")):
        name = path.relative_to(folder).as_posix()
        if name.startswith("sh/"):
            for block in re.split(r"^### \d+\n", path.read_text(), flags=re.MULTILINE)[1:]:
                words = [json.loads(line) for line in block.splitlines() if line.startswith('"')]
                start = next((i for i, word in enumerate(words) if word.endswith(".py")), len(words))
                if words[:3] == ["ray", "job", "submit"] and "--" in words[:start]:
                    yield name, Path(words[start]).name, words[start + 1 :]
        else:
            for submitted in checkout.read(path, checkout.sandbox):
                yield name, Path(submitted.train_script[0]).name, submitted.argv


def unknown(contract: Contract, argv: Sequence[str]) -> Iterator[str]:
    """The option strings of a command line that a contract does not have."""
    for word in argv:
        option = _OPTION.match(word)
        if option is not None and option.group(1) not in contract.by_name:
            yield option.group(1)


def test_recordings_use_no_unknown_flag(tmp_path: Path) -> None:
    found: set[tuple[str, str]] = set()
    count = words = 0
    for name, driver, argv in commands(Checkout(Path(ROOT), tmp_path)):
        backend = next((value for flag, value in pairwise(argv) if flag == "--train-backend"), "megatron")
        contract = contract_for(str(Path(ROOT) / "scripts" / "run.py"), backend, driver)
        assert (contract.backend, contract.driver) == (backend, driver), name
        found.update((name, option) for option in unknown(contract, argv))
        count += 1
        words += sum(_OPTION.match(word) is not None for word in argv)
    print(f"{count} recorded commands with {words} flags, unknown: {sorted(found)}")
    assert count > 100
    assert found == MISTAKES.keys()


def test_model_definitions_use_no_unknown_flag(tmp_path: Path) -> None:
    contract = contract_for(str(Path(ROOT) / "scripts" / "run.py"), "megatron", "train.py")
    definitions = dict(Checkout(Path(ROOT), tmp_path).model_args())
    assert len(definitions) > 40
    assert {name: [*unknown(contract, argv)] for name, argv in definitions.items() if [*unknown(contract, argv)]} == {}
