"""The rules, in one explicit tuple."""

from __future__ import annotations

from miles_lint.rules.internal import internal_error, unused_suppression
from miles_lint.rules.driver_mismatch import driver_mismatch
from miles_lint.rules.fully_async_by_path import fully_async_by_path
from miles_lint.rules.fully_async_conflict import fully_async_conflict
from miles_lint.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    fully_async_by_path,
    fully_async_conflict,
    driver_mismatch,
    internal_error,
    unused_suppression,
)
