"""The generated documentation, and what the README says."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from miles_lint import docs
from miles_lint.cli import main
from miles_lint.rules import RULES
from miles_lint.rules.rule import Rule

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "rules.md"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def test_the_document_in_the_repository_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    code = docs.main(["--check", str(DOCUMENT)])
    assert code == 0, capsys.readouterr().out


def test_the_list_of_rules_that_selection_reads_is_up_to_date() -> None:
    assert docs.index(RULES) == docs.INDEX.read_text(encoding="utf-8")


@pytest.mark.parametrize("change", [{"doc": "Other words.\n"}, {"name": "other-name"}, {"default_on": False}], ids=str)
def test_a_change_of_a_rule_is_noticed(
    change: dict[str, object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(docs, "RULES", (replace(RULES[0], **change), *RULES[1:]))
    assert docs.main(["--check", str(DOCUMENT)]) == 1
    assert "\n+" in capsys.readouterr().out


def test_writing_is_what_checking_wants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.md"
    assert docs.main(["--check", str(path)]) == 1
    assert docs.main([str(path)]) == 0
    assert docs.main(["--check", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == docs.render(RULES)


def test_every_rule_has_its_anchor_its_row_and_a_family() -> None:
    text = docs.render(RULES)
    for rule in RULES:
        assert text.count(f'<a id="{rule.code.lower()}"></a>') == 1
        assert text.count(f"| [{rule.code}](#{rule.code.lower()}) | {rule.name} |") == 1
        assert rule.code[:4] in docs.FAMILIES


def test_headings_of_a_rule_are_lowered_but_not_its_examples() -> None:
    text = docs.section(replace(RULES[0], doc="One.\n\n## Example\n```python\n# a comment\n## another\n```\n"))
    assert "\n#### Example\n" in text
    assert "\n# a comment\n## another\n" in text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_command_line_prints_the_same_text(rule: Rule, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", rule.code]) == 0
    assert rule.doc.strip() in capsys.readouterr().out


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name)
def test_links_into_the_repository_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(re.sub(r"(?ms)^```.*?^```$", "", path.read_text(encoding="utf-8"))):
        place, _, anchor = target.partition("#")
        if ":" in place:
            continue
        file = (path.parent / place).resolve() if place else path
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            text = file.read_text(encoding="utf-8")
            titles = {
                re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in re.findall(r"(?m)^#+ (.+)$", text)
            }
            assert f'<a id="{anchor}"></a>' in text or anchor in titles, target


def test_what_the_readme_shows_is_what_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NO_COLOR", "1")
    shown = re.findall(r"(?ms)^```console\n\$ miles-lint (.*?)\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"))
    assert shown
    for command, output in shown:
        main(shlex.split(command))
        assert capsys.readouterr().out.rstrip("\n") == output.rstrip("\n")


def test_the_readme_has_two_commands_of_set_up() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", text)
    assert [block.count("\n") for block in blocks] == [1, 1]
    assert "tests/fixtures/recipes/daytona.py" in blocks[0]
    assert text.count("<!-- tests -->\n```sh\n" + blocks[1]) == 1
