"""`miles-lint contract`: the flags and checks of a trainer, and how they differ between two."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from fnmatch import fnmatchcase
from typing import NoReturn

from miles_lint.cli.errors import Failure, UsageError
from miles_lint.cli.present import put
from miles_lint.cli_arguments import Parser, painter, suggestion
from miles_lint.cli_contract_documents import about, flag_document, place_of, print_json
from miles_lint.contract import live
from miles_lint.contract.changes import changes, concerning, speller
from miles_lint.contract.messages import message_of
from miles_lint.contract.model import Constraint, Contract, Flag
from miles_lint.contract.store import Store, StoreError, dumps, loads
from miles_lint.contract.words import arity_words, constraint_words
from miles_lint.project import trainer_root
from miles_lint.revisions import GitError, checked_out, top_level

Paint = Callable[[str, str], str]
_BOLD, _DIM, _FLAG = "1", "2", "36"
_WIDE = 100


def main(arguments: list[str]) -> int:
    """Run the command. `diff` answers 1 when there are differences. Raises `UsageError` and `Failure`."""
    options = _parser().parse_args(list(_plain(arguments)))
    if options.action is None:
        raise UsageError("one of flags, constraints, show, diff, export, update is needed")
    handler: Callable[[argparse.Namespace], int] = _HANDLERS[options.action]
    return handler(options)


_OWN = (
    *("--trainer", "--backend", "--driver", "--format", "--output-format", "--output", "--owner", "--help"),
    *("--megatron", "--sglang", "--router", "--color", "--config", "--quiet", "--silent", "--verbose", "--isolated"),
)


def _plain(arguments: list[str]) -> Iterator[str]:
    """The arguments with the trainer's flags written without their dashes, so that they are not taken for options."""
    for argument in arguments:
        foreign = argument.startswith("--") and argument != "--" and argument.partition("=")[0] not in _OWN
        yield argument.removeprefix("--") if foreign else argument


def _parser() -> Parser:
    parser = Parser("contract", "Show the flags and checks of a trainer.")
    actions = parser.add_subparsers(dest="action", parser_class=_Action, metavar="ACTION")
    flags = _action(actions, "flags", "list flags")
    flags.add_argument("pattern", nargs="?", help="part of a name, or a pattern with * and ?")
    flags.add_argument("--owner", help="only flags of this owner")
    constraints = _action(actions, "constraints", "list what is refused, overridden or ignored")
    constraints.add_argument("flag", nargs="?", help="only what this flag has a part in")
    show = _action(actions, "show", "everything about one flag")
    show.add_argument("flag")
    diff = _action(actions, "diff", "compare two contracts: checkouts, revisions, stored files, or `bundled`")
    diff.add_argument("before", metavar="A")
    diff.add_argument("after", metavar="B")
    export = _action(actions, "export", "write the contracts of a trainer as JSON")
    export.add_argument("-o", "--output", help="a file instead of standard output")
    update = _action(actions, "update", "regenerate the bundled contract from sources")
    for owner in ("megatron", "sglang", "router"):
        update.add_argument(f"--{owner}", required=True, metavar="PATH", help="its sources")
    update.add_argument("--output", required=True, metavar="FOLDER", help="where the data files are")
    return parser


class _Action(argparse.ArgumentParser):
    """The parser of one action; it raises `UsageError`."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _action(actions: argparse._SubParsersAction[_Action], name: str, text: str) -> _Action:
    made = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
    made.add_argument("--trainer", metavar="PATH", help="a checkout, a stored contract, or `bundled`")
    made.add_argument("--backend", default="megatron")
    made.add_argument("--driver", default="train.py")
    made.add_argument("--format", "--output-format", choices=("text", "json"), default="text")
    return made


class _Chosen:
    """The contract that a command is about, and the checkout it was read from, if any."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.store, self.root = _store(options.trainer)
        found = live.completed(self.store, self.root, options.backend, options.driver)
        if found is None:
            pairs = ", ".join(f"{backend} with {driver}" for backend, driver in self.store.keys)
            raise UsageError(f"no contract for {options.backend} with {options.driver}; there are {pairs}")
        self.contract = found
        self.spell = speller(found)

    def flag(self, name: str) -> Flag:
        """The flag of an option string or dest. Raises `UsageError`."""
        known, spelled = self.contract.by_name, f"--{name.replace('_', '-')}"
        found = known.get(f"--{name}") or known.get(spelled) or next(iter(self.contract.by_dest.get(name, ())), None)
        if found is None:
            raise UsageError(f"no flag '{name}'{suggestion(spelled, list(self.contract.by_name))}")
        return found

    def message(self, constraint: Constraint) -> str | None:
        """What the trainer says when it refuses."""
        return message_of(self.contract, constraint)


