"""Random argument sets aimed at a trainer's checks: each case picks one check and plays with what its tests read."""

from __future__ import annotations

import base64
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.oracles.reachable import Check, Reachable
from tests.oracles.sources import Sources
from tests.oracles.trainer_validators import Case, Outcome, run

ENVIRONMENT = {"MILES_USE_LEGACY_ROLLOUT_V1": ("0", "1"), "MILES_EXPERIMENTAL_FT_TRAINER": ("0", "1")}
TEXTS = {"/unknown-key.yaml": "no_such_key: 1", "/known-key.yaml": "seed: 1"}
PLAIN: dict[str, tuple[object, ...]] = {
    "int": (0, 1, 2, 3, 4, 8, 64, -1),
    "float": (0.0, 0.5, 1.0),
    "str": ("alpha", "miles.rollout.base_types.RolloutFnInput"),
    "json.loads": ({}, {"enable_thinking": False}),
}


def _inline(text: str) -> str:
    return "base64:" + base64.b64encode(text.encode()).decode()


HINTS: dict[str, tuple[object, ...]] = {
    "config": tuple(TEXTS),
    "custom_config_path": (_inline("{}"),),
    "apply_chat_template_kwargs": ({}, {"preserve_thinking": False, "clear_thinking": True}),
    "eval_config": tuple(
        map(
            _inline,
            (
                "eval: {datasets: [{name: a, path: b}]}",
                "eval: {datasets: {a: {path: b, metadata_overrides: [1]}}}",
                "eval: {datasets: [{path: b}]}",
                "eval: {datasets: 3}",
                "eval: {}",
                "eval: [1]",
                "[1]",
            ),
        )
    ),
    "eval_function_path": ("miles.rollout.checkpoint_eval.CheckpointEvalFn", "miles.utils.misc.load_function"),
    "eval_prompt_data": (["a"], ["a", "/a"], ["a", "/a", "b"]),
    "ft_components": (["rollout"], ["train"], ["rollout", "train"]),
    "opd_teacher_urls": (["nameless"], ["a=u"], ["a=u", "a=v"]),
    "target_modules": ("q_proj,k_proj", "all-linear", "q_proj"),
}
"""Values with a shape that the parser does not tell."""

STARTS: tuple[dict[str, object], ...] = (
    {"num_rollout": 1},
    {"num_epoch": 1},
    {"num_rollout": 1, "ref_load": "/ref", "hf_checkpoint": "/hf"},
    {"num_rollout": 1, "save": "/save", "ref_load": "/ref", "dump_details": "/dump"},
    {"num_rollout": 1, "eval_prompt_data": ["a", "/a"], "eval_interval": 2, "eval_hf_dir": "/eval"},
    {"num_rollout": 1, "eval_function_path": "miles.rollout.checkpoint_eval.CheckpointEvalFn"},
    {"num_rollout": 1, "eval_sglang_mem_fraction_static": 0.5, "eval_num_gpus": 1},
    {"num_rollout": 1, "use_session_server": "v1", "tito_model": "qwen35"},
    {"num_rollout": 1, "true_on_policy_mode": True, "recompute_logprobs_via_prefill": True},
    {"num_rollout": 1, "use_dynamic_batch_size": True, "max_tokens_per_gpu": 4096},
    {"num_rollout": 1, "skip_actor_forward_only": True, "hidden_dropout": 0.0, "attention_dropout": 0.0},
    {"num_rollout": 1, "advantage_estimator": "ppo", "debug_rollout_only": True, "rollout_num_gpus": 8},
    {"num_rollout": 1, "stream_optimizer_state_to_disk": True, "offload_train_disk_chunk_mb": 1},
    {"num_rollout": 1, "rematerialize_param_from_master_weight": True, "colocate": True, "ref_load": "/ref"},
    dict.fromkeys(("hf_checkpoint", "update_weight_disk_dir", "update_weight_local_checkpoint_dir"), "/shared")
    | {"num_rollout": 1, "update_weight_transfer_mode": "disk-delta"},
    {"num_rollout": 1, "lora_rank": 8, "target_modules": "q_proj,k_proj", "multi_lora_n_adapters": 2},
)
"""Argument sets that get past the first checks; every case starts from one of them or from an earlier case."""

MODELS: tuple[dict[str, object], ...] = (
    {"model_type": "deepseek_v4"},
    {"model_type": "stub", "hidden_size": 1},
    {"model_type": "stub", "kv_lora_rank": 8, "q_lora_rank": 8},
)
"""What the Hugging Face config may say, where the validators ask it."""


