"""Recipes that would run forever, fill the memory or nest without end, and large ones that are harmless."""

from __future__ import annotations

from collections.abc import Callable

HEAD = "import os\nimport miles.utils.external_utils.command_utils as U\n\n"
CALL = "U.execute_train(train_args={}, num_gpus_per_node=8, megatron_model_type=None)\n"


def launch(body: str, value: str = "x") -> str:
    """A recipe whose launch function runs `body` and passes `value`."""
    rows = "".join(f"    {row}\n" for row in body.splitlines())
    return f"{HEAD}def execute():\n{rows}    {CALL.format(value)}"


def repeat(statement: str, start: str = "'--a '", turns: int = 60) -> str:
    return launch(f"x = {start}\nfor i in range({turns}):\n    {statement}")


def nested(use: str, start: str = "()", pair: str = "(x, x)") -> str:
    doubled = f"x = {pair}\n    y = {pair.replace('x', 'y')}"
    return launch(f"import copy, json\nx = y = {start}\nfor i in range(60):\n    {doubled}\nx = {use}")


def functions(*texts: str, value: str) -> str:
    return f"{HEAD}{''.join(texts)}def execute():\n    {CALL.format(value)}"


_NUMBERS = {
    "power": "x = f'--a {2 ** 10 ** 9}'",
    "shift": "x = f'--a {1 << 10 ** 12}'",
    "power by name": "x = f'--a {pow(3, 10 ** 9)}'",
    "rounding": "x = str(round(10 ** 300, -(10 ** 9)))",
    "factorial": "import math\nx = str(math.factorial(10 ** 6))",
    "binomial": "import math\nx = str(math.comb(10 ** 6, 5 * 10 ** 5))",
}
_TEXTS = {
    "repetition": "x = '--a ' + 'x' * 10 ** 12",
    "width": "y = 1\nx = f'--a {y:>1000000000}'",
    "computed width": "w = 10 ** 9\ny = 1\nx = f'--a {y:>{w}}'",
    "precision": "y = 1.5\nx = f'--a {y:.1000000000f}'",
    "percent width": "x = '--a %1000000000d' % 3",
    "percent star": "x = '--a %*d' % (10 ** 9, 3)",
    "format width": "x = '--a {:>1000000000}'.format(3)",
    "ljust": "x = 'a'.ljust(10 ** 10)",
    "zfill": "x = 'a'.zfill(10 ** 10)",
    "center": "x = 'a'.center(10 ** 10)",
    "expandtabs": "x = 'a\\tb'.expandtabs(10 ** 10)",
    "bytes": "x = bytes(10 ** 10).hex()",
    "indent": "import textwrap\nx = textwrap.indent('a\\n' * 1000, ' ' * 100000)",
}
_SEQUENCES = {
    "range": "x = ' '.join(str(i) for i in range(10 ** 12))",
    "list of range": "x = str(list(range(10 ** 10)))",
    "set of range": "x = str(set(range(10 ** 12)))",
    "sum of range": "x = str(sum(range(10 ** 12)))",
    "sorted range": "x = str(sorted(range(10 ** 9)))",
    "list repetition": "x = ' '.join(['a'] * 10 ** 10)",
    "unpacked range": "a, *b = range(10 ** 12)\nx = str(a)",
    "starred list": "x = f(*[1] * 10 ** 9)",
    "product": "import itertools\nx = ' '.join(map(str, itertools.product(range(100), repeat=5)))",
    "count": "import itertools\nx = ' '.join(map(str, itertools.count()))",
    "four loops in one": "r = range(100)\nx = ' '.join(f'{a}{b}{c}{d}' for a in r for b in r for c in r for d in r)",
    "long loop": "x = ''\nfor i in range(10 ** 12):\n    x += str(i)",
    "endless loop": "x = '--a '\nwhile True:\n    x += 'b '",
    "counting loop": "x = '--a '\ni = 0\nwhile i < 10 ** 9:\n    i += 1\n    x += f'{i} '",
    "waiting loop": "x = '--a '\nwhile not os.path.exists('/ready'):\n    x += 'b '",
    "halving loop": "x = ''\nn = int(os.environ['N'])\nwhile n > 1:\n    n = n // 2\n    x += f'--a {n} '",
    "list in itself": "x = []\nx.append(x)\nx = str(x)",
    "dict in itself": "x = {}\nx['a'] = x\nx = str(x)",
    "a dict of its copies": "a = {}\nfor i in range(1000):\n    a[f'k{i}'] = a.copy()\nx = str(a)",
}
_DOUBLING = {
    "plus": repeat("x = x + x"),
    "grown": repeat("x += x"),
    "times": repeat("x *= 2"),
    "f-string": repeat("x = f'{x}{x}'"),
    "join": repeat("x = ' '.join([x, x])"),
    "format": repeat("x = '{0}{0}'.format(x)"),
    "percent": repeat("x = '%s%s' % (x, x)"),
    "replace": repeat("x = x.replace('a', 'aa')"),
    "split": repeat("x = ' '.join(x.split() + x.split())"),
    "quote": launch('import shlex\nx = "\'"\nfor i in range(60):\n    x = shlex.quote(x)'),
    "dumps": launch("import json\nx = '\"'\nfor i in range(60):\n    x = json.dumps(x)"),
    "list": launch("x = ['a']\nfor i in range(60):\n    x = x + x\nx = ' '.join(x)"),
    "grown list": launch("x = ['a']\nfor i in range(60):\n    x += x\nx = ' '.join(x)"),
    "extended list": launch("x = ['a']\nfor i in range(60):\n    x.extend(x)\nx = ' '.join(x)"),
    "starred": launch("x = ['a']\nfor i in range(60):\n    x = [*x, *x]\nx = ' '.join(x)"),
    "tuple": launch("x = ('a',)\nfor i in range(60):\n    x = x + x\nx = ' '.join(x)"),
    "square": repeat("x = x * x", "3"),
    "under a condition": repeat("if os.environ.get(str(i)):\n        x = x + x"),
}
_NESTED = {
    "str": nested("str(x)"),
    "f-string": nested("f'{x}'"),
    "lists": nested("str(x)", "[]", "[x, x]"),
    "dumps": nested("json.dumps(x)", "[]", "[x, x]"),
    "itself": nested("x"),
    "equality": nested("'--a ' + os.name if x == y else '--b' + os.name"),
    "key": nested("{x: '--a'}[y] + os.name"),
    "membership": nested("('--a' if x in [y] else '--b') + os.name", "[]", "[x, x]"),
    "copy": nested("str(copy.deepcopy(x))", "[]", "[x, x]"),
}
_CALLS = {
    "recursion": functions("def f(n):\n    return f(n + 1) + '--a '\n\n", value="f(0)"),
    "mutual recursion": functions(
        "def f(n):\n    return g(n) + g(n)\n\n", "def g(n):\n    return f(n) + f(n)\n\n", value="f(0)"
    ),
    "fibonacci": functions("def f(n):\n    return f(n - 1) + f(n - 2) if n > 1 else 'a'\n\n", value="f(35)"),
    "property": functions("class A:\n    @property\n    def x(self):\n        return self.x\n\n", value="A().x"),
    "class of itself": functions("class A(A):\n    x = A().x\n\n", value="str(A())"),
    "generator": functions(
        "def g():\n    i = 0\n    while True:\n        yield f'--a{i} '\n        i += 1\n\n", value="''.join(g())"
    ),
    "a lambda of itself": launch("f = lambda g: g(g)\nx = f(f)"),
    "a launch of itself": f"{HEAD}def execute():\n    {CALL.format('execute()')}",
}

