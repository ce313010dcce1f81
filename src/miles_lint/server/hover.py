"""What a flag is: hover on it in an argument literal, and the same text beside completions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice

from lsprotocol import types

from miles_lint.contract.model import Contract, Flag
from miles_lint.server import formulas
from miles_lint.server.analysis import Analysis
from miles_lint.server.checkout import declaration
from miles_lint.server.convert import uri_of
from miles_lint.server.literals import flag_at, literal_at
from miles_lint.server.positions import offset_of, range_of
from miles_lint.source import Span

_EXCLUSIONS = 6
_SHOWN = 24
_LONGEST = 240
_ARITIES = {"?": "at most one value", "*": "any number of values", "+": "one or more values"}


def hover(analysis: Analysis, place: types.Position) -> types.Hover | None:
    """The flag at a position, also when the position is on its value; None elsewhere."""
    offset = offset_of(analysis.source, place)
    found = flag_here(analysis, offset)
    if found is None:
        return None
    flag, contract, span = found
    content = types.MarkupContent(types.MarkupKind.Markdown, told(flag, contract, analysis))
    return types.Hover(content, range_of(analysis.source, span) if span is not None else None)


def flag_here(analysis: Analysis, offset: int) -> tuple[Flag, Contract, Span | None] | None:
    """The flag that the text at an offset names or gives a value to, its contract, and where its name stands."""
    if not analysis.recipe or literal_at(analysis.source.text, offset) is None:
        return None
    written = flag_at(analysis.source.text, offset)
    used = analysis.use(offset)
    if used is not None:
        return used[0].flag, used[1], written[1] if written is not None else None
    if written is None:
        return None
    contract = analysis.contract(offset)
    flag = contract.by_name.get(written[0])
    return None if flag is None else (flag, contract, written[1])


def told(flag: Flag, contract: Contract, analysis: Analysis) -> str:
    """Everything that a contract knows of a flag, as Markdown."""
    lines = [f"**`{' '.join(flag.names)}`** — {kind(flag)}", "", *(f"- {fact}" for fact in _facts(flag))]
    lines += [f"- declared at {_declared(flag, analysis)}", ""] if flag.origin is not None else [""]
    excluded = list(_exclusions(flag, contract))
    if excluded:
        lines += ["The trainer refuses it", "", *(f"- {each}" for each in excluded), ""]
    lines.append(f"*{contract.trainer} at {contract.revision}, {contract.backend}, {contract.driver}*")
    return "\n".join(lines)


def kind(flag: Flag) -> str:
    """What a flag takes, in a few words."""
    if not flag.takes_value:
        return "counted switch" if flag.action == "count" else "switch"
    if flag.arity is None:
        return flag.type if flag.type != "unknown" else "one value"
    count = _ARITIES.get(flag.arity) if isinstance(flag.arity, str) else f"{flag.arity} values"
    return f"{count} ({flag.type})" if flag.type != "unknown" else str(count)


def default(flag: Flag) -> str:
    """The default as people read it; empty where it is not known."""
    if flag.suppressed:
        return "not set unless given"
    if not flag.default_known:
        return ""
    return "None" if flag.default is None else f"{json.dumps(flag.default, default=str)}"


def _facts(flag: Flag) -> Iterator[str]:
    if flag.choices:
        shown = ", ".join(f"`{choice}`" for choice in flag.choices[:_SHOWN])
        yield f"choices {shown}" + (" …" if len(flag.choices) > _SHOWN else "")
    elif flag.choices_unknown:
        yield "choices that are computed when it runs"
    known = default(flag)
    yield f"default `{known}`" if known else "a default that is computed when it runs"
    if flag.takes_value and flag.action != "store":
        yield f"`{flag.action}`"
    yield f"owner {flag.owner}, dest `{flag.dest}`"
    if flag.required:
        yield "required"
    if flag.deprecated:
        yield f"deprecated, use `{flag.replacement}`" if flag.replacement else "deprecated"


def _declared(flag: Flag, analysis: Analysis) -> str:
    assert flag.origin is not None
    found = declaration(flag, analysis.path, analysis.settings.trainer)
    if found is None:
        return f"`{flag.origin.path}:{flag.origin.row}`"
    source, span = found
    row = source.position(span.start)[0]
    parts = source.path.replace(os.sep, "/").split("/")
    return f"[{'/'.join(parts[-len(flag.origin.path.split('/')) :])}:{row}]({uri_of(source.path)}#L{row})"


def _exclusions(flag: Flag, contract: Contract) -> Iterator[str]:
    every = list(formulas.about(contract, flag.dest))
    for constraint in islice(every, _EXCLUSIONS):
        condition = formulas.words(contract, constraint.when)
        if len(condition) > _LONGEST:
            condition = condition[:_LONGEST].rstrip() + " …"
        origin = constraint.message_origin or constraint.origin
        yield f"when `{condition}`" + (f" (`{origin.path}:{origin.row}`)" if origin is not None else "")
    if len(every) > _EXCLUSIONS:
        yield f"and in {len(every) - _EXCLUSIONS} other case{'' if len(every) == _EXCLUSIONS + 1 else 's'}"
