"""The shape of whole documents: ruff's on its findings, ours on ours, through both command lines."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from doors import Cli
from ruff_bridge import INPUTS, ruff

OURS = {
    "a.py": "bad_call(risky_call)\nodd_call()\nplain_call(\n)\nx = 1  # noqa: MIL003\n",
    "syntax.py": "bad_call(\n",
    "clean.py": "good_call()\n",
}
CASES = {
    "mixed": (["src/syntax.py", "src/a.py", "src/clean.py"], ["syntax.py", "a.py", "clean.py"]),
    "violations": (["src/a.py"], ["a.py"]),
    "syntax": (["src/syntax.py"], ["syntax.py"]),
    "clean": (["src/clean.py"], ["clean.py"]),
    "missing": (["src/nope.py"], ["nope.py"]),
    "nonutf8": (["src/latin1.py"], ["latin1.py"]),
    "stdin": (["--stdin-filename", "src/a.py", "-"], ["--stdin-filename", "a.py", "-"]),
    "stdin_nofilename": (["-"], ["-"]),
}
"""The cases of the samples: arguments of ruff, and ours."""
MORE = {"columnKind", "originalUriBaseIds", "partialFingerprints", "relatedLocations", "uriBaseId", "markdown"}


def schema(value: Any, leave_out: frozenset[str] = frozenset()) -> Any:
    """The types of a value: keys of objects, the union of the shapes of items, JSON types of the rest."""
    if isinstance(value, dict):
        return {key: schema(item, leave_out) for key, item in sorted(value.items()) if key not in leave_out}
    if isinstance(value, list):
        shapes: list[Any] = []
        for item in value:
            shape = schema(item, leave_out)
            if shape not in shapes:
                shapes.append(shape)
        return {"items": sorted(shapes, key=json.dumps)}
    return {bool: "boolean", int: "integer", str: "string", type(None): "null"}[type(value)]


def _without_urls(value: Any) -> Any:
    """ruff gives a URL for E902; we have no page about it."""
    if isinstance(value, dict):
        return {key: _without_urls(item) for key, item in value.items() if key not in ("url", "helpUri")}
    return [_without_urls(item) for item in value] if isinstance(value, list) else value


@pytest.fixture
def both(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> tuple[Cli, Path]:
    theirs = tmp_path_factory.mktemp("theirs") / "proj"
    shutil.copytree(INPUTS, theirs)
    for name, text in OURS.items():
        cli.write(name, text)
    (cli.root / "latin1.py").write_bytes(b"x = '\xe9'\n")
    return cli, theirs


def _run(both: tuple[Cli, Path], case: str, name: str) -> tuple[str, str]:
    cli, root = both
    theirs, ours = CASES[case]
    ran = cli("check", "--output-format", name, *ours, stdin=OURS["a.py"])
    done = ruff("check", "--output-format", name, *theirs, cwd=root, stdin=(INPUTS / "src" / "a.py").read_bytes())
    assert (ran.code, ran.err) == (done.returncode, done.stderr.decode())
    return ran.text, done.stdout.decode()


@pytest.mark.parametrize("name", ["json", "gitlab", "rdjson"])
@pytest.mark.parametrize("case", CASES)
def test_json_documents(name: str, case: str, both: tuple[Cli, Path]) -> None:
    ours, theirs = (json.loads(text) for text in _run(both, case, name))
    if case in ("missing", "nonutf8"):
        ours, theirs = _without_urls(ours), _without_urls(theirs)
    assert schema(ours) == schema(theirs)
    if name == "json":
        assert all(list(each) == sorted(each) for each in ours)


@pytest.mark.parametrize("case", CASES)
def test_json_lines(case: str, both: tuple[Cli, Path]) -> None:
    ours, theirs = ([json.loads(line) for line in text.splitlines()] for text in _run(both, case, "json-lines"))
    if case in ("missing", "nonutf8"):
        ours, theirs = _without_urls(ours), _without_urls(theirs)
    assert schema(ours) == schema(theirs)


@pytest.mark.parametrize("case", CASES)
def test_sarif_is_ruffs_and_more(case: str, both: tuple[Cli, Path]) -> None:
    ours, theirs = (json.loads(text) for text in _run(both, case, "sarif"))
    for document in (ours, theirs):
        if case in ("missing", "nonutf8"):
            document["runs"][0]["tool"]["driver"]["rules"] = []
    assert schema(ours, frozenset(MORE)) == schema(theirs)
    assert list(ours["runs"][0]["tool"]["driver"]) == list(theirs["runs"][0]["tool"]["driver"])


@pytest.mark.parametrize("case", CASES)
def test_junit(case: str, both: tuple[Cli, Path]) -> None:
    def outline(element: ElementTree.Element) -> Any:
        children = []
        for child in element:
            shape = outline(child)
            if shape not in children:
                children.append(shape)
        return [element.tag, list(element.attrib), children]

    ours, theirs = (outline(ElementTree.fromstring(text)) for text in _run(both, case, "junit"))
    assert ours == theirs
