"""MIL004."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.diagnostic import Severity
from miles_lint.domain.guard import Guard
from miles_lint.launch import Argument, Launch
from miles_lint.recipe import Fold
from miles_lint.rules.queries import origin_of, spellings
from miles_lint.rules.rule import Finding, file_rule
from miles_lint.rules.similar import nearest_name
from miles_lint.surface import Surface

_FLAG = re.compile(r"--[\w-]*(?:-path|-function|-hook)(?:=.*)?")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){2,}")
_FILE = re.compile(r"\.(?:ya?ml|jsonl?|jinja2?|py|sh|txt|toml)$")


@file_rule("MIL004", "stale-function-path", since="0.1.0")
def stale_function_path(fold: Fold, surface: Surface) -> Iterator[Finding]:
    """A dotted path into the trainer names nothing there.

    ## What it finds
    A function named by its path on the command line, in one of the trainer's own packages, whose module does not exist
    or has no such name: it moved, was renamed, or is misspelled. The trainer imports it after the cluster has booted.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args=(
                "--dynamic-sampling-filter-path "
                "miles.rollout.filter_hub.dynamic_sampling_filters.check_reward_non_zero_std "
            ),
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args=(
                "--dynamic-sampling-filter-path "
                "miles.rollout.filter_hub.dynamic_sampling_filters.check_reward_nonzero_std "
            ),
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    For paths into other packages, for modules that bind names in ways that cannot be told, and for paths of which a
    part is not known. Outside a checkout of the trainer it is a warning that names the revision that was read.

    ## Fix safety
    There is no fix: another function is another run.
    """
    for launch in fold.launches:
        for guard, path, argument in _paths(launch):
            message = _problem(path, surface)
            if message:
                severity = Severity.ERROR if surface.exact else Severity.WARNING
                yield Finding(guard, message, origin_of(argument), severity=severity, reach=launch.guard)


def _paths(launch: Launch) -> Iterator[tuple[Guard, str, Argument]]:
    """Every dotted word that follows a flag for functions, or stands behind its `=`."""
    for index, argument in enumerate(launch.argv):
        shown = argument.text.shown()
        if not _FLAG.fullmatch(shown):
            continue
        behind = argument if "=" in shown else launch.argv[index + 1] if index + 1 < len(launch.argv) else None
        if behind is None:
            continue
        for guard, spelled in spellings(behind.text, argument.guard & behind.guard):
            path = spelled.rpartition("=")[2]
            if _DOTTED.fullmatch(path) and not _FILE.search(path):
                yield guard, path, behind


def _problem(path: str, surface: Surface) -> str:
    module, _, name = path.rpartition(".")
    if path.partition(".")[0] not in surface.packages or not module:
        return ""
    bound = surface.names(module)
    if bound is None:
        return _missing_module(module, name, surface)
    if name in bound or "*" in bound:
        return ""
    close = nearest_name(name, bound)
    remedy = f"; did you mean `{close}`?" if close else ""
    return f"`{module}` has no `{name}` in {surface.origin}{remedy}"


def _missing_module(module: str, name: str, surface: Surface) -> str:
    """The message for a module that is not there; it names a module that has the function, or one of like name."""
    last = module.rpartition(".")[2]
    candidates = surface.modules()
    moved = [
        other for other in candidates if other.rpartition(".")[2] == last and name in (surface.names(other) or ())
    ]
    close = moved[0] if len(moved) == 1 else nearest_name(module, candidates, 0.85)
    remedy = f"; did you mean `{close}.{name}`?" if close else ""
    return f"there is no module `{module}` in {surface.origin}{remedy}"
