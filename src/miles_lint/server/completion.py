"""Completion of flags, and of their choices, inside argument literals."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from miles_lint.contract.model import Contract, Flag
from miles_lint.server.analysis import Analysis
from miles_lint.server.hover import default, kind, told
from miles_lint.server.literals import Word, looks_like_flags, partial_flag, word_at
from miles_lint.server.positions import offset_of, range_of

TRIGGERS = ("-", " ", "=")


def completion(analysis: Analysis, place: types.Position) -> types.CompletionList | None:
    """What may stand at a position: choices behind a flag that has them, else flags where one was begun."""
    offset = offset_of(analysis.source, place)
    word = word_at(analysis.source.text, offset)
    if word is None or not analysis.recipe:
        return None
    contract = analysis.contract(offset)
    items = list(_choices(word, contract, analysis))
    if not items and partial_flag(word.typed) and looks_like_flags(analysis.source.text, offset):
        items = list(_flags(word, contract, analysis))
    return types.CompletionList(is_incomplete=False, items=items)


def resolve(item: types.CompletionItem, analysis: Analysis) -> types.CompletionItem:
    """An item of a flag with everything that is known of it."""
    data = item.data if isinstance(item.data, dict) else {}
    contract = analysis.contract(int(data.get("offset", 0)))
    flag = contract.by_name.get(item.label)
    if flag is not None:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, told(flag, contract, analysis))
    return item


def _choices(word: Word, contract: Contract, analysis: Analysis) -> Iterator[types.CompletionItem]:
    name, equals, _ = word.typed.partition("=")
    flag = contract.by_name.get(name if equals else word.before)
    if flag is None or not flag.takes_value or not flag.choices:
        return
    inside = f"{name}=" if equals else ""
    replaced = range_of(analysis.source, word.span)
    for order, choice in enumerate(flag.choices):
        text = f"{inside}{choice}"
        if text.startswith(word.typed):
            yield types.CompletionItem(
                label=str(choice),
                kind=types.CompletionItemKind.EnumMember,
                detail=f"{flag.names[0]} (default)" if choice == flag.default else flag.names[0],
                sort_text=f"{order:04}",
                filter_text=text,
                text_edit=types.TextEdit(replaced, text),
            )


def _flags(word: Word, contract: Contract, analysis: Analysis) -> Iterator[types.CompletionItem]:
    replaced = range_of(analysis.source, word.span)
    for flag in contract.flags:
        for name in flag.names:
            if name.startswith(word.typed):
                yield types.CompletionItem(
                    label=name,
                    kind=types.CompletionItemKind.Property,
                    detail=_detail(flag),
                    tags=[types.CompletionItemTag.Deprecated] if flag.deprecated else None,
                    filter_text=name,
                    text_edit=types.TextEdit(replaced, name),
                    data={"uri": analysis.uri, "offset": word.span.start},
                )


def _detail(flag: Flag) -> str:
    known = default(flag) if flag.takes_value else ""
    return f"{kind(flag)} = {known} · {flag.owner}" if known else f"{kind(flag)} · {flag.owner}"
