"""The pipeline: source → launches → bindings → findings → diagnostics. The only place that knows the order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from miles_lint import rules
from miles_lint.choices import bindings
from miles_lint.diagnostic import Applicability, Diagnostic, Edit, Fix, Note, Report, Severity
from miles_lint.domain.guard import TooComplex
from miles_lint.domain.provenance import Origin
from miles_lint.domain.value import Hole, Unknown
from miles_lint.edits import OverlappingEdits, apply
from miles_lint.launch import Argument, Launch
from miles_lint.policy import certain
from miles_lint.program.lower import ParseError
from miles_lint.proof import only_replaced
from miles_lint.recipe import Fold, fold
from miles_lint.repairs import replacement
from miles_lint.rules.internal import internal_error
from miles_lint.rules.rule import Finding, Repair, Rule
from miles_lint.settings import Settings
from miles_lint.source import Place, Source, Span
from miles_lint.surface import surface_of


def check(source: Source, settings: Settings) -> Report:
    """What the rules that are on find in a file, before suppression; findings of other files it led to are among them.

    A text that is not Python gives one `invalid-syntax` finding; a rule that fails gives MIL901 and the
    others still run.
    """
    try:
        folded = fold(source)
    except ParseError as error:
        span = Span(error.offset, min(error.offset + 1, len(source.text)))
        syntax = Diagnostic("invalid-syntax", "invalid-syntax", Severity.ERROR, str(error), Place(source.path, span))
        return Report(source.path, (syntax,))
    checker = _Checker(source, settings, folded)
    found = tuple(dict.fromkeys(checker.run()))
    return Report(source.path, found, (), tuple(_unknowns(folded)))


@dataclass
class _Checker:
    source: Source
    settings: Settings
    folded: Fold
    failed: set[str] = field(default_factory=set)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that are on; what others would find is asked for nowhere."""
        return tuple(rule for rule in rules.RULES if rule.code in self.settings.selected)

    def run(self) -> Iterator[Diagnostic]:
        for launch in self.folded.launches:
            try:
                bound = tuple(bindings(launch, self.source.path, self.settings))
            except TooComplex:
                continue
            for rule in self.rules:
                for binding, guard in bound:
                    if rule.check is not None and rule.code not in self.failed:
                        found = (replace(one, guard=one.guard & guard) for one in rule.check(binding))
                        yield from self.apply(rule, found, launch)
        surface = surface_of(self.source.path, self.settings.trainer)
        for rule in self.rules:
            if rule.examine is not None:
                yield from self.apply(rule, rule.examine(self.folded, surface), None)

    def apply(self, rule: Rule, findings: Iterable[Finding], launch: Launch | None) -> Iterator[Diagnostic]:
        """What is to be said of the findings of a rule about one launch, or about the file."""
        try:
            for finding in findings:
                diagnostic = self.diagnose(rule, finding, launch)
                if diagnostic is not None:
                    yield diagnostic
        except TooComplex:
            return
        except Exception as error:
            self.failed.add(rule.code)
            message = f"rule {rule.code} failed: {type(error).__name__}: {error}"
            place = self.anchor(_site(launch)) if launch is not None else Place(self.source.path, Span(0, 0))
            yield Diagnostic(internal_error.code, internal_error.name, Severity.ERROR, message, place)

    def diagnose(self, rule: Rule, finding: Finding, launch: Launch | None) -> Diagnostic | None:
        launched = launch.guard if launch is not None else finding.guard.space.always
        reach = finding.reach if finding.reach is not None else launched
        spoken = certain(finding.guard, reach, self.settings.all_knobs)
        origin = finding.origin if finding.origin is not None else _site(launch) if launch is not None else None
        if spoken is None or origin is None:
            return None
        place = self.anchor(origin)
        message = finding.message
        if spoken.condition:
            message = f"{message} {spoken.condition}"
        notes = tuple(Note(where.place, text) for where, text in finding.notes)
        fix = None
        if finding.repair is not None and place.path == self.source.path:
            fix, withheld = self.fix(finding.repair)
            if withheld:
                message = f"{message} ({withheld})"
        severity = finding.severity if finding.severity is not None else rule.severity
        return Diagnostic(
            *(rule.code, rule.name, severity, message, place, notes, fix),
            default_on=rule.default_on,
            secrets=finding.secrets,
        )

    def anchor(self, origin: Origin) -> Place:
        """A place in the file under check, where possible: the origin, or the call in this file that led to it."""
        if origin.place.path == self.source.path:
            return origin.place
        return next((place for place in reversed(origin.via) if place.path == self.source.path), origin.place)

    def fix(self, repair: Repair) -> tuple[Fix | None, str]:
        """The proved fix of a repair, and why it is withheld or less than safe."""
        edits = self.edits(repair)
        if edits is None or not self.proved(repair, edits):
            return None, repair.withheld
        applicability = repair.applicability
        if applicability is Applicability.SAFE and _drops_comment(self.source, edits):
            applicability = Applicability.UNSAFE
        return Fix(repair.title, edits, applicability), repair.withheld

    def edits(self, repair: Repair) -> tuple[Edit, ...] | None:
        if not repair.edits:
            return None if repair.new is None else replacement(self.source, repair.old, repair.new)
        if any(place.path != self.source.path for place, _ in repair.edits):
            return None
        return tuple(sorted(Edit(place.span, text) for place, text in repair.edits))

    def proved(self, repair: Repair, edits: tuple[Edit, ...]) -> bool:
        """Whether the edits change the argv as announced and nothing else."""
        try:
            after = fold(replace(self.source, text=apply(self.source, edits)))
        except (OverlappingEdits, ParseError):
            return False
        old = tuple(_spelled(argument) for argument in repair.old)
        return only_replaced(self.folded.launches, after.launches, old, repair.new)


def _site(launch: Launch) -> Origin:
    return Origin(launch.site, launch.via)


def _spelled(argument: Argument) -> str:
    return argument.text.shown()


def _drops_comment(source: Source, edits: Iterable[Edit]) -> bool:
    """Whether an edit would delete a comment: its text holds a `#` outside the words it replaces."""
    return any(re.search(r"#", source.text[edit.span.start : edit.span.end]) for edit in edits)


def _unknowns(folded: Fold) -> Iterator[tuple[Place, str]]:
    seen: set[tuple[Place, str]] = set()
    for launch in folded.launches:
        for argument in launch.argv:
            for piece in argument.text.pieces:
                if isinstance(piece, Hole) and piece.origin is not None:
                    entry = (piece.origin.place, _reason(piece.unknown))
                    if entry not in seen:
                        seen.add(entry)
                        yield entry
    yield from folded.widened


def _reason(unknown: Unknown) -> str:
    return f"{unknown.reason.value}: {unknown.detail}" if unknown.detail else unknown.reason.value
