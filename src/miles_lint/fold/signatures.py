"""Calls that Python refuses with a TypeError: what is passed that is not taken, what is needed and not passed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Ref
from miles_lint.fold.arguments import Arguments
from miles_lint.fold.events import Kind
from miles_lint.fold.heap import FunctionObject, InstanceObject
from miles_lint.fold.machine import Machine
from miles_lint.fold.telling import tell
from miles_lint.source import Place, Span


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as callers see it; `kind` is positional, keyword, `*` or `**`."""

    name: str
    kind: str
    needed: bool


def of_function(target: FunctionObject) -> tuple[Parameter, ...]:
    """The parameters of a function of the program."""
    return tuple(
        Parameter(p.name, p.kind, p.kind not in ("*", "**") and p.name not in target.defaults) for p in target.params
    )


def of_method(machine: Machine, target: FunctionObject, args: Arguments) -> tuple[tuple[Parameter, ...], Arguments]:
    """Parameters and arguments of a call whose first argument may be the object of a bound method."""
    parameters = of_function(target)
    bound = args.positional[:1]
    if (
        parameters
        and parameters[0].name == "self"
        and bound
        and isinstance(bound[0], Ref)
        and isinstance(machine.object(bound[0]), InstanceObject)
    ):
        return parameters[1:], Arguments(args.positional[1:], args.keywords, args.unknown, args.spans)
    return parameters, args


def mismatches(parameters: Sequence[Parameter], args: Arguments) -> Iterator[tuple[Kind, str]]:
    """Every keyword that no parameter takes; without one, every parameter that gets no value."""
    named = {p.name for p in parameters if p.kind not in ("*", "**")}
    strange = [name for name in args.keywords if name not in named]
    if strange and not any(p.kind == "**" for p in parameters):
        yield from ((Kind.KEYWORD, name) for name in strange)
        return
    if args.unknown is not None:
        return
    places = [p.name for p in parameters if p.kind == "positional"]
    filled = {*places[: len(args.positional)], *args.keywords}
    yield from ((Kind.ARGUMENT, p.name) for p in parameters if p.needed and p.name not in filled)


def tell_mismatches(
    machine: Machine,
    parameters: Sequence[Parameter],
    args: Arguments,
    call: Origin,
    owner: str,
    defined: Origin | None,
) -> None:
    """Remember what is wrong with a call; a keyword is told where it stands, all else at the call."""
    options = tuple(p.name for p in parameters if p.kind not in ("*", "**"))
    places = (defined,) if defined is not None else ()
    for kind, name in mismatches(parameters, args):
        span = args.spans.get(name)
        origin = call if span is None else Origin(Place(call.place.path, _keyword(span, name)), call.via)
        tell(machine, kind, origin, name, owner=owner, options=options, places=places)


def _keyword(span: Span, name: str) -> Span:
    """The span of the keyword itself at the beginning of `name=value`."""
    return Span(span.start, min(span.end, span.start + len(name)))
