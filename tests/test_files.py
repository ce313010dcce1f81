"""Finding, reading and replacing files, against the real ruff and the real git where they have a say."""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from ruff_bridge import ruff

from miles_lint.files import ChangedError, FileText, ReadError, discover, excluded, read, write
from miles_lint.gitignore import ignores_at
from miles_lint.globs import Glob
from miles_lint.settings import Settings, apply_table
from miles_lint.source import Source

TREE = (
    *("a.py", "b.txt", "noext", "sub/b.py", "sub/ignored/c.py", "sub/keep.py", "venv/d.py", "dist/e.py", "build/f.py"),
    *("deep/node_modules/g.py", "deep/h.py", "dir.py/z.py", ".hidden/i.py", "x/.venv/j.py", "sub/log_1.py"),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "proj"
    for name in TREE:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("import os\n")
    (root / "link.py").symlink_to("a.py")
    (root / "linked").symlink_to("sub")
    (root / "broken.py").symlink_to("nowhere")
    (root / "loop.py").symlink_to("loop.py")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("ignored/\nlog_*\n")
    return root


@pytest.mark.parametrize(
    "arguments",
    [
        ["."],
        ["sub", "a.py", "./a.py", "linked"],
        ["sub/ignored", "venv/d.py", "dist"],
        [".", "--exclude", "sub"],
        ["sub", "--exclude", "sub"],
        ["sub/b.py", "sub", "a.py", "--exclude", "sub", "--force-exclude"],
        ["venv/d.py", "deep/node_modules/g.py", "a.py", "--force-exclude"],
        [".", "--extend-exclude", "deep,*.txt"],
        [".", "--no-respect-gitignore"],
        ["b.txt", "noext"],
        [".", "--exclude", "s?b/*"],
        [".", "--exclude", "./sub", "--exclude", "*/h.py"],
    ],
    ids=" ".join,
)
def test_same_files_as_ruff(arguments: list[str], tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = ruff("check", "--isolated", "--show-files", *arguments, cwd=tree)
    theirs = [path for path in done.stdout.decode().split("\n") if path and not path.endswith(".toml")]
    monkeypatch.chdir(tree)
    monkeypatch.setattr("miles_lint.rules.RULES", (), raising=False)
    from miles_lint.cli.parsing import parse

    invocation = parse(arguments, {})
    settings = apply_table(Settings(root=str(tree)), invocation.table, "the CLI", str(tree))
    assert list(discover(invocation.paths, lambda directory: settings)) == theirs


def test_gitignore_against_git(tmp_path: Path) -> None:
    git = shutil.which("git")
    if not git:
        pytest.skip("git is not installed")
    chance = random.Random(7)
    names = ("a", "b", "ab", "a.py", "b.py", "[x]", "c d", "é")
    patterns = (
        *(
            "a",
            "a/",
            "/a",
            "a/b",
            "*.py",
            "!a.py",
            "**/b",
            "a/**",
            "a/**/b",
            "a?",
            "[ab]",
            "[!a]*",
            "a*",
            "/b/*",
            "# no",
        ),
        *("\\!x", "!/a/b.py", "c d", "c d ", "[[]x]", "\\#", "**", "*/", "/*", "!b/", "a/*/b", "é", "[a-c].py", ""),
    )
    wrong = []
    for round_ in range(40):
        root = tmp_path / str(round_)
        paths = {"/".join(chance.choices(names, k=chance.randint(1, 3))) for _ in range(25)}
        made = [path for path in sorted(paths) if _make(root / path)]
        subprocess.run([git, "init", "-q", str(root)], check=True)
        for directory in (root, root / "a", root / "b"):
            if directory.is_dir():
                lines = chance.choices(patterns, k=chance.randint(1, 5))
                (directory / ".gitignore").write_text("\n".join(lines) + "\n")
        asked = "\0".join(made).encode()
        command = [git, "-C", str(root), "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin", "-z"]
        theirs = set(subprocess.run(command, input=asked, capture_output=True).stdout.decode().split("\0")) - {""}
        wrong += [(round_, path) for path in made if _ignored(root, path) != (path in theirs)]
    assert wrong == []


def _make(path: Path) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    except OSError:
        return False
    return True


def _ignored(root: Path, path: str) -> bool:
    ignores, current = ignores_at(str(root)), str(root)
    parts = path.split("/")
    for index, part in enumerate(parts):
        current = os.path.join(current, part)
        if ignores.ignored(current, index < len(parts) - 1):
            return True
        ignores = ignores.below(current)
    return False


def test_ignores_start_at_the_top_of_the_repository(tree: Path) -> None:
    assert ignores_at(str(tree / "sub")).ignored(str(tree / "sub" / "log_2.py"), False)
    assert not ignores_at(str(tree.parent)).ignored(str(tree / "sub" / "log_2.py"), False)


def test_excluded_looks_at_directories_above_up_to_the_root() -> None:
    settings = Settings(exclude=(Glob("venv"),), root="/p/venv/q")
    assert excluded("/p/venv/q/x/venv/a.py", settings)
    assert not excluded("/p/venv/q/a.py", settings)


@pytest.mark.parametrize(
    ("content", "text", "bom"),
    [
        (b"", "", False),
        (b"\xef\xbb\xbf", "", True),
        (b"\xef\xbb\xbfx\r\n", "x\r\n", True),
        ("é\ry".encode(), "é\ry", False),
    ],
)
def test_read_keeps_everything(content: bytes, text: str, bom: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(content)
    found = read(str(path))
    assert (found.source.text, found.source.bom, found.content) == (text, bom, content)
    assert found.source.full_text.encode() == content


def test_read_errors(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n")
    (tmp_path / "loop.py").symlink_to("loop.py")
    for name, message in (
        ("latin.py", "stream did not contain valid UTF-8"),
        ("gone.py", "No such file or directory (os error 2)"),
        ("loop.py", "Too many levels of symbolic links (os error 40)"),
        (".", "Is a directory (os error 21)"),
    ):
        with pytest.raises(ReadError) as error:
            read(str(tmp_path / name))
        assert str(error.value) == message


def changed(original: FileText, text: str) -> Source:
    return Source(original.source.path, text, original.source.bom)


def test_write_keeps_mode_and_bom_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"\xef\xbb\xbfx\r\n")
    path.chmod(0o754)
    original = read(str(path))
    write(original, changed(original, "y\r\n"))
    assert path.read_bytes() == b"\xef\xbb\xbfy\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o754
    assert os.listdir(tmp_path) == ["a.py"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_write_keeps_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x\n")
    path.chmod(0o640)
    os.chown(path, 65534, 65533)
    original = read(str(path))
    write(original, changed(original, "y\n"))
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (65534, 65533, 0o640)


def test_a_file_that_must_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_text("x\n")
    path.chmod(0o444)
    original = read(str(path))
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(PermissionError):
        write(original, changed(original, "y\n"))
    assert path.read_text() == "x\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "null.py").symlink_to(os.devnull)
    (tmp_path / "a.py").write_text("")
    settings = Settings(root=str(tmp_path))
    assert discover([str(tmp_path)], lambda _: settings) == (str(tmp_path / "a.py"),)


def test_write_goes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("x\n")
    (tmp_path / "link.py").symlink_to("real.py")
    original = read(str(tmp_path / "link.py"))
    write(original, changed(original, "y\n"))
    assert (tmp_path / "link.py").is_symlink()
    assert (tmp_path / "real.py").read_text() == "y\n"


def test_a_file_of_two_names_is_written_once(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("x\n")
    (tmp_path / "link.py").symlink_to("real.py")
    originals = [read(str(tmp_path / name)) for name in ("real.py", "link.py")]
    for original in originals:
        write(original, changed(original, "y\n"))
    assert (tmp_path / "real.py").read_text() == "y\n"
    assert sorted(os.listdir(tmp_path)) == ["link.py", "real.py"]


def test_write_refuses_a_changed_file(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x\n")
    original = read(str(path))
    path.write_text("z\n")
    with pytest.raises(ChangedError):
        write(original, changed(original, "y\n"))
    assert path.read_text() == "z\n"
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_failed_write_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_text("x\n")
    original = read(str(path))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write(original, changed(original, "y\n"))
    assert path.read_text() == "x\n"
    assert os.listdir(tmp_path) == ["a.py"]
