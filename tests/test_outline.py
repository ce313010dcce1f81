"""An outline against the program that is lowered whole: on this project, on the standard library, on hard texts."""

from __future__ import annotations

import asyncio
import email
from pathlib import Path

import pytest

import miles_lint
from miles_lint.program.lower import lower
from miles_lint.program.outline import Outline, outline, program_of
from miles_lint.source import Source

FOLDERS = [Path(package.__file__).parent for package in (miles_lint, asyncio, email)]
HARD = {
    "decorated": "@a(\n  1,\n)\n# note\n@b\nasync def f():\n    pass\n@c\nclass G(\n  A\n): x = 1\nh = 2\n",
    "strings": "a = '''\ndef no(): pass\n'''\ndef yes():\n    return r'\\x'; '\"'\nb = '\\\n'\n",
    "quotes": 'a = """x" "" \n# \\"""\n"""\ndef yes(): return "\'\'\'"\nb = f"{a}(" "\'"\n',
    "continued": "if a:\n    pass\nelif b:\n    pass\nelse:\n    def f(): pass\ntry:\n    x = 1\nfinally:\n    y = 2",
    "backslash": "x = 1 + \\\n2\ndef f(): return \\\n1\ny = f\n",
    "column zero": "def f(a,\nb=(1,\n2)):\n  return a\n# comment ' (\nz = [\n]\n",
    "twice": "def f(): pass\nf = 1\nclass f: pass\nfrom x import *\n",
    "windows": "def f():\r\n    pass\r\nx = 1\r\n",
    "no end": "def f(): pass",
    "empty": "",
    "comment": "# nothing\n",
    "form feeds": "x = 1\n\f\ndef f():\n    pass\n\f\f# note\ny = 2\n",
    "match": "match x:\n    case 1: y = 2\ndef g(): pass\n",
    "global": "def f():\n    global hidden\n    hidden = 1\n",
    "dedented comment": "def f():\n    a = 1\n# here\n    return a\nx = 2\n",
}


def assert_same(source: Source) -> None:
    whole, parts = lower(source), outline(source)
    if isinstance(parts, Outline):
        assert tuple(parts.statement(index) for index in range(len(whole.body))) == whole.body
    again = program_of(source)
    assert (again.body, again.mentions, again.launches) == (whole.body, whole.mentions, whole.launches)
    assert parts.binders == whole.binders
    assert parts.dynamic == whole.dynamic
    for name in (*whole.mentions, "never_mentioned"):
        assert parts.mentioned(name) == whole.mentioned(name)
    for name in (*list(whole.binders)[:3], "hidden", "nowhere"):
        assert parts.binds(name) == whole.binds(name)


@pytest.mark.parametrize("name", HARD)
def test_hard_texts(name: str) -> None:
    assert_same(Source.from_text("hard.py", HARD[name]))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_real_code(folder: Path) -> None:
    for file in sorted(folder.rglob("*.py"))[::3]:
        assert_same(Source.from_text(str(file), file.read_text("utf-8")))


@pytest.mark.parametrize("text", ("x = 1\n\fy = 2\n", "def f():\n    a\n\fdef g(): pass\ny = 2\n", "\fx = 1\ny = 2\n"))
def test_a_form_feed_before_a_statement_shifts_nothing(text: str) -> None:
    plain = text.replace("\f", "\n")
    assert program_of(Source.from_text("x.py", text)).body == lower(Source.from_text("x.py", plain)).body


def test_what_is_not_asked_for_is_not_read() -> None:
    parts = outline(Source.from_text("x.py", "def broken(x y):\n    pass\ndef fine():\n    return 1\n"))
    assert set(parts.binders) == {"broken", "fine"}
    fine = "def fine():\n    return 1\n"
    blank = "\n" * len("def broken(x y):\n    pass\n")
    assert parts.statement(1) == lower(Source.from_text("x.py", blank + fine)).body[0]
