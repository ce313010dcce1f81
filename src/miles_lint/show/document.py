"""Launches as JSON, version 1; the shape is told in docs/fold-json.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from miles_lint.domain.guard import OTHER, Guard, TooComplex, Variable
from miles_lint.domain.provenance import Origin
from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Chars, Text, Unknown
from miles_lint.launch import Launch
from miles_lint.show.argv import argv, driver_text
from miles_lint.show.guards import Cube, at, cover, knob_name, words
from miles_lint.show.knobs import Knob
from miles_lint.show.places import Texts
from miles_lint.show.unknowns import Gap
from miles_lint.show.view import Option, Setting, Word, at_defaults, view
from miles_lint.source import Place

SCHEMA = 1
_ALTERNATIVES = 32
_HOLDS = {Truth.YES: True, Truth.NO: False, Truth.MAYBE: None}
Json = dict[str, Any]


@dataclass(frozen=True)
class Document:
    """Builds the JSON of a recipe; places are told with rows and columns from `texts`."""

    texts: Texts

    def recipe(
        self,
        launches: Sequence[Launch],
        entries: Sequence[str],
        knobs: Iterable[Knob],
        gaps: Iterable[Gap],
        given: Mapping[str, object],
        environment: Mapping[str, str],
    ) -> Json:
        return {
            "schema": SCHEMA,
            "recipe": self.texts.main.path,
            "entries": list(entries),
            "set": dict(given),
            "environment": dict(environment),
            "knobs": [self.knob(knob) for knob in knobs],
            "launches": [self.launch(launch) for launch in launches],
            "unknowns": [
                {"text": gap.shown, "reason": gap.reason, "detail": gap.detail, "place": self.place(gap.place)}
                for gap in gaps
            ],
        }

    def knob(self, knob: Knob) -> Json:
        return {
            "name": knob.name,
            "kind": "environment" if knob.environment else "field",
            "type": knob.annotation or None,
            "default": knob.default,
            "default_known": not knob.computed and not knob.required,
            "required": knob.required,
            "values": list(knob.values),
            "open": knob.open,
            "place": self.place(knob.place),
        }

    def launch(self, launch: Launch) -> Json:
        whole, default = view(launch), at_defaults(launch)
        choice = default.choice or {}
        return {
            "entry": launch.entry,
            "site": self.place(launch.site),
            "calls": [self.place(place) for place in launch.via],
            "when": self.condition(launch.guard, choice),
            "driver": [self.setting(setting, choice) for setting in whole.driver],
            "model_type": [self.setting(setting, choice) for setting in whole.model_type],
            "environment": [
                {"name": name, "values": [self.setting(setting, choice) for setting in settings]}
                for name, settings in whole.environment
            ],
            "argv": [self.word(word, choice) for word in whole.words],
            "defaults": {
                "moved": {
                    knob_name(variable): None if variable.domain[index] is OTHER else _plain(variable.domain[index])
                    for variable, index in choice.items()
                    if index != variable.default
                },
                "driver": driver_text(default.driver) if default.driver else None,
                "argv": list(argv(default)),
            },
        }

    def word(self, word: Word, choice: Mapping[Variable, int]) -> Json:
        return {
            "model": word.argument.model,
            "alternatives": [self.option(option, choice) for option in word.options],
            "place": self.origin(next(word.argument.origins(), None)),
        }

    def option(self, option: Option, choice: Mapping[Variable, int]) -> Json:
        return {
            "text": option.shown,
            "pieces": self.pieces(option.text) if option.text.plain is None else None,
            "when": self.condition(option.guard, choice),
        }

    def setting(self, setting: Setting, choice: Mapping[Variable, int]) -> Json:
        value = setting.value
        pieces = self.pieces(value) if isinstance(value, Text) and value.plain is None else None
        if isinstance(value, Unknown):
            pieces = [{"hole": value.reason.value, "detail": value.detail}]
        return {
            "text": setting.shown,
            "pieces": pieces,
            "when": self.condition(setting.guard, choice),
            "place": self.origin(setting.origin),
        }

    def pieces(self, text: Text) -> list[Json]:
        """The parts of a text: known characters side by side in one, each hole for itself."""
        found: list[Json] = []
        for piece in text.pieces:
            if isinstance(piece, Chars):
                if found and "text" in found[-1]:
                    found[-1]["text"] += piece.text
                else:
                    found.append({"text": piece.text})
            else:
                found.append({"hole": piece.unknown.reason.value, "detail": piece.unknown.detail})
        return found

    def condition(self, guard: Guard, choice: Mapping[Variable, int]) -> Json | None:
        """A guard in words and as alternatives of tests; None for one that always holds."""
        if guard.certain:
            return None
        try:
            found = cover(guard, _ALTERNATIVES)
        except TooComplex:
            return {"text": words(guard), "negated": False, "complete": False, "any": [], "at_defaults": None}
        return {
            "text": words(guard),
            "negated": found.negated,
            "complete": found.complete,
            "any": [self.tests(cube) for cube in found.cubes],
            "at_defaults": _HOLDS[at(guard, choice)],
        }

    def tests(self, cube: Cube) -> list[Json]:
        found: list[Json] = []
        for variable, indices in cube.items():
            if variable.opaque:
                found.append({"condition": variable.name, "holds": 0 in indices})
                continue
            chosen = [variable.domain[index] for index in sorted(indices)]
            listed = [_plain(value) for value in chosen if value is not OTHER]
            found.append({"knob": knob_name(variable), "values": listed, "others": OTHER in chosen})
        return found

    def origin(self, origin: Origin | None) -> Json | None:
        if origin is None:
            return None
        made = self.place(origin.place)
        assert made is not None
        return {**made, "calls": [self.place(place) for place in origin.via]}

    def place(self, place: Place | None) -> Json | None:
        if place is None:
            return None
        row, column = self.texts.position(place) or (None, None)
        return {"path": place.path, "row": row, "column": column}


def _plain(value: object) -> object:
    """A constant of a domain; what is no constant by its name."""
    return value if isinstance(value, (type(None), bool, int, float, str)) else repr(value)
