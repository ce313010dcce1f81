"""The guards that a trainer's drivers put before a run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from miles_lint.contract.extract.machine import importer
from miles_lint.contract.extract.trainer import TrainerReading
from miles_lint.domain.value import Callee
from miles_lint.fold import modules
from miles_lint.fold.execute import execute
from miles_lint.fold.heap import Frame, FunctionObject
from miles_lint.program import nodes as n

_DRIVER = re.compile(r"train(_\w+)?\.py")
_CHECKING = re.compile(r"_?(?:validate|check|assert|ensure)")
_MAINS = ("train", "main")


def drivers_of(root: str, package: str) -> tuple[str, ...]:
    """The file names of a checkout's drivers: scripts at its top that parse the trainer's arguments."""
    found = []
    for name in sorted(os.listdir(root)):
        if _DRIVER.fullmatch(name):
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
                if "parse_args" in file.read():
                    found.append(name)
    return tuple(found)


def run_guards(read: TrainerReading, driver: str) -> None:
    """Run the checks at the top of a driver's function over the namespace that `parse_args` left."""
    machine = read.machine
    module = modules.load(machine, driver.removesuffix(".py"), importer())
    if module is None or read.namespace is None:
        return
    for name in _MAINS:
        found = modules.module_name(machine, module, name)
        target = found.target if isinstance(found, Callee) else None
        if not isinstance(target, FunctionObject) or len(target.params) != 1 or not isinstance(target.body, tuple):
            continue
        machine.live = machine.space.always
        frame = Frame(module, {target.params[0].name: read.namespace}, target.frame, machine.live, target.qualified)
        execute(machine, frame, tuple(_leading(target.body)))


def _leading(body: n.Block) -> Iterator[n.Stmt]:
    """The statements before the first that does more than check."""
    for statement in body:
        documented = isinstance(statement, n.ExprStmt) and isinstance(statement.value, (n.Literal, n.Joined))
        if not documented and not _checks(statement):
            return
        yield statement


def _checks(statement: n.Stmt) -> bool:
    if isinstance(statement, (n.Assert, n.Raise)):
        return True
    if isinstance(statement, n.If):
        return all(map(_checks, statement.body)) and all(map(_checks, statement.orelse))
    if isinstance(statement, n.ExprStmt) and isinstance(statement.value, n.Call):
        func = statement.value.func
        name = func.id if isinstance(func, n.Name) else func.name if isinstance(func, n.Attribute) else ""
        return _CHECKING.match(name) is not None
    return False
