"""One reading of a trainer: its `parse_args`, run over symbols for one backend."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from miles_lint.contract.extract.machine import Reading, importer, native, reading, replace_global
from miles_lint.contract.extract.options import UNKNOWN, flag_of, to_data
from miles_lint.contract.extract.owners import ORIGIN, OWNERS, Option, stand_ins
from miles_lint.contract.extract.roots import SourceTree
from miles_lint.contract.model import Flag, Site
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import Term, symbol
from miles_lint.domain.value import Callee, Known, Reason, Ref, Unknown, Value, choose
from miles_lint.fold import modules
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.calls import call
from miles_lint.fold.heap import Frame, InstanceObject, Module
from miles_lint.fold.machine import Machine
from miles_lint.fold.operations import condition
from miles_lint.fold.parsers import SUPPRESS, Parser, actions_of, make_namespace, plain
from miles_lint.source import Span

_START = Span(0, 0)
_BACKEND_OF = "parse_args_train_backend"


@dataclass
class TrainerReading:
    """What running a trainer's `parse_args` over symbols has left: the machine, its sources, the namespace."""

    machine: Reading
    tree: SourceTree
    package: str
    frame: Frame
    namespace: Ref | None
    strict: Parser | None


class NoTrainer(Exception):
    """The sources do not hold a trainer that can be read; the message says what is missing."""


def read_trainer(
    root: str, package: str, backend: str, owned: Mapping[str, Sequence[Option]], folders: Mapping[str, str]
) -> TrainerReading:
    """Run `parse_args` of a trainer for one backend. Raises `NoTrainer` when there is no such function."""
    tree = SourceTree({package: root, "": root})
    machine = reading(tree)
    machine.externals = stand_ins(owned)
    arguments = modules.load(machine, f"{package}.utils.arguments", importer())
    if arguments is None:
        raise NoTrainer(f"{os.path.join(root, package, 'utils', 'arguments.py')} cannot be read")
    replace_global(machine, arguments, _BACKEND_OF, native(_BACKEND_OF, _constant(backend)))
    parse = modules.module_name(machine, arguments, "parse_args")
    if parse is None:
        raise NoTrainer(f"{package}.utils.arguments has no parse_args")
    machine.read_parser = lambda made, record, origin: _namespace(made, record, origin, {"train_backend": backend})
    frame = Frame(arguments, {}, None, machine.space.always)
    machine.live = machine.space.always
    result = call(machine, frame, parse, Arguments(), _START)
    namespace = result if isinstance(result, Ref) else None
    return TrainerReading(machine, tree, package, frame, namespace, _final(machine))


def _constant(text: str):  # type: ignore[no-untyped-def]
    def give(machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
        return machine.text(text)

    return give


def _final(machine: Machine) -> Parser | None:
    """The parser whose reading ended the command line: the last one, and a strict one before a lenient one."""
    read = [record for record in machine.parsers if record.parsed]
    strict = [record for record in read if any(refuses for _, refuses in record.parsed)]
    return (strict or read or [None])[-1]


def flags_of(read: TrainerReading) -> tuple[Flag, ...]:
    """Every flag that the command line of a launch may hold, in order of definition."""
    machine = read.machine
    final = read.strict
    parsers = [final] if final is not None and any(strict for _, strict in final.parsed) else machine.parsers
    found: dict[tuple[str, ...], Flag] = {}
    for record in parsers:
        for _, action in actions_of(machine, record) if record is not None else ():
            made = flag_of(machine, action, *_owner(read, action))
            if made.names and made.action not in ("help", "version"):
                found[made.names] = made
    return tuple(found.values())


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


def _namespace(machine: Machine, record: Parser, origin: Origin, fixed: Mapping[str, object]) -> Value:
    """The namespace of a command line that is not known: every value is the symbol of its flag."""
    values: dict[str, Value] = dict(record.defaults)
    absent: dict[str, Guard] = {}
    for _, action in actions_of(machine, record):
        dest = plain(action.fields["dest"])
        if not isinstance(dest, str) or dest == "help":
            continue
        if dest in fixed:
            values[dest] = machine.text(str(fixed[dest]))
            continue
        values[dest] = _symbol(machine, dest, action, values.get(dest))
        default = action.fields["default"]
        if isinstance(default, Callee) and default.name == SUPPRESS:
            given = condition(machine, Term("is not", (symbol("flag", dest), None)))
            absent[dest] = absent.get(dest, machine.space.always) & ~given
        else:
            absent.pop(dest, None)
    made = make_namespace(machine, values, origin, absent)
    target = machine.object(made)
    assert isinstance(target, InstanceObject)
    target.watch = []
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
