"""From a flag in a recipe to the line of the trainer that declares it."""

from __future__ import annotations

from lsprotocol import types

from miles_lint.server.analysis import Analysis
from miles_lint.server.checkout import declaration
from miles_lint.server.convert import uri_of
from miles_lint.server.hover import flag_here
from miles_lint.server.positions import offset_of, range_of


def definition(analysis: Analysis, place: types.Position) -> types.Location | None:
    """Where the flag at a position is declared, when that source is at hand."""
    found = flag_here(analysis, offset_of(analysis.source, place))
    if found is None:
        return None
    declared = declaration(found[0], analysis.path, analysis.settings.trainer)
    if declared is None:
        return None
    source, span = declared
    return types.Location(uri_of(source.path), range_of(source, span))
