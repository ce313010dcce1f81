"""Random code on the corners of the language: orders, iterators, views, shared cells, exceptions under way."""

from __future__ import annotations

from tests.oracles.generate.scope import FLAGS, INT, WORD, Name, Scope
from tests.oracles.generate.simple import Lines, indented
from tests.oracles.generate.stateful import Stateful


class Subtle(Stateful):
    """Statements whose result a fold gets wrong when it models a value by what is in it and no more."""

    def made(self, scope: Scope, lines: Lines, name: str) -> Lines:
        scope.add(Name(name, FLAGS, assignable=True))
        return lines

    def reordered(self, scope: Scope, depth: int) -> Lines:
        """A key that is taken out and put back goes to the end."""
        name, result = scope.fresh("order"), scope.fresh("group_args")
        again = self.draws.pick(
            (f'{name}["b"] = {name}.pop("b")', f'{name}["a"] = {name}.pop("b")', f'del {name}["b"]')
        )
        lines = [
            f'{name} = {{"b": {self.integer(scope, 1)}, "a": 2}}',
            f"if {self.boolean(scope, 1)}:",
            f"    {again}",
        ]
        if self.draws.below(2):
            lines += [f'{name}["b"] = {self.integer(scope, 0)}']
        return self.made(scope, [*lines, f'{result} = "".join(f"--{{k}} {{v}} " for k, v in {name}.items())'], result)

    def iterator(self, scope: Scope, depth: int) -> Lines:
        """An iterator gives every element once."""
        name, result = scope.fresh("it"), scope.fresh("group_args")
        words = f'[{self.word(scope, 1)}, {self.word(scope, 1)}, "--last"]'
        source = self.draws.pick(
            (
                f"iter({words})",
                f"(w for w in {words})",
                f"map(str, {words})",
                f"reversed({words})",
                f"filter(None, {words})",
            )
        )
        skip = [f"if {self.boolean(scope, 1)}:", f"    next({name}, None)"] if self.draws.below(2) else []
        rest = f'{result} = " ".join({name}) + " " + " ".join({name}) + " "'
        return self.made(scope, [f"{name} = {source}", *skip, rest], result)

    def view(self, scope: Scope, depth: int) -> Lines:
        """A view follows its dict."""
        name, result = scope.fresh("table"), scope.fresh("group_args")
        view = self.draws.pick(("keys", "items", "values"))
        lines = [f'{name} = {{"a": {self.word(scope, 1)}}}', f"{name}_view = {name}.{view}()"]
        lines += [f"if {self.boolean(scope, 1)}:", f'    {name}["b"] = {self.word(scope, 1)}']
        return self.made(scope, [*lines, f'{result} = "".join(f"--view {{e}} " for e in {name}_view)'], result)

    def shared(self, scope: Scope, depth: int) -> Lines:
        """One list in two places, or a copy of what is inside."""
        name, result = scope.fresh("cells"), scope.fresh("group_args")
        source = self.draws.pick(("[[]] * 2", "[[], []]", "[list(c) for c in ([], [])]", "[[]] + [[]]"))
        lines = [f"{name} = {source}", f"{name}[0].append({self.word(scope, 1)})"]
        return self.made(scope, [*lines, f'{result} = "".join(f"--cell {{len(c)}} " for c in {name})'], result)

    def recursion(self, scope: Scope, depth: int) -> Lines:
        name, result = scope.fresh("count_down"), scope.fresh("group_args")
        start = self.draws.pick((str(self.draws.below(4)), f"{self._tight(scope, chr(34))} % 4"))
        lines = [f"def {name}(n):", '    return "" if n <= 0 else f"--left {n} " + ' + f"{name}(n - 1)"]
        return self.made(scope, [*lines, f"{result} = {name}({start})"], result)

    def suppressed(self, scope: Scope, depth: int) -> Lines:
        """An exception that leaves a block half done."""
        name = scope.fresh("outcome")
        scope.add(Name(name, WORD, assignable=True))
        body = [f'{name} = "half"', f"if {self.boolean(scope, 1)}:", '    raise ValueError("x")', f'{name} += "-done"']
        if self.draws.below(2):
            return [f'{name} = "none"', "with contextlib.suppress(ValueError):", *indented(body)]
        return [f'{name} = "none"', "try:", *indented(body), "except ValueError:", "    pass"]

    def leaving(self, scope: Scope, depth: int) -> Lines:
        """`continue` and `break` on the way through a `finally`."""
        result, item = scope.fresh("group_args"), scope.fresh("item")
        leave = self.draws.pick(("continue", "break"))
        body = ["try:", f"    if {item} == 1 and {self.boolean(scope, 1)}:", f"        {leave}"]
        body += [f'    {result} += f"--in {{{item}}} "', "finally:", f'    {result} += "--end "']
        return self.made(scope, [f'{result} = ""', f"for {item} in range(3):", *indented(body)], result)

    def equal_elements(self, scope: Scope, depth: int) -> Lines:
        """Elements and keys that are the same on some assignments only."""
        name = scope.fresh("count")
        first, second = self._word_atom(scope, 0, '"'), self._word_atom(scope, 0, '"')
        value = self.draws.pick((f"len({{{first}, {second}}})", f"len({{{first}: 1, {second}: 2}})"))
        scope.add(Name(name, INT, assignable=True))
        return [f"{name} = {value}"]

    def written_by_knob(self, scope: Scope, depth: int) -> Lines:
        """A container changed at a place that depends on a knob."""
        name, result = scope.fresh("table"), scope.fresh("group_args")
        key = self._word_atom(scope, 0, '"')
        change = self.draws.pick((f"{name}[{key}] = 9", f"{name}.update({{{key}: 9}})", f"{name}.pop({key}, None)"))
        lines = [f'{name} = {{"alpha": 1, "b2": 2}}', change]
        show = f'{result} = f"--alpha {{{name}.get(\'alpha\')}} {{len({name})}} " + " ".join({name}) + " "'
        return self.made(scope, [*lines, show], result)

    def environment_text(self, scope: Scope, depth: int) -> Lines:
        result = scope.fresh("word")
        scope.add(Name(result, WORD, assignable=True))
        change = self.draws.pick(
            (
                f"os.environ.update(RUN_TAG={self._word_atom(scope, 0, chr(34))})",
                f'os.environ |= {{"RUN_TAG": {self._word_atom(scope, 0, chr(34))}}}',
                f'{result} = os.environ.pop("RUN_TAG", "unset")',
                'del os.environ["RUN_TAG"]',
            )
        )
        test = '"RUN_TAG" in os.environ' if change.startswith("del") else self.boolean(scope, 1)
        return [f'{result} = "x"', f"if {test}:", f"    {change}", f'{result} += os.environ.get("RUN_TAG", "none")']
