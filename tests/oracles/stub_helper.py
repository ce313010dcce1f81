"""A launch helper of our own that records what it is asked to launch, and recipes run against it in-process."""

from __future__ import annotations

import base64
import contextlib
import copy
import functools
import os
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

NAME = "miles.utils.external_utils.command_utils"
RUN_ID = "260101-000000-000"


@dataclass(frozen=True)
class Started:
    """One recorded launch; `environment` is what the recipe asked to add to the job's environment."""

    train_script: str
    train_args: str
    model_type: str | None
    environment: dict[str, str]


@dataclass(frozen=True)
class Outcome:
    """What running an entry point did: its launches, or the exception by which the recipe refused."""

    launches: tuple[Started, ...]
    refused: BaseException | None = None


@dataclass
class ExecuteTrainConfig:
    """The base class of recipe arguments: the fields that every recipe has."""

    cuda_core_dump: bool = False
    num_nodes: int = field(default_factory=lambda: int(os.environ.get("SLURM_JOB_NUM_NODES", "1")))
    extra_env_vars: str = ""
    output_dir: str = "/root/shared_data"


def _dataclass_cli(function: Callable[..., object] | None = None, **_: object) -> object:
    return _dataclass_cli if function is None else function


def _get_bool_env_var(name: str, default: str = "false") -> bool:
    return os.getenv(name, default).lower() in ("true", "1")


def _encode_pseudo_file(text: str) -> str:
    return "base64:" + base64.b64encode(text.encode()).decode()


def helper(record: list[Started]) -> types.ModuleType:
    """The helper module; launches are appended to `record`."""

    def execute_train(
        train_args: str,
        num_gpus_per_node: int,
        megatron_model_type: str | None,
        train_script: str = "train.py",
        before_ray_job_submit: Callable[[], object] | None = None,
        extra_env_vars: Mapping[str, str] | None = None,
        config: object = None,
        megatron_path: str = "",
    ) -> None:
        assert ("--train-backend fsdp" in train_args) == (megatron_model_type is None), "refused"
        if before_ray_job_submit is not None:
            before_ray_job_submit()
        record.append(Started(train_script, train_args, megatron_model_type, dict(extra_env_vars or {})))

    module = types.ModuleType(NAME)
    vars(module).update(
        ExecuteTrainConfig=ExecuteTrainConfig,
        create_run_id=lambda: RUN_ID,
        dataclass_cli=_dataclass_cli,
        encode_pseudo_file=_encode_pseudo_file,
        execute_train=execute_train,
        get_bool_env_var=_get_bool_env_var,
    )
    return module


class _Typer:
    begin: Callable[[], object]

    def command(self, *_: object, **__: object) -> Callable[[object], object]:
        return lambda function: function

    def __call__(self) -> None:
        self.begin()


class _Ended(Exception):
    """The command that a script has begun came to its end, and with it the script."""


def _modules(record: list[Started], begin: Callable[[], object]) -> dict[str, types.ModuleType]:
    made: dict[str, types.ModuleType] = {}
    parts = NAME.split(".")
    for count in range(1, len(parts)):
        made[".".join(parts[:count])] = types.ModuleType(".".join(parts[:count]))
    made[NAME] = helper(record)
    for name, module in list(made.items()):
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(made[parent], last, module)
    made["typer"] = types.ModuleType("typer")
    typer = type("Typer", (_Typer,), {"begin": staticmethod(begin)})
    vars(made["typer"]).update(Typer=typer, run=lambda _: begin(), Option=lambda *_, **__: None)
    return made


@contextlib.contextmanager
def _installed(modules: Mapping[str, types.ModuleType], environment: Mapping[str, str]) -> Iterator[None]:
    saved = {name: sys.modules.get(name) for name in modules}
    variables = dict(os.environ)
    sys.modules.update(modules)
    os.environ.clear()
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(variables)
        for name, module in saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


@functools.lru_cache(maxsize=64)
def _compiled(text: str) -> types.CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return compile(text, "<recipe>", "exec", dont_inherit=True)


_BEGINS = re.compile(r"^if __name__ == .*\n(?:    .*\n)*    (?:app\(\)|typer\.run)", re.MULTILINE)


def run(text: str, entry: str, assignment: Mapping[str, object]) -> Outcome:
    """Execute a recipe text and call its entry point at an assignment (`env:NAME` are environment variables).

    The entry point `__main__` is the script itself; another one is called where the script begins a command, or
    where it does not, after its import.

    Only exceptions that say "refused" count as the recipe's own; any other is raised.
    """
    record: list[Started] = []
    environment = {name[4:]: str(value) for name, value in assignment.items() if name.startswith("env:")}
    fields = {name: copy.deepcopy(value) for name, value in assignment.items() if not name.startswith("env:")}
    script = entry == "__main__" or _BEGINS.search(text) is not None
    module = types.ModuleType("__main__" if script else "generated_recipe")

    def call() -> None:
        arguments = (module.ScriptArgs(**fields),) if hasattr(module, "ScriptArgs") else ()
        getattr(module, entry)(*arguments)

    def begin() -> None:
        if entry != "__main__":
            call()
            raise _Ended

    with _installed({**_modules(record, begin), module.__name__: module}, environment):
        vars(module)["print"] = lambda *_, **__: None
        try:
            exec(_compiled(text), vars(module))
            if entry != "__main__":
                call()
        except _Ended:
            pass
        except (AssertionError, NotImplementedError, ValueError) as error:
            if str(error) != "refused":
                raise
            return Outcome(tuple(record), error)
    return Outcome(tuple(record))
