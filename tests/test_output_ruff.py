"""Every format against the real ruff: its findings, printed by us, give its text."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ruff_bridge import INPUTS, Found, found, ruff

from miles_lint.options import FORMATS
from miles_lint.output import HUMAN, render

HOSTILE = {
    "tabs.py": "def f():\n\timport sys, json; return 'a\tb'\n\n\n\n\nimport os\n",
    "crlf.py": "import os\r\nimport re\r\n\r\nx = lambda: 0\r\n",
    "bom.py": "\ufeffimport os\nx = 1 if os == None else 2\n",
    "wide.py": "'\u4f60\u597d\U0001f600'; import os; y = 'e\u0301' == None\n",
    "rows.py": "def f(\n    x=[],\n    y={},\n):\n    return (x ==\n       None)\n\nif (f == None\n    ): pass\n",
    "end.py": "x = 1\nimport os",
    "blank.py": "import os\n\n\n\n\n\n",
    "open.py": "x = (",
    "far.py": "import os\n"
    + "x = 1\n" * 11
    + "def f(a=[]):\n    '''\n"
    + "    text\n" * 9
    + "    '''\n    return a\n",
    "long.py": "x = '" + "a" * 100 + "'; import os; y = '" + "b" * 100 + "'\nimport re\n",
    "html.py": "x = f'<&>' == None; import os as \u00e4\n",
}
CASES = {
    "violations": ["src/a.py", "src/uni.py"],
    "syntax": ["src/syntax.py"],
    "clean": ["src/clean.py"],
    "missing": ["src/nope.py"],
    "nonutf8": ["src/latin1.py"],
    "mixed": ["src/syntax.py", "src/a.py", "src/clean.py"],
    "hostile": sorted(HOSTILE),
    "stdin": ["--stdin-filename", "src/a.py", "-"],
    "stdin_nofilename": ["-"],
}
NOT_ASCII = ("src/uni.py", "wide.py", "html.py")
HELP_WITHOUT_FIX = "E402,I001"
EXACT = [name for name in FORMATS if name not in ("sarif", "gitlab")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "proj"
    shutil.copytree(INPUTS, root)
    for name, text in HOSTILE.items():
        (root / name).write_bytes(text.encode())
    return root


def ours(found: Found, name: str, cwd: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    for module in ("json", "rdjson"):
        monkeypatch.setattr(f"miles_lint.output.{module}.rule_url", found.urls.get)
    monkeypatch.setattr("miles_lint.output.rdjson.HOME", "https://docs.astral.sh/ruff")
    for module in ("github", "junit", "rdjson"):
        monkeypatch.setattr(f"miles_lint.output.{module}.TOOL", "ruff")
    monkeypatch.setattr("miles_lint.output.junit._PACKAGE", "org.ruff")
    return render(name, found.diagnostics, found.context(cwd))


def without_summary(text: str) -> str:
    kept = [line for line in text.splitlines(True) if not line.startswith(("Found ", "[*] ", "All checks"))]
    return "".join(line for line in kept if "unsafe fix" not in line or "runtime behavior" in line)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("case", CASES)
def test_same_text(name: str, case: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = CASES[case] if name != "rdjson" else [file for file in CASES[case] if file not in NOT_ASCII]
    arguments = ["check", *files, "--ignore", HELP_WITHOUT_FIX, "--output-format"]
    text = (project / "src" / "a.py").read_bytes()
    theirs = ruff(*arguments, name, cwd=project, stdin=text).stdout.decode().replace("\ufffd", "")
    findings = found(ruff(*arguments, "json", cwd=project, stdin=text).stdout, text if "-" in files else None)
    printed = ours(findings, name, project, monkeypatch)
    assert printed.splitlines() == without_summary(theirs).splitlines()
    assert printed[-1:] == theirs[-1:] or name in HUMAN
