"""MIL451."""

from __future__ import annotations

import re
from collections.abc import Iterator

from miles_lint.binding import Binding
from miles_lint.diagnostic import Severity
from miles_lint.domain.value import Chars
from miles_lint.rules.rule import Finding, rule


@rule("MIL451", "hard-coded-checkout-path", since="0.1.0", severity=Severity.INFO, default_on=False)
def hard_coded_checkout_path(binding: Binding) -> Iterator[Finding]:
    """A path into the trainer's checkout is written out.

    ## What it finds
    An absolute path through a folder with the trainer's name into its `examples`, `scripts`, `tools` or packages. The
    recipe then works in one container only; the launch helper has `repo_base_dir`.

    ## Example
    ```python
    import miles.utils.external_utils.command_utils as U


    def execute():
        U.execute_train(
            train_args="--custom-config-path /root/miles/examples/config.yaml ",
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
            train_args=f"--custom-config-path {U.repo_base_dir}/examples/config.yaml ",
            num_gpus_per_node=8,
            megatron_model_type="qwen3-4B",
        )


    if __name__ == "__main__":
        execute()
    ```

    ## Stays silent
    By default: this is a convention of launchers in the trainer's own repository.

    ## Fix safety
    There is no fix.
    """
    trainer = re.escape(binding.contract.trainer)
    folder = re.compile(rf"/(?:[\w.-]+/)*{trainer}/(?:examples|scripts|tools|tests|{trainer}\w*)\b")
    for argument in binding.launch.argv:
        for piece in argument.text.pieces:
            found = folder.search(piece.text) if isinstance(piece, Chars) and piece.exact else None
            if found is not None and isinstance(piece, Chars):
                message = (
                    f"`{found.group()}` is the checkout of one container; use `repo_base_dir` of the launch helper"
                )
                yield Finding(argument.guard & piece.guard, message, piece.slice(*found.span()).origin)
