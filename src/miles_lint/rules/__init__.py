"""The rules, in one explicit tuple."""

from __future__ import annotations

from miles_lint.rules.abbreviated_flag import abbreviated_flag
from miles_lint.rules.batch_arithmetic import batch_arithmetic
from miles_lint.rules.deprecated_flag import deprecated_flag
from miles_lint.rules.driver_mismatch import driver_mismatch
from miles_lint.rules.fully_async_by_path import fully_async_by_path
from miles_lint.rules.fully_async_conflict import fully_async_conflict
from miles_lint.rules.ignored_flag import ignored_flag
from miles_lint.rules.internal import internal_error, unused_suppression
from miles_lint.rules.invalid_choice import invalid_choice
from miles_lint.rules.invalid_value import invalid_value
from miles_lint.rules.missing_companion import missing_companion
from miles_lint.rules.missing_engine_prefix import missing_engine_prefix
from miles_lint.rules.rejected_by_trainer import rejected_by_trainer
from miles_lint.rules.removed_flag import removed_flag
from miles_lint.rules.repeated_flag import repeated_flag
from miles_lint.rules.rule import Rule
from miles_lint.rules.shadowed_flag import shadowed_flag
from miles_lint.rules.stray_argument import stray_argument
from miles_lint.rules.unknown_flag import unknown_flag
from miles_lint.rules.wrong_arity import wrong_arity
from miles_lint.rules.wrong_backend_flag import wrong_backend_flag

RULES: tuple[Rule, ...] = (
    fully_async_by_path,
    fully_async_conflict,
    driver_mismatch,
    unknown_flag,
    removed_flag,
    wrong_backend_flag,
    missing_engine_prefix,
    abbreviated_flag,
    invalid_choice,
    invalid_value,
    wrong_arity,
    deprecated_flag,
    stray_argument,
    shadowed_flag,
    repeated_flag,
    rejected_by_trainer,
    ignored_flag,
    missing_companion,
    batch_arithmetic,
    internal_error,
    unused_suppression,
)
