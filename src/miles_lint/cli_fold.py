"""`miles-lint fold`: what a recipe would launch."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from miles_lint.cli.errors import Failure, UsageError
from miles_lint.cli.present import put
from miles_lint.cli_arguments import Parser, painter, read_source, suggestion
from miles_lint.diff.recipes import read_quietly
from miles_lint.domain.guard import TooComplex
from miles_lint.launch import Launch
from miles_lint.program.lower import NotUnderstood, ParseError
from miles_lint.program.outline import program_of
from miles_lint.program.program import Program
from miles_lint.recipe import Fold, fold
from miles_lint.show import argv, table, why
from miles_lint.show.blocks import Blocks
from miles_lint.show.document import Document
from miles_lint.show.knobs import BadValue, Knob, knobs_of
from miles_lint.show.places import Texts
from miles_lint.show.unknowns import gaps
from miles_lint.show.view import View, at_defaults, view
from miles_lint.source import Source


def main(arguments: list[str]) -> int:
    """Run the command. Raises `UsageError` and `Failure`."""
    options = _parser().parse_args(list(_joined(arguments)))
    source = _source(options.recipe, options.stdin_filename)
    if options.all and options.format == "argv":
        raise UsageError("the argument '--all' cannot be used with '--format argv'")
    command = _Command(
        source,
        tuple(options.set),
        dict(_pair(each, "--env") for each in options.env),
        options.entry,
        options.all,
        options.model,
        painter(options.color),
    )
    if options.knobs:
        return command.print_knobs(options.format == "json")
    if options.why is not None:
        return command.print_why(options.why)
    return command.print_launches(options.format)


def _joined(arguments: list[str]) -> Iterator[str]:
    """The arguments with the value of `--why` in the same word, since it may begin with a dash."""
    waiting = iter(arguments)
    for argument in waiting:
        value = next(waiting, None) if argument == "--why" else None
        yield argument if value is None else f"--why={value}"


def _parser() -> Parser:
    parser = Parser("fold", "Print what a recipe would launch, without running anything.")
    parser.add_argument("recipe", metavar="RECIPE", help="the recipe, or `-` for standard input")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KNOB=VALUE",
        help="fold with a knob at this value (may be given several times)",
    )
    parser.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="fold with an environment variable set (may be given several times)",
    )
    parser.add_argument("--entry", metavar="NAME", help="only this entry point")
    parser.add_argument("--all", action="store_true", help="every alternative with its condition, not the defaults")
    parser.add_argument("--model", action="store_true", help="show the arguments of the model definition one by one")
    parser.add_argument(
        "--format",
        "--output-format",
        choices=("table", "argv", "json"),
        default="table",
        help="argv: one line per launch for a shell; json: see docs/fold-json.md",
    )
    parser.add_argument(
        "--why", metavar="FLAG", help="where a flag or $VARIABLE was written, through which calls, when"
    )
    parser.add_argument("--knobs", action="store_true", help="list the knobs: type, default, values, place")
    parser.add_argument("--stdin-filename", metavar="PATH", help="the name of what is read from standard input")
    return parser


def _source(path: str, name: str | None) -> Source:
    if path != "-":
        return read_source(path)
    try:
        return Source.from_text(name or "-", sys.stdin.buffer.read().decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError("standard input is not UTF-8") from None


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"invalid value '{text}' for '{option}': expected NAME=VALUE")
    return name, value


@dataclass
class _Command:
    source: Source
    settings: tuple[str, ...]
    environment: dict[str, str]
    entry: str | None
    all: bool
    model: bool
    paint: table.Paint
    given: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.texts = Texts(self.source, read_quietly)
        self.program = cache(self.lowered)
        free = self.folded()
        self.knobs: tuple[Knob, ...] = knobs_of(free.launches, self.texts, self.program)
        if self.settings and free.launches:
            self.given = dict(self.setting(each) for each in self.settings)
            self.found = self.folded()
        else:
            self.found = free

    def lowered(self, path: str) -> Program | None:
        source = self.texts.source(path)
        try:
            return None if source is None else program_of(source)
        except (ParseError, NotUnderstood):
            return None

    def folded(self) -> Fold:
        """The launches of the wanted entry point at what was set so far. Raises `UsageError`."""
        try:
            found = fold(self.source, assignments=self.given, environment=self.environment)
            if self.entry is None:
                return found
            wanted = self.entry.replace("-", "_")
            chosen = tuple(launch for launch in found.launches if launch.entry == wanted)
            if chosen:
                return replace(found, launches=chosen, entries=(wanted,))
            alone = fold(self.source, assignments=self.given, environment=self.environment, entry=wanted)
        except ParseError as error:
            row, column = self.source.position(error.offset)
            raise Failure(f"{self.source.path}:{row}:{column}: {error}") from None
        if not alone.launches and wanted not in found.entries:
            raise UsageError(f"no entry point '{self.entry}'{suggestion(self.entry, found.entries)}")
        return alone

    def setting(self, text: str) -> tuple[str, object]:
        name, value = _pair(text, "--set")
        name = name.lstrip("-").replace("-", "_")
        fields = {knob.name: knob for knob in self.knobs if not knob.environment}
        if name not in fields:
            raise UsageError(f"no knob '{name}' for '--set'{suggestion(name, list(fields))}")
        try:
            return name, fields[name].parse(value)
        except BadValue as error:
            raise UsageError(f"invalid value '{value}' for '--set {name}'\n  [{error}]") from None

    def nothing(self) -> int:
        """Say that there is no launch."""
        at = " at these knobs" if self.given or self.environment else ""
        put(f"no launch found in {self.source.path}{at}\n", to_stderr=True)
        for line in table.gap_lines(gaps((), self.found.widened), self.texts, lambda text, style: text):
            put(f"{line}\n", to_stderr=True)
        return 0

    def print_knobs(self, as_json: bool) -> int:
        if as_json:
            document = Document(self.texts)
            self.print_json({"schema": 1, "knobs": [document.knob(knob) for knob in self.knobs]})
            return 0
        if not self.knobs and not self.found.launches:
            return self.nothing()
        for line in table.knob_lines(self.knobs, self.texts, self.given, self.paint):
            put(f"{line}\n")
        return 0

    def print_why(self, flag: str) -> int:
        if not self.found.launches:
            return self.nothing()
        views = [self.viewed(launch, True) for launch in self.found.launches]
        known = why.names(views)
        wanted = next((name for name in known if name in (flag, f"--{flag}", f"${flag}")), None)
        if wanted is None:
            raise UsageError(f"no flag '{flag}' in any launch{suggestion(flag, known) if known else ''}")
        for each in views:
            for line in why.story(each, wanted, self.texts, self.paint):
                put(f"{line}\n")
        return 0

    def print_launches(self, form: str) -> int:
        if form == "json":
            views = [self.viewed(launch, True) for launch in self.found.launches]
            found = gaps(views, self.found.widened)
            launches, entries = self.found.launches, self.found.entries
            document = Document(self.texts)
            self.print_json(document.recipe(launches, entries, self.knobs, found, self.given, self.environment))
            return 0
        if not self.found.launches:
            return self.nothing()
        views = [self.viewed(launch, self.all) for launch in self.found.launches]
        lines = self.argv(views) if form == "argv" else self.table(views)
        for line in lines:
            put(f"{line}\n")
        return 0

    def viewed(self, launch: Launch, whole: bool) -> View:
        try:
            return view(launch) if whole else at_defaults(launch)
        except TooComplex:
            raise Failure(f"{self.texts.label(launch.site)}: the conditions of this launch are too complex") from None

    def argv(self, views: list[View]) -> Iterator[str]:
        return (argv.line(each) for each in views)

    def table(self, views: list[View]) -> Iterator[str]:
        shown = table.Table(self.texts, Blocks(self.texts, self.program), self.paint, self.model)
        yield self.paint(self.source.path, "1") + self.told()
        for each in views:
            yield ""
            yield from shown.launch(each)
        found = [gap for gap in gaps(views, self.found.widened) if not (gap.input and self.all)]
        if found:
            yield ""
            yield self.paint("not known", "1")
            yield from table.gap_lines(found, self.texts, self.paint)

    def told(self) -> str:
        """What was set, for the heading."""
        told = [*(f"{name}={value}" for name, value in self.given.items())]
        told += [f"${name}={value}" for name, value in self.environment.items()]
        return f"  with {', '.join(told)}" if told else ""

    def print_json(self, document: object) -> None:
        put(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
