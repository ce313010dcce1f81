"""More programs that want too much: products, widths, searches that backtrack, shared and growing structures."""

from __future__ import annotations

from tests.oracles.hostile_programs import CALL, HEAD, functions, launch, nested, repeat

_LETTERS = "'abcdefghijklmnopqrstuvwxyz'"
_BY_LINE: dict[str, str] = {
    "nested comprehensions": (
        "x = str([[[[a for a in range(99)] for b in range(99)] for c in range(99)] for d in range(99)])"
    ),
    "flat comprehension": "r = range(200)\nx = ' '.join([f'{a}{b}{c}' for a in r for b in r for c in r])",
    "set comprehension": "r = range(300)\nx = str(len({a * b for a in r for b in r}))",
    "dict comprehension": "r = range(300)\nx = str(len({a * 1000 + b: b for a in r for b in r}))",
    "generator of letters": f"x = ''.join(a + b + c for a in {_LETTERS} * 10 for b in {_LETTERS} for c in {_LETTERS})",
    "itertools.product": (
        "import itertools\nx = ' '.join(''.join(p) for p in itertools.product('abcdefghij', repeat=9))"
    ),
    "permutations": "import itertools\nx = str(len(list(itertools.permutations(range(20)))))",
    "sorted by a key": "x = str(sorted(range(10 ** 9), key=lambda v: -v))",
    "smallest of a range": "x = str(min(range(10 ** 12)))",
    "any of a range": "x = str(any(i > 10 ** 11 for i in range(10 ** 12)))",
    "zipped ranges": "x = ' '.join(f'{a}{b}' for a, b in zip(range(10 ** 12), range(10 ** 12)))",
    "tabs": "x = ('\\t' * 100000).expandtabs(9000)",
    "translation": "x = ('a' * 100000).translate({97: 'b' * 100000})",
    "replaced nothing": "x = ('a' * 100000).replace('', 'b' * 100000)",
    "percent mapping": "x = ('%(a)s' * 1000) % {'a': 'x' * 100000}",
    "format of a long text": "x = ('{0}' * 1000).format('x' * 100000)",
    "format with a given width": "x = '{:>{}}'.format('a', 10 ** 10)",
    "format with a named width": "x = '{a:>{w}}'.format(a=1, w=10 ** 10)",
    "format_map": "x = '{a:>{w}}'.format_map({'a': 1, 'w': 10 ** 10})",
    "builtin format": "x = format(1, '>10000000000')",
    "long separator": "x = ('s' * 100000).join(['a'] * 5000)",
    "int of nines": "x = str(int('9' * 10 ** 6))",
    "hexadecimal": "n = int('f' * 100000, 16)\nx = str(n * n * n)",
    "tower": "x = str(10 ** 10 ** 10)",
    "bytes of a number": "x = (1).to_bytes(10 ** 10, 'big').hex()",
    "product of a range": "import math\nx = str(math.prod(range(1, 5000)))",
    "sum of lists": "x = str(len(sum([[1] * 1000] * 5000, [])))",
    "repeated group": "import re\nx = re.sub(r'(a+)+$', '', 'a' * 50 + 'b')",
    "alternatives in a repeat": "import re\nx = str(re.match(r'(a|aa)+$', 'a' * 60 + 'b'))",
    "many optional letters": "import re\nx = str(re.match('a?' * 40 + 'a' * 40, 'a' * 40))",
    "many repeats in a row": "import re\nx = str(re.search(r'(.*)(.*)(.*)(.*)(.*)x', 'a' * 3000))",
    "compiled pattern": "import re\np = re.compile(r'(a+b?)+$')\nx = p.sub('', 'a' * 50 + 'c')",
    "long replacement": "import re\nx = re.sub('', 'y' * 100000, 'a' * 100000)",
    "expanded match": "import re\nx = re.match('.*', 'a' * 100000).expand('\\\\g<0>' * 10000)",
    "long pattern": "import re\nx = str(re.compile('(a|b)' * 20000))",
    "wide indent": "import json\nx = json.dumps([1] * 5000, indent=' ' * 100000)",
    "deep text": "import json\nx = str(json.loads('[' * 50000 + ']' * 50000))",
    "growing list": (
        "x = ['a']\nwhile True:\n    x = x + [' '.join(x)]\n    if os.environ.get('S'):\n        break\n"
        "x = ' '.join(x)"
    ),
    "set of sums": (
        "x = set()\nfor i in range(390):\n    for j in range(390):\n        x.add(i * 1000 + j)\nx = str(len(x))"
    ),
    "table of a pair": (
        "x = {}\nfor i in range(99):\n    for j in range(99):\n        x[i, j] = x.get((j, i), 0)\nx = str(len(x))"
    ),
    "text in a loop": (
        "x = 'a' * 150000\nfor i in range(390):\n    for j in range(100):\n        y = x[::-1].upper()\nx = y"
    ),
    "read in a loop": (
        "import json\nx = json.dumps(list(range(390)) * 20)\nfor i in range(390):\n"
        "    for j in range(100):\n        y = json.loads(x)\nx = str(y)"
    ),
    "walrus": "x = 'a'\nwhile (x := x + x):\n    pass",
    "more arguments": "def f(*a):\n    return f(*a, *a)\nx = f(1)",
    "more keywords": "def f(**k):\n    return f(**{**k, str(len(k)): 1})\nx = f()",
    "symbols": "x = int(os.environ['N'])\nfor i in range(60):\n    x = x + x\nx = str(x)",
}
_DOUBLING = {
    "bytes": repeat("x = x + x", "b'a'"),
    "replaced bytes": repeat("x = x.replace(b'a', b'aa')", "b'a'"),
    "path": launch("from pathlib import Path\nx = Path('a')\nfor i in range(60):\n    x = x / x\nx = str(x)"),
    "joined path": launch("x = 'a'\nfor i in range(60):\n    x = os.path.join(x, x)"),
    "shift": repeat("x = x << x", "1"),
    "base64": launch("import base64\nx = b'a'\nfor i in range(60):\n    x = base64.b64encode(x)\nx = x.decode()"),
    "escape": repeat("import re\n    x = re.escape(x)", "'-'"),
    "group": launch("import re\nx = 'ab'\nfor i in range(60):\n    x = re.sub('(.+)', r'\\1\\1', x)"),
}
_NODE = "from dataclasses import asdict, dataclass\n\n@dataclass\nclass N:\n    a: object\n    b: object\n\n"
_CALLS = {
    "dumps of shared dicts": nested("json.dumps(x)", "{}", "{'a': x, 'b': x}"),
    "asdict": functions(
        _NODE,
        "def f():\n    x = N(1, 2)\n    for i in range(60):\n        x = N(x, x)\n    return str(asdict(x))\n\n",
        value="f()",
    ),
    "printed twice": functions(
        "class N:\n    def __init__(self, a):\n        self.a = a\n",
        "    def __str__(self):\n        return f'{self.a}{self.a}'\n\n",
        "def f():\n    x = N(1)\n    for i in range(60):\n        x = N(x)\n    return str(x)\n\n",
        value="f()",
    ),
    "inherited twice": HEAD
    + "class C0:\n    def f(self):\n        return '--a '\n"
    + "".join(
        f"class C{i}(C{i - 1}):\n    def f(self):\n        return super().f() + super().f()\n" for i in range(1, 60)
    )
    + f"def execute():\n    {CALL.format('C59().f()')}",
    "ackermann": functions(
        "def a(m, n):\n    if m == 0:\n        return n + 1\n",
        "    return a(m - 1, 1) if n == 0 else a(m - 1, a(m, n - 1))\n\n",
        value="str(a(3, 8))",
    ),
}
_ROWS = "".join(f"    'case{number}': dict(a={number}, b='v{number}'),\n" for number in range(5_000))
_TESTS = "".join(f"    if row['a'] > {number}:\n        x += '--f{number} '\n" for number in range(40))
_TABLE = (
    f"{HEAD}TABLE = {{\n{_ROWS}}}\n\ndef execute(name: str = 'case0'):\n    row = TABLE[name]\n"
    f"    x = f\"--a {{row['a']}} \"\n{_TESTS}    {CALL.format('x')}"
)

