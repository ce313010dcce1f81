"""Completion scripts for shells, written from the tables of commands, options and rules."""

from __future__ import annotations

from miles_lint.cli.commands import SUMMARIES
from miles_lint.cli.options import CHECK, HIDDEN, Option, flags
from miles_lint.selection import known

SHELLS = ("bash", "zsh", "fish")
_SHOWN = tuple(option for option in CHECK if option.kind != HIDDEN)


def script(shell: str, program: str) -> str:
    """The completion script of one of `SHELLS`."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](program)


def _values(option: Option) -> tuple[str, ...]:
    """The words that an option takes, where they are known."""
    return ("ALL", *_codes()) if option.metavar == "RULE_CODE" else option.choices


def _codes() -> tuple[str, ...]:
    return tuple(rule.code for rule in known())


def _names(option: Option) -> tuple[str, ...]:
    return (f"--{option.name}", *([f"-{option.short}"] if option.short else []))


def _words() -> dict[str, tuple[str, ...]]:
    """What may stand behind a command, or behind an option of `check`."""
    return {
        "rule": (*_codes(), "--all"),
        "generate-shell-completion": SHELLS,
        **{name: _values(option) for option in _SHOWN if _values(option) for name in _names(option)},
    }


def _bash(program: str) -> str:
    function = "_" + program.replace("-", "_")
    reply = 'COMPREPLY=($(compgen -W "{}" -- "$word"))'
    cases = "".join(
        f"        {name}) {reply.format(' '.join(words))}; return ;;\n" for name, words in _words().items()
    )
    files = "|".join(
        name for option in _SHOWN if option.takes_value and not _values(option) for name in _names(option)
    )
    return f"""{function}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    if [ "$before" = "=" ]; then
        before="${{COMP_WORDS[COMP_CWORD-2]}}"
    elif [ "$word" = "=" ]; then
        word=""
    fi
    case "$before" in
{cases}        {files}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    case "$word" in
        -*) {reply.format(" ".join(flags()))} ;;
        *)
            COMPREPLY=($(compgen -f -- "$word"))
            if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY+=($(compgen -W "{" ".join(SUMMARIES)}" -- "$word"))
            fi ;;
    esac
}}
complete -o filenames -F {function} {program}
"""


def _zsh(program: str) -> str:
    function = "_" + program.replace("-", "_")
    lines = []
    for option in _SHOWN:
        doc = _plain(option.doc).replace("[", "(").replace("]", ")").replace(":", "")
        words = _values(option)
        what = f"({' '.join(words)})" if words else "_files"
        value = f":value:{what}" if option.takes_value else ""
        lines += [
            f"            '*{name}{'=' * (name[:2] == '--') * bool(value)}[{doc}]{value}'" for name in _names(option)
        ]
        if option.negated:
            lines.append(f"            '*--{option.negated}[{doc}, not]'")
    arguments = " \\\n".join([*lines, "            '*: :_files'"])
    commands = " ".join(f"'{name}:{_plain(text)}'" for name, text in SUMMARIES.items())
    return f"""#compdef {program}
{function}() {{
    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        local -a commands=({commands})
        _describe command commands
        _files
        return
    fi
    case $words[2] in
        rule) compadd -- {" ".join(_words()["rule"])} ;;
        generate-shell-completion) compadd -- {" ".join(SHELLS)} ;;
        *)
            _arguments \\
{arguments} ;;
    esac
}}
if [ "$funcstack[1]" = "{function}" ]; then
    {function} "$@"
else
    compdef {function} {program}
fi
"""


def _fish(program: str) -> str:
    start = f"complete -c {program}"
    lines = [f"{start} -n __fish_use_subcommand -a {name} -d '{_plain(text)}'" for name, text in SUMMARIES.items()]
    lines += [
        f"{start} -f -n '__fish_seen_subcommand_from {name}' -a '{' '.join(_words()[name])}'"
        for name in ("rule", "generate-shell-completion")
    ]
    for option in _SHOWN:
        words = _values(option)
        value = f" -x -a '{' '.join(words)}'" if words else " -r" if option.takes_value else ""
        short = f" -s {option.short}" if option.short else ""
        lines.append(f"{start} -l {option.name}{short}{value} -d '{_plain(option.doc)}'")
        if option.negated:
            lines.append(f"{start} -l {option.negated}")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return text.replace("'", "").replace("`", "")
