"""Source text to a `Program`: one parse, one measuring pass, one direct recursion over the tree."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache

import libcst as cst

from miles_lint.program import nodes as n
from miles_lint.program.depth import too_deep
from miles_lint.program.lower_statements import Lowering
from miles_lint.program.positions import measure
from miles_lint.program.program import Program
from miles_lint.sniff import might_launch
from miles_lint.source import Source


class ParseError(Exception):
    """The text is not Python: `offset` is where, the message what."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class NotUnderstood(Exception):
    """Text that Python accepts and the parser in use does not: no mistake of its author."""


_TOKENIZER = "tokenizer error: "


def _refused(text: str) -> tuple[int, int] | None:
    """The row and column, both from 1, where Python refuses a text, as far as it says so; None when it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError as error:
            return max(error.lineno or 1, 1), max(error.offset or 1, 1)
        except (ValueError, RecursionError, MemoryError):
            return 1, 1
    return None


Mentions = dict[str, frozenset[object]]


def lower(source: Source) -> Program:
    """The program of a source.

    Raises `ParseError` for text that is not Python, `NotUnderstood` for Python that the parser does not know
    or that is nested too deeply.
    """
    try:
        body, mentions = _lowered(source.text, 0)
    except cst.ParserSyntaxError as error:
        place = _refused(source.text)
        if place is None:
            raise NotUnderstood(_first_line(error.message)) from None
        if not error.message.startswith(_TOKENIZER):
            place = error.raw_line, error.raw_column + 1
        raise ParseError(_first_line(error.message), source.offset(*place)) from None
    except (ValueError, UnicodeError) as error:
        raise ParseError(_first_line(str(error)), 0) from None
    return Program(source.path, body, mentions, might_launch(source.text))


@lru_cache(maxsize=4096)
def lower_part(text: str, start: int) -> tuple[n.Block, Mentions] | None:
    """The statements of a text that stands at offset `start` of its file, and the constants they compare names with.

    None for what cannot be read. What is lowered stays at hand: for the files that import it, and when only
    another part of its file has changed.
    """
    try:
        return _lowered(text, start)
    except (cst.ParserSyntaxError, NotUnderstood, ValueError):
        return None


def _lowered(text: str, start: int) -> tuple[n.Block, Mentions]:
    if too_deep(text):
        raise NotUnderstood("the code is nested too deeply")
    try:
        module = cst.parse_module(text)
        lowering = Lowering(measure(module, start))
        body = lowering.statements(module.body)
    except RecursionError:
        raise NotUnderstood("the code is nested too deeply") from None
    return body, {name: frozenset(values) for name, values in lowering.mentions.items()}


def _first_line(message: str) -> str:
    return re.sub(r"^parser error: ", "", message.splitlines()[0] if message else "invalid syntax")
