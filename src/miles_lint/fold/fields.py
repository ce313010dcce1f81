"""The fields of a dataclass, as its body declares them."""

from __future__ import annotations

from miles_lint.domain.value import Callee, Known, Value
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.heap import ClassObject, Field, Frame
from miles_lint.fold.machine import Machine
from miles_lint.program import nodes as n


def asked(node: n.ClassDef, option: str, value: bool = True) -> bool:
    """Whether `@dataclass(option=value)` stands on a class."""
    given = (arg for d in node.decorators if isinstance(d, n.Call) for arg in d.args if arg.keyword == option)
    return any(isinstance(arg.value, n.Constant) and arg.value.value is value for arg in given)


def collect_fields(machine: Machine, frame: Frame, node: n.ClassDef, made: ClassObject, inner: Frame) -> None:
    for statement in node.body:
        if not isinstance(statement, n.AnnAssign) or not isinstance(statement.target, n.Name):
            continue
        if _head(statement.annotation) == "ClassVar":
            continue
        name = statement.target.id
        default = made.names.pop(name, None)
        factory: Value | None = None
        metadata: Value | None = None
        init = True
        keyword = asked(node, "kw_only")
        if isinstance(default, Callee) and default.kind == "field":
            arguments = default.target
            assert isinstance(arguments, Arguments)
            factory = arguments.keywords.get("default_factory")
            metadata = arguments.keywords.get("metadata")
            given = arguments.keywords.get("init")
            init = not (isinstance(given, Known) and given.value is False)
            by_name = arguments.keywords.get("kw_only")
            keyword = keyword or (isinstance(by_name, Known) and by_name.value is True)
            default = _field_default(arguments)
        origin = machine.origin(frame, statement.target.span)
        if default is None and factory is None and name in made.fields:
            default = made.fields[name].default
        passing = _head(statement.annotation) == "InitVar"
        made.fields[name] = Field(
            name, statement.annotation, default, factory, init, origin, inner, metadata, passing, keyword
        )


def _field_default(arguments: Arguments) -> Value | None:
    default = arguments.get(0, "default")
    return None if isinstance(default, Known) and default.value is ... else default


def _head(annotation: n.Expr) -> str:
    """The name of an annotation without what stands in brackets behind it."""
    head = annotation.value if isinstance(annotation, n.Subscript) else annotation
    return head.id if isinstance(head, n.Name) else head.name if isinstance(head, n.Attribute) else ""
