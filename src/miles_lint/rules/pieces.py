"""Where one word of an argv was put together from several literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from miles_lint.binding import Binding
from miles_lint.diagnostic import Applicability
from miles_lint.domain.guard import Guard
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Chars, Piece
from miles_lint.launch import Argument, Launch
from miles_lint.rules.rule import Repair
from miles_lint.source import Place, Span

_HOLDS = "=,:/-"
_OPERATOR = re.compile(r"[;&|<>()]")
_TWO = re.compile(r"(--[A-Za-z][\w-]*)(\s+)([^\s,)\]].*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Seam:
    """Two pieces that touch inside one word, on the paths of `guard`: what stands before, and what comes behind."""

    argument: Argument
    guard: Guard
    before: Piece
    behind: Piece
    head: str
    tail: str


@dataclass(frozen=True, slots=True)
class Fusion:
    """A seam at which a space is missing: the word is `first` and `second`, which stand for themselves.

    `earlier` is where the text was written that stands before the first part.
    """

    seam: Seam
    first: str
    second: str
    earlier: Origin | None = None

    @property
    def beside(self) -> bool:
        """Whether the space is to stand behind the first part: not where a field holds it and a flag comes next."""
        one, two = self.seam.before, self.seam.behind
        if not isinstance(one, Chars) or not one.exact or one.origin is None:
            return False
        if two.origin is None or not self.seam.tail.startswith("--"):
            return True
        path, start = one.origin.place.path, one.origin.place.span.start
        earlier = self.earlier.place if self.earlier is not None else None
        in_order = earlier is None or (earlier.path == path and earlier.span.start <= start)
        return in_order and two.origin.place.path == path and start < two.origin.place.span.start

    @property
    def gap(self) -> Place | None:
        """Where the space belongs: behind the first literal, else before the second."""
        for piece, at_end in ((self.seam.before, True), (self.seam.behind, False)):
            if isinstance(piece, Chars) and piece.exact and piece.origin is not None and (self.beside or not at_end):
                place = piece.origin.place
                offset = place.span.end if at_end else place.span.start
                return Place(place.path, Span(offset, offset))
        return None


def seams(argument: Argument) -> Iterator[Seam]:
    """Every place in a word of known characters where the text of one literal ends and that of another begins."""
    pieces = argument.text.pieces
    runs: list[tuple[Guard, tuple[Piece, ...]]] = [(argument.guard, ())]
    for piece in pieces:
        grown: list[tuple[Guard, tuple[Piece, ...]]] = []
        for guard, run in runs:
            inside, outside = guard & piece.guard, guard - piece.guard
            if not inside.impossible:
                grown.append((inside, (*run, piece)))
            if not outside.impossible:
                grown.append((outside, run))
        if len(grown) > 16:
            return
        runs = grown
    for guard, run in runs:
        texts = [piece.text if isinstance(piece, Chars) else None for piece in run]
        if None in texts:
            continue
        spelled = [text for text in texts if text is not None]
        for index in range(1, len(run)):
            if not _touching(run[index - 1], run[index]):
                head, tail = "".join(spelled[:index]), "".join(spelled[index:])
                yield Seam(argument, guard, run[index - 1], run[index], head, tail)


def _touching(before: Piece, behind: Piece) -> bool:
    """Whether two pieces stand side by side in one literal: what is written there was meant as one word."""
    one, two = before.origin, behind.origin
    if one is None or two is None or one.place.path != two.place.path:
        return False
    return one.place.span.end == two.place.span.start or _quoted_together(before, behind)


def _quoted_together(before: Piece, behind: Piece) -> bool:
    """Whether only shell quotes stand between two pieces: their spans are a character or two apart."""
    assert before.origin is not None and behind.origin is not None
    gap = behind.origin.place.span.start - before.origin.place.span.end
    return isinstance(before, Chars) and isinstance(behind, Chars) and before.quoted != behind.quoted and 0 < gap <= 2


@lru_cache(maxsize=8)
def fusions(binding: Binding) -> tuple[Fusion, ...]:
    """Every word that is two arguments of the contract written without a space between two literals."""
    own = (argument for argument in binding.launch.argv if not argument.model and not printed(argument))
    return tuple(fusion for argument in own if (fusion := fusion_of(binding, argument)) is not None)


def fusion_of(binding: Binding, argument: Argument) -> Fusion | None:
    """The seam at which a word falls into two arguments of the contract."""
    names = binding.contract.by_name
    for seam in seams(argument) if len(argument.text.pieces) > 1 else ():
        if seam.behind.quoted:
            continue
        name = seam.tail.partition("=")[0]
        if name.startswith("--") and name in names and seam.head[-1:] not in _HOLDS and seam.head[0] != "(":
            return Fusion(seam, seam.head, seam.tail, _earlier(binding.launch, seam.before))
        flag = names.get(seam.head)
        if flag is None or not flag.takes_value or seam.tail[0] in "=-":
            continue
        whole = (seam.head + seam.tail).partition("=")[0]
        if not binding.contract.names_with(whole):
            return Fusion(seam, seam.head, seam.tail, _earlier(binding.launch, seam.before))
    return None


def _earlier(launch: Launch, piece: Piece) -> Origin | None:
    """Where the piece before one was written in the text of a launch."""
    before: Origin | None = None
    for other in launch.text.pieces:
        if other.origin is not None and piece.origin is not None:
            outer, inner = other.origin.place, piece.origin.place
            if outer.path == inner.path and outer.span.start <= inner.span.start < outer.span.end:
                return piece.origin if outer.span.start < inner.span.start else before
        before = other.origin
    return before


def two_words(binding: Binding, spelled: str) -> re.Match[str] | None:
    """A word that begins with a flag of the contract and a blank: the flag, the blank and the rest."""
    found = _TWO.fullmatch(spelled)
    return found if found is not None and found.group(1) in binding.contract.by_name else None


def malformed(binding: Binding, argument: Argument) -> bool:
    """Whether a word is no argument because of how it was written, which a rule about the text tells."""
    if fusion_of(binding, argument) is not None or two_words(binding, argument.text.shown()) is not None:
        return True
    if printed(argument) or operator_in(argument) is not None:
        return True
    return any(isinstance(p, Chars) and not p.exact and p.text == "None" for p in argument.text.pieces)


def printed(argument: Argument) -> bool:
    """Whether a word is a piece of a tuple as Python prints it, which MIL501 tells."""
    return any(
        isinstance(piece, Chars)
        and not (piece.exact or piece.quoted)
        and (piece.text.startswith("(") or piece.text.endswith(")"))
        for piece in argument.text.pieces
    )


@lru_cache(maxsize=8)
def garbled(binding: Binding) -> Guard:
    """The condition on which flags are lost in a tuple or behind an open quote, which other rules tell."""
    launch = binding.launch
    found = launch.space.never
    for problem, guard, _ in launch.problems:
        found = found | guard if problem == "unbalanced quote" else found
    for argument in launch.argv:
        found = found | argument.guard if printed(argument) else found
    return found


def operator_in(argument: Argument) -> tuple[Chars, str] | None:
    """The first character of a word that is an operator of the shell, and the piece that has it."""
    for index, piece in enumerate(argument.text.pieces):
        if isinstance(piece, Chars) and not piece.quoted:
            if index == 0 and piece.text.startswith("#"):
                return piece, "#"
            found = _OPERATOR.search(piece.text)
            if found is not None:
                return piece, found.group()
    return None


def quote(argument: Argument, applicability: Applicability = Applicability.SAFE) -> Repair | None:
    """Shell quotes around a word that was written in one piece, the argv unchanged."""
    pieces = argument.text.pieces
    first, last = pieces[0], pieces[-1]
    if not all(isinstance(piece, Chars) and piece.exact and not piece.quoted for piece in pieces):
        return None
    if first.origin is None or last.origin is None or first.origin.place.path != last.origin.place.path:
        return None
    path, start, end = first.origin.place.path, first.origin.place.span.start, last.origin.place.span.end
    edits = ((Place(path, Span(start, start)), "'"), (Place(path, Span(end, end)), "'"))
    return Repair("Put it in quotes", (), (), applicability, edits=edits)
