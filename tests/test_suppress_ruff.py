"""Suppression comments against the real ruff: the same comments silence, on the same rows."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from ruff_bridge import ruff

from miles_lint.noqa import InvalidDirective, parse, parse_file
from miles_lint.source import Source
from miles_lint.suppress import noqa_row

PIECES = (
    *("#", " ", "noqa", "NOQA", "NoQA", ":", ",", ";", "F401", "E501", "f401", "F4", "F", "F401E501", "  ", "\t"),
    *("reason", "MIL001", "-", "# noqa: F401", "# noqa", "#noqa", "X123abc", "401", "é", "type: ignore", "F401#"),
    *("F401:", "(F401)", "[F401]", "ruff:", "flake8:", "ruff: noqa"),
)
STATEMENTS = (
    "import m{}",
    "x{0} = 1; import m{0}",
    "x{0} = '''a'''; import m{0}",
    "x{0} = '''\na\n'''; import m{0}",
    "import m{0}; x{0} = f'''\n{{1}}\n'''",
    "import m{0}; x{0} = f'''\n{{\"\"\"a\n\"\"\"}}\n'''; y{0} = '''\n'''",
    "import m{0} \\\n  ; x{0} = 1",
    "import m{0} \\\n  ; x{0} = '''\n''' \\\n ; import n{0}",
    "x{0} = (1,\n  2); import m{0}; y{0} = [  # a comment\n  '''\n''']",
    "import m{0}; x{0} = rb'''\n'''",
    "if x{0}: import m{0}; y{0} = [\n1]",
    "from m{0} import (\n  n{0},\n  o{0} as p{0})",
    "def f{0}(a, b='''\n'''):\n    '''\n    doc'''; import m{0}",
    "x{0} = f'{{1}}' ; import m{0} ; y{0} = f'{{2}}'",
    "x{0} = 1 + \\\n 2 + \\\n 3; import m{0}",
)


def _comments(count: int) -> list[str]:
    chance = random.Random(20)
    heads = ("#", "# noqa", "# noqa:", "# ruff: noqa", "# flake8: noqa:")
    return [chance.choice(heads) + "".join(chance.choices(PIECES, k=chance.randint(0, 6))) for _ in range(count)]


def _covers(comment: str, read: object) -> bool:
    try:
        directive = read(comment)  # type: ignore[operator]
    except InvalidDirective:
        return False
    return directive is not None and directive.covers("F401")


def test_row_comments(tmp_path: Path) -> None:
    comments = _comments(4_000)
    text = "".join(f"import m{row}  {comment}\n" for row, comment in enumerate(comments))
    (tmp_path / "a.py").write_text(text)
    done = ruff("check", "--isolated", "--select", "F401", "--output-format", "json", "a.py", cwd=tmp_path)
    shown = {each["location"]["row"] - 1 for each in json.loads(done.stdout)}
    wrong = [comment for row, comment in enumerate(comments) if _covers(comment, parse) == (row in shown)]
    assert wrong == []
    assert 500 < len(shown) < 3_500


def test_file_comments(tmp_path: Path) -> None:
    comments = sorted({comment for comment in _comments(4_000) if "ruff" in comment or "flake8" in comment})[:400]
    for row, comment in enumerate(comments):
        (tmp_path / f"a{row}.py").write_text(f"import os\n{comment}\n")
    done = ruff("check", "--isolated", "--select", "F401", "--output-format", "json", ".", cwd=tmp_path)
    shown = {Path(each["filename"]).stem for each in json.loads(done.stdout)}
    wrong = [comment for row, comment in enumerate(comments) if _covers(comment, parse_file) == (f"a{row}" in shown)]
    assert wrong == []
    assert 50 < len(shown) < 380


@pytest.mark.parametrize("seed", range(6))
def test_noqa_rows(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choice(STATEMENTS).format(number) + "\n" for number in range(60))
    (tmp_path / "a.py").write_text(text)
    done = ruff("check", "--isolated", "--select", "F401", "--output-format", "json", "a.py", cwd=tmp_path)
    source = Source.from_text("a.py", text)
    found = json.loads(done.stdout)
    for each in found:
        at = source.offset(each["location"]["row"], each["location"]["column"])
        assert noqa_row(source, at) == each["noqa_row"], source.line(each["location"]["row"])
    assert len(found) > 30
