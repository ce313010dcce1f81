"""The commands, and each in one line."""

SUMMARIES = {
    "check": "Check launch recipes, and repair them (the default)",
    "fold": "Print what a recipe would launch",
    "diff": "Compare what two recipes would launch",
    "rule": "Explain a rule",
    "contract": "Show the flags and checks of a trainer",
    "server": "Run the language server",
    "linter": "List rule prefixes",
    "config": "List or explain settings",
    "version": "Print the version",
    "generate-shell-completion": "Print a completion script for a shell",
    "help": "Print this help",
}
