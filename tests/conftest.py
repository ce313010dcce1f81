"""Fixtures of more than one test module."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from doors import RULES, Cli, fake_check, forget_selections

from miles_lint import lint, rules, settings_files, sniff

for _module in ("check", "docs"):
    import_module(f"miles_lint.{_module}")
"""Modules that keep the rules they find when they are loaded: they must never find those of the stand-in."""


@pytest.fixture
def fake_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of the stand-in check instead of the real ones."""
    monkeypatch.setattr(rules, "RULES", RULES, raising=False)
    monkeypatch.setattr(lint, "_check", fake_check)
    monkeypatch.setattr(sniff, "might_launch", lambda text: "call" in text)
    forget_selections()
    yield
    forget_selections()


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], fake_rules: None
) -> Cli:
    """The command line in an empty directory, with the stand-in check and a plain environment."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CI_PROJECT_DIR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    settings_files.find.cache_clear()
    return Cli(tmp_path, monkeypatch, capsysbinary)


OPEN = {
    "test_programs_without_an_end_are_given_up_and_say_so": "texts and containers that double have no cap yet",
    "test_large_programs_that_can_be_folded_are": "long chains of `+=` are refused by the depth test",
    "test_broken_text_is_an_error_near_the_place": "errors of the tokenizer come without a place",
    "test_it_prints_what_the_page_says": "one row of the page waits for a reason to be kept",
    "test_the_description_means_what_the_guard_means": "short words for guards over three values",
    "test_a_cover_is_the_guard_itself": "short words for guards over three values",
    "test_start_up_loads_only_what_is_needed": "the process pool is loaded before it is needed",
}
"""What is known not to hold yet, by test, with the reason that the run prints."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        reason = OPEN.get(getattr(item, "originalname", item.name))
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))
