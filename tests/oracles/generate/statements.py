"""Random statement blocks, compound statements included."""

from __future__ import annotations

from tests.oracles.generate.scope import FLAGS, INT, MAYBE_INT, MAYBE_WORD, WORD, Name, Scope
from tests.oracles.generate.simple import Lines, indented
from tests.oracles.generate.subtle import Subtle


class Statements(Subtle):
    """Blocks of bounded depth; names made inside an arm or a loop are lost with it."""

    def block(self, scope: Scope, count: int, depth: int) -> Lines:
        lines: Lines = []
        for _ in range(count):
            lines += self.statement(scope, depth)
        return lines

    def statement(self, scope: Scope, depth: int) -> Lines:
        simple = (self.new_flags, self.more_flags, self.new_flags, self.more_flags, self.new_number, self.new_word)
        other = (
            *(self.change, self.unpack, self.new_options, self.change_options, self.new_words, self.change_words),
            *(self.call_helper, self.call_helper, self.new_switch, self.local_function, self.numbers),
            *(self.alias, self.groups, self.counter, self.generator, self.build, self.copies, self.pairs),
            *(self.reordered, self.iterator, self.view, self.shared, self.recursion, self.suppressed),
            *(self.leaving, self.equal_elements, self.written_by_knob, self.environment_text),
        )
        deep = (
            *(self.branch, self.branch, self.branch, self.match, self.loop, self.walrus, self.regex),
            *(self.attempt, self.narrowed, self.while_loop, self.raising, self.search),
        )
        kind = self.draws.below(10)
        if kind < 4 or (depth <= 0 and kind >= 7):
            return self.draws.pick(simple)(scope, depth)
        return self.draws.pick(other if kind < 7 else deep)(scope, depth)

    def branch(self, scope: Scope, depth: int) -> Lines:
        lines: Lines = []
        made = self.predeclared(scope, lines)
        arms = 1 + self.draws.below(3)
        for index in range(arms):
            lines.append(f"{'if' if index == 0 else 'elif'} {self.boolean(scope)}:")
            lines += indented(self.arm(scope, depth, made))
        if self.draws.below(2):
            lines += ["else:", *indented(self.arm(scope, depth, made))]
        return lines

    def predeclared(self, scope: Scope, lines: Lines) -> str:
        """A flags variable that every arm may assign."""
        name = self.variable(scope, FLAGS)
        if name is None or self.draws.below(2):
            name = scope.fresh("group_args")
            lines.append(f"{name} = " + self.draws.pick(('""', '"--base 1 "')))
            scope.add(Name(name, FLAGS, assignable=True))
        return name

    def arm(self, scope: Scope, depth: int, made: str) -> Lines:
        inner = scope.child()
        lines = self.block(inner, self.draws.below(2), depth - 1)
        value = self.flags_expression(inner, 1) if self.draws.chance(25) else self.flags(inner, 1)
        return [*lines, f"{made} {self.draws.pick(('+=', '='))} {value}"]

    def match(self, scope: Scope, depth: int) -> Lines:
        names = [name for name in scope.names if len(name.values) > 1]
        if not names:
            return self.branch(scope, depth)
        lines: Lines = []
        made = self.predeclared(scope, lines)
        name = self.draws.pick(names)
        pair = [other for other in names if other.text != name.text]
        if pair and self.draws.chance(30):
            return lines + self.match_pair(scope, depth, made, name, self.draws.pick(pair))
        values = [self.literal(value, '"') for value in name.values]
        lines.append(f"match {name.text}:")
        while values:
            size = 1 + self.draws.below(2)
            taken, values = values[:size], values[size:]
            guard = f" if {self.boolean(scope, 1)}" if self.draws.chance(15) else ""
            lines += indented([f"case {' | '.join(taken)}{guard}:", *indented(self.arm(scope, depth, made))])
            if self.draws.chance(20):
                break
        if self.draws.below(2):
            pattern = self.draws.pick(("_", scope.fresh("other")))
            lines += indented([f"case {pattern}:", *indented(self.arm(scope, depth, made))])
        return lines

    def match_pair(self, scope: Scope, depth: int, made: str, first: Name, second: Name) -> Lines:
        lines = [f"match ({first.text}, {second.text}):"]
        for value in first.values[:2]:
            right = self.draws.pick((self.literal(second.values[0], '"'), "_"))
            lines += indented([f"case ({self.literal(value, chr(34))}, {right}):"])
            lines += indented(indented(self.arm(scope, depth, made)))
        return lines + indented(["case _:", *indented(self.arm(scope, depth, made))])

    def loop(self, scope: Scope, depth: int) -> Lines:
        lines: Lines = []
        made = self.predeclared(scope, lines)
        inner = scope.child()
        item = scope.fresh("item")
        header = self.draws.pick(
            (
                f"for {item} in {self.sequence(scope)}:",
                f"for {item}, {item}_b in enumerate({self.sequence(scope)}):",
                f'for {item}, {item}_b in zip(("x", "y"), {self.sequence(scope)}):',
                f'for {item}, {item}_b in {{"k": {self.integer(scope, 1)}, "l": 2}}.items():',
                f'for {item}, {item}_b in (("a", {self.integer(scope, 1)}), ("b", {self.word(scope, 1)})):',
            )
        )
        shown = f"{{{item}}}" + (f"-{{{item}_b}}" if f"{item}_b" in header else "")
        body: Lines = []
        if self.draws.chance(30):
            body += [f"if {self.boolean(inner, 1)}:", "    " + self.draws.pick(("continue", "break"))]
        if self.draws.chance(30):
            body += [f'if str({item}) == "b":', "    " + self.draws.pick(("continue", "break"))]
        body += [f'{made} += f"--each {shown} "']
        if self.draws.chance(40):
            body += self.block(inner, 1, depth - 1)
        lines += [header, *indented(body)]
        if self.draws.chance(15):
            lines += ["else:", f'    {made} += "--finished "']
        return lines

    def while_loop(self, scope: Scope, depth: int) -> Lines:
        lines: Lines = []
        made = self.predeclared(scope, lines)
        count = scope.fresh("count")
        start = self.draws.pick((str(1 + self.draws.below(4)), f"{self._tight(scope, chr(34))} % 4"))
        lines += [f"{count} = {start}", f"while {count} > 0:", f"    {count} -= 1"]
        scope.add(Name(count, INT))
        return [*lines, f'    {made} += f"--left {{{count}}} "']

    def walrus(self, scope: Scope, depth: int) -> Lines:
        lines: Lines = []
        made = self.predeclared(scope, lines)
        name = scope.fresh("found")
        source = self.atom(scope, '"', MAYBE_INT, MAYBE_WORD)
        test = f"({name} := {source.text}) is not None" if source else f"({name} := {self.integer(scope, 1)}) > 2"
        if self.draws.chance(30):
            test = f'{name} := os.environ.get("RUN_TAG")'
        lines += [f"if {test}:", f'    {made} += f"--found {{{name}}} "']
        if self.draws.below(2):
            lines += ["else:", *indented(self.arm(scope, depth, made))]
        return lines

    def regex(self, scope: Scope, depth: int) -> Lines:
        lines: Lines = []
        made = self.predeclared(scope, lines)
        name = scope.fresh("m")
        word = self._word_atom(scope, 0, '"')
        lines += [
            f'if ({name} := re.search(r"(\\d+)(layer|B|k)", {word})) is not None:',
            f'    {made} += f"--layers {{int({name}.group(1))}} {{{name}.group(2)}} "',
        ]
        return lines + (["else:", *indented(self.arm(scope, depth, made))] if self.draws.below(2) else [])

    def attempt(self, scope: Scope, depth: int) -> Lines:
        count = scope.fresh("count")
        word = self.draws.pick((self._word_atom(scope, 0, '"'), '"12"', 'os.environ.get("NUM_PARTS", "x")'))
        lines = ["try:", f"    {count} = int({word})", "except ValueError:", f"    {count} = {self.integer(scope, 1)}"]
        scope.add(Name(count, INT, assignable=True))
        return lines

    def narrowed(self, scope: Scope, depth: int) -> Lines:
        """A block in which an optional is known to be set."""
        name = self.atom(scope, '"', MAYBE_INT, MAYBE_WORD)
        if name is None:
            return self.branch(scope, depth)
        lines: Lines = []
        made = self.predeclared(scope, lines)
        inner = scope.child()
        inner.add(Name(name.text, INT if name.kind == MAYBE_INT else WORD))
        lines += [f"if {name.text} is not None:", *indented(self.arm(inner, depth, made))]
        if self.draws.chance(40):
            lines += ["else:", *indented(self.arm(scope, depth, made))]
        return lines