GROWING: dict[str, str] = {
    **{f"line: {name}": launch(body) for name, body in _BY_LINE.items()},
    **{f"doubling: {name}": text for name, text in _DOUBLING.items()},
    **{f"call: {name}": text for name, text in _CALLS.items()},
    "a table of 5,000 rows": _TABLE,
}
"""Each must be given up somewhere, with a word, and keep its launch."""


def _merged(use: str) -> str:
    return launch(
        f"x = {{'--a': 1}}\nfor i in range(60):\n    {use}\nx = ' '.join(f'{{k}} {{v}}' for k, v in x.items())"
    )


SETTLED: dict[str, tuple[str, list[str]]] = {
    **{
        f"merged with itself: {use}": (_merged(use), ["--a", "1"])
        for use in ("x = {**x, **x}", "x = x | x", "x.update(x)", "x |= x")
    },
    "deep hierarchy": (
        HEAD
        + "class C0:\n    v = '--a'\n"
        + "".join(f"class C{number}(C{number - 1}):\n    pass\n" for number in range(1, 300))
        + f"def execute():\n    {CALL.format('C299().v')}",
        ["--a"],
    ),
    "chain of generators": (
        launch("g = iter(['--a '])\nfor i in range(100):\n    g = (v + '' for v in g)\nx = ''.join(g)"),
        ["--a"],
    ),
}
"""These look as bad, and are not."""
