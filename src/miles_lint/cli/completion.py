"""Completion scripts for shells, written from the tables of commands and options."""

from __future__ import annotations

from miles_lint.cli.dispatch import SUMMARIES
from miles_lint.cli.options import CHECK, HIDDEN, flags

SHELLS = ("bash", "zsh", "fish")


def script(shell: str, program: str) -> str:
    """The completion script of one of `SHELLS`."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](program)


def _bash(program: str) -> str:
    function = "_" + program.replace("-", "_")
    cases = "".join(
        f'        --{option.name}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word")); return ;;\n'
        for option in CHECK
        if option.choices
    )
    return f"""{function}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    case "$before" in
{cases}    esac
    case "$word" in
        -*) COMPREPLY=($(compgen -W "{" ".join(flags())}" -- "$word")) ;;
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
    lines = []
    for option in CHECK:
        if option.kind == HIDDEN:
            continue
        doc = option.doc.replace("'", "").replace("[", "(").replace("]", ")").replace(":", "")
        values = f"({' '.join(option.choices)})" if option.choices else "_files"
        value = f":value:{values}" if option.takes_value else ""
        lines.append(f"    '*--{option.name}[{doc}]{value}'")
        if option.negated:
            lines.append(f"    '*--{option.negated}'")
    commands = " ".join(SUMMARIES)
    first = f'    \'1: :_alternative "commands:command:({commands})" "files:file:_files"\''
    arguments = " \\\n".join([*lines, first])
    return f"#compdef {program}\n_arguments \\\n{arguments} \\\n    '*: :_files'\n"


def _fish(program: str) -> str:
    lines = [f"complete -c {program} -n __fish_use_subcommand -a {name} -d '{doc}'" for name, doc in SUMMARIES.items()]
    for option in CHECK:
        if option.kind == HIDDEN:
            continue
        doc = option.doc.replace("'", "")
        choices = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" if option.takes_value else ""
        short = f" -s {option.short}" if option.short else ""
        lines.append(f"complete -c {program} -l {option.name}{short}{choices} -d '{doc}'")
        if option.negated:
            lines.append(f"complete -c {program} -l {option.negated}")
    return "\n".join(lines) + "\n"
