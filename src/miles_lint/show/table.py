"""A launch as a table: a heading, then one flag a line, block by block of the recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from miles_lint.domain.guard import OTHER, Guard
from miles_lint.domain.provenance import Origin
from miles_lint.show.argv import quoted
from miles_lint.show.blocks import Block, Blocks
from miles_lint.show.guards import words
from miles_lint.show.knobs import Knob
from miles_lint.show.places import Texts
from miles_lint.show.unknowns import Gap
from miles_lint.show.view import Option, Row, Setting, View
from miles_lint.source import Place

Paint = Callable[[str, str], str]
_BOLD, _DIM, _FLAG, _HOLE, _GUARD = "1", "2", "36", "33", "35"
_LONGEST = 160


@dataclass(frozen=True)
class Table:
    """What a table needs beside the launch: texts, blocks, a painter. `model` shows the model's own words too."""

    texts: Texts
    blocks: Blocks
    paint: Paint
    model: bool = False

    def launch(self, view: View) -> Iterator[str]:
        """The lines of one launch."""
        launch = view.launch
        drivers = " | ".join(filter(None, (setting.shown for setting in view.driver)))
        heading = f"{launch.entry} → {drivers or '⟨driver⟩'}"
        yield f"{self.paint(heading, _BOLD)}{self.note(view)}"
        yield from self.field("launched at", self.through(launch.site, launch.via))
        reached = words(view.guard, mark=view.choice is None)
        if reached:
            yield from self.field("reached", reached if reached.startswith("unless ") else f"when {reached}")
        moved = self.moved(view)
        if moved:
            yield from self.field("knobs", f"{moved} (the default is refused)")
        if len(view.driver) > 1:
            yield from self.settings("driver", view.driver)
        yield from self.settings("model type", view.model_type)
        yield from self.rows(view)
        if view.environment:
            yield ""
            yield f"  {self.paint('environment', _BOLD)}"
        for name, settings in view.environment:
            for setting in settings:
                origin = setting.origin
                here = origin if origin is not None and origin.place.path == self.texts.main.path else None
                yield f"{self.gutter(here)}{self.paint(name, _FLAG)}={self.setting(setting)}"

    def note(self, view: View) -> str:
        return self.paint(
            "   at the defaults" if view.choice is not None else "   at all knobs; * holds at the default", _DIM
        )

    def through(self, site: Place, via: Sequence[Place]) -> str:
        """A place and the calls that lead to it, innermost first; a file is named once for the rows in it."""
        told = self.texts.label(site)
        path = site.path
        for index, place in enumerate(reversed(via)):
            label = f":{self.texts.row(place)}" if place.path == path else self.texts.label(place)
            told += f"{', ' if index else ', called from '}{label}"
            path = place.path
        return told

    def field(self, name: str, text: str) -> Iterator[str]:
        yield f"  {self.paint(f'{name:<12}', _DIM)} {text}"

    def moved(self, view: View) -> str:
        """Knobs that are not at their default because the launch would not happen there."""
        found = []
        for variable, index in (view.choice or {}).items():
            if variable.default is not None and index != variable.default:
                value = variable.domain[index]
                found.append(f"{variable.name} = {'another value' if value is OTHER else repr(value)}")
        return ", ".join(found)

    def settings(self, name: str, settings: Sequence[Setting]) -> Iterator[str]:
        for index, setting in enumerate(settings):
            if setting.shown is None and len(settings) == 1:
                return
            yield from self.field(name if not index else "", self.setting(setting))

    def setting(self, setting: Setting) -> str:
        shown = "none" if setting.shown is None else quoted(shortened(setting.shown))
        place = setting.origin.place if setting.origin is not None else None
        elsewhere = place is not None and place.path != self.texts.main.path
        where = self.paint(f"   {self.texts.label(place)}", _DIM) if place is not None and elsewhere else ""
        return f"{self.value(shown)}{self.guard(setting.guard)}{where}"

    def rows(self, view: View) -> Iterator[str]:
        own = [row for row in view.rows if self.model or not row.model]
        current: Block | None = None
        for row in own:
            block = self.blocks.block(row.origin)
            if block != current:
                current = block
                where = f"  {self.paint(block.path, _DIM)}" if block.path != self.texts.main.path else ""
                yield ""
                yield f"  {self.paint(block.name or '(no place)', _BOLD)}{where}"
            yield from self.row(row)
        hidden = [row for row in view.rows if row.model]
        if hidden and not self.model:
            files = dict.fromkeys(row.origin.place.path for row in hidden if row.origin is not None)
            yield ""
            yield f"  {self.paint('model arguments', _BOLD)}  {len(hidden)} from {', '.join(files)} (shown by --model)"

    def row(self, row: Row) -> Iterator[str]:
        """A flag and its values; where they have alternatives, one line for each."""
        gutter = self.gutter(row.origin)
        head = row.words[0]
        rest = row.words[1:]
        if len(head.options) > 1 or not rest:
            for option in head.options:
                yield f"{gutter}{self.flag(option)}{self.guard(option.guard)}"
                gutter = " " * 8
            gutter = f"{gutter}  "
        else:
            gutter += f"{self.flag(head.options[0])} "
        plain = all(word.certain or _same(word.options, head.options) for word in row.words)
        if rest and len(head.options) == 1 and plain:
            values = " ".join(self.value(quoted(shortened(word.options[0].shown))) for word in rest)
            yield f"{gutter} {values}{self.guard(head.options[0].guard)}"
            return
        indent = " " * (8 + len(head.options[0].shown) + 1)
        for word in rest:
            for option in word.options:
                yield f"{gutter} {self.value(quoted(shortened(option.shown)))}{self.guard(option.guard)}"
                gutter = indent

    def gutter(self, origin: Origin | None) -> str:
        number = str(self.texts.row(origin.place)) if origin is not None else ""
        return f"{self.paint(f'{number:>6}', _DIM)}  "

    def flag(self, option: Option) -> str:
        text = quoted(shortened(option.shown))
        return self.paint(text, _HOLE if "⟨" in text else _FLAG)

    def value(self, text: str) -> str:
        return self.paint(text, _HOLE) if "⟨" in text else text

    def guard(self, guard: Guard) -> str:
        told = words(guard, mark=True)
        if not told:
            return ""
        return self.paint(f"   {told if told.startswith('unless ') else f'when {told}'}", _GUARD)


