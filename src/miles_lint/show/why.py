"""The story of one flag: where it was written, through which calls, under what guard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.truth import Truth
from miles_lint.domain.value import Chars
from miles_lint.show.argv import quoted
from miles_lint.show.guards import at, words
from miles_lint.show.places import Texts
from miles_lint.show.table import Paint, shortened
from miles_lint.show.view import Row, Setting, View, Word, at_defaults

_BOLD, _DIM, _FLAG = "1", "2", "36"
_AT_DEFAULTS = {
    Truth.YES: "present at the defaults",
    Truth.NO: "absent at the defaults",
    Truth.MAYBE: "at the defaults it depends on something not known",
}


def names(views: Iterable[View]) -> tuple[str, ...]:
    """Every flag and environment variable that can be asked for."""
    found: dict[str, None] = {}
    for view in views:
        found.update((row.name, None) for row in view.rows if row.name)
        found.update((f"${name}", None) for name, _ in view.environment)
    return tuple(found)


def story(view: View, wanted: str, texts: Texts, paint: Paint) -> Iterator[str]:
    """The lines about one flag, or one `$VARIABLE`, in a launch; none when it is not there."""
    entry = paint(view.launch.entry, _BOLD)
    choice = at_defaults(view.launch).choice or {}
    for row in view.rows:
        if row.name == wanted:
            yield f"{entry}: {paint(wanted, _FLAG)} {_values(row)}".rstrip()
            guard = _present(row.words[0])
            yield f"  {_condition(words(guard, mark=True))}; {_AT_DEFAULTS[at(guard, choice)]}"
            yield from _written(row, texts, paint)
    for name, settings in view.environment:
        if f"${name}" == wanted:
            for setting in settings:
                yield f"{entry}: {paint(wanted, _FLAG)} = {setting.shown}"
                yield f"  {_condition(words(setting.guard, mark=True))}"
                yield from _setting(setting, texts, paint)


def _condition(told: str) -> str:
    if not told:
        return "whenever the launch happens"
    return told if told.startswith("unless ") else f"when {told}"


def _values(row: Row) -> str:
    alternatives = [" | ".join(quoted(shortened(option.shown)) for option in word.options) for word in row.words[1:]]
    return " ".join(alternatives)


def _present(word: Word) -> Guard:
    guard = word.options[0].guard
    for option in word.options[1:]:
        guard = guard | option.guard
    return guard


def _written(row: Row, texts: Texts, paint: Paint) -> Iterator[str]:
    """Every piece of the words of a row once, under all the conditions that it stands under."""
    found: dict[Origin, tuple[str, Guard]] = {}
    for word in row.words:
        for option in word.options:
            for piece in option.text.pieces:
                if piece.origin is not None:
                    shown = piece.text if isinstance(piece, Chars) else str(piece.unknown)
                    known = found.get(piece.origin)
                    found[piece.origin] = shown, option.guard if known is None else known[1] | option.guard
    for origin, (shown, guard) in found.items():
        yield from _origin(shortened(shown), origin, words(guard, mark=True), texts, paint)


def _setting(setting: Setting, texts: Texts, paint: Paint) -> Iterator[str]:
    if setting.origin is not None:
        yield from _origin(setting.shown or "None", setting.origin, "", texts, paint)


def _origin(shown: str, origin: Origin, told: str, texts: Texts, paint: Paint) -> Iterator[str]:
    when = f"   {_condition(told)}" if told else ""
    yield f"  {quoted(shown)}{paint(when, '35')}"
    yield f"      written at   {texts.label(origin.place)}  {paint(texts.line(origin.place), _DIM)}"
    for place in reversed(origin.via):
        yield f"      called from  {texts.label(place)}  {paint(texts.line(place), _DIM)}"
