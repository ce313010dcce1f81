"""What fully-async rollout cannot be combined with (miles/utils/arguments.py and train.py at 31f1ca961)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from miles_lint.binding import Assignment, Binding
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Text, options_of
from miles_lint.rules.queries import equals, origin_of, spellings, winners

SYNCHRONOUS = "train.py"
ASYNCHRONOUS = "train_async.py"
LEGACY = "MILES_USE_LEGACY_ROLLOUT_V1"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something that excludes the switch: the flag or variable, how it is written, where, and when it is there."""

    dest: str
    shown: str
    guard: Guard
    origin: Origin | None
    remedy: str


def _given(binding: Binding, use: Assignment, won: Guard) -> Guard:
    return won


def _is_abort(binding: Binding, use: Assignment, won: Guard) -> Guard:
    return equals(use.values[-1].text, "abort", won) if use.values else won.space.never


def _positive(binding: Binding, use: Assignment, won: Guard) -> Guard:
    found = won.space.never
    for guard, spelled in spellings(use.values[-1].text, won) if use.values else ():
        if spelled.lstrip("+").isdigit() and int(spelled) > 0:
            found = found | guard
    return found


_Test = Callable[[Binding, Assignment, Guard], Guard]
_EXCLUDED: tuple[tuple[str, _Test, str], ...] = (
    ("rollout_function_path", _given, "pass only one"),
    ("colocate", _given, "remove `--colocate` and say `--rollout-num-gpus`"),
    ("partial_rollout", _given, "remove it"),
    ("pause_generation_mode", _is_abort, "use `in_place` or `retract`"),
    ("recompute_logprobs_via_prefill", _given, "remove it"),
    ("rollout_all_samples_process_path", _given, "remove it"),
    ("multi_lora_n_adapters", _positive, "they select different rollout functions"),
)
EXCLUDED_DESTS = frozenset((LEGACY, "multi_lora", *(dest for dest, _, _ in _EXCLUDED)))


def conflicts(binding: Binding, switch: str) -> Iterator[Conflict]:
    """Everything in a launch that the trainer refuses beside `switch`."""
    for dest, test, remedy in _EXCLUDED:
        for won, use in winners(binding, dest):
            guard = test(binding, use, won)
            if not guard.impossible:
                shown = " ".join(argument.text.shown() for argument in use.arguments)
                yield Conflict(dest, shown, guard, origin_of(use.arguments[0]), remedy)
    for name, variants in binding.launch.environment:
        if name != LEGACY:
            continue
        left = binding.launch.space.always
        for variant in reversed(variants):
            inside = variant.guard & left
            left = left - variant.guard
            guard = equals(variant.value, "1", inside)
            if not guard.impossible:
                yield Conflict(LEGACY, f"{LEGACY}=1", guard, variant.key_origin, "unset it")


def wrong_driver(binding: Binding) -> Guard:
    """The condition on which the launch runs the synchronous driver."""
    return runs(binding, SYNCHRONOUS)


def runs(binding: Binding, driver: str) -> Guard:
    """The condition on which the train script certainly is that driver, by its file name."""
    launch = binding.launch
    script = launch.train_script
    found = equals(script, driver, launch.space.always)
    for _, spelled in _scripts(binding):
        if spelled.endswith(f"/{driver}"):
            found = found | equals(script, spelled, launch.space.always)
    return found


def _scripts(binding: Binding) -> Iterator[tuple[Guard, str]]:
    for guard, leaf in options_of(binding.launch.train_script, binding.launch.space.always):
        if isinstance(leaf, Text):
            yield from spellings(leaf, guard)
