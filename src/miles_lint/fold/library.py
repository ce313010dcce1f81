"""Summaries of the standard library and of command-line frameworks: what a recipe's call of them gives."""

from __future__ import annotations

import base64
import json
import math
import posixpath
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import symbol
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Text, Unknown, Value
from miles_lint.fold import copying, environment, knobs, limits, parsers, reflection, regexes
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.classes import all_fields, instantiate
from miles_lint.fold.commands import record
from miles_lint.fold.havoc import havoc
from miles_lint.fold.heap import ClassObject, Frame, FunctionObject, InstanceObject
from miles_lint.fold.importing import extend_path, import_module, module_from_spec, spec
from miles_lint.fold.lifting import lift
from miles_lint.fold.machine import Machine
from miles_lint.source import Span


def _encode(data: object) -> object:
    return base64.b64encode(data)  # type: ignore[arg-type]


PURE: dict[str, tuple[Callable[..., object], type | None]] = {
    **{
        f"os.path.{name}": (getattr(posixpath, name), str)
        for name in ("join", "basename", "dirname", "normpath", "relpath", "commonpath")
    },
    "os.path.abspath": (lambda path: path, str),
    "os.path.realpath": (lambda path: path, str),
    "os.path.expanduser": (lambda path: path, str),
    "os.path.splitext": (posixpath.splitext, tuple),
    "os.path.split": (posixpath.split, tuple),
    "os.path.isabs": (posixpath.isabs, bool),
    "os.fspath": (str, str),
    **{
        f"re.{name}": (regexes.function(name), None)
        for name in ("search", "match", "fullmatch", "findall", "sub", "split", "compile", "escape")
    },
    "json.dumps": (json.dumps, str),
    "json.loads": (json.loads, None),
    "shlex.quote": (shlex.quote, str),
    "shlex.split": (shlex.split, list),
    "shlex.join": (shlex.join, str),
    "base64.b64encode": (_encode, bytes),
    "base64.b64decode": (base64.b64decode, bytes),
    "textwrap.dedent": (__import__("textwrap").dedent, str),
    "math.ceil": (math.ceil, int),
    "math.floor": (math.floor, int),
    "math.prod": (limits.product, None),
    "math.sqrt": (math.sqrt, float),
    "math.log2": (math.log2, float),
    "math.gcd": (math.gcd, int),
    "operator.itemgetter": (lambda *a: (_ for _ in ()).throw(limits.OverBudget("itemgetter")), None),
    **{f"pathlib.{name}": (PurePosixPath, None) for name in ("Path", "PurePath", "PosixPath", "PurePosixPath")},
}
_OUTSIDE = {
    "os.path.exists": bool,
    "os.path.isfile": bool,
    "os.path.isdir": bool,
    "os.getcwd": str,
    "os.cpu_count": int,
    "os.getpid": int,
    "time.time": float,
    "socket.gethostname": str,
    "shutil.which": str,
    "uuid.uuid4": None,
}
_HARMLESS_ROOTS = frozenset(sys.stdlib_module_names) - {"builtins", "copy", "random", "heapq", "dataclasses"} | {
    "typer",
    "click",
    "torch",
    "ray",
    "pytest",
    "loguru",
    "rich",
    "requests",
    "huggingface_hub",
    "wandb",
    "yaml",
}


def _fresh_path(machine: Machine, origin: Origin) -> Value:
    """A path that the system makes up: one word, the same wherever this value is used."""
    place = origin.place
    term = symbol("run", f"temporary path {place.path}:{place.span.start}")
    return Unknown(Reason.OUTSIDE, "temporary path", str, term, origin)


def _fresh_file(machine: Machine, origin: Origin) -> Value:
    cls = machine.allocate(ClassObject("TemporaryFile", "tempfile.File", [], {}, {}, False, machine.space.always))
    unknown = Unknown(Reason.OUTSIDE, "temporary file")
    made = InstanceObject(cls.cell, {"name": _fresh_path(machine, origin)}, machine.live, unknown, origin=origin)
    return machine.allocate(made)


