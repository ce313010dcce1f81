"""The `full` format as a person reads it: both places of a conflict, narrow terminals, odd characters."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Fix, Note, Severity
from miles_lint.output import render
from miles_lint.output.context import Context
from miles_lint.output.frame import cells
from miles_lint.source import Place, Source, Span


def finding(text: str, mark: str, *notes: Note, fix: Fix | None = None) -> Diagnostic:
    place = Place("/p/a.py", Span(text.index(mark), text.index(mark) + len(mark)))
    return Diagnostic("MIL002", "name", Severity.ERROR, "they exclude each other", place, notes, fix)


def note(text: str, mark: str, message: str, path: str = "/p/a.py") -> Note:
    return Note(Place(path, Span(text.index(mark), text.index(mark) + len(mark))), message)


def shown(text: str, diagnostic: Diagnostic, others: dict[str, str] | None = None, **more: object) -> str:
    sources = {"/p/a.py": Source.from_text("/p/a.py", text)}
    sources.update({path: Source.from_text(path, other) for path, other in (others or {}).items()})
    return render("full", (diagnostic,), Context(sources, "/p", **more))  # type: ignore[arg-type]


def test_a_near_place_stands_in_the_same_excerpt() -> None:
    text = 'a = (\n    "--colocate "\n    "--fully-async "\n)\n'
    diagnostic = finding(text, "--fully-async", note(text, "--colocate", "excludes it"))
    assert shown(text, diagnostic) == (
        "MIL002 they exclude each other\n"
        " --> a.py:3:6\n"
        "  |\n"
        "1 | a = (\n"
        '2 |     "--colocate "\n'
        "  |      ---------- excludes it\n"
        '3 |     "--fully-async "\n'
        "  |      ^^^^^^^^^^^^^\n"
        "4 | )\n"
        "  |\n\n"
    )


def test_a_far_place_and_another_file_have_excerpts_of_their_own() -> None:
    text = "--colocate\n" + "x\n" * 10 + "--fully-async\n"
    other = "one\ntwo\n"
    diagnostic = finding(
        text, "--fully-async", note(text, "--colocate", "excludes it"), note(other, "two", "called here", "/q/b.py")
    )
    assert shown(text, diagnostic, {"/q/b.py": other}) == (
        "MIL002 they exclude each other\n"
        "  --> a.py:12:1\n"
        "   |\n"
        "10 | x\n"
        "11 | x\n"
        "12 | --fully-async\n"
        "   | ^^^^^^^^^^^^^\n"
        "  ::: a.py:1:1\n"
        "   |\n"
        " 1 | --colocate\n"
        "   | ---------- excludes it\n"
        " 2 | x\n"
        " 3 | x\n"
        "   |\n"
        "  ::: /q/b.py:2:1\n"
        "   |\n"
        " 1 | one\n"
        " 2 | two\n"
        "   | --- called here\n\n"
    )


def test_two_marks_on_one_row() -> None:
    text = '"--fully-async --colocate"\n'
    lines = shown(text, finding(text, "--fully-async", note(text, "--colocate", "excludes it"))).splitlines()
    assert lines[3:6] == [
        '1 | "--fully-async --colocate"',
        "  |  ^^^^^^^^^^^^^",
        "  |                ---------- excludes it",
    ]


def test_a_label_that_would_leave_the_terminal_stands_below() -> None:
    text = 'arguments = "--fully-async --colocate"\n'
    said = note(text, "--colocate", "shares the GPUs of rollout, which fully-async rollout cannot")
    lines = shown(text, finding(text, "--fully-async", said), width=48).splitlines()
    assert lines[3:8] == [
        '1 | arguments = "--fully-async --colocate"',
        "  |              ^^^^^^^^^^^^^",
        "  |                            ----------",
        "  |            shares the GPUs of rollout, which",
        "  |            fully-async rollout cannot",
    ]
    assert all(cells(line) <= 48 for line in lines[2:])


def test_a_repair_that_is_only_shown() -> None:
    text = "bad\n"
    fix = Fix("Replace it", (Edit(Span(0, 3), "good"),), Applicability.DISPLAY_ONLY)
    assert shown(text, finding(text, "bad", fix=fix)).endswith(
        "help: Replace it\n  |\n  - bad\n1 + good\n  |\n"
        "note: This is a display-only fix and is likely to be incorrect\n\n"
    )


_LINES = st.text(st.sampled_from("ab \t\u4f60\u0301\U0001f600\x1b\x7f-"), max_size=300)


@given(
    before=_LINES,
    mark=st.text(st.sampled_from("x\u597d"), min_size=1, max_size=40),
    after=_LINES,
    width=st.integers(30, 150),
)
def test_no_line_is_wider_than_the_terminal_and_the_mark_is_whole(
    before: str, mark: str, after: str, width: int
) -> None:
    text = f"{after}\n{before}{mark}{after}\n{before}\n"
    place = Place("/p/a.py", Span(len(after) + 1 + len(before), len(after) + 1 + len(before) + len(mark)))
    diagnostic = replace(finding("MIL", "MIL"), place=place)
    lines = shown(text, diagnostic, width=width).splitlines()
    excerpt = [line for line in lines if re.match(r"^ *\d* \|", line)]
    assert all(cells(line) <= width for line in excerpt)
    source_row = next(line for line in excerpt if line.startswith("2 |"))
    caret_row = next(line for line in excerpt if "^" in line)
    wanted = cells(mark)
    marks = caret_row.count("^")
    if wanted <= width - 10:
        assert marks == wanted
        start = caret_row.index("^")
        assert _at_cells(source_row, start, start + marks) == mark


def _at_cells(line: str, start: int, stop: int) -> str:
    at, kept = 0, []
    for char in line:
        if start <= at < stop and cells(char):
            kept.append(char)
        at += cells(char)
    return "".join(kept)


def test_colour_changes_nothing_but_colour() -> None:
    text = 'a = (\n    "--colocate "\n    "--fully-async "\n)\n'
    fix = Fix("Drop it", (Edit(Span(10, 22), ""),), Applicability.UNSAFE)
    diagnostic = finding(text, "--fully-async", note(text, "--colocate", "excludes it"), fix=fix)
    plain, painted = shown(text, diagnostic), shown(text, diagnostic, color=True)
    assert painted != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


@pytest.mark.parametrize("name", ["concise", "grouped"])
def test_colour_in_short_formats(name: str) -> None:
    text = "bad\n"
    sources = {"/p/a.py": Source.from_text("/p/a.py", text)}
    fix = Fix("Replace it", (Edit(Span(0, 3), "good"),), Applicability.SAFE)
    found = (finding(text, "bad", fix=fix),)
    painted = render(name, found, Context(sources, "/p", color=True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(name, found, Context(sources, "/p"))


def test_a_span_over_several_rows() -> None:
    text = "f(\n    a,\n    b)\ng()\n"
    lines = shown(text, finding(text, "f(\n    a,\n    b)")).splitlines()
    assert lines[3:8] == ["1 | / f(", "2 | |     a,", "3 | |     b)", "  | |______^", "4 |   g()"]
    text = "x = f(\n    b)\n"
    lines = shown(text, finding(text, "f(\n    b)")).splitlines()
    assert lines[3:7] == ["1 |   x = f(", "  |  _____^", "2 | |     b)", "  | |______^"]
