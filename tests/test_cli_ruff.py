"""The command line against the real ruff: same exit code, same streams, same summaries for like findings."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from doors import Cli
from ruff_bridge import ruff

from miles_lint.cli.errors import UsageError
from miles_lint.cli.parsing import parse
from miles_lint.options import FORMATS

THEIRS = "import os\n\n\ndef f():\n    x = 1\n    print(y)\n"
OURS = "bad_call()\n\n\ndef f():\n    risky_call = 1\n    print(odd_call)\n"
CLEAN = "def f():\n    return 1\n"
BROKEN = "def call(:\n"
SUMMARY = re.compile(
    r"^(Found|Fixed|Would fix|No errors|All checks|\[\*\]|\d+ unsafe|warning|Added|error:)", re.MULTILINE
)

CASES = [
    *(
        [*base, "--output-format", name]
        for base in (["viol.py"], ["clean.py"], ["gone.py"], ["viol.py", "clean.py"])
        for name in FORMATS
    ),
    *(["broken.py", "--output-format", name] for name in FORMATS),
    ["viol.py"],
    ["viol.py", "--unsafe-fixes"],
    ["viol.py", "--no-unsafe-fixes"],
    ["--fix", "viol.py"],
    ["viol.py", "--fix"],
    ["--fix", "--unsafe-fixes", "viol.py"],
    ["--fix", "--no-fix", "viol.py"],
    ["--no-fix", "--fix", "viol.py"],
    ["--fix", "--show-fixes", "viol.py"],
    ["--fix", "-q", "viol.py"],
    ["--fix", "-s", "viol.py"],
    ["--fix", "--exit-non-zero-on-fix", "viol.py"],
    ["--fix", "--exit-non-zero-on-fix", "clean.py"],
    ["--fix", "--exit-zero", "viol.py"],
    ["--fix", "--statistics", "viol.py"],
    ["--fix", "--output-format=json", "viol.py"],
    ["--fix-only", "viol.py"],
    ["--fix-only", "--unsafe-fixes", "viol.py"],
    ["--fix-only", "clean.py"],
    ["--fix-only", "--exit-non-zero-on-fix", "viol.py"],
    ["--fix-only", "--show-fixes", "viol.py"],
    ["--fix-only", "--output-format", "json", "viol.py"],
    ["--diff", "viol.py"],
    ["--diff", "clean.py"],
    ["--diff", "-q", "viol.py"],
    ["--diff", "-s", "viol.py"],
    ["--diff", "--unsafe-fixes", "viol.py"],
    ["--diff", "--no-unsafe-fixes", "viol.py"],
    ["--diff", "--output-format", "json", "viol.py"],
    ["--diff", "broken.py"],
    ["--diff", "--ignore", "FIX", "viol.py"],
    ["--fix-only", "--ignore", "FIX", "viol.py"],
    ["-e", "viol.py"],
    ["--exit-zero", "viol.py", "--exit-non-zero-on-fix"],
    ["--exit-zero", "gone.py"],
    ["-q", "viol.py"],
    ["-q", "clean.py"],
    ["-q", "--output-format", "json", "clean.py"],
    ["-s", "viol.py"],
    ["-s", "--output-format", "json", "viol.py"],
    ["-q", "-q", "viol.py"],
    ["-q", "-s", "viol.py"],
    ["--statistics", "viol.py"],
    ["--statistics", "clean.py"],
    ["--statistics", "--output-format", "json", "clean.py"],
    ["--statistics", "--output-format", "github", "viol.py"],
    ["--statistics", "-q", "viol.py"],
    ["--statistics", "--unsafe-fixes", "viol.py"],
    ["--statistics", "broken.py"],
    ["--add-noqa", "viol.py"],
    ["--add-noqa=why", "viol.py"],
    ["--add-noqa", "clean.py"],
    ["--add-noqa", "-q", "viol.py"],
    ["--add-noqa", "broken.py"],
    ["--unfixable", "ALL", "viol.py"],
    ["--unfixable", "ALL", "--fix", "viol.py"],
    ["--nonsense", "viol.py"],
    ["--output-format", "nonsense", "viol.py"],
    ["--output-format"],
    ["--per-file-ignores", "viol.py", "viol.py"],
    ["--color", "sometimes", "viol.py"],
    ["empty"],
    ["empty", "--output-format", "json"],
    ["empty", "--show-files"],
    ["--", "viol.py"],
    ["-n", "--preview", "--no-preview", "--line-length", "80", "--target-version", "py310", "viol.py"],
    ["--extension", "txt:python", "--cache-dir", "cache", "--force-exclude", "viol.py"],
    ["viol.py", "-o", "out/report.txt"],
    ["viol.py", "--output-file=out/report.json", "--output-format=json"],
    ["viol.py", "--output-file=out/report.json", "--output-format=json", "--fix"],
    ["viol.py", "-o", "out/report.txt", "--diff"],
    ["viol.py", "-o", "out/report.txt", "--statistics"],
    ["viol.py", "-o", "out/report.txt", "-q"],
    ["viol.py", "-o", "out/report.txt", "-s"],
    ["clean.py", "-o", "out/report.txt"],
    ["viol.py", "--ignore", "FIX"],
    ["viol.py", "--extend-ignore", "FIX"],
    ["viol.py", "--extend-ignore=FIX", "--extend-select=FIX"],
    ["viol.py", "--per-file-ignores", "viol.py:FIX"],
    ["viol.py", "--per-file-ignores", "!viol.py:FIX"],
    ["viol.py", "--per-file-ignores", "v*.py:FIX,clean.py:FIX", "--extend-per-file-ignores=sub/*:FIX"],
    ["viol.py", "--fixable", "FIX"],
    ["viol.py", "--fixable", "FIX", "--unfixable", "FIX"],
    ["viol.py", "--extend-fixable", "FIX", "--fix"],
    ["viol.py", "--ignore-noqa"],
    ["silenced.py"],
    ["silenced.py", "--ignore-noqa"],
    ["silenced.py", "--ignore-noqa", "--fix"],
    ["silenced.py", "--ignore-noqa", "--add-noqa"],
    [".", "--exclude", "viol.py,broken.py"],
    [".", "--extend-exclude", "*.py"],
    ["viol.py", "--exclude", "viol.py"],
    ["viol.py", "--exclude", "viol.py", "--force-exclude"],
    ["viol.py", "--exclude", "viol.py", "--force-exclude", "--no-force-exclude"],
    ["hidden", "--respect-gitignore"],
    ["hidden", "--no-respect-gitignore"],
    ["gone.py", "viol.py", "--fix"],
    ["gone.py", "clean.py", "-q"],
    ["--config", "gone.toml", "viol.py"],
    ["--config", "nonsense", "viol.py"],
    ["--config", "fix = true", "viol.py"],
    ["--config", "fix = 1", "viol.py"],
    ["--config", "output-format = 'concise'", "viol.py"],
    ["--config", "output-format = 'json'", "--output-format", "concise", "viol.py"],
    ["--config", "unsafe-fixes = true", "--config", "fix = true", "viol.py"],
    ["viol.py", "viol.py", "./viol.py"],
    ["viol.py", "--select="],
    ["viol.py", "--diff", "--fix"],
    ["viol.py", "--diff", "--fix-only"],
    ["viol.py", "--diff", "--exit-zero"],
    ["viol.py", "--diff", "--exit-non-zero-on-fix"],
    ["viol.py", "--diff", "--statistics"],
    ["viol.py", "--diff", "--show-fixes"],
    ["viol.py", "--fix-only", "--exit-zero"],
    ["viol.py", "--fix-only", "--no-fix-only"],
    ["viol.py", "--fix-only", "-q"],
    ["viol.py", "--fix-only", "-s"],
    ["viol.py", "--fix-only", "--statistics"],
    ["viol.py", "--show-fixes"],
    ["viol.py", "--show-fixes", "--fix", "-q"],
    ["viol.py", "--show-fixes", "--fix", "-s"],
    ["viol.py", "--show-fixes", "--fix", "--output-format", "json"],
    ["viol.py", "--show-fixes", "--no-show-fixes", "--fix"],
    ["viol.py", "--statistics", "--fix", "--output-format", "json"],
    ["viol.py", "--statistics", "-s"],
    ["viol.py", "--statistics", "-e"],
    ["viol.py", "-en"],
    ["viol.py", "-eq"],
    ["viol.py", "-vq"],
    ["viol.py", "--quiet", "--no-cache", "--color=never"],
    ["viol.py", "--color=always", "-q", "--output-format=json"],
]
STDIN = [
    ["-"],
    ["--stdin-filename", "viol.py"],
    ["--stdin-filename", "sub/new.py", "-"],
    ["-", "--stdin-filename=viol.py", "--fix"],
    ["-", "--fix"],
    ["--fix", "-", "-q"],
    ["--fix", "-", "--output-format", "json"],
    ["--fix-only", "-"],
    ["--fix", "--unsafe-fixes", "-"],
    ["--diff", "-"],
    ["--diff", "--stdin-filename", "viol.py"],
    ["--diff", "-", "-q"],
    ["--", "-"],
    ["-q", "--", "-"],
    ["clean.py", "--stdin-filename", "viol.py"],
    ["-", "clean.py", "--stdin-filename", "viol.py"],
    ["--force-exclude", "--exclude", "viol.py", "--stdin-filename", "viol.py", "-"],
    ["--force-exclude", "--exclude", "viol.py", "--stdin-filename", "viol.py", "-", "--fix"],
    ["--force-exclude", "--exclude", "viol.py", "--stdin-filename", "viol.py", "-", "--diff"],
    ["--exclude", "viol.py", "--stdin-filename", "viol.py", "-"],
    ["--select", "I001", "--fix", "-"],
    ["--select", "I001,I002", "--output-format", "json", "-"],
    ["--add-noqa", "-"],
    ["--exit-zero", "-", "--output-format", "github"],
    ["--statistics", "-"],
    ["--show-fixes", "--fix", "-"],
    ["--show-fixes", "--diff", "-"],
    ["--fix", "--exit-non-zero-on-fix", "-"],
    ["--fix", "--statistics", "-"],
    ["--fix", "-s", "-"],
    ["--diff", "-s", "-"],
    ["--diff", "-", "--output-format", "json"],
    ["-", "-o", "out/report.txt"],
    ["-", "-o", "out/report.txt", "--fix"],
    ["-", "--per-file-ignores", "viol.py:FIX", "--stdin-filename", "viol.py"],
    ["-", "--per-file-ignores", "viol.py:FIX"],
    ["-", "--ignore-noqa"],
    ["-", "clean.py"],
    ["-", "-"],
    ["--stdin-filename", "gone/viol.py", "--exit-zero"],
    ["--stdin-filename", "viol.txt"],
    ["--stdin-filename", "hidden/viol.py", "--force-exclude", "-"],
    ["--show-files", "-"],
]


@pytest.fixture
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("theirs")
    _fill(root, THEIRS)
    return root


def _fill(root: Path, text: str) -> None:
    (root / "viol.py").write_text(text)
    (root / "clean.py").write_text(CLEAN)
    (root / "broken.py").write_text(BROKEN)
    (root / "silenced.py").write_text(text.replace("\n", "  # noqa\n", 1))
    (root / "empty").mkdir()
    (root / ".git").mkdir()
    (root / ".gitignore").write_text("ignored.py\n")
    (root / "hidden").mkdir()
    (root / "hidden" / "ignored.py").write_text(text)


def _summaries(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if SUMMARY.match(line)]
    return [re.sub(r"ruff", "miles-lint", line) for line in lines if "RUF" not in line]


def _same(cli: Cli, theirs: Path, arguments: list[str], stdin: str | None, ours_stdin: str | None) -> None:
    wanted = [each.replace("FIX", "F401") for each in arguments]
    base = ["--isolated", "--select", "F401,F841,F821,E902"] if "--select" not in arguments else ["--isolated"]
    done = ruff(
        "check", *wanted[: _end(wanted)], *base, *wanted[_end(wanted) :], cwd=theirs, stdin=(stdin or "").encode()
    )
    own = [each.replace("FIX", "MIL001") for each in arguments]
    ran = cli("check", *own, stdin=ours_stdin)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert ran.code == done.returncode, (ran, out, err)
    assert (ran.out == b"") == (out == ""), (ran.text, out)
    assert (ran.err == "") == (err == ""), (ran.err, err)
    assert ran.text.endswith("\n") == out.endswith("\n")
    if "broken.py" not in arguments:
        assert _summaries(ran.text) == _summaries(out)
        assert _summaries(ran.err) == _summaries(err)


def _end(arguments: list[str]) -> int:
    return arguments.index("--") if "--" in arguments else len(arguments)


@pytest.mark.parametrize("arguments", CASES, ids=" ".join)
def test_files(arguments: list[str], cli: Cli, theirs: Path) -> None:
    _fill(cli.root, OURS)
    _same(cli, theirs, arguments, None, None)
    changed = (theirs / "viol.py").read_text() != THEIRS
    assert ((cli.root / "viol.py").read_text() != OURS) == changed
    for name in ("out/report.txt", "out/report.json"):
        assert (cli.root / name).exists() == (theirs / name).exists()


@pytest.mark.parametrize("arguments", STDIN, ids=" ".join)
def test_stdin(arguments: list[str], cli: Cli, theirs: Path) -> None:
    _fill(cli.root, OURS)
    _same(cli, theirs, arguments, THEIRS, OURS)
    assert (cli.root / "viol.py").read_text() == OURS


APART = (
    *("--fix", "--no-fix", "--unsafe-fixes", "--show-fixes", "--diff", "--watch", "--fix-only", "--ignore-noqa"),
    *("--output-format=json", "--statistics", "--add-noqa", "--show-files", "--show-settings", "--exclude=x"),
    *("--force-exclude", "--stdin-filename=viol.py", "--exit-zero", "--exit-non-zero-on-fix", "--no-cache"),
    *("--isolated", "--verbose", "--quiet", "--silent", "--color=never"),
)


@pytest.mark.parametrize("first", APART)
def test_pairs_that_exclude_each_other(first: str, cli: Cli, theirs: Path) -> None:
    (theirs / "viol.py").write_text("")
    cli.write("viol.py", "")
    for second in APART:
        if second == first or "--watch" in (first, second) and not _apart(first, second):
            continue
        ran = cli("check", "viol.py", first, second, stdin="")
        done = ruff("check", "viol.py", first, second, cwd=theirs)
        assert (ran.code == 2) == (done.returncode == 2), (first, second, ran)
        if ran.code == 2:
            assert ran.err.splitlines()[0] == done.stderr.decode().splitlines()[0]


def _apart(first: str, second: str) -> bool:
    """Whether they are told apart while the options are read, so that nothing is watched."""
    with contextlib.suppress(UsageError):
        parse([first, second], {})
        return False
    return True


@pytest.mark.parametrize(
    ("name", "value", "arguments"),
    [
        ("OUTPUT_FORMAT", "json", []),
        ("OUTPUT_FORMAT", "json", ["--output-format", "concise"]),
        ("OUTPUT_FORMAT", "nonsense", []),
        ("OUTPUT_FILE", "out/report.txt", []),
        ("OUTPUT_FILE", "out/report.txt", ["-o", "other.txt"]),
        ("NO_CACHE", "true", []),
        ("NO_CACHE", "false", []),
        ("NO_CACHE", "1", []),
        ("CACHE_DIR", "kept", []),
    ],
)
def test_environment(name: str, value: str, arguments: list[str], cli: Cli, theirs: Path) -> None:
    _fill(cli.root, OURS)
    cli.monkeypatch.setenv(f"MILES_LINT_{name}", value)
    done = ruff("check", "viol.py", *arguments, "--select", "F", cwd=theirs, **{f"RUFF_{name}": value})
    ran = cli("check", "viol.py", *arguments)
    assert (ran.code, ran.out == b"", ran.err == "") == (done.returncode, done.stdout == b"", done.stderr == b"")
    assert ran.text[:1] == done.stdout.decode()[:1] or ran.text.startswith("MIL")
    for file in ("out/report.txt", "other.txt"):
        assert (cli.root / file).exists() == (theirs / file).exists()


@pytest.mark.parametrize("more", [[], ["--unsafe-fixes"], ["--fix"], ["--output-format", "concise"], ["-q"], ["-e"]])
def test_statistics_have_the_same_columns(more: list[str], cli: Cli, theirs: Path) -> None:
    imports = "".join(f"import m{number}\n" for number in range(12))
    (theirs / "many.py").write_text(imports + "def f():\n    x = 1\n    y = 2\n    print(z)\n")
    cli.write(
        "many.py", "bad_call()\n" * 12 + "def f():\n    risky_call = 1\n    risky_call = 2\n    print(odd_call)\n"
    )
    codes = {"MIL001": "F401", "MIL002": "F841", "MIL003": "F821"}
    names = {"bad-call": "unused-import", "risky-call": "unused-variable", "odd-call": "undefined-name"}
    arguments = ["many.py", "broken.py", "--statistics", *more]
    _fill(cli.root, OURS)
    text = cli("check", *arguments).text
    for ours, other in (*codes.items(), *names.items()):
        text = text.replace(ours, other)
    done = ruff("check", "--isolated", "--select", "F401,F841,F821", *arguments, cwd=theirs)
    rows = [line for line in done.stdout.decode().splitlines() if "invalid-syntax" not in line]
    mine = [line for line in text.replace("\t      \t", "\t\t").splitlines() if "invalid-syntax" not in line]
    assert [line.split("\t") for line in mine if "\t" in line] == [line.split("\t") for line in rows if "\t" in line]
    assert len([line for line in rows if "\t" in line]) >= 2