def _store(trainer: str | None) -> tuple[Store, str | None]:
    """The contracts that a word names, and the checkout that it is. Raises `UsageError` and `Failure`."""
    if trainer is None:
        found = trainer_root(os.getcwd())
        trainer = found[0] if found is not None else "bundled"
    if trainer == "bundled":
        return live.bundled(), None
    try:
        if os.path.isfile(trainer):
            with open(trainer, encoding="utf-8") as file:
                return loads(file.read()), None
        if os.path.isdir(trainer):
            root = os.path.abspath(trainer)
            return live.stored(root), root
    except (OSError, StoreError, live.Unreadable) as error:
        raise Failure(f"{trainer}: {error}") from None
    raise UsageError(f"'{trainer}' is neither a checkout nor a stored contract")


def _flags(options: argparse.Namespace) -> int:
    chosen = _Chosen(options)
    wanted = [
        flag for flag in chosen.contract.flags if _matches(flag, options.pattern) and _owned(flag, options.owner)
    ]
    if options.format == "json":
        return print_json(chosen.contract, {"flags": [flag_document(flag) for flag in wanted]})
    paint = painter(options.color)
    for flag in wanted:
        put(f"{_flag_line(flag, paint)}\n")
    return 0


def _matches(flag: Flag, pattern: str | None) -> bool:
    if pattern is None:
        return True
    return any(fnmatchcase(name, pattern) or pattern in name for name in flag.names)


def _owned(flag: Flag, owner: str | None) -> bool:
    return owner is None or flag.owner == owner


def _flag_line(flag: Flag, paint: Paint) -> str:
    words = [paint(", ".join(flag.names), _FLAG), arity_words(flag)]
    notes = [f"default {flag.default!r}"] if flag.default is not None else []
    notes += [word for word, given in (("required", flag.required), ("deprecated", flag.deprecated)) if given]
    notes.append(flag.owner)
    return " ".join(filter(None, words)) + paint(f"  ({'; '.join(notes)})", _DIM)


def _constraints(options: argparse.Namespace) -> int:
    chosen = _Chosen(options)
    given = chosen.contract.constraints
    if options.flag is not None:
        given = concerning(chosen.contract, frozenset((chosen.flag(options.flag).dest,)))
    if options.format == "json":
        return print_json(chosen.contract, {"constraints": [_constraint_document(each, chosen) for each in given]})
    paint = painter(options.color)
    for constraint in given:
        for line in _constraint_lines(constraint, chosen, paint):
            put(f"{line}\n")
    return 0


def _constraint_lines(constraint: Constraint, chosen: _Chosen, paint: Paint) -> Iterator[str]:
    words = constraint_words(constraint, chosen.spell)
    place = place_of(constraint.origin)
    yield f"{words[: _WIDE * 8]}{'…' if len(words) > _WIDE * 8 else ''}{paint(f'  ({place})', _DIM) if place else ''}"
    message = chosen.message(constraint)
    if message is not None:
        yield paint(f"    {message}", _DIM)


