"""The trainer's launch helper: which of its functions submit, which only act on the machine, and what they give.

Names are those of `<package>.utils.external_utils.command_utils` of miles at 31f1ca961, and of the backend
object that upstream commit 360788c21 moves them to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.term import symbol
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Text, Unknown, Value, choose, options_of
from miles_lint.fold import copying, environment, knobs
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.commands import record
from miles_lint.fold.convert import TooMany, text_alternatives
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import ClassObject, Frame, FunctionObject, InstanceObject, ListObject
from miles_lint.fold.helper_names import entry_name
from miles_lint.fold.machine import Machine
from miles_lint.fold.modules import attribute, load_file
from miles_lint.fold.mro import linearize
from miles_lint.fold.passing import present
from miles_lint.fold.records import Sink
from miles_lint.fold.telling import tell
from miles_lint.source import Span

SIGNATURE = (
    "train_args",
    "num_gpus_per_node",
    "megatron_model_type",
    "train_script",
    "before_ray_job_submit",
    "extra_env_vars",
    "config",
    "megatron_path",
)
_CONFIGURATION = "ExecuteTrainConfig"
_BACKEND = "BaseCommandBackend"
Handler = Callable[[Machine, Frame, "FunctionObject | None", Arguments, Span], Value]


def submit(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    """A launch: remember what would be submitted, with the environment in force."""
    signature = tuple(p.name for p in target.params) if target is not None else SIGNATURE
    positional = args.positional
    if target is not None and signature[:1] == ("self",):
        signature, positional = signature[1:], positional[1:]
    elif positional and isinstance(positional[0], Ref) and isinstance(machine.object(positional[0]), InstanceObject):
        positional = positional[1:]
    keywords = dict(zip(signature, positional))
    defaults = {"train_script": machine.text("train.py")} if target is None else target.defaults
    for name, value in args.keywords.items():
        keywords[name] = present(machine, args, name, value, defaults.get(name, Known(None)))
    if args.unknown is not None:
        for name in signature:
            keywords.setdefault(name, args.unknown)
    if target is not None:
        for name, value in target.defaults.items():
            keywords.setdefault(name, value)
    before = keywords.get("before_ray_job_submit", Known(None))
    for guard, leaf in options_of(before, machine.live):
        if isinstance(leaf, Callee):
            live, machine.live = machine.live, guard
            machine.run.call(machine, frame, leaf, Arguments(), span)
            machine.live = machine.live | (live - guard)
    if machine.live.excludes(machine.assumed):
        return Known(None)
    model_type = keywords.get("megatron_model_type", Known(None))
    if target is not None and "config" in signature and positional is args.positional:
        tell_configuration(machine, keywords, machine.origin(frame, span))
    _tell_container(machine, keywords.get("train_args"), machine.origin(frame, span))
    if "extra_env_vars" in keywords:
        keywords["extra_env_vars"] = copying.shallow(machine, keywords["extra_env_vars"])
    sink = Sink(
        machine.origin(frame, span).place,
        machine.live & machine.assumed,
        keywords,
        environment.written(machine),
        machine.via,
        machine.entry,
        signature if target is not None else (),
        model_arguments(machine, frame, model_type, span),
        args.spans,
    )
    machine.sinks.append(sink)
    return Known(None)


def tell_configuration(machine: Machine, keywords: Mapping[str, Value], origin: Origin) -> None:
    """Remember a launch without `config=` in a program that has an object of a class made for it."""
    for made in machine.heap:
        if not isinstance(made, InstanceObject):
            continue
        cls, *bases = linearize(machine, made.cls)
        if not any(base.name == _CONFIGURATION for base in bases):
            continue
        places = (cls.origin,) if cls.origin is not None else ()
        for guard, leaf in options_of(keywords.get("config", Known(None)), machine.live):
            if isinstance(leaf, Known) and leaf.value is None:
                tell(machine, Kind.CONFIG, origin, cls.name, guard=guard & made.born, places=places)
        return


def _tell_container(machine: Machine, given: Value | None, origin: Origin) -> None:
    """Remember that the arguments of a launch are a tuple or list where one text is wanted."""
    for guard, leaf in options_of(given, machine.live) if given is not None else ():
        made = machine.object(leaf) if isinstance(leaf, Ref) else leaf
        if isinstance(made, (Items, ListObject)):
            places = (made.origin,) if made.origin is not None else ()
            tell(machine, Kind.CONTAINER, origin, "train_args", guard=guard, owner=made.kind, places=places)


def model_arguments(
    machine: Machine, frame: Frame, model_type: Value, span: Span, keywords: dict[str, Value] | None = None
) -> Value:
    """The text that the model definition of a type gives, under every type it can be."""
    found: list[tuple[Guard, Value]] = []
    for guard, leaf in options_of(model_type, machine.live):
        if isinstance(leaf, Known):
            found.append((guard, Text()))
            continue
        unknown = Unknown(Reason.IMPORT, "model arguments", str, None, machine.origin(frame, span))
        if not isinstance(leaf, Text):
            found.append((guard, unknown))
            continue
        try:
            names = text_alternatives(machine, leaf, guard)
        except TooMany:
            found.append((guard, unknown))
            continue
        for under, name in names:
            if under.excludes(machine.assumed):
                continue
            found.append((under, _one_model(machine, frame, name, under, span, keywords or {}, unknown)))
    return choose(found) if found else Text()


def _one_model(
    machine: Machine,
    frame: Frame,
    name: str | Unknown,
    guard: Guard,
    span: Span,
    keywords: dict[str, Value],
    unknown: Unknown,
) -> Value:
    if isinstance(name, Unknown):
        return unknown
    found = machine.loader.model_file(name, frame.module)
    module = load_file(machine, found.file) if found is not None else None
    if module is None:
        tell(machine, Kind.MODEL, machine.origin(frame, span), name, guard=guard)
        return Unknown(Reason.IMPORT, f"model arguments of {name}", str, None, machine.origin(frame, span))
    before = machine.live
    machine.live = guard
    function = attribute(machine, module, "model_args", machine.origin(frame, span))
    made: Value = unknown
    if isinstance(function, Callee) and isinstance(function.target, FunctionObject):
        made = machine.run.call_function(machine, function.target, Arguments((), keywords), span, frame.module.path)
    machine.live = before
    return made


def _load_model(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    wanted = args.get(0, "model_type", Known(None))
    assert wanted is not None
    rest = {name: value for name, value in args.keywords.items() if name not in ("model_type", "model_script_dir")}
    return model_arguments(machine, frame, wanted, span, rest)


def _load_sibling(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    wanted = args.get(1, "model_type", Known(None))
    assert wanted is not None
    rest = {name: value for name, value in args.keywords.items() if name not in ("model_type", "model_script")}
    return model_arguments(machine, frame, wanted, span, rest)


def _act(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    """Something done to the machine: the command text is kept, nothing comes back but what it prints."""
    given = args.get(0, "cmd")
    if isinstance(given, Ref) and len(args.positional) > 1:
        given = args.positional[1]
    if given is not None:
        record(machine, given, machine.origin(frame, span).place)
    return Unknown(Reason.OUTSIDE, "output of a command", str, None, machine.origin(frame, span))


def _quiet(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    return Known(None)


def _run_id(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    return Unknown(Reason.OUTSIDE, "run id", str, symbol("run", "run id"), machine.origin(frame, span))


def _backend(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    """The object that a configuration makes for its cluster; its methods are those of the helper."""
    base = (
        attribute(machine, target.frame.module, _BACKEND, machine.origin(frame, span)) if target is not None else None
    )
    if isinstance(base, Ref):
        opaque = Unknown(Reason.CALL, _BACKEND)
        fields = {"config": args.positional[0]} if args.positional else {}
        made = InstanceObject(base.cell, fields, machine.live, None, opaque, machine.origin(frame, span), native=True)
        return machine.allocate(made)
    return Callee("external", "external_utils.command_utils.backend")


def _outside(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    return Unknown(Reason.OUTSIDE, "known on the cluster", None, None, machine.origin(frame, span))


def _identity(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    return args.positional[0] if args.positional else Callee("identity", "dataclass_cli")


def _configure(machine: Machine, frame: Frame, target: FunctionObject | None, args: Arguments, span: Span) -> Value:
    """A configuration filled from the environment: its fields are knobs."""
    given = machine.narrow(args.positional[0]) if args.positional else None
    if given is None and target is not None:
        given = next(iter(target.defaults.values()), None)
    if isinstance(given, Ref) and isinstance(machine.object(given), ClassObject):
        return knobs.instance(machine, frame, given, span)
    return Unknown(Reason.KNOB, "configuration", None, None, machine.origin(frame, span))


_HANDLERS: dict[str, Handler] = {
    "execute_train": submit,
    "execute_train_npu": submit,
    "exec_command": _act,
    "exec_command_cpu": _act,
    "exec_command_gpu": _act,
    "exec_command_multi_node": _act,
    "exec_command_all_ray_node": _act,
    "convert_checkpoint": _quiet,
    "rsync_simple": _quiet,
    "hf_download_dataset": _quiet,
    "fp8_cast_bf16": _quiet,
    "ssh_start_ray_workers": _quiet,
    "start_mooncake_master": _quiet,
    "check_has_nvlink": _outside,
    "create_backend": _backend,
    "create_run_id": _run_id,
    "dataclass_cli": _identity,
    "default_config": _configure,
    "dataclass_from_env": _configure,
    "load_model_args": _load_model,
    "shell_safe_model_args": _load_model,
    "load_sibling_model_args": _load_sibling,
}


def handler_for(qualified: str) -> Handler | None:
    """How a call of that qualified name is summarised; None when it is folded like any other."""
    name = entry_name(qualified)
    return _HANDLERS.get(name) if name is not None else None
