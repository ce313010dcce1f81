"""Commands that tell about miles-lint itself: rules, settings, version, completion."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from miles_lint import __version__
from miles_lint.cli.commands import SUMMARIES
from miles_lint.cli.completion import SHELLS, script
from miles_lint.cli.errors import UsageError
from miles_lint.cli.present import put
from miles_lint.diagnostic import Applicability
from miles_lint.options import BY_KEY, OPTIONS, Option, json_schema
from miles_lint.output.context import HOME, TOOL

Json = dict[str, Any]
_FORM = "[--output-format text|json]"
_USAGE = {
    "rule": f"CODE|NAME|--all {_FORM}",
    "linter": _FORM,
    "config": f"[KEY|--schema] {_FORM}",
    "version": _FORM,
    "generate-shell-completion": "|".join(SHELLS),
}


def run(command: str, arguments: list[str], program: str, version: str) -> int:
    """Run one of these commands. Raises `UsageError`."""
    if command == "help":
        put(overview(program))
        return 0
    if "--help" in arguments or "-h" in arguments:
        put(f"{SUMMARIES[command]}\n\nUsage: {program} {command} {_USAGE[command]}\n")
        return 0
    words, form = _read(arguments)
    handlers: dict[str, Callable[[list[str], str], str]] = {
        "rule": _rule,
        "linter": _linter,
        "config": _config,
        "generate-shell-completion": lambda words, _: script(_one(words, "SHELL", SHELLS), program),
        "version": lambda words, form: _version(words, form, version),
    }
    put(handlers[command](words, form).rstrip("\n") + "\n")
    return 0


def overview(program: str) -> str:
    """The help of the program."""
    width = max(map(len, SUMMARIES))
    commands = "".join(f"  {name:<{width}}  {text}\n" for name, text in SUMMARIES.items())
    return (
        "Find and repair mistakes in launch recipes\n\n"
        f"Usage: {program} [COMMAND] [OPTIONS] [FILES]...\n\nCommands:\n{commands}\n"
        f"For the options of `check`: {program} check --help\n"
    )


def _read(arguments: Sequence[str]) -> tuple[list[str], str]:
    words: list[str] = []
    form = "text"
    waiting = False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if waiting:
            form, waiting = argument, False
        elif name in ("--output-format", "--format"):
            form, waiting = (value, False) if equals else (form, True)
        elif argument in ("-q", "--quiet", "-v", "--verbose", "--isolated", "-s", "--silent"):
            continue
        elif argument.startswith("-") and argument not in ("--all", "--schema"):
            raise UsageError(f"unexpected argument '{argument}' found")
        else:
            words.append(argument)
    if form not in ("text", "json", "pretty") or waiting:
        raise UsageError(
            f"invalid value '{form}' for '--output-format <OUTPUT_FORMAT>'\n  [possible values: text, json]"
        )
    return words, form


def _one(words: Sequence[str], name: str, choices: Sequence[str]) -> str:
    if len(words) != 1 or words[0] not in choices:
        given = words[0] if words else ""
        raise UsageError(f"invalid value '{given}' for '[{name}]'\n  [possible values: {', '.join(choices)}]")
    return words[0]


def _rule(words: list[str], form: str) -> str:
    from miles_lint.rules import RULES

    wanted = RULES if words == ["--all"] else tuple(r for r in RULES if words in ([r.code], [r.name]))
    if not wanted:
        raise UsageError(f"invalid value '{words[0] if words else ''}' for '[RULE]'")
    if form == "json":
        entries = [_rule_entry(rule) for rule in wanted]
        return json.dumps(entries if words == ["--all"] else entries[0], indent=2, ensure_ascii=False)
    return "\n\n".join(_rule_text(rule) for rule in wanted)


def _fix_sentence(fix: Applicability | None) -> str:
    return "Fix is not available." if fix is None else "Fix is sometimes available."


def _rule_text(rule: Any) -> str:
    return f"# {rule.name} ({rule.code})\n\n{_fix_sentence(rule.fix)}\n\n{rule.doc.strip()}"


def _rule_entry(rule: Any) -> Json:
    return {
        "name": rule.name,
        "code": rule.code,
        "linter": TOOL,
        "summary": rule.summary,
        "message_formats": [],
        "fix": _fix_sentence(rule.fix),
        "fix_availability": "None" if rule.fix is None else "Sometimes",
        "explanation": rule.doc,
        "preview": False,
        "status": {"Stable": {"since": rule.since}},
        "severity": rule.severity.name.lower(),
        "default_on": rule.default_on,
    }


def _linter(words: list[str], form: str) -> str:
    if words:
        raise UsageError(f"unexpected argument '{words[0]}' found")
    if form == "json":
        return json.dumps([{"prefix": "MIL", "name": TOOL, "url": HOME}], indent=2)
    return f" MIL {TOOL}"


def _config(words: list[str], form: str) -> str:
    if words == ["--schema"]:
        return json.dumps(json_schema(), indent=2)
    if not words:
        listed = {option.key: _option_entry(option) for option in OPTIONS}
        return json.dumps(listed, indent=2) if form == "json" else "\n".join(listed)
    option = BY_KEY.get(words[0])
    if option is None or len(words) > 1:
        raise UsageError(f"invalid value '{words[0]}' for '[OPTION]'")
    entry = _option_entry(option)
    if form == "json":
        return json.dumps(entry, indent=2)
    return (
        f"{entry['doc']}\n\nDefault value: {entry['default']}\nType: {entry['value_type']}\n"
        f"Example usage:\n```toml\n{entry['example']}\n```"
    )


def _option_entry(option: Option) -> Json:
    kinds = {"list": "list[str]", "bool": "bool", "string": "str", "table": "dict[str, list[str]]"}
    return {
        "doc": option.doc,
        "default": json.dumps(option.default),
        "value_type": " | ".join(f'"{choice}"' for choice in option.choices) or kinds[option.kind],
        "scope": None,
        "example": f"{option.key} = {option.example}",
        "deprecated": None,
    }


def _version(words: list[str], form: str, version: str) -> str:
    if words:
        raise UsageError(f"unexpected argument '{words[0]}' found")
    return json.dumps({"version": __version__, "commit_info": None}, indent=2) if form == "json" else version
