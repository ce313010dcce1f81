"""MIL406."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.domain.value import Text, options_of
from miles_lint.rules.queries import origin_of, spellings, winners
from miles_lint.rules.rule import Finding, rule

_SIZES = re.compile(r"(?<![a-z0-9.])(a?\d+(?:\.\d+)?b)(?![a-z0-9])")


@dataclass(frozen=True, slots=True)
class _Model:
    """A name such as `Qwen3-30B-A3B`: what stands before the first size, and the sizes."""

    family: str
    sizes: tuple[str, ...]


def _model(name: str) -> _Model | None:
    lower = name.rstrip("/").rpartition("/")[2].lower().replace("_", "-")
    sizes = list(_SIZES.finditer(lower))
    family = re.sub(r"[^a-z0-9.]", "", lower[: sizes[0].start()]) if sizes else ""
    return _Model(family, tuple(match.group(1) for match in sizes)) if family else None


@rule("MIL406", "model-of-another-size", since="0.1.0", severity=Severity.WARNING)
def model_of_another_size(binding: Binding) -> Iterator[Finding]:
    """The model definition and the checkpoint are of one family, but of different sizes.

    ## What it finds
    A model type and a path in `--hf-checkpoint` whose names begin alike and go on with another number of parameters.
    The trainer compares the shapes of both and stops.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 300 --colocate "
            "--hf-checkpoint /root/models/Qwen3-4B "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-8B")


    if __name__ == "__main__":
        execute()
    ```

    ## Use instead
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        train_args = (
            "--num-rollout 300 --colocate "
            "--hf-checkpoint /root/models/Qwen3-8B "
        )
        U.execute_train(train_args=train_args, num_gpus_per_node=8, megatron_model_type="qwen3-8B")


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    When the names are of different families or name no size, and when one of them is not known. Only names are
    compared.

    ## Fix safety
    There is no fix: which of the two was meant is not known.
    """
    always = binding.launch.space.always
    for guard, leaf in options_of(binding.launch.model_type, always):
        for under, model_type in spellings(leaf, guard) if isinstance(leaf, Text) else ():
            wanted = _model(model_type)
            for won, use in winners(binding, "hf_checkpoint") if wanted is not None else ():
                for there, path in spellings(use.values[-1].text, won & under) if use.values else ():
                    found = _model(path)
                    if wanted is None or found is None or found.family != wanted.family:
                        continue
                    if all(one == two for one, two in zip(found.sizes, wanted.sizes)):
                        continue
                    message = f"the model definition is `{model_type}`, the checkpoint is `{path}`"
                    yield Finding(there, message, origin_of(use.arguments[0]))
