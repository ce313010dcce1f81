"""What is known of one version of one text; everything is computed when first asked for, on the working thread."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from miles_lint import sniff
from miles_lint.cli.run import Job, Outcome, examine
from miles_lint.diagnostic import Report
from miles_lint.edits import FixResult
from miles_lint.files import excluded
from miles_lint.lint import fix_alone
from miles_lint.settings import Settings
from miles_lint.source import Source

if TYPE_CHECKING:
    from miles_lint.binding import Assignment
    from miles_lint.contract.model import Contract
    from miles_lint.launch import Argument, Launch

Target = tuple[str, str]
DEFAULT_TARGET = ("megatron", "train.py")


@dataclass
class Analysis:
    """One version of a text under its settings.

    `earlier` is the last version that is known to have parsed; it stands in while the present one does not.
    """

    uri: str
    version: int | None
    source: Source
    settings: Settings
    earlier: Analysis | None = None

    @property
    def path(self) -> str:
        return self.source.path

    @cached_property
    def wanted(self) -> bool:
        """Whether the settings let this file be checked."""
        return not (os.path.isabs(self.path) and excluded(self.path, self.settings))

    @cached_property
    def recipe(self) -> bool:
        """Whether the text could build a launch."""
        return self.wanted and sniff.might_launch(self.source.text)

    @cached_property
    def outcome(self) -> Outcome:
        """The findings; a check that broke down is told in `failure`."""
        if not self.wanted:
            return Outcome(self.path, self.settings, Report(self.path), self.source)
        return examine(Job(self.source, self.settings))

    def fixed(self) -> FixResult:
        """The text with every repair that the settings allow."""
        return fix_alone(self.source, self.settings)

    @cached_property
    def launches(self) -> tuple[Launch, ...]:
        """The launches of the text; none while it does not parse."""
        if not self.recipe:
            return ()
        from miles_lint.program.lower import ParseError
        from miles_lint.recipe import fold

        try:
            return fold(self.source).launches
        except ParseError:
            return ()

    @cached_property
    def _contracts(self) -> tuple[Contract, ...]:
        from miles_lint.choices import contract_of

        trainer, extra = self.settings.trainer, self.settings.extra_flags
        return tuple(contract_of(launch, self.path, trainer, extra) for launch in self.launches)

    @cached_property
    def target(self) -> Target:
        """The backend and driver of the first launch, here or in the earlier version."""
        if self._contracts:
            return self._contracts[0].backend, self._contracts[0].driver
        return self.earlier.target if self.earlier is not None else DEFAULT_TARGET

    def succeeded_by(self, version: int | None, source: Source, settings: Settings) -> Analysis:
        """A newer version of the same text; nothing older than the last good one is kept."""
        if "outcome" in self.__dict__ and not any(
            found.code == "invalid-syntax" for found in self.outcome.report.diagnostics
        ):
            self.earlier = None
            return Analysis(self.uri, version, source, settings, self)
        return Analysis(self.uri, version, source, settings, self.earlier)

    def contract(self, offset: int) -> Contract:
        """The contract of the launch that takes the word at an offset, else of the first launch or its forerunner."""
        for launch, contract in zip(self.launches, self._contracts):
            if any(self._wrote(argument, offset) for argument in launch.argv):
                return contract
        if self._contracts:
            return self._contracts[0]
        from miles_lint.contract.live import contract_for

        return contract_for(self.path, *self.target, self.settings.trainer)

    def use(self, offset: int) -> tuple[Assignment, Contract] | None:
        """The use of a flag whose name or value the text at an offset is, with the contract that knows the flag."""
        from miles_lint.binding import bind
        from miles_lint.domain.guard import TooComplex

        for launch, contract in zip(self.launches, self._contracts):
            if not any(self._wrote(argument, offset) for argument in launch.argv):
                continue
            try:
                binding = bind(launch, contract)
            except TooComplex:
                continue
            for use in binding.assignments:
                if any(self._wrote(argument, offset) for argument in use.arguments):
                    return use, contract
        return None

    def _wrote(self, argument: Argument, offset: int) -> bool:
        """Whether characters of an argument stand at an offset of this text."""
        return any(
            origin.place.path == self.path and origin.place.span.start <= offset <= origin.place.span.end
            for origin in argument.origins()
        )
