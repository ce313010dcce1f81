"""Contracts as JSON documents."""

from __future__ import annotations

import json

from miles_lint.cli.present import put
from miles_lint.contract.model import Contract, Flag, Site


def flag_document(flag: Flag) -> dict[str, object]:
    """A flag as JSON."""
    names = ("dest", "action", "arity", "type", "default", "const", "required", "owner", "deprecated", "replacement")
    choices: object = None if flag.choices is None else list(flag.choices)
    return {
        "names": list(flag.names),
        **{name: getattr(flag, name) for name in names},
        "choices": "computed" if flag.choices_unknown else choices,
        "default_known": flag.default_known,
        "origin": place_of(flag.origin),
    }


def place_of(site: Site | None) -> str | None:
    return None if site is None else f"{site.path}:{site.row}"


def about(contract: Contract) -> dict[str, object]:
    names = ("trainer", "revision", "backend", "driver")
    return {**{name: getattr(contract, name) for name in names}, "owners": dict(contract.owners)}


def print_json(contract: Contract, told: dict[str, object]) -> int:
    put(json.dumps({**about(contract), **told}, indent=2, ensure_ascii=False, default=str) + "\n")
    return 0
