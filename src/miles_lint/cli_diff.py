"""`miles-lint diff`: what two recipes, or two revisions of recipes, would launch differently."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from miles_lint.cli.errors import Failure, UsageError
from miles_lint.cli.present import put
from miles_lint.cli_arguments import Parser, painter, read_source
from miles_lint.diff.recipes import compare_files, compare_trees, names_under
from miles_lint.diff.report import Compared, document, lines, summary
from miles_lint.files import ReadError
from miles_lint.program.lower import ParseError
from miles_lint.revisions import GitError, checked_out, top_level


def main(arguments: list[str]) -> int:
    """Run the command: 0 without differences, 1 with some, 2 when a recipe could not be compared.

    Raises `UsageError` and `Failure`.
    """
    options = _parser().parse_args(arguments)
    try:
        if options.rev is not None:
            found = list(_revisions(options.rev, options.paths))
        elif len(options.paths) == 2:
            found = [_files(*options.paths)]
        else:
            raise UsageError("two recipes are needed, OLD and NEW, or '--rev A..B' and paths")
    except GitError as error:
        raise Failure(str(error)) from None
    told = [each for each in found if each.differs or each.error]
    if options.format == "json":
        put(json.dumps(document(found), indent=2, ensure_ascii=False) + "\n")
    else:
        for line in lines(told, painter(options.color)):
            put(f"{line}\n")
        put(f"{summary(found)}\n", to_stderr=True)
    if any(each.error for each in told):
        return 2
    return 1 if told else 0


def _parser() -> Parser:
    parser = Parser("diff", "Compare what recipes would launch: two files, or files at two revisions.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="OLD and NEW; with --rev, recipes and folders")
    parser.add_argument(
        "--rev", metavar="A..B", help="compare paths at two revisions of git; `A` alone: with the working files"
    )
    parser.add_argument(
        "--format", "--output-format", choices=("text", "json"), default="text", help="json: see docs/fold-json.md"
    )
    return parser


def _files(old: str, new: str) -> Compared:
    for path in (old, new):
        read_source(path)
    try:
        return compare_files(old, new)
    except ParseError as error:
        raise Failure(str(error)) from None


def _revisions(range_: str, paths: list[str]) -> Iterator[Compared]:
    """The recipes below paths at two revisions. Raises `UsageError` and `GitError`."""
    if not paths:
        raise UsageError("'--rev' needs the recipes or folders to compare")
    before, dots, after = range_.partition("..")
    if after.startswith("."):
        raise UsageError(f"invalid value '{range_}' for '--rev': expected A..B")
    root = top_level(os.getcwd())
    inside = [os.path.relpath(os.path.realpath(path), root) for path in paths]
    if any(path.startswith("..") for path in inside):
        raise UsageError(f"every path must be inside the repository {root}")
    with checked_out(root, before or "HEAD", (after or "HEAD") if dots else None) as trees:
        try:
            names = dict.fromkeys(names_under(trees, inside))
        except ReadError as error:
            raise UsageError(str(error)) from None
        yield from compare_trees(trees, names)
