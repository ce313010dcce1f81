"""The options of `check`: one table, from which parsing, help and shell completion are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from miles_lint.options import FORMATS, LEVELS

FLAG, COUNT, VALUE, LIST, HIDDEN = "flag", "count", "value", "list", "hidden"


@dataclass(frozen=True, slots=True)
class Option:
    """One option; `key` is the settings key it overrides, `negated` the flag that takes it back."""

    name: str
    kind: str
    doc: str = ""
    short: str = ""
    key: str = ""
    choices: tuple[str, ...] = ()
    metavar: str = ""
    negated: str = ""
    env: str = ""

    @property
    def dest(self) -> str:
        return self.name.replace("-", "_")

    @property
    def takes_value(self) -> bool:
        return self.kind in (VALUE, LIST) or bool(self.metavar)


def _selectors(name: str, doc: str) -> Option:
    return Option(name, LIST, doc, key=name, metavar="RULE_CODE")


CHECK = (
    Option("fix", FLAG, "Repair what can be repaired", key="fix", negated="no-fix"),
    Option("unsafe-fixes", FLAG, "Also apply fixes marked unsafe", key="unsafe-fixes", negated="no-unsafe-fixes"),
    Option("show-fixes", FLAG, "List what was repaired", key="show-fixes", negated="no-show-fixes"),
    Option("diff", FLAG, "Print the repairs as a diff and write nothing; implies --fix-only"),
    Option("watch", FLAG, "Check again whenever a file changes", short="w"),
    Option("fix-only", FLAG, "Repair, and do not report what is left", key="fix-only", negated="no-fix-only"),
    Option("ignore-noqa", FLAG, "Ignore `# noqa` comments"),
    Option(
        "output-format",
        VALUE,
        "How findings are printed",
        "",
        "output-format",
        FORMATS,
        "OUTPUT_FORMAT",
        env="OUTPUT_FORMAT",
    ),
    Option("output-file", VALUE, "Write findings to a file", short="o", metavar="OUTPUT_FILE", env="OUTPUT_FILE"),
    Option("statistics", FLAG, "Count findings by rule"),
    Option("add-noqa", FLAG, "Append a `# noqa` for each finding; `--add-noqa=REASON` adds a reason"),
    Option("show-files", FLAG, "List the files that would be checked"),
    Option("show-settings", FLAG, "Print the settings in force"),
    Option(
        "fail-on",
        VALUE,
        "The least severity that makes the exit code 1",
        "",
        "fail-on",
        LEVELS,
        "LEVEL",
        env="FAIL_ON",
    ),
    Option("all-knobs", FLAG, "Also report what needs several changed knobs", key="all-knobs", negated="no-all-knobs"),
    Option("trainer", VALUE, "A checkout of the trainer, or `bundled`", key="trainer", metavar="PATH", env="TRAINER"),
    Option("extra-flags", LIST, "Patterns of flags that a fork or plug-in adds", key="extra-flags", metavar="PATTERN"),
    _selectors("select", "Rules to run instead of those on by default; ALL for every rule"),
    _selectors("ignore", "Rules not to run"),
    _selectors("extend-select", "Rules to run besides"),
    _selectors("extend-ignore", "Rules not to run, besides those of --ignore"),
    Option(
        "per-file-ignores",
        LIST,
        "PATTERN:CODE pairs of rules not to run in some files",
        key="per-file-ignores",
        metavar="PER_FILE_IGNORES",
    ),
    Option(
        "extend-per-file-ignores",
        LIST,
        "Further per-file ignores",
        key="extend-per-file-ignores",
        metavar="PER_FILE_IGNORES",
    ),
    _selectors("fixable", "Rules whose fixes are offered"),
    _selectors("unfixable", "Rules whose fixes are not offered"),
    _selectors("extend-fixable", "Rules whose fixes are offered besides"),
    Option("exclude", LIST, "Patterns of files to leave out", key="exclude", metavar="FILE_PATTERN"),
    Option(
        "extend-exclude", LIST, "Further patterns of files to leave out", key="extend-exclude", metavar="FILE_PATTERN"
    ),
    Option(
        "respect-gitignore",
        FLAG,
        "Leave out what git ignores",
        key="respect-gitignore",
        negated="no-respect-gitignore",
    ),
    Option(
        "force-exclude",
        FLAG,
        "Leave out excluded files also when they are named",
        key="force-exclude",
        negated="no-force-exclude",
    ),
    Option("stdin-filename", VALUE, "The name of the file that is read from standard input", metavar="STDIN_FILENAME"),
    Option("exit-zero", FLAG, "Exit with 0 also when there are findings", short="e"),
    Option("exit-non-zero-on-fix", FLAG, "Exit with 1 when something was repaired"),
    Option("jobs", VALUE, "How many processes check files", short="j", metavar="N", env="JOBS"),
    Option("no-cache", FLAG, "Neither read nor keep extracted contracts", short="n"),
    Option("cache-dir", VALUE, "Where extracted contracts are kept", metavar="CACHE_DIR", env="CACHE_DIR"),
    Option(
        "config",
        LIST,
        "A settings file, or one `key = value` that overrides it",
        metavar="CONFIG_OPTION",
        env="CONFIG",
    ),
    Option("isolated", FLAG, "Ignore all settings files"),
    Option("verbose", FLAG, "Say what is done on standard error", short="v"),
    Option("quiet", COUNT, "Print findings and nothing else", short="q"),
    Option("silent", FLAG, "Print nothing", short="s"),
    Option("color", VALUE, "When to use colours", choices=("auto", "always", "never"), metavar="WHEN"),
    Option("preview", HIDDEN, negated="no-preview"),
    Option("extension", HIDDEN, metavar="EXTENSION"),
    Option("line-length", HIDDEN, metavar="LENGTH"),
    Option("target-version", HIDDEN, metavar="VERSION"),
    Option("add-noqa-reason", HIDDEN, metavar="REASON"),
)


def flags() -> Iterator[str]:
    """Every long option that help and completion show."""
    for option in CHECK:
        if option.kind != HIDDEN:
            yield f"--{option.name}"
            if option.negated:
                yield f"--{option.negated}"
