"""The packages whose options a trainer takes over, and what comes with the linter of them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import get_data
from typing import Any

from miles_lint.contract.encoding import compact

BUNDLED = "owners.json"
_LAYOUTS = ("", "src", "python", "bindings/python/src", "bindings/python")
_REVISION = re.compile(r'^{?"(\w+)":{"revision":"([^"]*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Owner:
    """A package whose options a trainer takes over: the function that adds them, and the names it is imported by."""

    name: str
    package: str
    adder: str
    known_as: tuple[str, ...]
    keywords: tuple[str, ...] = ()


OWNERS = (
    Owner(
        "megatron",
        "megatron",
        "megatron.training.arguments.add_megatron_arguments",
        ("megatron.training.arguments.add_megatron_arguments",),
    ),
    Owner(
        "sglang",
        "sglang",
        "sglang.srt.server_args.ServerArgs.add_cli_args",
        ("sglang.srt.server_args.ServerArgs.add_cli_args",),
    ),
    Owner(
        "router",
        "sglang_router",
        "sglang_router.router_args.RouterArgs.add_cli_args",
        (
            "sglang_router.launch_router.RouterArgs.add_cli_args",
            "sglang_router.router_args.RouterArgs.add_cli_args",
        ),
        ("use_router_prefix", "exclude_host_port"),
    ),
)
"""Facts of miles 31f1ca961 and its family: which functions of other packages fill the trainer's parser."""

Option = Mapping[str, Any]
"""One `add_argument` call: `names`, and its keywords as JSON (see `encode`)."""


def holder_of(root: str, package: str) -> str | None:
    """The folder at or below `root` that holds a package, in a repository, a wheel or site-packages."""
    for layout in _LAYOUTS:
        folder = os.path.normpath(os.path.join(root, layout))
        if os.path.isdir(os.path.join(folder, package)):
            return folder
    return None


def _text() -> str:
    return (get_data("miles_lint.contract", f"data/{BUNDLED}") or b"{}").decode("utf-8")


@lru_cache(maxsize=1)
def bundled_revisions() -> dict[str, str]:
    """The revision of each owner that comes with the linter."""
    return dict(_REVISION.findall(_text()))


@lru_cache(maxsize=1)
def bundled_owners() -> dict[str, tuple[Option, ...]]:
    """The options of each owner that come with the linter."""
    return {name: tuple(each["options"]) for name, each in json.loads(_text()).items()}


def dump_owners(options: Mapping[str, Sequence[Option]], revisions: Mapping[str, str]) -> str:
    """The text that `bundled_owners` reads, one option on a line."""
    parts = []
    for name, given in options.items():
        lines = ",\n".join(compact(option) for option in given)
        parts.append(f'{compact(name)}:{{"revision":{compact(revisions.get(name, ""))},"options":[\n{lines}\n]}}')
    return "{" + ",\n".join(parts) + "}\n"
