"""`argparse` parsers as objects of the fold: what `add_argument` was told, and the namespace that parsing gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Callee, Items, Known, Reason, Ref, Text, Unknown, Value, choose
from miles_lint.fold import attributes, knobs
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import ClassObject, DictObject, Frame, FunctionObject, InstanceObject, ListObject
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n
from miles_lint.source import Span

BOOLEAN_OPTIONAL = "argparse.BooleanOptionalAction"
SUPPRESS = "argparse.SUPPRESS"
_SWITCHES = {"store_true": (True, False), "store_false": (False, True)}
_NO_VALUE = frozenset(("store_true", "store_false", "store_const", "append_const", "count", "help", "version"))
_FROM_INIT = ("nargs", "const", "default", "type", "choices", "required")
_GROUPS = ("add_argument_group", "add_mutually_exclusive_group")


@dataclass(eq=False, slots=True)
class Parser:
    """One parser: its actions in order of definition (objects on the heap), its defaults, and when it was read.

    `parsed` holds the condition of each reading and whether it refuses what it does not know; `origins` the place
    of each `add_argument` call by the cell of its action.
    """

    actions: Ref
    keywords: Mapping[str, Value]
    defaults: dict[str, Value] = field(default_factory=dict)
    parsed: list[tuple[Guard, bool]] = field(default_factory=list)
    origins: dict[int, Origin] = field(default_factory=dict)
    namespace: Ref | None = None


Native = Callable[[Machine, Frame, Arguments, Span], Value]


def make_parser(machine: Machine, frame: Frame, args: Arguments, span: Span, origin: Origin) -> Value:
    """`argparse.ArgumentParser(…)`."""
    actions = machine.allocate(ListObject([], machine.live, origin=origin))
    record = Parser(actions, args.keywords)
    machine.parsers.append(record)
    return _container(machine, record, origin)


def _container(machine: Machine, record: Parser, origin: Origin) -> Ref:
    cls = machine.allocate(
        ClassObject("ArgumentParser", "argparse.ArgumentParser", [], {}, {}, False, machine.space.always)
    )
    methods: dict[str, Native] = {
        "add_argument": partial(_add_argument, record),
        **dict.fromkeys(_GROUPS, partial(_group, record)),
        "set_defaults": partial(_set_defaults, record),
        "get_default": partial(_get_default, record),
        "parse_args": partial(_parse, record, True),
        "parse_known_args": partial(_parse, record, False),
        "error": _exit,
        "exit": _exit,
    }
    fields: dict[str, Value] = {name: Callee("native", f"parser.{name}", made) for name, made in methods.items()}
    fields["_actions"] = record.actions
    opaque = Unknown(Reason.ATTRIBUTE, "parser")
    return machine.allocate(InstanceObject(cls.cell, fields, machine.live, None, opaque, origin, native=True))


def _group(record: Parser, machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
    return _container(machine, record, machine.origin(frame, span))


def _exit(machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
    machine.fail()
    return Unknown(Reason.OUTSIDE, "exit")


def _set_defaults(record: Parser, machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
    record.defaults.update(args.keywords)
    for guard, action in actions_of(machine, record):
        dest = plain(action.fields["dest"])
        if isinstance(dest, str) and dest in args.keywords:
            with machine.under(guard):
                old = action.fields.get("default")
                action.fields["default"] = machine.guarded(old, args.keywords[dest], action.born)
    return Known(None)


def _get_default(record: Parser, machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
    wanted = plain(args.get(0, "dest"))
    for _, action in reversed(actions_of(machine, record)):
        if plain(action.fields["dest"]) == wanted:
            return action.fields["default"]
    return record.defaults.get(str(wanted), Known(None))


def actions_of(machine: Machine, record: Parser) -> list[tuple[Guard, InstanceObject]]:
    """The options of a parser in order of definition, each with the condition on which it is defined."""
    actions = machine.object(record.actions)
    assert isinstance(actions, ListObject)
    found = []
    for guard, value in actions.items:
        target = machine.object(value) if isinstance(value, Ref) else None
        if isinstance(target, InstanceObject):
            found.append((guard, target))
    return found


def plain(value: Value | None) -> object:
    """A scalar as Python has it; Ellipsis for anything that is not one."""
    if isinstance(value, Text):
        text = value.plain
        return ... if text is None else text
    return value.value if isinstance(value, Known) else ...


def names_of(machine: Machine, action: InstanceObject) -> tuple[str, ...]:
    """The option strings of an action."""
    held = action.fields["option_strings"]
    target = machine.object(held) if isinstance(held, Ref) else None
    values = [plain(value) for _, value in target.items] if isinstance(target, ListObject) else []
    return tuple(value for value in values if isinstance(value, str))


def _add_argument(record: Parser, machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
    origin = machine.origin(frame, span)
    names = [plain(value) for value in args.positional]
    if args.unknown is not None or not all(isinstance(name, str) for name in names):
        machine.widened.append((origin.place, "an option whose name is not known"))
        return Unknown(Reason.CALL, "add_argument()", None, None, origin)
    options = [str(name) for name in names if str(name).startswith("-")]
    given = dict(args.keywords)
    action = given.get("action", machine.text("store"))
    if isinstance(action, Callee) and action.name == BOOLEAN_OPTIONAL:
        options += [f"--no-{name[2:]}" for name in options if name.startswith("--")]
    fields = {**_from_action(machine, action), **given}
    fields.setdefault("dest", machine.text(_dest(options or [str(name) for name in names])))
    dest = plain(fields["dest"])
    if "default" not in given and isinstance(dest, str) and dest in record.defaults:
        fields["default"] = record.defaults[dest]
    fields.setdefault("default", record.keywords.get("argument_default", Known(None)))
    for name in _FROM_INIT:
        fields.setdefault(name, Known(None))
    always = machine.space.always
    held: list[tuple[Guard, Value]] = [(always, machine.text(name, origin)) for name in options]
    fields["option_strings"] = machine.allocate(ListObject(held, machine.live))
    fields["action"] = action
    cls = machine.allocate(ClassObject("Action", "argparse.Action", [], {}, {}, False, always))
    made = machine.allocate(InstanceObject(cls.cell, fields, machine.live, origin=origin))
    record.origins[made.cell] = origin
    actions = machine.object(record.actions)
    assert isinstance(actions, ListObject)
    actions.items.append((machine.live, made))
    return made


def _dest(names: list[str]) -> str:
    chosen = next((name for name in names if name.startswith("--")), names[0] if names else "")
    return chosen.lstrip("-").replace("-", "_")


def _from_action(machine: Machine, action: Value) -> dict[str, Value]:
    """What an action brings along: argparse's own words, or the parameters of the program's action class."""
    word = plain(action)
    if word in _SWITCHES:
        const, default = _SWITCHES[str(word)]
        return {"nargs": Known(0), "const": Known(const), "default": Known(default)}
    if word in _NO_VALUE or (isinstance(action, Callee) and action.name == BOOLEAN_OPTIONAL):
        return {"nargs": Known(0)}
    init = attributes.find(machine, action.cell, "__init__") if isinstance(action, Ref) else None
    if isinstance(init, Callee) and isinstance(init.target, FunctionObject):
        return {name: value for name, value in init.target.defaults.items() if name in _FROM_INIT}
    return {}


def matching(machine: Machine, frame: Frame, node: n.For, iterable: Value) -> list[tuple[Guard, Value]] | None:
    """The actions that `for a in parser._actions: if NAME in a.option_strings: …` acts on; None for other loops."""
    record = next((record for record in machine.parsers if record.actions == iterable), None)
    if record is None or not isinstance(node.target, n.Name) or len(node.body) != 1:
        return None
    test = node.body[0].test if isinstance(node.body[0], n.If) and not node.body[0].orelse else None
    if not isinstance(test, n.Compare) or len(test.rest) != 1 or test.rest[0][0] != "in":
        return None
    held = test.rest[0][1]
    if not isinstance(held, n.Attribute) or held.name != "option_strings" or not isinstance(held.value, n.Name):
        return None
    name = plain(machine.run.evaluate(machine, frame, test.left))
    if held.value.id != node.target.id or not isinstance(name, str):
        return None
    actions = machine.object(record.actions)
    assert isinstance(actions, ListObject)
    known = zip(actions.items, actions_of(machine, record))
    return [pair for pair, (_, action) in known if name in names_of(machine, action)]


def _parse(record: Parser, strict: bool, machine: Machine, frame: Frame, args: Arguments, span: Span) -> Value:
    origin = machine.origin(frame, span)
    record.parsed.append((machine.live, strict))
    machine.parsers.remove(record)
    machine.parsers.append(record)
    given = args.get(0, "args")
    own = given is None or (isinstance(given, Known) and given.value is None)
    namespace = machine.read_parser(machine, record, origin) if own and machine.read_parser else None
    if namespace is None:
        namespace = _namespace(machine, frame, record, origin, own)
    if strict:
        return namespace
    always = machine.space.always
    rest = Unknown(Reason.OUTSIDE, "arguments that the parser does not know", list, None, origin)
    return Items(((always, namespace), (always, rest)))


def make_namespace(machine: Machine, values: dict[str, Value], origin: Origin, absent: dict[str, Guard]) -> Ref:
    """The object that parsing gives: these attributes and no others."""
    cls = machine.allocate(ClassObject("Namespace", "argparse.Namespace", [], {}, {}, False, machine.space.always))
    return machine.allocate(InstanceObject(cls.cell, values, machine.live, origin=origin, absent=absent))


def _namespace(machine: Machine, frame: Frame, record: Parser, origin: Origin, own: bool) -> Ref:
    """The namespace of a recipe's own command line: every option is a knob."""
    values = dict(record.defaults)
    for guard, action in actions_of(machine, record):
        dest = plain(action.fields["dest"])
        if isinstance(dest, str):
            made = _value(machine, frame, dest, action, own)
            old = values.get(dest)
            values[dest] = made if old is None else choose(((guard, made), (~guard, old)))
    return make_namespace(machine, values, origin, {})


