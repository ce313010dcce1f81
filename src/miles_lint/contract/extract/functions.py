"""Functions of a checkout that a launch may name, and the flags that they add to the parser themselves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from miles_lint.contract.extract.machine import importer, member, reading
from miles_lint.contract.extract.options import flag_of
from miles_lint.contract.extract.roots import SourceTree
from miles_lint.contract.model import Flag, Site
from miles_lint.domain.value import Callee, Ref, Value
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.attributes import bind, find
from miles_lint.fold.calls import call
from miles_lint.fold.heap import ClassObject, Frame, FunctionObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.mro import foreign, opaque_base
from miles_lint.fold.parsers import actions_of, make_parser
from miles_lint.source import Span

_START = Span(0, 0)
_DEFINED = re.compile(r"^(?:async def|def|class) (\w+)", re.MULTILINE)
_BASED = re.compile(r"^class (\w+)\((?!metaclass)", re.MULTILINE)
_GIVEN = re.compile(r"^(\w+)\.add_arguments *= *(.+)", re.MULTILINE)
_NAMED = re.compile(r"generate|rollout|Fn$|Generator$", re.IGNORECASE)
_ENGINE = re.compile(r"""(?<=["' ])--(?:eval-)?sglang-[a-z][a-z0-9-]*[a-z0-9](?=[ ="'])(?!",? *type=)""")
_SKIPPED = frozenset(("node_modules", "docs", "docker", "build", "dist"))


@dataclass(frozen=True, slots=True)
class Functions:
    """The dotted paths of functions that a launch may name, the flags of those that add some, the files of these.

    `spelled` are options of the engine that the trainer's own package writes: it may pin a build that has more.
    """

    paths: frozenset[str]
    flags: tuple[Flag, ...]
    files: tuple[str, ...]
    spelled: tuple[tuple[str, Site], ...] = ()


def functions_of(root: str, package: str) -> Functions:
    """Every function of a checkout that may serve as a rollout or generate function, with its flags.

    One whose flags cannot be told, or whose bases may have some, is none of them.
    """
    paths: set[str] = set()
    based: set[str] = set()
    adders: list[tuple[str, str]] = []
    spelled: dict[str, Site] = {}
    for module, text, inside in _modules(root, package):
        for name in _DEFINED.findall(text):
            if not name.startswith("_") and (inside or _NAMED.search(name)):
                paths.add(f"{module}.{name}")
        based.update(f"{module}.{name}" for name in _BASED.findall(text))
        if module.startswith(f"{package}."):
            for match in _ENGINE.finditer(text):
                row = text.count("\n", 0, match.start()) + 1
                spelled.setdefault(match.group(0), Site(f"{module.replace('.', '/')}.py", row))
        if "add_arguments" in text:
            adders += [(f"{module}.{name}", f"{module}.{given}") for name, given in _GIVEN.findall(text)]
            adders += [(f"{module}.{name}", f"{module}.{name}.add_arguments") for name in _with_method(text)]
    flags: list[Flag] = []
    files: set[str] = set()
    for path, adder in dict.fromkeys(adders):
        found = _flags_of(root, package, path, adder, files)
        flags += found or ()
        (paths.discard if found is None else paths.add)(path)
    own = {path for path, _ in adders}
    paths.difference_update(path for path in based & paths - own if _inherits(root, package, path))
    return Functions(frozenset(paths), tuple(flags), tuple(sorted(files)), tuple(spelled.items()))


def _with_method(text: str) -> Iterator[str]:
    """The classes of a module that have a method `add_arguments`."""
    starts = [*_DEFINED.finditer(text)]
    for one, two in zip_longest(starts, starts[1:]):
        body = text[one.end() : len(text) if two is None else two.start()]
        if one.group(0).startswith("class") and "\n    def add_arguments(" in body:
            yield one.group(1)


def _modules(root: str, package: str) -> Iterator[tuple[str, str, bool]]:
    """Dotted name and text of every module below a checkout, and whether it lies in the rollout part."""
    rollout = os.path.join(root, package, "rollout") + os.sep
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith(".py") or (folder == root and name.startswith(("setup", "train"))):
                continue
            try:
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            except (OSError, UnicodeDecodeError):
                continue
            dotted = os.path.relpath(path, root).removesuffix(".py").replace(os.sep, ".").removesuffix(".__init__")
            yield dotted, text, path.startswith(rollout)


def _inherits(root: str, package: str, path: str) -> bool:
    """Whether a class has, or may have, `add_arguments` from one of its bases."""
    machine = reading(SourceTree({package: root, "": root}))
    cls = member(machine, path) if _NAMED.search(path.rpartition(".")[2]) else None
    if not isinstance(cls, Ref) or not isinstance(machine.object(cls), ClassObject):
        return True
    outside = opaque_base(machine, cls.cell) or foreign(machine, cls.cell)
    return bool(outside) or find(machine, cls.cell, "add_arguments") is not None


def _flags_of(root: str, package: str, path: str, adder: str, files: set[str]) -> list[Flag] | None:
    """The flags of a function, and the files that told them; None where its adder is not understood."""
    tree = SourceTree({package: root, "": root})
    machine = reading(tree)
    frame = Frame(importer(), {}, None, machine.space.always)
    function = _function(machine, adder)
    if function is None:
        return None
    machine.live = machine.space.always
    parser = make_parser(machine, frame, Arguments(), _START, machine.origin(frame, _START))
    call(machine, frame, function, Arguments((parser,)), _START)
    files.update(tree.read.values())
    record = machine.parsers[0]
    return [
        flag_of(machine, action, path, tree.site(action.origin.place) if action.origin is not None else None)
        for _, action in actions_of(machine, record)
    ]


def _function(machine: Machine, dotted: str) -> Value | None:
    """The function of that path, if it takes a parser and nothing else."""
    owner, _, name = dotted.rpartition(".")
    found: Value | None
    cls = member(machine, owner) if name == "add_arguments" else None
    if isinstance(cls, Ref):
        held = find(machine, cls.cell, name)
        frame = Frame(importer(), {}, None, machine.space.always)
        found = bind(machine, held, cls, machine.origin(frame, _START)) if held is not None else None
    else:
        found = member(machine, dotted)
    target = found.target if isinstance(found, Callee) else None
    if not isinstance(found, Callee) or not isinstance(target, FunctionObject):
        return None
    needed = [p for p in target.params if p.kind in ("positional", "keyword") and p.name not in target.defaults]
    return found if len(needed) - len(found.bound) == 1 else None
