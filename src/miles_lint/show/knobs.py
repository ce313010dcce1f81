"""The knobs of a recipe: what may be passed to it, with types, listed values, defaults and places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from miles_lint.domain.guard import OTHER, Variable
from miles_lint.fold.heap import Module
from miles_lint.fold.knobs import describe
from miles_lint.launch import Launch
from miles_lint.program import nodes as n
from miles_lint.program.walk import walk
from miles_lint.show.blocks import Programs
from miles_lint.show.places import Texts
from miles_lint.source import Place

_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class BadValue(Exception):
    """A text that is no value of a knob; the message says what would be."""


@dataclass(frozen=True)
class Knob:
    """One input of a recipe. `values` are those it is known to tell apart, the default first; `open` allows others.

    `computed` tells a default that is no constant: it has no entry in `values`. `annotation` is the text of
    its type, `kind` the type it stands for, where there is one.
    """

    name: str
    environment: bool
    values: tuple[object, ...]
    open: bool
    computed: bool
    place: Place | None = None
    annotation: str = ""
    kind: type | None = None
    optional: bool = False

    @property
    def default(self) -> object:
        """The default, where it is a constant."""
        return None if self.computed or not self.values else self.values[0]

    @property
    def required(self) -> bool:
        """Whether it has no default at all: no constant, and none that is computed."""
        return not self.environment and not self.computed and not self.values

    def parse(self, text: str) -> object:
        """The value that a text on the command line means. Raises `BadValue`."""
        if not self.open:
            for value in self.values:
                if text == str(value) or (isinstance(value, bool) and _BOOLEANS.get(text.lower()) is value):
                    return value
            if text.lower() == "none" and None in self.values:
                return None
            raise BadValue(f"possible values: {', '.join(map(str, self.values))}")
        if text.lower() == "none" and (self.optional or None in self.values):
            return None
        return self._converted(text)

    def _converted(self, text: str) -> object:
        kind = self.kind or next((type(value) for value in self.values if value is not None), str)
        if kind is bool:
            if text.lower() not in _BOOLEANS:
                raise BadValue("possible values: true, false")
            return _BOOLEANS[text.lower()]
        if kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                raise BadValue(f"expected {'an integer' if kind is int else 'a number'}") from None
        return text


def knobs_of(launches: Iterable[Launch], texts: Texts, program: Programs) -> tuple[Knob, ...]:
    """Every knob of these launches once, in the order in which the recipe reads them."""
    found: dict[str, Knob] = {}
    for launch in launches:
        for variable in launch.space.variables:
            if not variable.opaque and variable.name not in found:
                found[variable.name] = _knob(variable, texts, program)
    return tuple(found.values())


def _knob(variable: Variable, texts: Texts, program: Programs) -> Knob:
    listed = [value for value in variable.domain if value is not OTHER]
    plain = tuple(value for value in listed if isinstance(value, (type(None), bool, int, float, str)))
    computed = len(plain) != len(listed)
    environment = variable.name.startswith("env:")
    name = variable.name[4:] if environment else variable.name
    open_ = OTHER in variable.domain or computed
    place = variable.source if isinstance(variable.source, Place) else None
    annotation = _annotation(place, program)
    if place is None or annotation is None:
        return Knob(name, environment, plain, open_, computed, place, kind=str if environment else None)
    file = program(place.path)
    assert file is not None
    kind, _, optional, _ = describe(annotation, Module("", place.path, lambda: file))
    written = texts.excerpt(Place(place.path, annotation.span))
    return Knob(name, environment, plain, open_, computed, place, " ".join(written.split()), kind, optional)


def _annotation(place: Place | None, program: Programs) -> n.Expr | None:
    """The annotation of the field or parameter whose name stands at a place."""
    file = program(place.path) if place is not None else None
    if place is None or file is None:
        return None
    for node in walk(file.body):
        if isinstance(node, n.AnnAssign) and node.target.span == place.span:
            return node.annotation
        if isinstance(node, n.Param) and node.span == place.span:
            return node.annotation
    return None