def _value(machine: Machine, frame: Frame, dest: str, action: InstanceObject, own: bool) -> Value:
    default = action.fields["default"]
    where = action.origin
    assert where is not None
    if not own or plain(action.fields["nargs"]) not in (None, 0):
        return Unknown(Reason.KNOB, dest, None, None, where)
    annotation = _annotation(machine, action, where.place.span)
    required = plain(action.fields["required"]) is True or not names_of(machine, action)
    return knobs.knob(machine, frame, dest, annotation, None if required else default, where)


def _annotation(machine: Machine, action: InstanceObject, span: Span) -> n.Expr | None:
    """The annotation that a dataclass field of the same kind would have."""
    if plain(action.fields["nargs"]) == 0:
        return n.Name("bool", span)
    listed = [plain(value) for _, value in _choices(machine, action.fields["choices"])]
    if listed and ... not in listed:
        elements = tuple(
            n.Literal((n.Run(value, span, False),), span) if isinstance(value, str) else n.Constant(value, span)
            for value in listed
        )
        return n.Subscript(n.Name("Literal", span), n.Sequence("tuple", elements, span), span)
    converter = action.fields["type"]
    if isinstance(converter, Callee) and converter.kind == "builtin":
        return n.Name(converter.name, span)
    return n.Name("str", span) if isinstance(converter, Known) else None


def _choices(machine: Machine, value: Value) -> tuple[tuple[Guard, Value], ...]:
    if isinstance(value, Items):
        return value.items
    target = machine.object(value) if isinstance(value, Ref) else None
    if isinstance(target, ListObject) and target.tail is None:
        return tuple(target.items)
    if isinstance(target, DictObject) and target.unknown is None:
        return tuple((guard, machine.text(key)) for guard, key, _, _ in target.entries if isinstance(key, str))
    return ()