def _show(options: argparse.Namespace) -> int:
    chosen = _Chosen(options)
    flag = chosen.flag(options.flag)
    related = concerning(chosen.contract, frozenset((flag.dest,)))
    if options.format == "json":
        told = [_constraint_document(each, chosen) for each in related]
        return print_json(chosen.contract, {"flag": flag_document(flag), "constraints": told})
    paint = painter(options.color)
    put(f"{paint(', '.join(flag.names), _BOLD)} {arity_words(flag)}".rstrip() + "\n")
    for name, value in flag_document(flag).items():
        if name not in ("names", "default_known") and value not in (None, False, ""):
            put(f"  {name:<12} {value}\n")
    others = [each for each in chosen.contract.by_dest[flag.dest] if each is not flag]
    for other in others:
        put(f"  {'also set by':<12} {', '.join(other.names)}\n")
    if related:
        put("\n")
    for constraint in related:
        for line in _constraint_lines(constraint, chosen, paint):
            put(f"  {line}\n")
    return 0


def _diff(options: argparse.Namespace) -> int:
    with ExitStack() as stack:
        one, two = (_named(each, options, stack) for each in (options.before, options.after))
        found = changes(one, two)
    if options.format == "json":
        told = {name: getattr(found, name) for name in found.__slots__}
        put(json.dumps({"before": about(one), "after": about(two), **told}, indent=2, ensure_ascii=False) + "\n")
    else:
        for line in found.lines():
            put(f"{line}\n")
        put(f"{found.summary()}\n", to_stderr=True)
    return 1 if found.any else 0


def _named(word: str, options: argparse.Namespace, stack: ExitStack) -> Contract:
    """The contract of a checkout, a stored file, `bundled`, or a revision of the trainer. Raises `UsageError`."""
    if word != "bundled" and not os.path.exists(word):
        try:
            root = top_level(options.trainer or os.getcwd())
            word = stack.enter_context(checked_out(root, word, None)).before
        except GitError as error:
            raise UsageError(f"'{word}' is no path, and git says: {error}") from None
    return _Chosen(argparse.Namespace(trainer=word, backend=options.backend, driver=options.driver)).contract


def _export(options: argparse.Namespace) -> int:
    store, _ = _store(options.trainer)
    text = dumps(contract for contract in (store.contract(*pair) for pair in store.keys) if contract is not None)
    if options.output is None:
        put(text)
        return 0
    try:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Failure(f"cannot write '{options.output}': {error.strerror}") from None
    return 0


def _update(options: argparse.Namespace) -> int:
    from miles_lint.contract.extract import NoTrainer, extract_backends, owned_by
    from miles_lint.contract.owners import BUNDLED, dump_owners
    from miles_lint.contract.recognise import SOURCES, TRAINER, dump_sources

    if options.trainer is None:
        raise UsageError("'--trainer' must name the checkout to read")
    try:
        owned = owned_by(megatron=options.megatron, sglang=options.sglang, router=options.router)
        root = os.path.abspath(options.trainer)
        found = extract_backends(root, owned)
    except NoTrainer as error:
        raise Failure(str(error)) from None
    for contract in found.contracts:
        before = live.bundled().contract(contract.backend, contract.driver)
        told = changes(before, contract).summary() if before is not None else "new"
        put(f"{contract.backend} with {contract.driver}: {told}\n")
    roots = {TRAINER: root, **owned.folders}
    files = {name: (folder, _below(folder, found.files)) for name, folder in roots.items()}
    for name, text in (
        (live.BUNDLED, dumps(found.contracts)),
        (BUNDLED, dump_owners(owned.options, dict(owned.revisions))),
        (SOURCES, dump_sources(files)),
    ):
        with open(os.path.join(options.output, name), "w", encoding="utf-8") as file:
            file.write(text)
    return 0


def _below(folder: str, files: Iterable[str]) -> list[str]:
    return [path for path in files if path.startswith(folder + os.sep)]


def _constraint_document(constraint: Constraint, chosen: _Chosen) -> dict[str, object]:
    return {
        "kind": constraint.kind,
        "target": constraint.target and chosen.spell(constraint.target),
        "text": constraint_words(constraint, chosen.spell),
        "message": chosen.message(constraint),
        "origin": place_of(constraint.origin),
    }


_HANDLERS: dict[str, Callable[[argparse.Namespace], int]] = {
    "flags": _flags,
    "constraints": _constraints,
    "show": _show,
    "diff": _diff,
    "export": _export,
    "update": _update,
}