BOUNDED: dict[str, str] = {
    **{f"number: {name}": launch(body) for name, body in _NUMBERS.items()},
    **{f"text: {name}": launch(body) for name, body in _TEXTS.items()},
    **{f"sequence: {name}": launch(body) for name, body in _SEQUENCES.items()},
    **{f"doubling: {name}": text for name, text in _DOUBLING.items()},
    **{f"nested pairs: {name}": text for name, text in _NESTED.items()},
    **{f"call: {name}": text for name, text in _CALLS.items()},
}
"""Each must be given up somewhere: a hole in the argv, or a place in `Fold.widened`."""

_KNOBS = "from dataclasses import dataclass\n\n@dataclass\nclass Args:\n" + "".join(
    f"    k{number}: bool = False\n" for number in range(40)
)


def _forty(row: str, value: str = "x") -> str:
    rows = "".join(row.replace("@", str(number)) for number in range(40))
    return f"{HEAD}{_KNOBS}\ndef execute(args: Args):\n    x = ''\n{rows}    {CALL.format(value)}"


WIDE: dict[str, str] = {
    "if": _forty("    if args.k@:\n        x += '--f@ '\n"),
    "if and else": _forty("    if args.k@:\n        x += '--f@ '\n    else:\n        x += '--g@ 1 '\n"),
    "conditional expression": _forty("    x += f\"--f@ {'1' if args.k@ else '2'} \"\n"),
    "environment": _forty("    if os.environ.get('K@'):\n        x += '--f@ '\n"),
    "pairs": _forty("    if args.k@ and not args.k0:\n        x += '--f@ '\n"),
    "one value": _forty("    if args.k@:\n        x = '--only @'\n"),
}
"""Forty independent branch points each: no path may be enumerated, and the launch is not lost."""

