"""A contract against the dump of a real parser: what is missing, what is invented, what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from miles_lint.contract.model import Contract, Flag
from tests.oracles.trainer_parser import WORDS, flags_of

Dumped = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """One attribute of one option string that the contract and the parser tell differently."""

    name: str
    attribute: str
    contract: object
    parser: object

    def __str__(self) -> str:
        return f"{self.name} {self.attribute}: contract {self.contract!r}, parser {self.parser!r}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome over all option strings. `untold` lists what cannot be compared, each with what it is.

    `beyond` are option strings that the parser cannot have: of an owner whose sources are not at hand, and those that
    the trainer only spells, for an engine that it pins and nobody has released.
    """

    matched: tuple[str, ...]
    missing: tuple[str, ...]
    invented: tuple[str, ...]
    differences: tuple[Difference, ...]
    untold: tuple[str, ...]
    beyond: tuple[str, ...] = ()

    @property
    def recall(self) -> float:
        """The share of the parser's option strings that the contract has."""
        return len(self.matched) / max(1, len(self.matched) + len(self.missing))

    @property
    def precision(self) -> float:
        """The share of the contract's option strings that the parser has."""
        return len(self.matched) / max(1, len(self.matched) + len(self.invented))

    def agreement(self, attribute: str) -> float:
        """The share of matched option strings for which an attribute is told alike."""
        wrong = sum(difference.attribute == attribute for difference in self.differences)
        return 1 - wrong / max(1, len(self.matched))

    def summary(self) -> str:
        """Figures and every difference, for people."""
        counts = dict(Counter(difference.attribute for difference in self.differences))
        return "\n".join(
            (
                f"{len(self.matched)} matched, recall {self.recall:.4%}, precision {self.precision:.4%}, {counts}",
                *(f"missing  {name}" for name in self.missing),
                *(f"invented {name}" for name in self.invented),
                *(f"differs  {difference}" for difference in self.differences),
                *(f"untold   {name}" for name in self.untold),
                f"beyond   {len(self.beyond)}: {' '.join(self.beyond[:5])}",
            )
        )


def compare(contract: Contract, dumped: dict[str, Any]) -> Comparison:
    """Compare every option string but help, and those that only a function named on the command line would add."""
    real = flags_of(dumped)
    known = {name: flag for name, flag in contract.by_name.items() if flag.action != "help" and "." not in flag.owner}
    matched = [name for name in real if name in known]
    differences: list[Difference] = []
    untold: list[str] = []
    for name in matched:
        flag, parsed = known[name], real[name]
        for attribute, told, truth, same in _attributes(flag, parsed):
            if told is UNTOLD:
                untold.append(f"{name} {attribute} ({truth!r})")
            elif not same(told, truth):
                differences.append(Difference(name, attribute, told, truth))
    more = {name: flag for name, flag in known.items() if name not in real}
    absent = {_OWNERS.get(owner, owner) for owner in dumped["missing"]}
    beyond = tuple(name for name, flag in more.items() if flag.owner in absent or only_spelled(flag))
    return Comparison(
        tuple(matched),
        tuple(name for name in real if name not in known),
        tuple(name for name in more if name not in beyond),
        tuple(differences),
        tuple(untold),
        beyond,
    )


_OWNERS = {"sglang_router": "router"}


def only_spelled(flag: Flag) -> bool:
    """Whether nothing but the name of an engine's option is known."""
    return flag.owner == "sglang" and flag.action == flag.type == "unknown"


class _Untold:
    def __repr__(self) -> str:
        return "untold"


UNTOLD = _Untold()
"""The contract says that it does not know, and the parser's value is one that source alone does not tell."""

ATTRIBUTES = ("dest", "names", "action", "arity", "type", "choices", "default", "const", "required")


def _attributes(flag: Flag, parsed: Dumped) -> Iterator[tuple[str, object, object, Callable[[Any, Any], bool]]]:
    def equal(told: object, truth: object) -> bool:
        return told == truth and isinstance(told, bool) == isinstance(truth, bool)

    yield "dest", flag.dest, parsed["dest"], equal
    yield "names", set(flag.names), set(parsed["option_strings"]), equal
    yield "action", flag.action, parsed["action"], _same_action
    yield "arity", flag.arity, parsed["nargs"], equal
    yield "type", *_types(flag, parsed), lambda told, truth: told.rpartition(".")[2] == truth.rpartition(".")[2]
    yield "choices", *_choices(flag, parsed), equal
    yield "default", *_defaults(flag, parsed), equal
    if parsed["action"] in ("store_const", "append_const") or parsed["nargs"] == "?":
        yield "const", flag.const, parsed["const"], equal
    yield "required", flag.required, parsed["required"], equal


def _same_action(told: str, truth: str) -> bool:
    return told == truth or (truth not in WORDS.values() and told in ("unknown", "store", "store_true", "store_const"))


def _types(flag: Flag, parsed: Dumped) -> tuple[Any, str]:
    if parsed["nargs"] == 0:
        return "", ""
    truth = parsed["type"] or "str"
    return (UNTOLD if flag.type == "unknown" and _nameless(parsed) else flag.type), truth


def _nameless(parsed: Dumped) -> bool:
    """Whether the converter is a lambda or made on the fly, as for enumerations."""
    return "<" in (parsed["type"] or "")


def _choices(flag: Flag, parsed: Dumped) -> tuple[object, object]:
    if isinstance(parsed["choices"], dict) or (flag.choices_unknown and _nameless(parsed)):
        return (UNTOLD if flag.choices_unknown else flag.choices), parsed["choices"]
    told = None if flag.choices is None else sorted(flag.choices, key=repr)
    return (None if flag.choices_unknown else told), parsed["choices"] and sorted(parsed["choices"], key=repr)


def _defaults(flag: Flag, parsed: Dumped) -> tuple[object, object]:
    truth = parsed["default"]
    if isinstance(truth, dict) and "$suppress" in truth:
        truth = None
    if (isinstance(truth, dict) and "$repr" in truth) or (not flag.default_known and _nameless(parsed)):
        return (flag.default if flag.default_known else UNTOLD), truth
    told = list(flag.default) if isinstance(flag.default, tuple) else flag.default
    return (told if flag.default_known else "<unknown>"), truth


def contract_of(dumped: dict[str, Any]) -> Contract:
    """The contract that a dump describes, flags only: what a perfect extraction would give."""
    flags = {id(parsed): _flag(parsed) for parsed in flags_of(dumped).values()}
    return Contract(
        trainer=dumped["package"],
        revision="dump",
        backend=dumped["backend"],
        flags=tuple(flags.values()),
        allow_abbrev=dumped["allow_abbrev"],
    )


def _flag(parsed: Dumped) -> Flag:
    default, choices = parsed["default"], parsed["choices"]
    unsaid = isinstance(default, dict) and bool({"$suppress", "$repr"} & set(default))
    return Flag(
        names=tuple(parsed["option_strings"]),
        dest=parsed["dest"],
        action=parsed["action"] if parsed["action"] in WORDS.values() else "unknown",
        arity=parsed["nargs"],
        type=parsed["type"] or "str",
        choices=tuple(choices) if isinstance(choices, list) else None,
        choices_unknown=isinstance(choices, dict),
        default=None if unsaid else default,
        default_known=not (unsaid and "$repr" in default),
        const=parsed["const"],
        required=parsed["required"],
        owner=parsed["owner"],
        deprecated=parsed["action"].startswith("Deprecated"),
    )
