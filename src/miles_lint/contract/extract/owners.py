"""Options that a trainer takes over from its owners: read from their sources once, replayed in any trainer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from miles_lint.contract.extract.machine import THOROUGH, NoTrainer, importer, member, native, reading
from miles_lint.contract.extract.options import (
    EFFECT,
    OUTDATED,
    UNKNOWN,
    action_word,
    is_deprecated,
    to_data,
    type_name,
)
from miles_lint.contract.extract.roots import SourceTree
from miles_lint.contract.owners import OWNERS, Option, Owner, holder_of
from miles_lint.domain.value import Callee, Known, Reason, Ref, Text, Unknown, Value
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.calls import call
from miles_lint.fold.convert import from_python
from miles_lint.fold.heap import Frame, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.parsers import BOOLEAN_OPTIONAL, SUPPRESS, actions_of, make_parser, names_of, plain
from miles_lint.source import Span

_START = Span(0, 0)
ORIGIN = "__origin__"


@dataclass(frozen=True, slots=True)
class Taken:
    """What was read from an owner: its options, the files that told them, and what could not be told."""

    options: tuple[Option, ...]
    files: tuple[str, ...]
    lost: tuple[str, ...] = ()


def read_owner(owner: Owner, root: str) -> Taken | None:
    """The options that an owner's sources add; None when the function is not there."""
    folder = holder_of(root, owner.package)
    if folder is None:
        return None
    tree = SourceTree({owner.package: folder})
    machine = reading(tree, THOROUGH)
    frame = Frame(importer(), {}, None, machine.space.always)
    adder = member(machine, owner.adder)
    if adder is None:
        return None
    parser = make_parser(machine, frame, Arguments(), _START, machine.origin(frame, _START))
    machine.live = machine.space.always
    call(machine, frame, adder, Arguments((parser,), {name: Known(True) for name in owner.keywords}), _START)
    record = machine.parsers[0]
    options = tuple(_option(machine, tree, action) for _, action in actions_of(machine, record))
    lost = tuple(f"{place.path}: {why}" for place, why in machine.widened if "option" in why)
    return Taken(options, tuple(sorted(set(tree.read.values()))), lost)


_KEPT = ("dest", "nargs", "const", "const_value", "default", "choices", "required", "new_flag")


def _option(machine: Machine, tree: SourceTree, action: InstanceObject) -> dict[str, Any]:
    fields = action.fields
    made: dict[str, Any] = {"names": list(names_of(machine, action))}
    word = action_word(machine, fields["action"])
    if isinstance(fields["action"], Text):
        made["action"] = word
    elif word == "boolean_optional":
        made["names"] = [name for name in made["names"] if not name.startswith("--no-")]
        made["action"] = {"$": BOOLEAN_OPTIONAL}
    else:
        made["action"] = {"$": type_name(machine, fields["action"])}
        made[EFFECT] = word
    converter = type_name(machine, fields["type"])
    if not isinstance(fields["type"], Known):
        made["type"] = {"$": converter}
    for name in _KEPT:
        if name in fields:
            told = _encode(machine, fields[name])
            if told is not None or name == "default":
                made[name] = told
    if is_deprecated(machine, action):
        made[OUTDATED] = True
    site = tree.site(action.origin.place) if action.origin is not None else None
    if site is not None:
        made[ORIGIN] = f"{site.path}:{site.row}"
    return made


def _encode(machine: Machine, value: Value) -> object:
    if isinstance(value, Callee) and value.name == SUPPRESS:
        return {"$": SUPPRESS}
    told = to_data(machine, value)
    return {"?": True} if told is UNKNOWN else told


def _parser(machine: Machine, value: Value | None) -> InstanceObject:
    """The parser that a trainer hands on. Raises `NoTrainer` where it is not known."""
    leaf = machine.narrow(value) if value is not None else None
    target = machine.object(leaf) if isinstance(leaf, Ref) else None
    if not isinstance(target, InstanceObject) or "add_argument" not in target.fields:
        raise NoTrainer("what its parser is cannot be told")
    return target


def replay(machine: Machine, frame: Frame, parser: Value | None, options: Sequence[Option], span: Span) -> None:
    """Call `parser.add_argument` for every option, whatever the trainer has put in that place."""
    target = _parser(machine, parser)
    for option in options:
        names = tuple(machine.text(name) for name in option["names"])
        keywords = {name: _decode(machine, data) for name, data in option.items() if name != "names"}
        if EFFECT in keywords:
            keywords["action"] = native(str(option["action"]["$"]), None)
        call(machine, frame, target.fields["add_argument"], Arguments(names, keywords), span)


def _decode(machine: Machine, data: object) -> Value:
    if isinstance(data, dict) and "$" in data:
        name = str(data["$"])
        builtin = "." not in name and name != "unknown"
        return Callee("builtin" if builtin else "external", name)
    if data == {"?": True}:
        return Unknown(Reason.OUTSIDE, "known only when it runs")
    return from_python(machine, data, None)


Native = Callable[[Machine, Frame, Arguments, Span], Value]


def stand_ins(taken: Mapping[str, Sequence[Option]]) -> dict[str, Native]:
    """Handlers for the functions of the owners that a trainer calls while it builds its parser."""
    found: dict[str, Native] = {}
    for owner in OWNERS:
        options = taken.get(owner.name, ())

        def add(
            machine: Machine, frame: Frame, args: Arguments, span: Span, options: Sequence[Option] = options
        ) -> Value:
            parser = args.get(0, "parser")
            replay(machine, frame, parser, options, span)
            return parser if parser is not None else Known(None)

        found.update(dict.fromkeys(owner.known_as, add))
    found["megatron.training.arguments.parse_args"] = _megatron_parse(found[OWNERS[0].adder])
    found["megatron.training.arguments.validate_args"] = _nothing
    return found


def _nothing(machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
    return Known(None)


def _megatron_parse(add: Native) -> Native:
    """Megatron's `parse_args`: its own options, then the trainer's, no abbreviations."""

    def parse(machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
        origin = machine.origin(frame, span)
        parser: Value = make_parser(machine, frame, Arguments((), {"allow_abbrev": Known(False)}), span, origin)
        add(machine, frame, Arguments((parser,)), span)
        provider = args.get(0, "extra_args_provider")
        if provider is not None and not (isinstance(provider, Known) and provider.value is None):
            parser = call(machine, frame, provider, Arguments((parser,)), span)
        made = _parser(machine, parser)
        lenient = plain(args.get(1, "ignore_unknown_args")) is True
        given = call(machine, frame, made.fields["parse_known_args" if lenient else "parse_args"], Arguments(), span)
        return given.items[0][1] if lenient and hasattr(given, "items") else given

    return parse
