"""The rules, in one explicit tuple."""

from __future__ import annotations

from miles_lint.rules.abbreviated_flag import abbreviated_flag
from miles_lint.rules.backend_mismatch import backend_mismatch
from miles_lint.rules.batch_arithmetic import batch_arithmetic
from miles_lint.rules.broken_json_value import broken_json_value
from miles_lint.rules.config_not_passed import config_not_passed
from miles_lint.rules.default_refused import default_refused
from miles_lint.rules.deprecated_flag import deprecated_flag
from miles_lint.rules.driver_mismatch import driver_mismatch
from miles_lint.rules.embedded_space import embedded_space
from miles_lint.rules.environment_read_at_import import environment_read_at_import
from miles_lint.rules.fully_async_by_path import fully_async_by_path
from miles_lint.rules.fully_async_conflict import fully_async_conflict
from miles_lint.rules.fused_arguments import fused_arguments
from miles_lint.rules.group_bound_to_tuple import group_bound_to_tuple
from miles_lint.rules.hand_rolled_submission import hand_rolled_submission
from miles_lint.rules.hard_coded_checkout_path import hard_coded_checkout_path
from miles_lint.rules.idle_environment_variable import idle_environment_variable
from miles_lint.rules.ignored_flag import ignored_flag
from miles_lint.rules.internal import internal_error, unused_suppression
from miles_lint.rules.invalid_choice import invalid_choice
from miles_lint.rules.invalid_value import invalid_value
from miles_lint.rules.knob_outside_domain import knob_outside_domain
from miles_lint.rules.literal_credential import literal_credential
from miles_lint.rules.missing_companion import missing_companion
from miles_lint.rules.missing_engine_prefix import missing_engine_prefix
from miles_lint.rules.missing_f_prefix import missing_f_prefix
from miles_lint.rules.model_of_another_size import model_of_another_size
from miles_lint.rules.none_interpolated import none_interpolated
from miles_lint.rules.notable_combination import notable_combination
from miles_lint.rules.rejected_by_trainer import rejected_by_trainer
from miles_lint.rules.removed_flag import removed_flag
from miles_lint.rules.repeated_flag import repeated_flag
from miles_lint.rules.rule import Rule
from miles_lint.rules.shadowed_flag import shadowed_flag
from miles_lint.rules.shell_operator import shell_operator
from miles_lint.rules.stale_function_path import stale_function_path
from miles_lint.rules.stray_argument import stray_argument
from miles_lint.rules.swallowed_flag import swallowed_flag
from miles_lint.rules.unbalanced_quote import unbalanced_quote
from miles_lint.rules.undefined_argument_group import undefined_argument_group
from miles_lint.rules.unknown_flag import unknown_flag
from miles_lint.rules.unknown_helper_keyword import unknown_helper_keyword
from miles_lint.rules.unknown_knob_field import unknown_knob_field
from miles_lint.rules.unknown_model_type import unknown_model_type
from miles_lint.rules.unknown_module_name import unknown_module_name
from miles_lint.rules.unquoted_glob import unquoted_glob
from miles_lint.rules.unread_environment_variable import unread_environment_variable
from miles_lint.rules.unsuitable_value import unsuitable_value
from miles_lint.rules.unused_argument_group import unused_argument_group
from miles_lint.rules.variable_for_another_process import variable_for_another_process
from miles_lint.rules.wrong_arity import wrong_arity
from miles_lint.rules.wrong_backend_flag import wrong_backend_flag

RULES: tuple[Rule, ...] = (
    fully_async_by_path,
    fully_async_conflict,
    driver_mismatch,
    stale_function_path,
    fused_arguments,
    missing_f_prefix,
    unbalanced_quote,
    swallowed_flag,
    unquoted_glob,
    broken_json_value,
    embedded_space,
    unused_argument_group,
    undefined_argument_group,
    shell_operator,
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
    unsuitable_value,
    notable_combination,
    unread_environment_variable,
    unknown_model_type,
    backend_mismatch,
    config_not_passed,
    literal_credential,
    model_of_another_size,
    variable_for_another_process,
    hard_coded_checkout_path,
    hand_rolled_submission,
    environment_read_at_import,
    idle_environment_variable,
    group_bound_to_tuple,
    none_interpolated,
    unknown_knob_field,
    knob_outside_domain,
    default_refused,
    unknown_helper_keyword,
    unknown_module_name,
    internal_error,
    unused_suppression,
)