def _fresh_pair(machine: Machine, origin: Origin) -> Value:
    always = machine.space.always
    return Items(((always, Unknown(Reason.OUTSIDE, "file handle", int)), (always, _fresh_path(machine, origin))))


_FRESH_NAMES: dict[str, Callable[[Machine, Origin], Value]] = {
    "tempfile.mkdtemp": _fresh_path,
    "tempfile.mktemp": _fresh_path,
    "tempfile.mkstemp": _fresh_pair,
    "tempfile.gettempdir": _fresh_path,
    "tempfile.NamedTemporaryFile": _fresh_file,
    "tempfile.TemporaryDirectory": _fresh_file,
}


def call_external(machine: Machine, frame: Frame, name: str, args: Arguments, span: Span) -> Value:
    """A call of something that is not in the checkout."""
    origin = machine.origin(frame, span)
    if name in machine.externals:
        return machine.externals[name](machine, frame, args, span)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(machine, frame, args, span, origin)
    if name in PURE and args.unknown is None:
        function, kind = PURE[name]
        return lift(machine, name, function, list(args.values()), origin, kind, tuple(args.keywords))
    if name not in _OUTSIDE:
        machine.doubt()
    if name in _FRESH_NAMES:
        return _FRESH_NAMES[name](machine, origin)
    if name in _OUTSIDE:
        return Unknown(Reason.OUTSIDE, f"{name}()", _OUTSIDE[name], None, origin)
    _, _, tail = name.rpartition(".")
    if tail in ("Typer", "Cyclopts", "App") and name.partition(".")[0] in ("typer", "cyclopts"):
        return Callee("app", name)
    root = name.partition(".")[0]
    if root not in _HARMLESS_ROOTS and root not in machine.harmless:
        havoc(machine, args)
    return Unknown(Reason.CALL, f"{name}()", None, None, origin)


def call_app(machine: Machine, frame: Frame, func: Callee, args: Arguments, span: Span) -> Value:
    """A typer application: `app.command(...)` registers, `app()` runs what was registered."""
    if func.kind == "app-method" and func.name in ("command", "callback", "default"):
        given = args.positional[0] if args.positional else None
        if isinstance(given, Callee) and given.kind == "function":
            machine.registered.append(("", given))
            return given
        name = given.plain if isinstance(given, Text) else ""
        return Callee("register" if func.name != "callback" else "identity", name or "")
    if func.kind == "app":
        machine.begin_command()
    return Known(None)


