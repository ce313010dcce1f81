"""MIL302."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.combinations import Case, Values, findings
from miles_lint.rules.companions import Family, idle
from miles_lint.rules.rule import Finding, rule

_GROUP_RELATIVE = ("grpo", "gspo")


def _epochs(values: Values) -> bool:
    return values["num_epoch"].use is not None and values["num_rollout"].value is not None


def _penalty(values: Values) -> bool:
    coefficient = values["kl_coef"].value
    return (
        isinstance(coefficient, (int, float))
        and coefficient != 0
        and values["advantage_estimator"].value in _GROUP_RELATIVE
    )


def _engine_size(values: Values) -> bool:
    size, engine = values["sglang_tp_size"], values["rollout_num_gpus_per_engine"]
    return size.use is not None and isinstance(size.value, int) and size.value != engine.value


def _rollout_gpus(values: Values) -> bool:
    count, nodes = values["rollout_num_gpus"], values["actor_num_nodes"].value
    each = values["actor_num_gpus_per_node"].value
    if values["colocate"].value is not True or values["debug_rollout_only"].value is True or count.use is None:
        return False
    return isinstance(nodes, int) and isinstance(each, int) and count.value != nodes * each


# Conditions: miles/utils/arguments.py and miles/backends at 31f1ca961.
_CASES = (
    Case(
        ("num_epoch", "num_rollout"),
        _epochs,
        "`--num-epoch` is ignored because `--num-rollout` is {num_rollout}",
        "num_epoch",
    ),
    Case(
        ("kl_coef", "advantage_estimator"),
        _penalty,
        "`--kl-coef {kl_coef}` has no effect with `--advantage-estimator {advantage_estimator}`; "
        "use `--use-kl-loss` with `--kl-loss-coef`",
        "kl_coef",
    ),
    Case(
        ("sglang_tp_size", "rollout_num_gpus_per_engine"),
        _engine_size,
        "`--sglang-tp-size {sglang_tp_size}` is overwritten with `--rollout-num-gpus-per-engine`, "
        "which is {rollout_num_gpus_per_engine}",
        "sglang_tp_size",
    ),
    Case(
        ("rollout_num_gpus", "colocate", "actor_num_nodes", "actor_num_gpus_per_node", "debug_rollout_only"),
        _rollout_gpus,
        "`--rollout-num-gpus {rollout_num_gpus}` is overwritten under `--colocate` with "
        "{actor_num_nodes} × {actor_num_gpus_per_node} GPUs",
        "rollout_num_gpus",
        overridden=True,
    ),
)
_FAMILIES = (
    Family(("use_kl_loss",), ("kl_loss_coef",), zero=("kl_loss_coef",)),
    Family(("use_tis", "get_mismatch_metrics"), ("tis_clip", "tis_clip_low", "custom_tis_function_path")),
    Family(
        ("sglang_speculative_algorithm", "sglang_config"),
        (
            "sglang_speculative_num_steps",
            "sglang_speculative_eagle_topk",
            "sglang_speculative_num_draft_tokens",
            "sglang_speculative_draft_model_path",
        ),
    ),
    Family(
        ("use_wandb", "use_mlflow", "use_prometheus", "use_miles_dashboard"),
        ("wandb_project", "wandb_group", "wandb_team", "wandb_key", "wandb_host", "wandb_mode", "wandb_run_id"),
    ),
    Family(
        ("lora_rank", "multi_lora_n_adapters", "lora_adapter_path"),
        ("lora_alpha", "lora_dropout", "target_modules", "exclude_modules"),
    ),
    Family(("use_fault_tolerance",), ("ft_components",)),
    Family(
        ("eval_prompt_data", "eval_config"),
        (
            "n_samples_per_eval_prompt",
            "eval_max_response_len",
            "eval_temperature",
            "eval_top_p",
            "eval_top_k",
            "eval_input_key",
            "eval_label_key",
            "eval_reward_key",
        ),
    ),
    Family(("save_interval", "save_trigger_sentinel"), ("save_retain_interval",)),
    Family(("partial_rollout",), ("mask_offpolicy_in_partial_rollout",)),
    Family(
        ("recompute_granularity", "recompute_activations"), ("recompute_method", "recompute_num_layers"), "megatron"
    ),
    Family(("optimizer_cpu_offload",), ("overlap_cpu_optimizer_d2h_h2d", "optimizer_offload_fraction"), "megatron"),
    Family(
        ("use_miles_dashboard",),
        (
            "dashboard_flush_interval",
            "dashboard_gpu_sample_interval",
            "dashboard_sglang_scrape_interval",
            "dashboard_sglang_scrape_mode",
            "dashboard_sglang_metrics",
        ),
    ),
)


@rule("MIL302", "ignored-flag", since="0.1.0", severity=Severity.WARNING)
def ignored_flag(binding: Binding) -> Iterator[Finding]:
    """A flag has no effect in this combination.

    ## What it finds
    A flag that the trainer overwrites or never reads beside another one: epochs with a number of rollouts, a KL
    penalty with a group-relative estimator, the tensor parallel size of the engine, the number of rollout GPUs
    under colocation; and details of something that is not switched on, as they stay behind when the switch is
    commented out: the weight of a loss, clipping, speculation, LoRA, fault tolerance, evaluation, recomputation.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--advantage-estimator grpo --kl-coef 0.01 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--advantage-estimator grpo --use-kl-loss --kl-loss-coef 0.01 ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
            train_script="train.py",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the overwriting value is the same, or one of the values is not known; for details, when any path of the recipe
    gives the switch, a file of settings is named or the argv has unknown parts.

    ## Fix safety
    There is no fix: which of the two was meant is not known.
    """
    yield from findings(binding, _CASES)
    for found in idle(binding, _FAMILIES):
        yield replace(found, guard=found.guard - binding.open)
