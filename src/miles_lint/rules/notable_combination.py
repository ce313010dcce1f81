"""MIL351."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.rules.combinations import Case, Values, findings
from miles_lint.rules.companions import Family, idle
from miles_lint.rules.rule import Finding, rule


def _given(dest: str, *others: str) -> Callable[[Values], bool]:
    """The dest is written by the recipe, the others keep their defaults."""
    return lambda values: values[dest].use is not None and all(values[other].use is None for other in others)


def _number(values: Values, dest: str) -> float:
    value = values[dest].value
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else -1


def _few_gpus(values: Values) -> bool:
    each = _number(values, "actor_num_gpus_per_node")
    return values["colocate"].value is True and values["num_gpus_per_node"].use is None and 0 < each < 8


def _long_answers(values: Values) -> bool:
    budget, parallel = _number(values, "max_tokens_per_gpu"), _number(values, "context_parallel_size")
    longest = _number(values, "rollout_max_response_len")
    return values["use_dynamic_batch_size"].value is True and 0 < budget * parallel < longest


def _saves_once(values: Values) -> bool:
    return 0 < _number(values, "num_rollout") < _number(values, "save_interval")


def _one_word(values: Values) -> bool:
    words = values["eval_prompt_data"].value
    return isinstance(words, (list, tuple)) and len(words) == 1


# Conditions: miles/utils/arguments.py and miles/utils/misc.py at 31f1ca961.
_CASES = (
    Case(
        ("actor_num_gpus_per_node", "colocate", "num_gpus_per_node"),
        _few_gpus,
        "{actor_num_gpus_per_node} GPUs of a node are used, and `--num-gpus-per-node` keeps its default of 8",
        "actor_num_gpus_per_node",
    ),
    Case(
        ("offload",), _given("offload"), "`--offload` stands for `--offload-train` and `--offload-rollout`", "offload"
    ),
    Case(
        ("load_debug_rollout_data", "debug_train_only"),
        _given("load_debug_rollout_data", "debug_train_only"),
        "`--load-debug-rollout-data` implies `--debug-train-only`",
        "load_debug_rollout_data",
    ),
    Case(
        ("use_fault_tolerance", "rollout_health_check_first_wait"),
        _given("use_fault_tolerance", "rollout_health_check_first_wait"),
        "engines are probed from the start, also while they compile; `--rollout-health-check-first-wait` delays it",
        "use_fault_tolerance",
    ),
    Case(
        ("num_rollout",),
        lambda values: values["num_rollout"].value == 0,
        "with `--num-rollout 0` the run evaluates and does not train; older trainers crash on it",
        "num_rollout",
    ),
    Case(
        ("rollout_max_response_len", "max_tokens_per_gpu", "context_parallel_size", "use_dynamic_batch_size"),
        _long_answers,
        "an answer of {rollout_max_response_len} tokens does not fit in the budget of {max_tokens_per_gpu} tokens × "
        "{context_parallel_size}, and becomes a batch by itself",
        "rollout_max_response_len",
    ),
    Case(
        ("sequence_parallel", "tensor_model_parallel_size"),
        lambda values: values["sequence_parallel"].value is True and values["tensor_model_parallel_size"].value == 1,
        "`--sequence-parallel` is switched off by Megatron, because the tensor parallel size is 1",
        "sequence_parallel",
        "megatron",
    ),
    Case(
        ("use_kl_loss", "kl_loss_coef"),
        lambda values: values["use_kl_loss"].value is True and values["kl_loss_coef"].value == 0,
        "`--use-kl-loss` with a coefficient of 0 only measures, and pays for a pass of the reference model",
        "use_kl_loss",
    ),
    Case(
        ("eval_prompt_data",),
        _one_word,
        "`--eval-prompt-data` with one word is taken for the path of a dataset called aime",
        "eval_prompt_data",
    ),
    Case(
        ("save_interval", "num_rollout"),
        _saves_once,
        "the run has {num_rollout} rollouts and saves every {save_interval}: once, at the end",
        "save_interval",
    ),
    Case(
        ("apply_chat_template", "loss_type"),
        lambda values: values["apply_chat_template"].value is True and values["loss_type"].value == "sft_loss",
        "supervised training reads messages; `--apply-chat-template` makes a text of them first",
        "apply_chat_template",
    ),
    Case(
        ("partial_rollout", "over_sampling_batch_size", "dynamic_sampling_filter_path"),
        _given("partial_rollout", "over_sampling_batch_size", "dynamic_sampling_filter_path"),
        "`--partial-rollout` keeps what oversampling aborts, and nothing is oversampled",
        "partial_rollout",
    ),
    Case(
        ("micro_batch_size", "use_dynamic_batch_size"),
        lambda values: values["use_dynamic_batch_size"].value is True and values["micro_batch_size"].use is not None,
        "`--micro-batch-size` is not read with `--use-dynamic-batch-size`",
        "micro_batch_size",
        "megatron",
    ),
)
_FAMILIES = (
    Family(("use_fault_tolerance",), ("rollout_health_check_timeout", "rollout_health_check_first_wait")),
    Family(("use_kl_loss",), ("kl_loss_type",)),
    Family(("use_dynamic_batch_size",), ("max_tokens_per_gpu", "log_probs_max_tokens_per_gpu"), "megatron"),
)


@rule("MIL351", "notable-combination", since="0.1.0", severity=Severity.INFO, default_on=False)
def notable_combination(binding: Binding) -> Iterator[Finding]:
    """A combination of flags does something that its reader may not expect.

    ## What it finds
    What working recipes do on purpose and what surprises others: a loss with a weight of zero, sequence parallelism
    on one GPU, an interval longer than the run, a switch that implies another one, a default that is not what the
    rest of the recipe says, a size that is not read.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 300 --colocate "
            "--use-kl-loss --kl-loss-coef 0.00 "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 300 --colocate "
            "--use-kl-loss --kl-loss-coef 0.01 "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-4B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When one of the values is not known.

    ## Fix safety
    There is no fix: it may be meant.
    """
    yield from findings(binding, _CASES)
    yield from idle(binding, _FAMILIES)
