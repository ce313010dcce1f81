"""Whether a fold agrees with what running the same recipe did."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from miles_lint.launch import Launch
from tests.oracles.cover import explain
from tests.oracles.stub_helper import Started


def effective(assignment: Mapping[str, object]) -> dict[str, object]:
    """The assignment with the one knob added whose default is read from the environment."""
    nodes = assignment.get("env:SLURM_JOB_NUM_NODES")
    return {**({} if nodes is None else {"num_nodes": int(str(nodes))}), **assignment}


def disagreement(
    launches: Sequence[Launch],
    entry: str,
    assignment: Mapping[str, object],
    started: Sequence[Started],
    terms: bool = True,
) -> str | None:
    """Why some real launch is described by none of the folded ones; None when all are."""
    own = [launch for launch in launches if launch.entry == entry]
    for number, real in enumerate(started):
        argv = shlex.split(real.train_args)
        reasons = []
        for launch in own:
            reason = explain(
                launch,
                effective(assignment),
                argv,
                train_script=real.train_script,
                environment=real.environment,
                whole=True,
                model=False,
                terms=terms,
            )
            if reason is None:
                break
            reasons.append(f"launch at {launch.site.span}: {reason}")
        else:
            return "\n".join([f"real launch {number} of {entry} at {assignment}", *(reasons or ["no launch folded"])])
    return None