PREFIXED = _forty("    if args.k@:\n        x = '--f@ ' + x + '--h@ '\n")
"""Here the common part of two texts is in their middle."""

_NUMBERS_OF_FLAGS = range(500)
_VERY_MANY = range(1_500)

EXACT: dict[str, tuple[str, list[str]]] = {
    "five thousand rows": (
        f"{HEAD}{''.join(f'V{number} = {number}{chr(10)}' for number in range(4_980))}"
        f"def execute():\n    x = f'--a {{V4979}} '\n    {CALL.format('x')}",
        ["--a", "4979"],
    ),
    "many grown flags": (
        launch("x = ''\n" + "\n".join(f"x += '--f{number} {number} '" for number in _NUMBERS_OF_FLAGS)),
        [word for number in _NUMBERS_OF_FLAGS for word in (f"--f{number}", str(number))],
    ),
    "very many grown flags": (
        launch("x = ''\n" + "\n".join(f"x += '--f{number} {number} '" for number in _VERY_MANY)),
        [word for number in _VERY_MANY for word in (f"--f{number}", str(number))],
    ),
    "three hundred rows of one string": (
        launch("x = (\n" + "\n".join(f"    '--f{number} {number} '" for number in range(300)) + "\n)"),
        [word for number in range(300) for word in (f"--f{number}", str(number))],
    ),
    "joined loop": (
        launch("x = ' '.join(f'--f{i} {i}' for i in range(300))"),
        [word for number in range(300) for word in (f"--f{number}", str(number))],
    ),
    "a modular power": (launch("x = f'--a {pow(3, 10 ** 9, 1000)}'"), ["--a", str(pow(3, 10**9, 1000))]),
}


def _indented(count: int) -> str:
    return "".join(" " * level + "if a:\n" for level in range(count)) + " " * count + "x\n"


def _functions(count: int) -> str:
    return "".join(f"def f{number}(): return f{number + 1}()\n" for number in range(count)) + "x = f0()\n"


NESTED: dict[str, Callable[[int], str]] = {
    "parentheses": lambda count: f"x = {'(' * count}1{')' * count}\n",
    "lists": lambda count: f"x = {'[' * count}{']' * count}\n",
    "calls": lambda count: f"x = {'f(' * count}{')' * count}\n",
    "dicts": lambda count: f"x = {'{1: ' * count}1{'}' * count}\n",
    "not": lambda count: f"x = {'not ' * count}y\n",
    "minus": lambda count: f"x = {'-' * count}y\n",
    "lambda": lambda count: f"x = {'lambda: ' * count}y\n",
    "conditional": lambda count: f"x = {'1 if y else ' * count}y\n",
    "and": lambda count: f"x = y{' and y' * count}\n",
    "plus": lambda count: f"x = y{' + y' * count}\n",
    "power": lambda count: f"x = y{' ** y' * count}\n",
    "comparison": lambda count: f"x = y{' < y' * count}\n",
    "attributes": lambda count: f"x = y{'.a' * count}\n",
    "subscripts": lambda count: f"x = y{'[0]' * count}\n",
    "chained calls": lambda count: f"x = y{'()' * count}\n",
    "joined strings": lambda count: "x = (" + "\n'a '" * count + ")\n",
    "elif": lambda count: "if a: pass\n" + "elif a: x = 1\n" * count,
    "indented blocks": lambda count: _indented(min(count, 3_000)),
    "functions": lambda count: _functions(min(count, 3_000)),
}