class Aimed:
    """A generator of cases for one parser and one set of checks; the same cases for the same seed."""

    def __init__(
        self, seed: int, flags: Sequence[Mapping[str, Any]], aims: Reachable, defaults: Mapping[str, object]
    ) -> None:
        self.chance = random.Random(seed)
        self.checks = aims.checks
        self.pools = _pools(flags, aims, defaults)
        self.everything = sorted({dest for check in aims.checks for dest in check.reads} & set(self.pools))
        self.tries: Counter[Check] = Counter()
        self.corpus: dict[tuple[str, int], Case] = {}

    def fresh(self, count: int) -> list[Case]:
        """Cases aimed at checks chosen evenly."""
        return [
            self._from(Case(dict(self.chance.choice(STARTS))), self.chance.choice(self.checks)) for _ in range(count)
        ]

    def near(self, count: int) -> list[Case]:
        """Cases aimed at checks that no case has hit yet, the least tried ones first."""
        missed = [check for check in self.checks if (check.path, check.row) not in self.corpus] or list(self.checks)
        found = []
        for _ in range(count):
            aim = min(missed, key=lambda check: (self.tries[check], self.chance.random()))
            self.tries[aim] += 1
            found.append(self._near(aim))
        return found

    def learn(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """Remember one case for every place that refused it."""
        for case, outcome in zip(cases, outcomes):
            if outcome.explicit:
                self.corpus.setdefault((outcome.path, outcome.row), case)

    def _near(self, aim: Check) -> Case:
        before = sorted(row for path, row in self.corpus if path == aim.path and row < aim.row)[-8:]
        start = Case(dict(self.chance.choice(STARTS)))
        if before and self.chance.random() < 0.6:
            row = before[-1] if self.chance.random() < 0.5 else self.chance.choice(before)
            failed = next(check for check in self.checks if (check.path, check.row) == (aim.path, row))
            start = self._from(self.corpus[aim.path, row], failed)
        return self._from(start, aim)

    def _from(self, start: Case, aim: Check) -> Case:
        case = self._changed(start, aim.reads, self.chance.randint(1, max(1, len(aim.reads))))
        case = self._changed(case, self.everything, self.chance.choice((0, 0, 0, 1, 2, 4)))
        env = {name: self.chance.choice(values) for name, values in ENVIRONMENT.items() if self.chance.random() < 0.15}
        hf = self.chance.choice(MODELS) if self.chance.random() < 0.05 else {}
        return replace(case, env=env, hf=hf, exists=self.chance.random() < 0.8, texts=TEXTS)

    def _changed(self, case: Case, dests: Sequence[str], count: int) -> Case:
        known = [dest for dest in dests if dest in self.pools]
        chosen = self.chance.sample(known, min(count, len(known)))
        return replace(case, args={**case.args, **{dest: self.chance.choice(self.pools[dest]) for dest in chosen}})


def searched(
    sources: Sources, aimed: Aimed, backend: str, driver: str, rounds: int, each: int
) -> list[tuple[Case, Outcome]]:
    """Fresh cases, then rounds of cases near what was missed, each with the trainer's verdict."""
    found: list[tuple[Case, Outcome]] = []
    for number in range(rounds + 1):
        cases = aimed.near(each) if number else aimed.fresh(each)
        outcomes = run(sources, cases, backend, driver)
        aimed.learn(cases, outcomes)
        found.extend(zip(cases, outcomes))
    return found


def _pools(
    flags: Sequence[Mapping[str, Any]], aims: Reachable, defaults: Mapping[str, object]
) -> dict[str, tuple[object, ...]]:
    pools = {}
    for flag in flags:
        dest = flag["dest"]
        if dest not in defaults or not flag["option_strings"]:
            continue
        values = [*HINTS.get(dest, _values(flag)), defaults[dest], defaults[dest]]
        compared = [value for value in aims.constants.get(dest, ()) if _fits(value, flag)]
        pools[dest] = (*values, *compared, *compared)
    return pools


def _values(flag: Mapping[str, Any]) -> tuple[object, ...]:
    if flag["action"].startswith(("store_", "boolean")):
        return (True, False, True)
    if isinstance(flag["choices"], list):
        single: tuple[object, ...] = tuple(flag["choices"])
    else:
        single = PLAIN.get(flag["type"] or "str", ())
    if flag["nargs"] in ("+", "*") or flag["action"] == "append":
        return (*([value] for value in single), list(single[:2]))
    return single


def _fits(value: object, flag: Mapping[str, Any]) -> bool:
    if value is None:
        return False
    if flag["action"].startswith(("store_", "boolean")):
        return isinstance(value, bool)
    if isinstance(flag["choices"], list):
        return value in flag["choices"]
    wanted = {"int": int, "float": (int, float), "str": str, None: str}.get(flag["type"], ())
    return isinstance(value, wanted) and not isinstance(value, bool) and flag["nargs"] in (None, "?")
