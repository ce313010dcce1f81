"""A line over each launch that tells what it would run, and shows the whole command."""

from __future__ import annotations

from lsprotocol import types

from miles_lint.domain.guard import TooComplex
from miles_lint.launch import Launch
from miles_lint.server.analysis import Analysis
from miles_lint.server.positions import range_of
from miles_lint.show import argv
from miles_lint.show.view import View, at_defaults
from miles_lint.source import Place

SHOW_COMMAND = "miles-lint.showCommand"


def lenses(analysis: Analysis) -> list[types.CodeLens]:
    """One lens for each launch that a call in this text leads to."""
    found = []
    for index, launch in enumerate(analysis.launches):
        site = _site(launch, analysis.path)
        if site is not None:
            shown = types.Command(_title(launch), SHOW_COMMAND, arguments=[analysis.uri, index])
            found.append(types.CodeLens(range_of(analysis.source, site.span), shown))
    return found


def command(analysis: Analysis, index: int) -> str | None:
    """The command of one launch at its default knobs, as `miles-lint fold --format argv` prints it."""
    if not 0 <= index < len(analysis.launches):
        return None
    seen = _view(analysis.launches[index])
    return argv.line(seen) if seen is not None else None


def _site(launch: Launch, path: str) -> Place | None:
    """Where this text launches: the call itself, or the one that leads to it."""
    return next((place for place in (launch.site, *reversed(launch.via)) if place.path == path), None)


def _view(launch: Launch) -> View | None:
    try:
        return at_defaults(launch)
    except TooComplex:
        return None


def _title(launch: Launch) -> str:
    entry = "" if launch.entry == "__main__" else f"{launch.entry}: "
    seen = _view(launch)
    if seen is None:
        return f"{entry}a launch under conditions that are too complex to show"
    driver = argv.driver_text(seen.driver) if seen.driver else "a launch"
    count = sum(1 for _ in seen.words)
    return f"{entry}{driver} with {count} argument{'' if count == 1 else 's'} — show the command"
