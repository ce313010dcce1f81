"""One reading of a trainer: its `parse_args`, run over symbols for one backend."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from miles_lint.contract.extract.dests import dests_read
from miles_lint.contract.extract.machine import (
    BUDGET,
    NoTrainer,
    Reading,
    importer,
    native,
    reading,
    replace_global,
)
from miles_lint.contract.extract.options import UNKNOWN, flag_of, to_data
from miles_lint.contract.extract.owners import ORIGIN, stand_ins
from miles_lint.contract.extract.roots import SourceTree
from miles_lint.contract.model import Flag, Site
from miles_lint.contract.owners import OWNERS, Option
from miles_lint.domain.guard import Guard, TooComplex
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import Term, symbol
from miles_lint.domain.value import Callee, Known, Reason, Ref, Unknown, Value
from miles_lint.fold import modules
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.calls import call
from miles_lint.fold.heap import ANY, Frame, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.operations import condition
from miles_lint.fold.parsers import SUPPRESS, Parser, actions_of, make_namespace, plain
from miles_lint.fold.records import OutOfSteps
from miles_lint.source import Span

_START = Span(0, 0)
_BACKEND_OF = "parse_args_train_backend"


class Written(list[Any]):
    """Writes to a namespace. What may have written to all of it is told by how many checks came before."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine = machine
        self.clouds: list[tuple[int, Guard]] = []

    def append(self, entry: Any) -> None:
        super().append(entry)
        if entry[1] == ANY:
            self.clouds.append((len(self.machine.events), entry[0]))


@dataclass
class TrainerReading:
    """What running a trainer's `parse_args` over symbols has left: the machine, its sources, the namespace.

    `whole` is false where the reading had to be broken off; what it had come upon by then stands.
    """

    machine: Reading
    tree: SourceTree
    package: str
    namespace: Ref | None
    whole: bool = True

    @property
    def held(self) -> InstanceObject | None:
        """The namespace that `parse_args` gave back."""
        target = self.machine.object(self.namespace) if self.namespace is not None else None
        return target if isinstance(target, InstanceObject) else None

    @property
    def written(self) -> list[Any]:
        """Every write to it: condition, attribute, value, place."""
        return list(self.held.watch or ()) if self.held is not None else []

    @property
    def clouds(self) -> list[tuple[int, Guard]]:
        """Where anything may have been written to it: after how many checks, and when."""
        watch = self.held.watch if self.held is not None else None
        return watch.clouds if isinstance(watch, Written) else []

    def owns(self, path: str) -> bool:
        """Whether a path is of the trainer itself: its package or a driver."""
        return path.startswith(f"{self.package}/") or "/" not in path


_ATTEMPTS = (12, 3, 0)
"""How many conditions that nobody can decide a loop may come upon before it is taken as a whole."""


def read_trainer(root: str, package: str, backend: str, owned: Mapping[str, Sequence[Option]]) -> TrainerReading:
    """Run `parse_args` of a trainer for one backend. Raises `NoTrainer` when there is no such function.

    Where the conditions grow too many it runs again, more roughly.
    """
    read = _attempt(root, package, backend, owned, _ATTEMPTS[0])
    for undecided in _ATTEMPTS[1:]:
        if read.whole:
            break
        again = _attempt(root, package, backend, owned, undecided)
        read = again if again.whole or len(again.machine.events) > len(read.machine.events) else read
    return read


def _attempt(
    root: str, package: str, backend: str, owned: Mapping[str, Sequence[Option]], undecided: int
) -> TrainerReading:
    tree = SourceTree({package: root, "": root})
    machine = reading(tree, replace(BUDGET, undecided=undecided))
    machine.externals = stand_ins(owned)
    machine.harmless = frozenset(owner.package for owner in OWNERS)
    arguments = modules.load(machine, f"{package}.utils.arguments", importer())
    if arguments is None:
        raise NoTrainer(f"{os.path.join(root, package, 'utils', 'arguments.py')} cannot be read")
    replace_global(machine, arguments, _BACKEND_OF, native(_BACKEND_OF, _constant(backend)))
    parse = modules.module_name(machine, arguments, "parse_args")
    if parse is None:
        raise NoTrainer(f"{tree.broken[0]} is not Python" if tree.broken else f"{package} has no parse_args")
    known = {str(option.get("dest", "")) for options in owned.values() for option in options}
    machine.read_parser = partial(_namespace, dests_read(root, package) - known)
    frame = Frame(arguments, {}, None, machine.space.always)
    machine.live = machine.space.always
    result: Value | None = None
    whole = False
    with suppress(TooComplex, OutOfSteps, RecursionError):
        result = machine.narrow(call(machine, frame, parse, Arguments(), _START))
        whole = True
    if not whole:
        made = (record.namespace for record in reversed(machine.parsers))
        result = next((namespace for namespace in made if namespace is not None), None)
    if tree.broken:
        raise NoTrainer(f"{tree.broken[0]} is not Python")
    return TrainerReading(machine, tree, package, result if isinstance(result, Ref) else None, whole)


