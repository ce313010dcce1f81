"""What a fold may cost before it answers `Unknown(BUDGET)` instead."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Upper bounds of one fold: counts, except `text` (characters of one computed string) and `number_bits`."""

    alternatives: int = 64
    iterations: int = 400
    depth: int = 40
    text: int = 200_000
    number_bits: int = 4_096
    items: int = 10_000
    pieces: int = 10_000
    nesting: int = 100
    undecided: int = 12
    steps: int = 200_000