def _run_function(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    if args.positional and isinstance(args.positional[0], Callee):
        machine.registered.append(("", args.positional[0]))
    machine.begin_command()
    return Known(None)


def _getenv(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    key = args.get(0, "key")
    if key is None:
        return Unknown(Reason.ENVIRONMENT, "os.getenv()", None, None, origin)
    return environment.get(machine, key, args.get(1, "default", Known(None)), origin)


def _field(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return Callee("field", "dataclasses.field", args)


def _partial(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return Callee("partial", "functools.partial", Arguments((), args.keywords), args.positional)


def _wraps(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    named = args.positional[0] if args.positional else None
    return Callee("named", named.name) if isinstance(named, Callee) else Callee("identity", "functools.wraps")


def _cache(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    given = args.positional[0] if args.positional else None
    if isinstance(given, Callee) and given.kind == "function":
        return replace(given, kind="cached")
    return Callee("maker", "functools.lru_cache")


def _suppress(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return Callee("suppress", "contextlib.suppress", None, args.positional)


def _null(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    given = args.get(0, "enter_result")
    return Callee("null", "contextlib.nullcontext", None, () if given is None else (given,))


def _auto(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return Callee("auto", "enum.auto")


def _replace(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    source = machine.narrow(args.positional[0]) if args.positional else None
    target = machine.object(source) if isinstance(source, Ref) else None
    if not isinstance(target, InstanceObject):
        return Unknown(Reason.CALL, "dataclasses.replace()", None, None, origin)
    known = all_fields(machine, target.cls)
    kept = {name: value for name, value in target.fields.items() if name in known and known[name].init}
    made = instantiate(machine, Ref(target.cls), Arguments((), {**kept, **args.keywords}, args.unknown), frame, span)
    copied = machine.object(made) if isinstance(made, Ref) else None
    if isinstance(copied, InstanceObject) and target.havoc is not None:
        copied.havoc = target.havoc
    return made


def _asdict(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return copying.as_dict(machine, args.positional[0]) if args.positional else Known(None)


def _command(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    given = args.get(0, "args")
    machine.doubt()
    if given is not None:
        record(machine, given, origin.place)
    return Unknown(Reason.OUTSIDE, "output of a command", None, None, origin)


def _from_class(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    target = machine.narrow(args.positional[0]) if args.positional else None
    if isinstance(target, Ref) and isinstance(machine.object(target), ClassObject):
        return knobs.instance(machine, frame, target, span)
    if isinstance(target, Callee) and isinstance(target.target, FunctionObject):
        return machine.run.call(machine, frame, target, knobs.parameters(machine, frame, target.target, span), span)
    return Unknown(Reason.CALL, "command line", None, None, origin)


def _asyncio_run(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return args.positional[0] if args.positional else Known(None)


def _exit(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    machine.fail(SystemExit)
    return Unknown(Reason.OUTSIDE, "exit")


def _option(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    default = args.get(0, "default")
    if default is None or (isinstance(default, Known) and default.value is ...):
        return Callee("required", "typer.Option")
    return default


def _namespace(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    """An object with the given attributes and no others."""
    cls = machine.allocate(ClassObject("Namespace", "argparse.Namespace", [], {}, {}, False, machine.space.always))
    made = InstanceObject(cls.cell, dict(args.keywords), machine.live, args.unknown, origin=origin)
    return machine.allocate(made)


def _copy(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return copying.shallow(machine, args.positional[0]) if args.positional else Known(None)


def _deep_copy(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    return copying.deep(machine, args.positional[0]) if args.positional else Known(None)


_Special = Callable[[Machine, Frame, Arguments, Span, Origin], Value]
_SPECIAL: dict[str, _Special] = {
    "typer.run": _run_function,
    "fire.Fire": _run_function,
    "os.getenv": _getenv,
    "dataclasses.field": _field,
    "pydantic.Field": _field,
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.lru_cache": _cache,
    "functools.cache": _cache,
    "contextlib.suppress": _suppress,
    "pytest.raises": _suppress,
    "contextlib.nullcontext": _null,
    "enum.auto": _auto,
    "dataclasses.replace": _replace,
    "dataclasses.asdict": _asdict,
    "dataclasses.fields": reflection.fields,
    "dataclasses.is_dataclass": reflection.is_dataclass,
    "typing.get_type_hints": reflection.type_hints,
    "typing.get_origin": reflection.get_origin,
    "typing.get_args": reflection.get_args,
    "importlib.import_module": import_module,
    "importlib.util.spec_from_file_location": spec,
    "importlib.util.module_from_spec": module_from_spec,
    "sys.path.insert": extend_path,
    "sys.path.append": extend_path,
    **{f"subprocess.{name}": _command for name in ("run", "Popen", "check_call", "check_output", "call")},
    "os.system": _command,
    "tyro.cli": _from_class,
    "simple_parsing.parse": _from_class,
    "asyncio.run": _asyncio_run,
    "sys.exit": _exit,
    "os._exit": _exit,
    "typer.Option": _option,
    "typer.Argument": _option,
    "argparse.Namespace": _namespace,
    "argparse.ArgumentParser": parsers.make_parser,
    "types.SimpleNamespace": _namespace,
    "copy.copy": _copy,
    "copy.deepcopy": _deep_copy,
}
