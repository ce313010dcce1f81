"""Random flags: command-line text, each piece ending with a blank."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.generate.expressions import INNER, Expressions
from tests.oracles.generate.scope import FLAGS, INTS, OPTIONS, WORDS, Scope


class Flags(Expressions):
    """Expressions of flags; names repeat after a while, so that some flags are passed twice."""

    flag_names = 0

    def flag_name(self) -> str:
        self.flag_names += 1
        return f"--f-{self.flag_names % 7}"

    def flags(self, scope: Scope, depth: int = 2, quote: str = '"') -> str:
        pieces = [self._flag_piece(scope, depth, quote) for _ in range(1 + self.draws.below(3))]
        return pieces[0] if len(pieces) == 1 else f"({' '.join(pieces)})"

    def _flag_piece(self, scope: Scope, depth: int, quote: str) -> str:
        """One string literal, or f-string, that implicit concatenation may follow."""
        name, inner = self.flag_name(), INNER[quote]
        makers: tuple[Callable[[], str], ...] = (
            lambda: f"{quote}{name} {self.draws.pick(('1', '1e-6', 'a b', '0.95', ''))} {quote}",
            lambda: f"f{quote}{name} {{{self.integer(scope, depth, inner)}}} {quote}",
            lambda: f"f{quote}{name} {{{self.word(scope, depth, inner)}}} {quote}",
            lambda: f"f{quote}{name} {{{self._tight(scope, inner)}{self._spec()}}} {quote}",
            lambda: f"f{quote}{name} {{{self.flag_value(scope, inner)}}} {quote}",
            lambda: f"f{quote}{self.conditional_flag(scope, depth, inner)}{quote}",
            lambda: f"f{quote}{{{self._flags_atom(scope, inner)}}}{name} {quote}",
            lambda: self._quoted_piece(name, scope, quote),
        )
        return self.draws.pick(makers)()

    def _spec(self) -> str:
        return self.draws.pick(("", ":03d", ":>4", ":.2f", "!r", "!s", ":,", ":x"))

    def flag_value(self, scope: Scope, quote: str) -> str:
        numbers = self.atom(scope, quote, INTS)
        if numbers and quote:
            text = self.text_of(numbers, quote)
            return f"{self.string(' ', quote)}.join(str(x) for x in {text})"
        return f"{self._tight(scope, quote)} / {1 + self.draws.below(4)}"

    def conditional_flag(self, scope: Scope, depth: int, quote: str) -> str:
        if not quote:
            return f"{self.flag_name()} {{{self._tight(scope, quote)}}} "
        test = self.boolean(scope, depth, quote)
        other = self.draws.pick((self.string("", quote), self.string(f"{self.flag_name()} 2 ", quote)))
        if self.draws.below(2):
            return f"{{{self.string(f'{self.flag_name()} ', quote)} if {test} else {other}}}"
        value = self._word_or_number(scope)
        return f"{{f{quote}{self.flag_name()} {{{value}}} {quote} if {test} else {other}}}"

    def _flags_atom(self, scope: Scope, quote: str) -> str:
        name = self.atom(scope, quote, FLAGS)
        return self.text_of(name, quote) if name else self._word_or_number(scope)

    def _quoted_piece(self, name: str, scope: Scope, quote: str) -> str:
        if quote != '"':
            return f"{quote}{name} {quote}"
        value = self._word_or_number(scope)
        return self.draws.pick(
            (
                f"f\"{name} '{{{value}}}' \"",
                f"f'{name} \"{{{value}}} b\" '",
                f"f'{name} \\'{{{{\"k\": {{{value}}}}}}}\\' '",
                f"\"{name} 'a  b' \"",
            )
        )

    def flags_expression(self, scope: Scope, depth: int = 2) -> str:
        """Flags from anything but a literal: joins, conditionals, quoting, JSON."""
        name = self.flag_name()
        options = scope.of(OPTIONS)
        words = scope.of(WORDS)
        makers: list[Callable[[], str]] = [
            lambda: self.flags(scope, depth),
            lambda: f"({self.flags(scope, depth)} if {self.boolean(scope, depth)} else {self.flags(scope, depth)})",
            lambda: f'({self.flags(scope, depth)} if {self.boolean(scope, depth)} else "")',
            lambda: f'"{name} " + {self.word(scope, depth)} + " "',
            lambda: f'"{name} %s " % {self._word_atom(scope, 0, chr(34))}',
            lambda: f'"{name} {{}} {{n}} ".format({self.integer(scope, 1)}, n={self.integer(scope, 0)})',
            lambda: f'f"{name} {{shlex.quote({self.word(scope, 1, chr(39))})}} "',
            lambda: f'"{name} " + shlex.quote(json.dumps({{"k": {self.integer(scope, 1)}}})) + " "',
            lambda: f'U.encode_pseudo_file({self.word(scope, 1)}).join(("{name} ", " "))',
            lambda: f'f"{name} {{json.dumps({self.boolean(scope, 1, chr(39))})}} "',
            lambda: f'"".join(f"{name} {{x}} " for x in {self.sequence(scope)})',
            lambda: f'" ".join([{", ".join(self._word_list(scope))}]) + " "',
            lambda: f"{self.flags(scope, 1)} * {self.draws.below(3)}",
        ]
        if options:
            mapping = self.draws.pick(options).text
            makers += [
                lambda: f'"".join(f"--{{k}} {{v}} " for k, v in {mapping}.items())',
                lambda: f'" ".join(f"--{{k}} {{v}}" for k, v in sorted({mapping}.items()) if v is not None) + " "',
                lambda: f'" ".join([*{mapping}]) + " "',
            ]
        if words:
            listed = self.draws.pick(words).text
            makers += [
                lambda: f'" ".join({listed}) + " "',
                lambda: f'" ".join(shlex.quote(w) for w in {listed}) + " "',
                lambda: f'" ".join(w for w in {listed} if not w.startswith("a")) + " "',
                lambda: f'" ".join([w.upper() for w in {listed}]) + " "',
                lambda: f'shlex.join({listed}) + " "',
            ]
        return self.draws.pick(makers)()

    def _word_list(self, scope: Scope) -> list[str]:
        return [self.word(scope, 1) for _ in range(1 + self.draws.below(3))]

    def sequence(self, scope: Scope) -> str:
        """A sequence whose length does not depend on knobs, or one that does."""
        return self.draws.pick(
            (
                '("a", "b", "c")',
                f"({self.integer(scope, 1)}, {self.integer(scope, 1)})",
                f"range({1 + self.draws.below(3)})",
                f"[{self.word(scope, 1)}, {self.word(scope, 1)}]",
                f"range({self._tight(scope, chr(34))} % 3)",
                f"range(1, 9, {1 + self.draws.below(4)})",
                f"[*range(2), {self.integer(scope, 1)}]",
                f'{self._word_atom(scope, 0, chr(34))}.split("-")',
            )
        )