def _constant(text: str):  # type: ignore[no-untyped-def]
    def give(machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
        return machine.text(text)

    return give


def final_parser(machine: Machine) -> Parser | None:
    """The parser that refuses what it does not know; None where several lenient ones share a command line."""
    strict = [record for record in machine.parsers if any(refuses for _, refuses in record.parsed)]
    return strict[-1] if strict else None


def flags_of(read: TrainerReading) -> tuple[Flag, ...]:
    """Every flag that the command line of a launch may hold, in order of definition.

    Of an option that several lenient parsers read, the last one decides.
    """
    machine = read.machine
    final = final_parser(machine)
    found: dict[str, Flag] = {}
    for record in [final] if final is not None else machine.parsers:
        for _, action in actions_of(machine, record):
            made = flag_of(machine, action, *_owner(read, action))
            if made.names and made.action not in ("help", "version"):
                found.update(dict.fromkeys(made.names, made))
    return tuple({id(flag): flag for flag in found.values()}.values())


def abbreviates(read: TrainerReading) -> bool:
    """Whether the parser accepts the beginnings of its options."""
    final = final_parser(read.machine)
    return final is not None and plain(final.keywords.get("allow_abbrev", Known(True))) is not False


def _owner(read: TrainerReading, action: InstanceObject) -> tuple[str, Site | None]:
    told = plain(action.fields.get(ORIGIN))
    if isinstance(told, str):
        path, _, row = told.rpartition(":")
        name = next((owner.name for owner in OWNERS if path.startswith(f"{owner.package}/")), read.package)
        return name, Site(path, int(row))
    site = read.tree.site(action.origin.place) if action.origin is not None else None
    path = site.path if site is not None else ""
    part = next((part for part in ("dashboard", "fsdp") if f"/{part}" in path), read.package)
    return part, site


def _namespace(further: Collection[str], machine: Machine, record: Parser, origin: Origin) -> Value:
    """The namespace of a command line that is not known: every value is the symbol of its flag.

    `further` are dests that it has all the same: the trainer reads them, so another revision of an owner has them.

    A parser that reads the whole line again gives the same object, about which nothing is certain from there on:
    it reads again because something has changed the defaults.
    """
    strict = record.parsed[-1][1]
    if strict and record.namespace is not None:
        target = machine.object(record.namespace)
        if isinstance(target, InstanceObject) and isinstance(target.watch, Written):
            target.watch.append((machine.live, ANY, record.namespace, origin))
        return record.namespace
    values: dict[str, Value] = dict(record.defaults)
    absent: dict[str, Guard] = {}
    for _, action in actions_of(machine, record):
        dest = plain(action.fields["dest"])
        if not isinstance(dest, str) or dest == "help":
            continue
        values[dest] = _symbol(machine, dest, action, values.get(dest))
        default = action.fields["default"]
        if isinstance(default, Callee) and default.name == SUPPRESS:
            given = condition(machine, Term("is not", (symbol("flag", dest), None)))
            absent[dest] = absent.get(dest, machine.space.always) & ~given
        else:
            absent.pop(dest, None)
    for dest in sorted(further):
        values.setdefault(dest, Unknown(Reason.FLAG, dest, None, symbol("flag", dest)))
    made = make_namespace(machine, values, origin, absent)
    target = machine.object(made)
    assert isinstance(target, InstanceObject)
    target.watch = Written(machine)
    record.namespace = made if strict else None
    return made


_BUILTIN = {"int": int, "float": float, "str": str}


def _symbol(machine: Machine, dest: str, action: InstanceObject, other: Value | None) -> Unknown:
    """The value of a flag; its type is told only where neither the default nor another action can be of another."""
    default = to_data(machine, action.fields["default"])
    kind: type | None = None
    if plain(action.fields["nargs"]) == 0 and isinstance(default, bool):
        kind = bool if plain(action.fields["action"]) in ("store_true", "store_false") or default is not None else None
    elif plain(action.fields["nargs"]) is None and isinstance(action.fields["type"], Callee):
        wanted = _BUILTIN.get(action.fields["type"].name)
        kind = wanted if wanted is not None and default is not UNKNOWN and type(default) is wanted else None
    if isinstance(other, Unknown) and other.type is not kind:
        kind = None
    return Unknown(Reason.FLAG, dest, kind, symbol("flag", dest))
