"""Every rule: its documentation is run, its fixtures report what they announce, its fixes repair what they should."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from rules_harness import (
    BY_CODE,
    FIXTURES_BY_NAME,
    HEADINGS,
    ROOT,
    Fixture,
    best,
    blocks,
    comments,
    met,
    sections,
    settings_for,
)

from miles_lint.diagnostic import Applicability
from miles_lint.lint import fix_alone, lint_alone
from miles_lint.rules import RULES
from miles_lint.rules.rule import Rule
from miles_lint.settings import Settings

CHECKED = tuple(rule for rule in RULES if rule.check is not None or rule.examine is not None)
FIXTURES = tuple(FIXTURES_BY_NAME.values())


def codes(source: object, settings: Settings) -> list[str]:
    return [found.code for found in lint_alone(source, settings).diagnostics]  # type: ignore[arg-type]


def test_codes_and_names_are_used_once() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_documentation_has_its_parts_in_order(rule: Rule) -> None:
    found = [heading for heading in sections(rule) if heading]
    wanted = ["What it finds", "Example", "Use instead", "Stays silent"] if rule in CHECKED else ["What it finds"]
    if rule.fix is not None or "Fix safety" in found:
        wanted.append("Fix safety")
    assert found == wanted
    assert set(found) <= set(HEADINGS)
    assert rule.summary.endswith(".")
    assert all(text.strip() for text in sections(rule).values())


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.code)
def test_the_example_reports_its_code_and_nothing_else(rule: Rule) -> None:
    examples = list(blocks(rule, "Example"))
    assert examples
    for source in examples:
        ast.parse(source.text)
        assert set(codes(source, settings_for(rule.code))) == {rule.code}


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.code)
def test_what_to_use_instead_is_clean(rule: Rule) -> None:
    examples = list(blocks(rule, "Use instead"))
    assert examples
    for source in examples:
        ast.parse(source.text)
        assert codes(source, settings_for(rule.code)) == []


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.code)
def test_examples_of_silence_are_silent(rule: Rule) -> None:
    for source in blocks(rule, "Stays silent"):
        ast.parse(source.text)
        assert codes(source, settings_for(rule.code)) == []


@pytest.mark.parametrize("rule", [rule for rule in CHECKED if rule.fix is not None], ids=lambda rule: rule.code)
def test_the_fix_repairs_the_example(rule: Rule) -> None:
    settings = replace(settings_for(rule.code), unsafe_fixes=True)
    for source in blocks(rule, "Example"):
        assert best(lint_alone(source, settings)) == rule.fix
        result = fix_alone(source, settings)
        assert result.count > 0
        assert not result.report.diagnostics
        ast.parse(result.source.text)


@pytest.mark.parametrize("rule", [rule for rule in CHECKED if rule.fix is None], ids=lambda rule: rule.code)
def test_a_rule_without_a_fix_offers_none(rule: Rule) -> None:
    for source in blocks(rule, "Example"):
        assert best(lint_alone(source, settings_for(rule.code))) is None


@pytest.mark.parametrize("code", [rule.code for rule in CHECKED])
def test_every_rule_has_fixtures_that_report_and_fixtures_that_stay_silent(code: str) -> None:
    own = [fixture for fixture in FIXTURES if fixture.code == code]
    assert any(any(each.code == code for each in fixture.expected) for fixture in own)
    assert any(not fixture.expected for fixture in own)


def test_fixtures_belong_to_rules_and_fixed_texts_to_fixtures() -> None:
    assert {fixture.code for fixture in FIXTURES} <= set(BY_CODE)
    texts = {fixture.fixed_path for fixture in FIXTURES}
    assert set(ROOT.glob("*/*.fixed.py")) <= texts


@pytest.mark.parametrize("fixture", FIXTURES, ids=str)
def test_fixture(fixture: Fixture) -> None:
    ast.parse(fixture.text)
    assert met(fixture.check(), fixture.expected, fixture.source) == fixture.expected


@pytest.mark.parametrize("fixture", [each for each in FIXTURES if each.expected], ids=str)
def test_a_suppression_in_place_of_each_expectation_silences_it_and_is_used(fixture: Fixture) -> None:
    report = lint_alone(fixture.silenced, fixture.settings)
    assert report.diagnostics == ()
    assert len(report.suppressed) == len(fixture.expected)


@pytest.mark.parametrize("fixture", FIXTURES, ids=str)
def test_fixes(fixture: Fixture) -> None:
    result = fixture.fix()
    if not fixture.fixed_path.exists():
        assert result.source.text == fixture.source.text, f"{fixture.fixed_path.name} is missing"
        return
    assert result.source.full_text == fixture.fixed_path.read_bytes().decode()
    ast.parse(result.source.text)
    assert comments(result.source.text) == comments(fixture.source.text)
    again = fix_alone(result.source, replace(fixture.settings, unsafe_fixes=True))
    assert again.count == 0
    assert again.source == result.source


@pytest.mark.parametrize("fixture", [each for each in FIXTURES if each.fixed_path.exists()], ids=str)
def test_without_leave_only_safe_fixes_are_made(fixture: Fixture) -> None:
    offered = {found.fix.applicability for found in fixture.check().diagnostics if found.fix is not None}
    result = fix_alone(fixture.source, fixture.settings)
    if Applicability.SAFE not in offered:
        assert result.source == fixture.source
    elif offered == {Applicability.SAFE}:
        assert result.source.full_text == fixture.fixed_path.read_bytes().decode()
    for found in result.report.diagnostics:
        assert found.fix is None or found.fix.applicability < Applicability.SAFE


@pytest.mark.parametrize("fixture", FIXTURES, ids=str)
def test_messages_are_one_row_and_name_what_they_are_about(fixture: Fixture) -> None:
    for found in fixture.check().diagnostics:
        assert "\n" not in found.message
        assert not found.message[:1].isupper()
        assert not found.message.endswith(".")
        for note in found.notes:
            assert note.message
