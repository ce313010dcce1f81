"""Which revision of a package a folder holds, read from its files."""

from __future__ import annotations

import os
import re
from glob import glob

SHORT = 9
_VERSION = re.compile(
    r"""^(?:__version__|version)\s*(?::\s*\w+\s*)?=\s*(?:\w+\s*=\s*)?["'](\d[^"']+)["']""", re.MULTILINE
)
_PARTS = re.compile(r"^(MAJOR|MINOR|PATCH)\s*=\s*(\d+)", re.MULTILINE)


def revision_of(root: str) -> str:
    """The commit that a checkout stands at, nine digits; empty where there is none."""
    folder = os.path.join(root, ".git")
    if os.path.isfile(folder):
        folder = os.path.normpath(os.path.join(root, _text(folder).partition("gitdir:")[2].strip()))
    head = _text(os.path.join(folder, "HEAD")).strip()
    if not head.startswith("ref:"):
        return head[:SHORT]
    name = head.partition(":")[2].strip()
    common = _text(os.path.join(folder, "commondir")).strip()
    for base in (folder, os.path.normpath(os.path.join(folder, common)) if common else folder):
        found = _text(os.path.join(base, *name.split("/"))).strip() or _packed(base, name)
        if found:
            return found[:SHORT]
    return ""


def _packed(folder: str, name: str) -> str:
    lines = _text(os.path.join(folder, "packed-refs")).splitlines()
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), "")


def version_of(folder: str, package: str) -> str:
    """The version of an installed or checked-out package: its metadata, its version file, or its commit."""
    distribution = package.replace("-", "_")
    for found in sorted(glob(os.path.join(_escaped(folder), f"{distribution}-*.dist-info"))):
        return os.path.basename(found)[len(distribution) + 1 : -len(".dist-info")]
    for name in ("_version.py", "version.py", os.path.join("core", "package_info.py")):
        text = _text(os.path.join(folder, package, name))
        told = _VERSION.search(text)
        if told is not None and not told.group(1).startswith("0.0.0"):
            return told.group(1)
        parts = [number for _, number in _PARTS.findall(text)]
        if parts:
            return ".".join(parts)
    return ""


def _escaped(path: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", path)


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
