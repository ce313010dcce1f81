"""Random expressions by kind. `quote` is the quote that strings may use here: f-strings cannot nest their own."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.generate.scope import (
    BOOL,
    FLAGS,
    FLOAT,
    INT,
    INTS,
    MAYBE_FLOAT,
    MAYBE_INT,
    MAYBE_WORD,
    NUMBER_ENVIRONMENT,
    SWITCH_ENVIRONMENT,
    WORD,
    WORD_ENVIRONMENT,
    WORD_POOL,
    Draws,
    Name,
    Scope,
)

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
INNER = {'"': "'", "'": "", "": ""}

Maker = Callable[[Scope, int, str], str]


class Expressions:
    """Well-typed expressions: executing one never raises, whatever the knobs are."""

    def __init__(self, draws: Draws) -> None:
        self.draws = draws

    def atom(self, scope: Scope, quote: str, *kinds: str) -> Name | None:
        names = [name for name in scope.of(*kinds) if quote or '"' not in name.text]
        return self.draws.pick(names) if names else None

    def text_of(self, name: Name, quote: str) -> str:
        return name.text.replace('"', quote) if quote else name.text

    def string(self, text: str, quote: str) -> str:
        return f"{quote}{text}{quote}"

    def one_of(self, makers: tuple[Maker, ...], scope: Scope, depth: int, quote: str) -> str:
        return self.draws.pick(makers)(scope, depth - 1, quote)

    # ---- booleans

    def boolean(self, scope: Scope, depth: int = 2, quote: str = '"') -> str:
        simple: tuple[Maker, ...] = (self._bool_atom, self._listed, self._compare, self._is_none)
        if not quote:
            return self._bool_atom(scope, depth, quote)
        if depth <= 0:
            return self.one_of(simple, scope, depth, quote)
        deep: tuple[Maker, ...] = (
            *simple,
            self._listed,
            lambda s, d, q: f"not {self._parenthesised(self.boolean, s, d, q)}",
            lambda s, d, q: f"({self.boolean(s, d, q)} and {self.boolean(s, d, q)})",
            lambda s, d, q: f"({self.boolean(s, d, q)} or {self.boolean(s, d, q)})",
            self._word_test,
            self._flag_test,
            self._environment_test,
            lambda s, d, q: f"bool({self.integer(s, d, q)})",
            lambda s, d, q: f"any([{self.boolean(s, d, q)}, {self.boolean(s, d, q)}])",
            lambda s, d, q: f"all(({self.boolean(s, d, q)}, {self.boolean(s, d, q)}))",
            lambda s, d, q: f"0 < {self.integer(s, 0, q)} <= {self.integer(s, 0, q)}",
        )
        return self.one_of(deep, scope, depth, quote)

    def _parenthesised(self, maker: Maker, scope: Scope, depth: int, quote: str) -> str:
        return f"({maker(scope, depth, quote)})"

    def _bool_atom(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, BOOL)
        return self.text_of(name, quote) if name else self.draws.pick(("True", "False"))

    def _listed(self, scope: Scope, depth: int, quote: str) -> str:
        names = [name for name in scope.names if name.values and (quote or '"' not in name.text)]
        if not names or not quote:
            return self._bool_atom(scope, depth, quote)
        name = self.draws.pick(names)
        text = self.text_of(name, quote)
        values = [self.literal(value, quote) for value in name.values]
        if len(values) > 1 and self.draws.below(3) == 2:
            chosen = self.draws.some(values, 1)
            container = self.draws.pick(("({},)", "[{}]", "{{{}}}")).format(", ".join(chosen))
            return f"{text} {self.draws.pick(('in', 'not in'))} {container}"
        return f"{text} {self.draws.pick(('==', '!='))} {self.draws.pick(values)}"

    def literal(self, value: object, quote: str) -> str:
        return self.string(value, quote) if isinstance(value, str) else repr(value)

    def _compare(self, scope: Scope, depth: int, quote: str) -> str:
        left = self.integer(scope, min(depth, 1), quote)
        return f"{left} {self.draws.pick(_COMPARISONS)} {self.integer(scope, 0, quote)}"

    def _is_none(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, MAYBE_INT, MAYBE_WORD, MAYBE_FLOAT)
        if name is None:
            return self._bool_atom(scope, depth, quote)
        return f"{self.text_of(name, quote)} {self.draws.pick(('is None', 'is not None'))}"

    def _word_test(self, scope: Scope, depth: int, quote: str) -> str:
        word = self._word_atom(scope, depth, quote)
        part = self.string(self.draws.pick(("a", "layer", "Qwen", "-", "/root", "B")), quote)
        if self.draws.below(2):
            return f"{part} {self.draws.pick(('in', 'not in'))} {word}"
        method = self.draws.pick((".startswith({})", ".endswith({})", " == {}", " != {}", ".endswith(({}, {}))"))
        return word + method.format(part, part)

    def _flag_test(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, FLAGS)
        if name is None:
            return self._bool_atom(scope, depth, quote)
        wanted = self.string(f"--{self.draws.pick(('f-1', 'f-2', 'extra', 'lr'))} ", quote)
        return f"{wanted} {self.draws.pick(('in', 'not in'))} {self.text_of(name, quote)}"

    def _environment_test(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.string(self.draws.pick(SWITCH_ENVIRONMENT), quote)
        default = self.string(self.draws.pick(("0", "1")), quote)
        return self.draws.pick(
            (
                f"os.environ.get({name}, {default}) == {self.string('1', quote)}",
                f"U.get_bool_env_var({name})",
                f"U.get_bool_env_var({name}, {default})",
                f"{name} in os.environ",
                f"os.getenv({name}, {default}).lower() in ({self.string('1', quote)}, {self.string('true', quote)})",
                f"bool(int(os.environ.get({name}) or {default}))",
            )
        )

    # ---- integers

    def integer(self, scope: Scope, depth: int = 2, quote: str = '"') -> str:
        simple: tuple[Maker, ...] = (self._int_atom, self._int_atom, lambda s, d, q: str(self.draws.below(9)))
        if depth <= 0 or not quote:
            return self.one_of(simple, scope, depth, quote)
        count = str(1 + self.draws.below(4))
        deep: tuple[Maker, ...] = (
            *simple,
            lambda s, d, q: f"({self.integer(s, d, q)} + {self.integer(s, d, q)})",
            lambda s, d, q: f"({self.integer(s, d, q)} - {self.integer(s, d, q)})",
            lambda s, d, q: f"{self._tight(s, q)} * {count}",
            lambda s, d, q: f"{self._tight(s, q)} // {count}",
            lambda s, d, q: f"{self._tight(s, q)} % {count}",
            lambda s, d, q: f"{self.draws.pick(('min', 'max'))}({self.integer(s, d, q)}, {self.integer(s, d, q)})",
            lambda s, d, q: f"({self.integer(s, d, q)} if {self.boolean(s, d, q)} else {self.integer(s, d, q)})",
            lambda s, d, q: f"len({self._word_atom(s, d, q)})",
            self._maybe_or,
            self._int_environment,
            self._sum,
            lambda s, d, q: f"2 ** {count}",
            lambda s, d, q: f"int({self.boolean(s, d, q)})",
            lambda s, d, q: f"divmod({self._tight(s, q)}, {count})[{self.draws.below(2)}]",
            lambda s, d, q: f"-{self._tight(s, q)}",
            self._inline_table,
        )
        return self.one_of(deep, scope, depth, quote)

    def _int_atom(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, INT)
        return self.text_of(name, quote) if name else str(1 + self.draws.below(8))

    def _tight(self, scope: Scope, quote: str) -> str:
        return self._int_atom(scope, 0, quote)

    def _maybe_or(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, MAYBE_INT)
        if name is None:
            return self._int_atom(scope, depth, quote)
        text = self.text_of(name, quote)
        fallback = self.integer(scope, 0, quote)
        return self.draws.pick((f"({text} or {fallback})", f"({text} if {text} is not None else {fallback})"))

    def _int_environment(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.string(self.draws.pick(NUMBER_ENVIRONMENT), quote)
        default = self.string(str(1 + self.draws.below(3)), quote)
        return self.draws.pick(
            (f"int(os.environ.get({name}, {default}))", f"int(os.environ.get({name}) or {default})")
        )

    def _sum(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, INTS)
        if name is None:
            return f"sum(({self.integer(scope, 0, quote)}, {self.integer(scope, 0, quote)}))"
        text = self.text_of(name, quote)
        return self.draws.pick((f"sum({text})", f"len({text})", f"max([1, *{text}])", f"sum(x * 2 for x in {text})"))

    def _inline_table(self, scope: Scope, depth: int, quote: str) -> str:
        names = [n for n in scope.names if len(n.values) > 1 and (quote or '"' not in n.text)]
        if not names:
            return self._int_atom(scope, depth, quote)
        name = self.draws.pick(names)
        rows = {value: self.integer(scope, 0, quote) for value in name.values}
        text = self.text_of(name, quote)
        if self.draws.below(2):
            rows.popitem()
            shown = ", ".join(f"{self.literal(k, quote)}: {v}" for k, v in rows.items())
            return f"({{{shown}}}).get({text}, {self.draws.below(5)})"
        shown = ", ".join(f"{self.literal(k, quote)}: {v}" for k, v in rows.items())
        return f"({{{shown}}})[{text}]"

    # ---- words: strings without blanks

    def word(self, scope: Scope, depth: int = 2, quote: str = '"') -> str:
        if not quote:
            return self._word_or_number(scope)
        if depth <= 0:
            return self._word_atom(scope, depth, quote)
        inner = INNER[quote]
        dash, part = (
            self.string("-", quote),
            self.string(self.draws.pick(("a", "Qwen", "-4layer", "/root", "B")), quote),
        )
        deep: tuple[Maker, ...] = (
            self._word_atom,
            self._word_atom,
            lambda s, d, q: f"f{q}{{{self._word_atom(s, d, inner)}}}-{{{self._word_or_number(s)}}}{q}",
            lambda s, d, q: f"f{q}{{{self._int_atom(s, d, inner)}{self.draws.pick((':03d', ':x', '!s', ''))}}}{q}",
            lambda s, d, q: f"str({self.integer(s, d, q)})",
            lambda s, d, q: f"str({self.boolean(s, d, q)}).lower()",
            lambda s, d, q: f"{self._word_atom(s, d, q)}.replace({part}, {dash})",
            lambda s, d, q: f"{self._word_atom(s, d, q)}{self.draws.pick(('.lower()', '.upper()', '.strip()'))}",
            lambda s, d, q: f"{self._word_atom(s, d, q)}.split({dash})[{self.draws.pick(('0', '-1'))}]",
            lambda s, d, q: f"{self._word_atom(s, d, q)}.{self.draws.pick(('removeprefix', 'removesuffix'))}({part})",
            lambda s, d, q: f"{self._word_atom(s, d, q)}.partition({dash})[{self.draws.below(3)}]",
            lambda s, d, q: f"{self._word_atom(s, d, q)}.{self.draws.pick(('rstrip', 'lstrip', 'strip'))}({part})",
            lambda s, d, q: f"{self._word_atom(s, d, q)}[{self.draws.pick((':3', '-2:', '1:', '1:4'))}]",
            lambda s, d, q: f"({self.word(s, d, q)} if {self.boolean(s, d, q)} else {self.word(s, d, q)})",
            self._maybe_word_or,
            lambda s, d, q: f"{dash}.join([{self.word(s, d, q)}, {self.word(s, d, q)}])",
            lambda s, d, q: f"{self.string('%s-%d', q)} % ({self._word_atom(s, d, q)}, {self.integer(s, 0, q)})",
            lambda s, d, q: f"{self.string('{}.{}', q)}.format({self._word_atom(s, d, q)}, {self.integer(s, 0, q)})",
            self._word_environment,
            lambda s, d, q: f"({self._word_atom(s, d, q)} + {self.word(s, d, q)})",
            self._path,
        )
        return self.one_of(deep, scope, depth, quote)

    def _word_or_number(self, scope: Scope) -> str:
        name = self.atom(scope, "", WORD, INT, FLOAT, MAYBE_FLOAT, MAYBE_INT, BOOL)
        return name.text if name else str(self.draws.below(9))

    def _word_atom(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, WORD)
        if name is not None and (not quote or self.draws.below(4)):
            return self.text_of(name, quote)
        if not quote:
            return self._word_or_number(scope)
        return self.string(self.draws.pick(WORD_POOL), quote)

    def _maybe_word_or(self, scope: Scope, depth: int, quote: str) -> str:
        name = self.atom(scope, quote, MAYBE_WORD)
        if name is None:
            return self._word_atom(scope, depth, quote)
        return f"({self.text_of(name, quote)} or {self._word_atom(scope, depth, quote)})"

    def _word_environment(self, scope: Scope, depth: int, quote: str) -> str:
        name, default = self.string(self.draws.pick(WORD_ENVIRONMENT), quote), self._word_atom(scope, depth, quote)
        return self.draws.pick((f"os.environ.get({name}, {default})", f"(os.getenv({name}) or {default})"))

    def _path(self, scope: Scope, depth: int, quote: str) -> str:
        word, tail = self._word_atom(scope, depth, quote), self.string(self.draws.pick(("ckpt", "a/b.json")), quote)
        return self.draws.pick(
            (
                f"str(Path({word}) / {tail})",
                f"os.path.join({word}, {tail})",
                f"os.path.basename({word})",
                f"Path({word}).name",
                f"Path({word}).stem",
                f"(Path({word}) / {tail}).as_posix()",
            )
        )
