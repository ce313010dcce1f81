"""Which qualified names belong to the trainer's launch helper.

Names are those of `<package>.utils.external_utils` of miles at 31f1ca961; the package may have any name.
"""

from __future__ import annotations

import re
from functools import lru_cache

_HELPER = re.compile(r"(?:^|\.)(?:external_utils\.(?:command_utils|exec_command)|typer_utils)\b.*\.(\w+)$")
_MODELS = re.compile(r"(?:^|\.)model_args_utils\.(\w+)$")
PATCHED_IN = ".command_utils.execute_train_npu"
"""What only a patch of the trainer adds to its helper (docker/npu_patch)."""
OF_HELPER = frozenset(
    (
        "execute_train",
        "execute_train_npu",
        "exec_command",
        "exec_command_cpu",
        "exec_command_gpu",
        "exec_command_multi_node",
        "exec_command_all_ray_node",
        "convert_checkpoint",
        "rsync_simple",
        "hf_download_dataset",
        "fp8_cast_bf16",
        "ssh_start_ray_workers",
        "start_mooncake_master",
        "check_has_nvlink",
        "create_backend",
        "create_run_id",
        "dataclass_cli",
        "default_config",
        "dataclass_from_env",
    )
)
_OF_MODELS = frozenset(("load_model_args", "shell_safe_model_args", "load_sibling_model_args"))


@lru_cache(maxsize=4096)
def entry_name(qualified: str) -> str | None:
    """The helper's own name of a function it defines and the fold summarises; None for any other name."""
    for pattern, names in ((_HELPER, OF_HELPER), (_MODELS, _OF_MODELS)):
        found = pattern.search(qualified)
        if found is not None:
            return found.group(1) if found.group(1) in names else None
    return None


def summarised(qualified: str) -> bool:
    """Whether a call of that name is summarised instead of folded."""
    return entry_name(qualified) is not None
