"""Rules that read the trainer around a recipe: what is not in its files is told, whatever the bundled lists say."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from miles_lint.lint import lint_alone
from miles_lint.settings import Settings
from miles_lint.source import Source
from miles_lint.surface import bundled, describe, surface_of

HERE = "in this checkout"
HELPER = """
from dataclasses import dataclass


@dataclass
class ExecuteTrainConfig:
    num_nodes: int = 1

    def create_backend(self):
        return BaseCommandBackend(self)


class BaseCommandBackend:
    def __init__(self, config):
        self.config = config

    def execute_train(self, train_args, num_gpus_per_node, megatron_model_type, train_script="train.py"):
        print(train_args)


def execute_train(train_args, num_gpus_per_node, megatron_model_type, train_script="train.py"):
    print(train_args)


def rsync_simple(path_src, path_dst):
    print(path_src, path_dst)
"""
FILES = {
    "train.py": "",
    "miles/__init__.py": "",
    "miles/utils/arguments.py": "import os\n\nSWITCH = os.environ.get('MILES_EXPERIMENTAL_ROLLOUT_REFACTOR')\n",
    "miles/utils/external_utils/command_utils.py": HELPER,
    "miles/rollout/filters.py": "def keep(sample):\n    return True\n",
    "miles/rollout/open.py": "from miles.rollout.filters import *\n",
    "miles/rollout/lazy.py": "def __getattr__(name):\n    return None\n",
    "examples/search/generate.py": "async def generate(sample):\n    return sample\n",
    "scripts/models/tiny-1B.py": 'def model_args():\n    return "--num-layers 2 "\n',
    "scripts/models/old-2B.sh": "",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "trainer" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "trainer"


def findings(folder: Path, text: str, settings: Settings | None = None) -> list[tuple[str, str]]:
    recipe = folder / "recipe.py"
    report = lint_alone(Source.from_text(str(recipe), textwrap.dedent(text)), settings or Settings())
    return [(found.code, found.message) for found in report.diagnostics]


def launch(arguments: str = "--num-rollout 300 --colocate", model: str = "tiny-1B", more: str = "") -> str:
    return f"""
    import miles.utils.external_utils.command_utils as U

    U.execute_train(train_args="{arguments}", num_gpus_per_node=8, megatron_model_type="{model}"{more})
    """


def test_a_model_definition_of_the_checkout_is_known(checkout: Path) -> None:
    assert findings(checkout / "scripts", launch()) == []
    assert findings(checkout / "scripts", launch(model="old-2B")) == []


def test_a_model_definition_that_is_bundled_but_not_in_the_checkout_is_unknown(checkout: Path) -> None:
    [(code, message)] = findings(checkout / "scripts", launch(model="qwen3-4B"))
    assert code == "MIL402"
    assert "in this checkout" in message


def test_a_recipe_may_override_the_model_definition(checkout: Path) -> None:
    assert findings(checkout / "scripts", launch("--num-rollout 300 --colocate --num-layers 4")) == []


def test_upper_and_lower_case_of_a_model_definition_count(checkout: Path) -> None:
    [(code, message)] = findings(checkout / "scripts", launch(model="TINY-1b"))
    assert code == "MIL402"
    assert message.endswith("did you mean `tiny-1B`?")


def test_the_checkout_may_be_named(checkout: Path, tmp_path: Path) -> None:
    settings = replace(Settings(), trainer=str(checkout))
    assert findings(tmp_path, launch(), settings) == []
    assert [code for code, _ in findings(tmp_path, launch(model="qwen3-4B"), settings)] == ["MIL402"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("miles.rollout.filters.keep", None),
        ("miles.rollout.open.anything", None),
        ("miles.rollout.lazy.anything", None),
        ("examples.search.generate.generate", None),
        ("elsewhere.filters.keep", None),
        (
            "miles.rollout.filters.keeps",
            "`miles.rollout.filters` has no `keeps` in this checkout; did you mean `keep`?",
        ),
        (
            "miles.old.filters.keep",
            "there is no module `miles.old.filters` in this checkout; did you mean `miles.rollout.filters.keep`?",
        ),
        ("examples.search.generate.reward", "`examples.search.generate` has no `reward` in this checkout"),
    ],
)
def test_a_dotted_path_is_looked_up_in_the_files(checkout: Path, path: str, said: str | None) -> None:
    found = findings(checkout / "scripts", launch(f"--colocate --num-rollout 3 --dynamic-sampling-filter-path {path}"))
    assert [message for code, message in found if code == "MIL004"] == ([said] if said else [])


def test_a_keyword_that_the_helper_lost_is_told_where_it_stands(checkout: Path) -> None:
    text = launch(more=", config=None")
    [(code, message)] = findings(checkout / "scripts", text)
    assert code == "MIL506"
    assert message.startswith("`execute_train` takes no `config`")


def test_a_keyword_that_a_method_of_the_backend_lost_is_told(checkout: Path) -> None:
    text = """
    from miles.utils.external_utils import command_utils

    args = command_utils.ExecuteTrainConfig()
    U = args.create_backend()
    U.execute_train(
        train_args="--colocate --num-rollout 3", num_gpus_per_node=8, megatron_model_type="tiny-1B", config=args
    )
    """
    assert [code for code, _ in findings(checkout / "scripts", text)] == ["MIL506"]


def test_a_configuration_is_not_asked_for_where_the_helper_takes_none(checkout: Path) -> None:
    text = """
    from dataclasses import dataclass

    import miles.utils.external_utils.command_utils as U


    @dataclass
    class ScriptArgs(U.ExecuteTrainConfig):
        num_rollout: int = 3


    args = ScriptArgs()
    U.execute_train(
        train_args=f"--colocate --num-rollout {args.num_rollout}",
        num_gpus_per_node=8,
        megatron_model_type="tiny-1B",
    )
    """
    assert findings(checkout / "scripts", text) == []


def test_a_function_that_the_helper_does_not_have_is_told(checkout: Path) -> None:
    text = """
    import miles.utils.external_utils.command_utils as U

    U.execute_trains(train_args="--colocate --num-rollout 3", num_gpus_per_node=8, megatron_model_type="tiny-1B")
    """
    [(code, message)] = findings(checkout / "scripts", text)
    assert code == "MIL508"
    assert message.startswith("`miles.utils.external_utils.command_utils` has no `execute_trains`")
    assert message.endswith("did you mean `execute_train`?")


def test_names_that_a_module_binds_somehow_are_no_finding(checkout: Path) -> None:
    text = """
    import miles.utils.external_utils.command_utils as U
    from miles import rollout
    from miles.rollout.lazy import anything
    from miles.rollout.open import keep

    print(rollout.filters, anything, keep)
    try:
        from miles.rollout.filters import gone
    except ImportError:
        gone = None
    U.execute_train(
        train_args=f"--colocate --num-rollout 3 --seed {gone or 1}", num_gpus_per_node=8, megatron_model_type="tiny-1B"
    )
    """
    assert findings(checkout / "scripts", text) == []


def test_calls_of_other_helpers_are_checked_too(checkout: Path) -> None:
    text = """
    import miles.utils.external_utils.command_utils as U

    U.rsync_simple("/a", "/b", num_nodes=4)
    U.rsync_simple("/a")
    U.execute_train(train_args="--colocate --num-rollout 3", num_gpus_per_node=8, megatron_model_type="tiny-1B")
    """
    assert [code for code, _ in findings(checkout / "scripts", text)] == ["MIL506", "MIL506"]


def test_a_variable_that_this_checkout_still_reads_is_no_finding(checkout: Path) -> None:
    still = launch(more=', extra_env_vars={"MILES_EXPERIMENTAL_ROLLOUT_REFACTOR": "1"}').replace("config", "")
    assert not [code for code, _ in findings(checkout / "scripts", still) if code == "MIL401"]
    assert surface_of(str(checkout / "recipe.py")).reads("MILES_EXPERIMENTAL_ROLLOUT_REFACTOR")
    assert not surface_of(str(checkout / "recipe.py")).reads("MILES_SOMETHING_ELSE")


def test_names_of_modules_are_those_of_the_trainer_and_what_stands_beside_it(checkout: Path) -> None:
    surface = surface_of(str(checkout / "recipe.py"))
    assert surface.exact
    assert surface.models == ("old-2B", "tiny-1B")
    assert {"miles", "miles.rollout.filters", "examples.search.generate"} <= set(surface.modules())
    assert surface.names("miles.nowhere") is None
    assert surface.names("miles.rollout.open") == ("*",)


def test_outside_a_checkout_the_bundled_names_are_used(tmp_path: Path) -> None:
    surface = surface_of(str(tmp_path / "recipe.py"))
    assert surface is bundled()
    assert not surface.exact
    assert "qwen3-4B" in surface.models
    assert "FullyAsyncRolloutFn" in (surface.names("miles.rollout.fully_async_rollout") or ())


def test_a_folder_without_a_trainer_is_not_described(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no checkout"):
        describe(str(tmp_path), "1")


@pytest.mark.skipif("MILES_ROOT" not in os.environ, reason="MILES_ROOT names no checkout")
def test_the_bundled_names_are_those_of_their_revision() -> None:
    root, data = os.environ["MILES_ROOT"], (files("miles_lint") / "data" / "surface.json").read_text("utf-8")
    revision = json.loads(data)["revision"]
    head = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True).stdout
    if not head.startswith(revision):
        pytest.skip(f"MILES_ROOT is not at {revision}")
    assert json.loads(json.dumps(describe(root, revision))) == json.loads(data)
