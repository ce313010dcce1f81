"""A launch as one line for a shell; what is not known stands as ⟨reason⟩."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from miles_lint.domain.guard import Guard
from miles_lint.show.guards import words as guard_words
from miles_lint.show.view import Setting, View, Word

_PLAIN = re.compile(r"[\w@%+=:,./⟨⟩-]+\Z", re.ASCII)
_LONGEST = 80


def quoted(text: str) -> str:
    """A word as a shell reads it back, holes included."""
    return text if _PLAIN.match(text) else shlex.quote(text)


def line(view: View) -> str:
    """The driver and the words of a launch, each quoted where it must be; a conditional word is one ⟨word if …⟩."""
    return " ".join((*(quoted(text) for text in _driver(view)), *(quoted(text) for text in argv(view))))


def argv(view: View) -> Iterator[str]:
    """The words behind the driver as a line prints them, before quoting."""
    return (word_text(word) for word in view.words)


def word_text(word: Word) -> str:
    """One word; alternatives and conditional presence are told inside ⟨⟩."""
    if word.certain:
        return word.options[0].shown
    return _conditional((option.guard, option.shown) for option in word.options)


def driver_text(settings: tuple[Setting, ...]) -> str:
    """The train script of a launch."""
    if len(settings) == 1 and settings[0].guard.certain:
        return settings[0].shown or ""
    return _conditional((setting.guard, setting.shown or "") for setting in settings)


def _driver(view: View) -> Iterator[str]:
    if view.driver:
        yield driver_text(view.driver)


def _conditional(alternatives: Iterator[tuple[Guard, str]]) -> str:
    told = [text if guard.certain else f"{text} if {_short(guard_words(guard))}" for guard, text in alternatives]
    return f"⟨{' | '.join(told)}⟩"


def _short(condition: str) -> str:
    return condition if len(condition) <= _LONGEST else f"{condition[:_LONGEST]}…"