def _same(options: Sequence[Option], others: Sequence[Option]) -> bool:
    return len(options) == 1 and options[0].guard is others[0].guard


def shortened(text: str) -> str:
    """A long value cut for a table."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def knob_lines(knobs: Sequence[Knob], texts: Texts, given: dict[str, object], paint: Paint) -> Iterator[str]:
    """The knobs of a recipe, one a line: name, type, default, other listed values, place."""
    width = max((len(_name(knob)) for knob in knobs), default=0)
    for knob in knobs:
        where = f"  {texts.label(knob.place)}" if knob.place is not None else ""
        told = f"{_name(knob):<{width}}"
        kind = f"  {knob.annotation}" if knob.annotation else ""
        yield f"{paint(told, _FLAG)}{kind}{_default(knob)}{_others(knob)}{paint(where, _DIM)}{_given(knob, given)}"


def _name(knob: Knob) -> str:
    return f"${knob.name}" if knob.environment else knob.name


def _default(knob: Knob) -> str:
    if knob.environment:
        return "  unset"
    if knob.computed:
        return "  = computed"
    return "  required" if knob.required else f"  = {knob.default!r}"


def _others(knob: Knob) -> str:
    listed = knob.values if knob.computed else knob.values[1:]
    others = [repr(value) for value in listed]
    if knob.open and (others or knob.environment):
        others.append("…")
    return f"  or {', '.join(others)}" if others else ""


def _given(knob: Knob, given: dict[str, object]) -> str:
    return f"  set to {given[knob.name]!r}" if knob.name in given else ""


def gap_lines(gaps: Sequence[Gap], texts: Texts, paint: Paint) -> Iterator[str]:
    """What is not known, with its place."""
    for gap in gaps:
        where = texts.label(gap.place) if gap.place is not None else "no place"
        yield f"  {paint(gap.shown, _HOLE)}  {gap.reason}  {paint(where, _DIM)}"
