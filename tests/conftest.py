"""Fixtures of more than one test module."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from doors import RULES, Cli, fake_check, forget_selections
from hypothesis import HealthCheck, settings

from miles_lint import lint, rules, selection, settings_files, sniff

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

for _module in ("check", "docs"):
    import_module(f"miles_lint.{_module}")
"""Modules that keep the rules they find when they are loaded: they must never find those of the stand-in."""


@pytest.fixture
def fake_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of the stand-in check instead of the real ones."""
    monkeypatch.setattr(rules, "RULES", RULES, raising=False)
    monkeypatch.setattr(selection, "known", lambda: RULES)
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
    for name in ("MILES_LINT_NO_CACHE", "MILES_LINT_CACHE_DIR"):
        monkeypatch.setenv(name, "")  # so that what the command line sets for its workers is undone
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    settings_files.find.cache_clear()
    return Cli(tmp_path, monkeypatch, capsysbinary)
