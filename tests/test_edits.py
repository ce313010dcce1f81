"""Edits applied, merged and repeated until nothing is left."""

from __future__ import annotations

import random

import pytest
from doors import fake_check
from hypothesis import given
from hypothesis import strategies as st

from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Fix, Report, Severity
from miles_lint.edits import PASSES, OverlappingEdits, apply, compatible, fix_source
from miles_lint.settings import Settings
from miles_lint.source import Place, Source, Span

SAFE, UNSAFE, SHOWN = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY_ONLY


def finding(*edits: Edit, code: str = "MIL001", trust: Applicability = SAFE) -> Diagnostic:
    place = Place("a.py", edits[0].span)
    return Diagnostic(code, "bad-call", Severity.ERROR, "text", place, fix=Fix("title", edits, trust))


def edit(start: int, end: int, text: str) -> Edit:
    return Edit(Span(start, end), text)


@given(
    st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.text(max_size=3)), max_size=8)
)
def test_apply_replaces_exactly_the_spans(text: str, wanted: list[tuple[int, int, str]]) -> None:
    edits, last = [], 0
    for start, end, new in sorted(wanted):
        if last <= start <= end <= len(text):
            edits.append(edit(start, end, new))
            last = end + 1
    expected = text
    for each in reversed(edits):
        expected = expected[: each.span.start] + each.text + expected[each.span.end :]
    shuffled = random.Random(1).sample(edits, len(edits))
    assert apply(Source("a.py", text), shuffled) == expected


@pytest.mark.parametrize("edits", [(edit(0, 3, ""), edit(2, 4, "")), (edit(3, 2, ""),), (edit(0, 99, ""),)])
def test_apply_refuses_overlap(edits: tuple[Edit, ...]) -> None:
    with pytest.raises(OverlappingEdits):
        apply(Source("a.py", "0123456789"), edits)


def test_fixes_that_touch_wait() -> None:
    first, second, third = finding(edit(0, 3, "a")), finding(edit(3, 5, "b")), finding(edit(6, 8, "c"))
    assert compatible((third, second, first), SAFE) == (first, third)


def test_a_fix_already_made_counts() -> None:
    first, same = finding(edit(0, 3, "a")), finding(edit(0, 3, "a"), code="MIL002")
    assert compatible((first, same), SAFE) == (first, same)


def test_a_fix_of_several_edits_is_taken_whole_or_not() -> None:
    wide, inside = finding(edit(0, 1, ""), edit(8, 9, "")), finding(edit(4, 5, "x"))
    assert compatible((wide, inside), SAFE) == (wide,)


@pytest.mark.parametrize(("minimum", "count"), [(SAFE, 1), (UNSAFE, 2), (SHOWN, 3)])
def test_trust(minimum: Applicability, count: int) -> None:
    offered = [finding(edit(at, at + 1, ""), trust=trust) for at, trust in ((0, SAFE), (3, UNSAFE), (6, SHOWN))]
    assert len(compatible(offered, minimum)) == count


def check(source: Source) -> Report:
    return fake_check(source, Settings())


def test_fix_source_keeps_the_rest_and_is_idempotent() -> None:
    source = Source.from_text("a.py", "\ufeffbad_call()\r\n# bad_call\r\nrisky_call()")
    result = fix_source(source, check, SAFE)
    assert result.source.full_text == "\ufeffgood_call()\r\n# good_call\r\nrisky_call()"
    assert result.applied == (("MIL001", "bad-call", 2),)
    assert [each.code for each in result.report.diagnostics] == ["MIL002"]
    again = fix_source(result.source, check, SAFE)
    assert again.source == result.source
    assert again.count == 0


def test_fix_source_goes_on_until_nothing_is_left() -> None:
    def countdown(source: Source) -> Report:
        number = int(source.text)
        return Report("a.py", (finding(edit(0, len(source.text), str(number - 1))),) if number else ())

    assert fix_source(Source("a.py", "4"), countdown, SAFE).source.text == "0"
    capped = fix_source(Source("a.py", "99"), countdown, SAFE)
    assert capped.source.text == str(99 - PASSES)
    assert capped.count == PASSES


def test_fix_source_undoes_a_pass_that_breaks_the_text() -> None:
    def breaking(source: Source) -> Report:
        if source.text == "(":
            place = Place("a.py", Span(0, 0))
            return Report("a.py", (Diagnostic("invalid-syntax", "invalid-syntax", Severity.ERROR, "no", place),))
        return Report("a.py", (finding(edit(0, 1, "(")),))

    result = fix_source(Source("a.py", "x"), breaking, SAFE)
    assert result.broken
    assert (result.source.text, result.count) == ("x", 0)
    assert [each.code for each in result.report.diagnostics] == ["MIL001"]


def test_fix_source_leaves_other_files_alone() -> None:
    foreign = finding(edit(0, 1, "y"))
    foreign = Diagnostic(
        **{**{name: getattr(foreign, name) for name in foreign.__slots__}, "place": Place("b.py", Span(0, 1))}
    )
    result = fix_source(Source("a.py", "x"), lambda source: Report("a.py", (foreign,)), SAFE)
    assert result.source.text == "x"
