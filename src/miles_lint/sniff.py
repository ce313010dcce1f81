"""Could this text build a launch? A plain text test, so that most files never load a parser."""

from __future__ import annotations

import re
from functools import lru_cache

_MARKS = re.compile(
    r"execute_train|ray job submit|external_utils|\btrain(?:_\w+)?\.py\b[^\n]*--"
    r"|^from [\w.]+ import [^\n]*\b\w*(?:execute|run_|train|launch|script)\w*"
    r"|(?<![.\w])(?:execute|run_ci|_train)\(",
    re.MULTILINE | re.IGNORECASE,
)


@lru_cache(maxsize=64)
def might_launch(text: str) -> bool:
    """False only for texts that name no launch helper, no submission and no function that could wrap one."""
    return _MARKS.search(text) is not None
