"""Random code that shares and changes state: aliases, containers in containers, closures, generators, objects."""

from __future__ import annotations

from tests.oracles.generate.scope import FLAGS, INT, INTS, OPTIONS, WORD, WORDS, Name, Scope
from tests.oracles.generate.simple import Lines, Simple, indented

BUILDER = """\
class Builder:
    made = 0

    def __init__(self, prefix: str = "--"):
        self.prefix = prefix
        self.parts: list[str] = []
        Builder.made += 1

    def add(self, name: str, value: object = None) -> "Builder":
        self.parts.append(f"{self.prefix}{name}")
        if value is not None:
            self.parts.append(str(value))
        return self

    def __len__(self) -> int:
        return len(self.parts)

    def render(self) -> str:
        return "".join(part + " " for part in self.parts)
"""


class Stateful(Simple):
    """Statements whose effect is seen through another name than the one they were done to."""

    builder = False

    def alias(self, scope: Scope, depth: int) -> Lines:
        """Two names of one list, or one name of either of two."""
        first = self.variable(scope, WORDS)
        if first is None:
            return self.new_words(scope, depth)
        name, word = scope.fresh("alias"), self.word(scope, 1)
        second = self.variable(scope, WORDS)
        source = f"{first} if {self.boolean(scope, 1)} else {second}" if self.draws.below(2) else first
        change = self.draws.pick((f"{name}.append({word})", f'{name} += ["--al", {word}]', f"{name}.clear()"))
        return [f"{name} = {source}", change]

    def groups(self, scope: Scope, depth: int) -> Lines:
        """Lists in a dict, filled on conditions."""
        name, result = scope.fresh("groups"), scope.fresh("group_args")
        word = self.word(scope, 1)
        fill = self.draws.pick(
            (
                f'{name}["a"].append({word})',
                f'{name}.setdefault("c", []).append({word})',
                f'{name}["a"], {name}["b"] = {name}["b"], {name}["a"]',
                f'{name}["b"] = {name}["a"] + [{word}]',
            )
        )
        lines = [
            f'{name} = {{"a": ["--ga", {self.word(scope, 1)}], "b": []}}',
            f"if {self.boolean(scope, 1)}:",
            f"    {fill}",
        ]
        lines += [f'{result} = "".join(f"{{w}} " for k, ws in {name}.items() for w in [k, *ws])']
        scope.add(Name(result, FLAGS, assignable=True))
        return lines

    def counter(self, scope: Scope, depth: int) -> Lines:
        """A closure that remembers, a default that is shared between calls, or a lambda of a comprehension."""
        name, result = scope.fresh("bump"), scope.fresh("count")
        step, test = self.integer(scope, 0), self.boolean(scope, 1)
        scope.add(Name(result, INT, assignable=True))
        again = [f"if {test}:", f"    {name}()"]
        if self.draws.below(4) == 3:
            body = [f"total = {step}", f"def {name}():", "    nonlocal total", "    total += 2", "    return total"]
            outer = indented([*body, *again, f"return {name}()"])
            return [f"def {name}_outer():", *outer, f"{result} = {name}_outer()"]
        made = self.draws.pick(
            (
                [f"def {name}(seen=[{step}]):", "    seen.append(len(seen))", "    return sum(seen)"],
                [f"{name} = [lambda: n * 2 for n in (1, {step})][0]"],
                [
                    f"{name}_box = {{'n': {step}}}",
                    f"def {name}():",
                    f"    {name}_box['n'] += 1",
                    f"    return {name}_box['n']",
                ],
            )
        )
        return [*made, *again, f"{result} = {name}()"]

    def generator(self, scope: Scope, depth: int) -> Lines:
        name, result = scope.fresh("pairs"), scope.fresh("group_args")
        lines = [f"def {name}(limit):", f'    yield "a", {self.integer(scope, 1)}']
        lines += [f"    if {self.boolean(scope, 1)}:", f'        yield "b", {self.word(scope, 1)}']
        if self.draws.below(2):
            lines += [f"    if {self.boolean(scope, 1)}:", "        return"]
        lines += ["    for i in range(limit):", '        yield f"c{i}", i']
        scope.add(Name(result, FLAGS, assignable=True))
        return [*lines, f'{result} = "".join(f"--{{k}} {{v}} " for k, v in {name}({self.draws.below(3)}))']

    def build(self, scope: Scope, depth: int) -> Lines:
        """An object that collects flags."""
        if not self.builder:
            return self.groups(scope, depth)
        name, result = scope.fresh("builder"), scope.fresh("group_args")
        prefix = self.draws.pick(("", '"--x-"'))
        lines = [f'{name} = Builder({prefix}).add("a", {self.integer(scope, 1)})']
        lines += [f"if {self.boolean(scope, 1)}:", f'    {name}.add("b").add("c", {self.word(scope, 1)})']
        if self.draws.chance(30):
            other = scope.fresh("builder")
            lines += [f"{other} = Builder() if {self.boolean(scope, 1)} else {name}", f'{other}.add("d")']
        lines.append(f'{result} = {name}.render() + f"--size {{len({name})}} --made {{Builder.made}} "')
        scope.add(Name(result, FLAGS, assignable=True))
        return lines

    def raising(self, scope: Scope, depth: int) -> Lines:
        """An exception that is raised on a condition and caught here."""
        name = scope.fresh("outcome")
        scope.add(Name(name, WORD, assignable=True))
        error = self.draws.pick(("ValueError", "KeyError", "RuntimeError"))
        caught = self.draws.pick((error, f"(TypeError, {error})", "Exception", f"{error} as error"))
        raised = self.draws.pick((f'raise {error}("x")', f'{name} = {{"k": "v"}}["absent"]'))
        if "absent" in raised and not ("KeyError" in caught or caught == "Exception"):
            raised = f'raise {error}("x")'
        lines = [f'{name} = "before"', "try:", f"    if {self.boolean(scope, 1)}:", f"        {raised}"]
        lines += [f'    {name} = "passed"', f"except {caught}:", f"    {name} += {self.word(scope, 1)}"]
        if self.draws.chance(30):
            lines += ["else:", f'    {name} += "-else"']
        if self.draws.chance(30):
            lines += ["finally:", f'    {name} += "-end"']
        return lines

    def search(self, scope: Scope, depth: int) -> Lines:
        """A loop that is left early, and remembers where."""
        name = scope.fresh("found")
        scope.add(Name(name, INT, assignable=True))
        values = [self.integer(scope, 1) for _ in range(3)]
        lines = [f"{name} = 0", f"for value in ({', '.join(values)}):", f"    if value > {self.integer(scope, 0)}:"]
        lines += [f"        {name} = value", "        break", f"    if {self.boolean(scope, 1)}:", "        continue"]
        return [*lines, f"    {name} += 1"]

    def copies(self, scope: Scope, depth: int) -> Lines:
        """Copies that must not follow their originals."""
        words, options = self.variable(scope, WORDS), self.variable(scope, OPTIONS)
        lines: Lines = []
        if words is not None:
            name = scope.fresh("copied")
            copy = self.draws.pick(
                (f"list({words})", f"{words}.copy()", f"{words}[:]", f"[*{words}]", f"sorted({words})")
            )
            lines += [f"{name} = {copy}", f'{words}.append("--later")']
            scope.add(Name(name, WORDS, assignable=True))
        if options is not None:
            name = scope.fresh("copied")
            copy = self.draws.pick((f"dict({options})", f"{options}.copy()", f"{{**{options}}}", f"{options} | {{}}"))
            lines += [f"{name} = {copy}", f'{options}["later"] = 1', f'{options}.pop("f-1", None)']
            scope.add(Name(name, OPTIONS, assignable=True))
        return lines or self.new_words(scope, depth)

    def pairs(self, scope: Scope, depth: int) -> Lines:
        """Sequences of tuples, sorted, zipped, filtered."""
        name = scope.fresh("sizes")
        first, second = self.integer(scope, 1), self.integer(scope, 1)
        value = self.draws.pick(
            (
                f'[n for _, n in sorted([("b", {first}), ("a", {second})])]',
                f"[a - b for a, b in zip(({first}, 3), (1, {second}))]",
                f"sorted({{{first}, {second}, 2}}, reverse=True)",
                f'[len(w) for w in ({self.word(scope, 1)}, "xyz")]',
                f"list(filter(None, ({first}, {second}, 0)))",
                f"list(map(abs, ({first}, {second})))",
                f"[i for i, on in enumerate(({self.boolean(scope, 1)}, {self.boolean(scope, 1)})) if on]",
                f"list({{k: 1 for k in ({first}, {second})}})",
            )
        )
        scope.add(Name(name, INTS))
        return [f"{name} = {value}"]
