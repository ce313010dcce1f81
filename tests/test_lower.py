"""The lowered program against `ast`: the same statements and expressions, in the same places.

STRINGS_SWEEP=1 reads the whole standard library instead of a sample.
"""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from test_literals import library, read

from miles_lint.program.lower import NotUnderstood, ParseError, lower
from miles_lint.source import Source
from tests.oracles.shapes import difference, lowered
from tests.oracles.shapes_ast import FromAst


def compare(source: Source) -> str | None:
    expected = FromAst(source).many(ast.parse(source.text).body)
    return difference(expected, lowered(lower(source).body))


def test_the_standard_library_lowers_to_what_python_parses() -> None:
    files = 0
    for path in library():
        try:
            source = read(path)
            different = compare(source)
        except (SyntaxError, ValueError, NotUnderstood, RecursionError):
            continue
        assert different is None, f"{path}: {different}"
        files += 1
    if not files:
        pytest.skip("the standard library is not installed as source files")


STATEMENTS = """\
a = b = c, *d = f(*e, k=1, **g)
x: int = 1 if y else 2; z: str
x += 1; x //= 2; x @= 3; x **= -+~4
v = a.b[1:2, ::3, *c][d:][...] .e
w = not a or b and (c and d) or (e or g)
t = a < b <= c is not d not in (e,) == f
u = {1: 2, **a, 'k': [*b]} | {1, *c} | {i: j for i, j in k if l if m for n in o}
s = [i async for i in a] if 0 else (i for i in b)
r = (y := 5) + (lambda p, /, q=1, *a, k, l=2, **b: (yield))(1)
q = 0x1F + 1_000 + 1e3 + 2j + 0b11
p = await z
@deco(1)
class C(A, B.D, metaclass=M):
    f: int = field(default=1)
    def g(self, x: int = 1, *, y: str) -> None:
        global h, i
        yield from x
        return
async def e():
    async with a as b, c: pass
    async for i in j:
        break
    else:
        continue
try:
    raise E(1) from None
except (A, B) as err:
    assert a, 'no'
except C:
    raise
else:
    del a, b[0]
finally:
    del (c)
with (a as b, c as (d, e)):
    while 1: pass
    else: x
from . import a
from ..b.c import (d as e, f,)
from g import *
import h.i as j, k.l
match m:
    case 1 | 'a' | -2 | A.B: pass
    case [x, *_, y] if z: pass
    case (1, *rest): pass
    case C(a, k=None) as w: pass
    case {'k': v}: pass
    case True: pass
    case _: pass
if a: b
elif c: d
else: e
def o():
    nonlocal_ = 1
    def inner():
        nonlocal nonlocal_
"""
if sys.version_info < (3, 11):
    STATEMENTS = STATEMENTS.replace(", *c]", "]")


def test_every_kind_of_statement_and_expression() -> None:
    assert compare(Source.from_text("kinds.py", STATEMENTS)) is None


@pytest.mark.parametrize(
    ("written", "offset_of"),
    [("x = (1\ny = 2\n", "y"), ("def f(:\n    pass\n", ":"), ("x = 1\n  y = 2\n", "y"), ("x = 'a\n", "'")],
)
def test_broken_text_is_an_error_at_a_place_in_the_text(written: str, offset_of: str) -> None:
    with pytest.raises(ParseError) as caught:
        lower(Source.from_text("broken.py", written))
    row, _ = Source.from_text("broken.py", written).position(caught.value.offset)
    expected, _ = Source.from_text("broken.py", written).position(written.index(offset_of))
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    assert abs(row - expected) <= 1


def test_values_that_a_name_is_compared_with_are_mentioned() -> None:
    text = """\
if args.mode == 'a' or 'b' != args.mode or args.mode in ('c', 'd'):
    pass
assert config.size not in {1, 2}
match args.kind:
    case 'x' | 'y': pass
"""
    mentions = lower(Source.from_text("m.py", text)).mentions
    assert mentions == {
        "mode": frozenset("abcd"),
        "size": frozenset((1, 2)),
        "kind": frozenset("xy"),
    }


def test_generators_are_told_from_functions() -> None:
    text = "def f():\n    def g():\n        yield 1\n    return g\ndef h():\n    x = yield\n"
    first, second = lower(Source.from_text("g.py", text)).body
    assert [first.generator, first.body[0].generator, second.generator] == [False, True, True]


def test_a_syntax_library_is_not_loaded_for_a_text_that_launches_nothing() -> None:
    probe = (
        "import sys; from miles_lint.lint import lint_alone; from miles_lint.settings import Settings; "
        "from miles_lint.source import Source; "
        "report = lint_alone(Source.from_text('a.py', 'import os\\nprint(os.name)\\n'), Settings()); "
        "assert not report.diagnostics; print('libcst' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"
