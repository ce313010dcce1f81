"""Environment variables: which are known, and which nothing reads any more.

Read in miles at 31f1ca961, Megatron-LM, SGLang 0.5.16 (sglang/srt/environ.py), PyTorch, NCCL, Ray and CUDA
documentation. A name belongs here only when a slip in it is sure to be one: names that differ from each other by one
character are left out.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gone:
    """A variable that the trainer or its engine read once: what holds now, and the commit that took it away.

    `idle` says that what it asked for is what happens anyway.
    """

    now: str
    since: str
    idle: bool = False


GONE: dict[str, Gone] = {
    "MILES_EXPERIMENTAL_ROLLOUT_REFACTOR": Gone(
        "what it switched on is the default; `MILES_USE_LEGACY_ROLLOUT_V1=1` is the way back", "#2522", True
    ),
    "SGL_DISABLE_TP_MEMORY_INBALANCE_CHECK": Gone(
        "SGLang reads `SGLANG_ENABLE_TP_MEMORY_INBALANCE_CHECK`, with the opposite meaning", "#1349"
    ),
    "SGLANG_DISABLE_TP_MEMORY_INBALANCE_CHECK": Gone(
        "SGLang reads `SGLANG_ENABLE_TP_MEMORY_INBALANCE_CHECK`, with the opposite meaning", "#1349"
    ),
}

REFUSED: dict[str, str] = {"MILES_BACKEND": "use `--train-backend`"}
"""Variables with which the trainer does not start (miles/utils/arguments.py)."""

KNOWN: tuple[str, ...] = (
    "PYTHONUNBUFFERED",
    "PYTHONFAULTHANDLER",
    "PYTHONHASHSEED",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_LAUNCH_BLOCKING",
    "CUBLAS_WORKSPACE_CONFIG",
    "PYTORCH_CUDA_ALLOC_CONF",
    "TORCHDYNAMO_DISABLE",
    "TORCH_NCCL_AVOID_RECORD_STREAMS",
    "TORCH_NCCL_TRACE_BUFFER_SIZE",
    "TORCH_NCCL_DUMP_ON_TIMEOUT",
    "NCCL_SOCKET_IFNAME",
    "GLOO_SOCKET_IFNAME",
    "NCCL_NVLS_ENABLE",
    "NCCL_CUMEM_ENABLE",
    "NVTE_ALLOW_NONDETERMINISTIC_ALGO",
    "NVTE_FP8_BLOCK_SCALING_FP32_SCALES",
    "NVSHMEM_DISABLE_NCCL",
    "RAY_DEDUP_LOGS",
    "RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES",
    "RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES",
    "RAY_EXPERIMENTAL_NOSET_ROCR_VISIBLE_DEVICES",
    "TOKENIZERS_PARALLELISM",
    "TRANSFORMERS_OFFLINE",
    "HF_HUB_OFFLINE",
    "WANDB_API_KEY",
    "MILES_USE_LEGACY_ROLLOUT_V1",
    "MILES_EXPERIMENTAL_FT_TRAINER",
    "MILES_SCRIPT_EXTERNAL_RAY",
    "MILES_SCRIPT_ENABLE_RAY_SUBMIT",
    "SGLANG_ENABLE_TP_MEMORY_INBALANCE_CHECK",
    "SGLANG_SKIP_SGL_KERNEL_VERSION_CHECK",
    "SGLANG_DEEPEP_NUM_MAX_DISPATCH_TOKENS_PER_RANK",
)

MISSPELLED: dict[str, str] = {
    "PYTHONBUFFERED": "PYTHONUNBUFFERED",
    "PYTHON_UNBUFFERED": "PYTHONUNBUFFERED",
    "SGLANG_ENABLE_TP_MEMORY_IMBALANCE_CHECK": "SGLANG_ENABLE_TP_MEMORY_INBALANCE_CHECK",
}
