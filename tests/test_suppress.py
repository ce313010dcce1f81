"""Which comments silence which findings, unused ones, and comments that are written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doors import RULES, fake_check
from hypothesis import given
from hypothesis import strategies as st

from miles_lint.diagnostic import Report
from miles_lint.edits import apply
from miles_lint.noqa import InvalidDirective, directives, parse
from miles_lint.settings import Settings
from miles_lint.source import Source
from miles_lint.suppress import add_noqa, noqa_row, suppress, unused, used

CODES = {rule.code for rule in RULES}


def report(text: str) -> tuple[Source, Report]:
    source = Source.from_text("a.py", text)
    return source, suppress(fake_check(source, Settings()), source)


def idle(text: str) -> tuple[Source, list[str], str]:
    source, found = report(text)
    extra = unused(source, used(source, found.suppressed), CODES.__contains__)
    edits = [edit for diagnostic in extra for edit in diagnostic.fix.edits]  # type: ignore[union-attr]
    return source, [diagnostic.message for diagnostic in extra], apply(source, edits)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "#NOQA",
        "# noqa: MIL001",
        "#noqa:E501,MIL001 reason",
        "# type: ignore # noqa: MIL001",
        "# noqa : MIL001",
    ],
)
def test_silences(comment: str) -> None:
    _, found = report(f"bad_call()  {comment}\n")
    assert found.diagnostics == ()
    assert [each.code for each in found.suppressed] == ["MIL001"]


@pytest.mark.parametrize(
    "comment", ["# noqa: MIL0", "# noqa: MIL", "# noqa: MIL002", "# noqa:", "# nopep8", "# noqaMIL001"]
)
def test_does_not_silence(comment: str) -> None:
    _, found = report(f"bad_call()  {comment}\n")
    assert [each.code for each in found.diagnostics] == ["MIL001"]
    assert found.suppressed == ()


@pytest.mark.parametrize("tool", ["ruff", "flake8", "miles-lint"])
@pytest.mark.parametrize(("tail", "left"), [("", []), (": MIL001", ["MIL003"]), (": E501", ["MIL001", "MIL003"])])
def test_whole_file(tool: str, tail: str, left: list[str]) -> None:
    _, found = report(f"bad_call(odd_call)\n# {tool}: noqa{tail}\n")
    assert [each.code for each in found.diagnostics] == left


def test_file_comment_beside_code_warns_and_does_nothing() -> None:
    source, found = report("bad_call()  # ruff: noqa\n")
    assert len(found.diagnostics) == 1
    assert "must stand on its own line" in directives(source).warnings[0][2]


def test_invalid_comment_warns() -> None:
    source, _ = report("bad_call()  # noqa: what\n")
    assert directives(source).warnings == (
        (
            1,
            12,
            "Invalid `# noqa` directive on {}:1: "
            "expected a comma-separated list of codes (e.g., `# noqa: MIL001, MIL002`).",
        ),
    )
    with pytest.raises(InvalidDirective):
        parse("# noqa: MIL001x")


def test_syntax_errors_cannot_be_silenced() -> None:
    _, found = report("bad_call(  # noqa\n# ruff: noqa\n")
    assert [each.code for each in found.diagnostics] == ["invalid-syntax"]


def test_finding_in_another_file_is_left_alone() -> None:
    source = Source.from_text("a.py", "bad_call()  # noqa\n")
    found = fake_check(source, Settings()).diagnostics[0]
    elsewhere = replace(found, place=replace(found.place, path="b.py"))
    assert suppress(Report("a.py", (elsewhere,)), source).diagnostics == (elsewhere,)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("f(@)\n", 1),
        ("f('''\n@\n''')\n", 3),
        ("f(\n  @, '''\n'''\n)\n", 3),
        ("f(@) + \\\n 1\n", 2),
        ("f(\n  @,\n  1)\n", 2),
        ("f('@ \\\n x')\n", 2),
        ("f(f'''@{1\n}''')\n", 2),
        ("f(@) # '''\n'''\n'''\n", 1),
        ("f('''\r\n@\r\n''')\r\n", 3),
        ("f(@\n  '''", 1),
    ],
)
def test_noqa_row(text: str, row: int) -> None:
    at = text.index("@")
    assert noqa_row(Source.from_text("a.py", text.replace("@", "x")), at) == row


def test_form_feeds_and_separators_are_no_row_ends() -> None:
    source, found = report("x = '\x0c\u2028'; bad_call()  # noqa\nbad_call()\n")
    assert [source.position(each.place.span.start)[0] for each in found.diagnostics] == [2]


@pytest.mark.parametrize(
    ("text", "messages", "fixed"),
    [
        ("x = 1  # noqa: MIL001\n", ["`MIL001` in this `noqa` silences nothing"], "x = 1\n"),
        ("x = 1  # noqa: MIL001, E501\n", ["`MIL001` in this `noqa` silences nothing"], "x = 1  # noqa: E501\n"),
        (
            "bad_call()  # noqa: MIL001,MIL003 why\n",
            ["`MIL003` in this `noqa` silences nothing"],
            "bad_call()  # noqa: MIL001 why\n",
        ),
        ("# miles-lint: noqa: MIL003\nx = 1\n", ["`MIL003` in this `noqa` silences nothing"], "x = 1\n"),
        ("x = 1  # noqa: MIL001, MIL003\n", ["`MIL001`, `MIL003` in this `noqa` silences nothing"], "x = 1\n"),
        ("x = 1  # noqa: MIL001 # kept\n", ["`MIL001` in this `noqa` silences nothing"], "x = 1  # kept\n"),
        ("x = 1  # noqa: MIL001 why\n", ["`MIL001` in this `noqa` silences nothing"], "x = 1  # why\n"),
        ("x = 1  # noqa\ny = 2  # noqa: E501\nbad_call()  # noqa: MIL001\n", [], None),
        ("x = 1  # noqa: MIL001, MIL902\n", [], None),
        ("x = 1  # noqa: MIL001\n# miles-lint: noqa: MIL902\n", [], None),
        ("x = 1  # noqa: MIL999\n", [], None),
    ],
)
def test_unused(text: str, messages: list[str], fixed: str | None) -> None:
    _, found, result = idle(text)
    assert found == messages
    assert result == (text if fixed is None else fixed)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("bad_call()\n", "bad_call()  # noqa: MIL001\n"),
        ("bad_call()", "bad_call()  # noqa: MIL001"),
        ("bad_call(odd_call)  \r\n", "bad_call(odd_call)  # noqa: MIL001, MIL003\r\n"),
        ("bad_call()  # why\n", "bad_call()  # why  # noqa: MIL001\n"),
        ("bad_call()  # noqa: Z99, E501 text\n", "bad_call()  # noqa: E501, MIL001, Z99\n"),
        ("bad_call()  # noqa: what\n", "bad_call()  # noqa: MIL001 # noqa: what\n"),
        ("x = '''\nbad_call\n'''\n", "x = '''\nbad_call\n'''  # noqa: MIL001\n"),
        ("x = 'bad_call \\\n y'\n", "x = 'bad_call \\\n y'  # noqa: MIL001\n"),
    ],
)
def test_add_noqa_is_clean_the_second_time(text: str, result: str) -> None:
    source, found = report(text)
    written, count = add_noqa(source, found.diagnostics)
    assert (written, count) == (result, len(found.diagnostics))
    _, again = report(written)
    assert again.diagnostics == ()


def test_add_noqa_with_a_reason() -> None:
    source, found = report("bad_call()\n")
    assert add_noqa(source, found.diagnostics, "see issue 3")[0] == "bad_call()  # noqa: MIL001 see issue 3\n"


@given(st.text(st.sampled_from("ab #noqa:MIL01\n\r\t\\'\"{}()[]f\x00\x0c\u2028é😀\ufeff;="), max_size=80))
def test_any_text_is_read_without_failing(text: str) -> None:
    source = Source("a.py", text)
    found = directives(source)
    rows = len(source.line_starts)
    assert all(1 <= row <= rows for row in found.rows)
    for offset in range(0, len(text) + 1, 7):
        row, _ = source.position(offset)
        assert row <= noqa_row(source, offset) <= rows
