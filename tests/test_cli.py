"""The command line where it is our own: failures, colours, jobs, severities, introspection, start-up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from doors import Cli, fake_check

from miles_lint import __version__, lint
from miles_lint.cli import run as run_module
from miles_lint.cli.commands import SUMMARIES
from miles_lint.cli.options import CHECK, HIDDEN
from miles_lint.cli.present import wants_color
from miles_lint.diagnostic import Report
from miles_lint.settings import Settings
from miles_lint.source import Source


@pytest.fixture
def bad(cli: Cli) -> Cli:
    cli.write("a.py", "bad_call()\n")
    return cli


def test_a_bare_call_means_check(bad: Cli) -> None:
    assert bad("a.py").text == bad("check", "a.py").text
    assert bad().code == 1


@pytest.mark.parametrize(
    "arguments", [["-q", "check", "a.py"], ["--isolated", "--color=never", "check", "a.py", "-q"]]
)
def test_options_before_the_command(arguments: list[str], bad: Cli) -> None:
    ran = bad(*arguments)
    assert (ran.code, "Found" in ran.text) == (1, False)


def test_a_check_that_breaks_down_is_told_and_the_others_go_on(bad: Cli) -> None:
    bad.write("b.py", "crash_here = call\n")
    ran = bad("--output-format", "json")
    assert ran.code == 2
    assert [each["code"] for each in json.loads(ran.out)] == ["MIL001"]
    assert ran.err == f"error: {bad.root}/b.py: internal error: RuntimeError: the rule broke down\n"
    assert bad("b.py").out == b""


def test_stdin_that_breaks_the_check_is_echoed(cli: Cli) -> None:
    ran = cli("-", "--fix", "-q", stdin="crash_here = call\r\n")
    assert (ran.code, ran.out) == (2, b"crash_here = call\r\n")


def test_no_traceback_ever(bad: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("miles_lint.cli.check.discover", broken)
    ran = bad("a.py")
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err == "miles-lint failed\n  Cause: internal error: ZeroDivisionError: oh\n"


def test_processes_give_the_same_as_one(cli: Cli) -> None:
    for number in range(30):
        cli.write(
            f"d{number % 3}/f{number}.py",
            "bad_call(risky_call)\n" * (number % 4) + "crash_here = call\n" * (number == 7),
        )
    alone = cli("--jobs", "1")
    shared = cli("--jobs", "3")
    assert run_module._WORTH_A_POOL <= 30
    assert (alone.code, alone.out, alone.err) == (shared.code, shared.out, shared.err)
    assert alone.text.count("MIL001") > 20


def test_fixing_in_processes(cli: Cli) -> None:
    for number in range(20):
        cli.write(f"f{number}.py", "bad_call()\n")
    ran = cli("--jobs", "2", "--fix")
    assert (ran.code, ran.text) == (0, "Found 20 errors (20 fixed, 0 remaining).\n")
    assert {path.read_text() for path in cli.root.glob("*.py")} == {"good_call()\n"}


def test_a_changed_file_is_not_written(bad: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    real = lint.fix_alone

    def meanwhile(*arguments: object, **options: object) -> object:
        (bad.root / "a.py").write_text("somebody_else()\n")
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(run_module, "fix_alone", meanwhile)
    ran = bad("--fix", "--jobs", "1")
    assert ran.code == 2
    assert "changed since it was read" in ran.err
    assert (bad.root / "a.py").read_text() == "somebody_else()\n"


def test_a_directory_that_cannot_be_written(bad: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    ran = bad("--fix")
    assert (ran.code, ran.text) == (2, "")
    assert ran.err == f"error: Failed to write {bad.root}/a.py: Permission denied\n"
    assert (bad.root / "a.py").read_text() == "bad_call()\n"


@pytest.mark.parametrize(
    ("text", "level", "code"),
    [
        ("plain_call()\n", "error", 0),
        ("plain_call()\n", "warning", 1),
        ("plain_call()\n", "info", 1),
        ("bad_call()\n", "error", 1),
        ("house_call()\n", "warning", 0),
        ("house_call()\n", "info", 1),
    ],
)
def test_fail_on(text: str, level: str, code: int, cli: Cli) -> None:
    cli.write("a.py", text)
    ran = cli("--select", "ALL", "--fail-on", level)
    assert (ran.code, "Found 1 error." in ran.text) == (code, True)


def test_findings_made_from_another_file_are_given_to_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(source: object, settings: object) -> object:
        report = fake_check(source, settings)  # type: ignore[arg-type]
        helper = str(cli.root / "helper.py")
        moved = tuple(replace(each, place=replace(each.place, path=helper)) for each in report.diagnostics)
        return replace(report, diagnostics=moved)

    monkeypatch.setattr(lint, "_check", check)
    cli.write("helper.py", "# recall\n#\n#\n")
    cli.write("a.py", "bad_call()\n")
    cli.write("b.py", "bad_call()\n")
    found = json.loads(cli("--output-format", "json").out)
    assert [(Path(each["filename"]).name, each["location"]["row"]) for each in found] == [("helper.py", 1)]
    assert json.loads(cli("--output-format", "json", "a.py").out) == []
    cli.write("helper.py", "# recall # noqa: MIL001\n")
    assert json.loads(cli("--output-format", "json").out) == []
    assert len(json.loads(cli("--output-format", "json", "--ignore-noqa").out)) == 1


def test_unused_suppressions_are_found_and_removed(cli: Cli) -> None:
    cli.write("a.py", "bad_call()  # noqa: MIL001, MIL003\ngood_call()  # noqa: MIL001\n")
    assert [each["code"] for each in json.loads(cli("--output-format", "json").out)] == ["MIL902", "MIL902"]
    assert json.loads(cli("--output-format", "json", "--ignore-noqa", "--select", "MIL902").out) == []
    assert cli("--fix").code == 0
    assert (cli.root / "a.py").read_text() == "bad_call()  # noqa: MIL001\ngood_call()\n"


def test_suppressions_of_rules_that_do_not_run_are_left_alone(cli: Cli) -> None:
    cli.write("a.py", "good_call()  # noqa: MIL003\n")
    assert cli("--ignore", "MIL003").code == 0


def test_invalid_suppressions_of_ours_are_told(cli: Cli) -> None:
    cli.write("a.py", "bad_call()  # noqa: MIL001x\ngood_call()  # noqa: what\n")
    ran = cli("a.py")
    assert ran.code == 1
    assert ran.err == (
        "warning: Invalid `# noqa` directive on a.py:1: "
        "expected code to consist of uppercase letters followed by digits only (e.g. `MIL001`)\n"
    )
    assert cli("-q", "a.py").err == ""


def test_add_noqa_and_then_clean(cli: Cli) -> None:
    cli.write("a.py", "bad_call(odd_call)\nx = '''\nrisky_call\n'''\n")
    ran = cli("--add-noqa=see the wiki")
    assert (ran.code, ran.out, ran.err) == (0, b"", "Added 3 noqa directives.\n")
    text = (cli.root / "a.py").read_text()
    assert text.splitlines() == [
        "bad_call(odd_call)  # noqa: MIL001, MIL003 see the wiki",
        *("x = '''", "risky_call", "'''  # noqa: MIL002 see the wiki"),
    ]
    assert cli().code == 0
    assert cli("--add-noqa").err == ""
    assert (cli.root / "a.py").read_text() == text


@pytest.mark.parametrize(
    ("when", "environment", "terminal", "color"),
    [
        (None, {}, True, True),
        (None, {}, False, False),
        (None, {"NO_COLOR": "1"}, True, False),
        (None, {"NO_COLOR": ""}, True, True),
        (None, {"TERM": "dumb"}, True, False),
        (None, {"FORCE_COLOR": "1"}, False, True),
        (None, {"CLICOLOR_FORCE": "1"}, False, True),
        (None, {"FORCE_COLOR": "0"}, False, False),
        (None, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
        ("auto", {}, True, True),
    ],
)
def test_when_to_use_colour(when: str | None, environment: dict[str, str], terminal: bool, color: bool) -> None:
    assert wants_color(when, environment, terminal) == color


def test_colours_are_only_for_people(bad: Cli) -> None:
    for name in ("full", "concise", "grouped"):
        assert "\x1b[" in bad("--color", "always", "--output-format", name).text
        assert "\x1b[" not in bad("--output-format", name).text
    for name in ("json", "github", "junit", "pylint", "sarif"):
        assert "\x1b[" not in bad("--color", "always", "--output-format", name).text
    assert "\x1b[" in bad("--color", "always", "--diff").text


def test_environment(bad: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILES_LINT_OUTPUT_FORMAT", "json")
    assert bad().text.startswith("[")
    assert bad("--output-format", "concise").text.startswith("a.py:1:1: MIL001")
    monkeypatch.setenv("MILES_LINT_OUTPUT_FORMAT", "text")
    assert bad().code == 2
    monkeypatch.setenv("MILES_LINT_OUTPUT_FORMAT", "concise")
    monkeypatch.setenv("MILES_LINT_OUTPUT_FILE", "out/found.txt")
    assert (bad().out, (bad.root / "out" / "found.txt").read_text()[:5]) == (b"", "a.py:")
    monkeypatch.setenv("MILES_LINT_NO_CACHE", "1")
    assert "possible values: true, false" in bad().err


def test_show_files_and_settings(bad: Cli) -> None:
    assert bad("--show-files").text == f"{bad.root}/a.py\n"
    text = bad("--show-settings", "--fail-on", "error").text
    assert "fail-on = error\n" in text
    assert "MIL001" in text


def test_rule(cli: Cli) -> None:
    assert cli("rule", "MIL001").text.startswith("# bad-call (MIL001)\n\nFix is sometimes available.\n\n## bad-call")
    assert cli("rule", "bad-call").text == cli("rule", "MIL001").text == cli("--explain", "MIL001").text
    entry = json.loads(cli("rule", "MIL003", "--output-format", "json").out)
    assert (entry["code"], entry["fix_availability"], entry["status"]) == (
        "MIL003",
        "None",
        {"Stable": {"since": "0.1"}},
    )
    everything = json.loads(cli("rule", "--all", "--output-format=json").out)
    assert [each["code"] for each in everything][:2] == ["MIL001", "MIL002"]
    assert cli("rule", "--all").text.count("\n# ") == len(everything) - 1
    for wrong in (["MIL0"], [], ["ZZZ"]):
        ran = cli("rule", *wrong)
        assert (ran.code, ran.out) == (2, b"")
        assert ran.err.startswith(f"error: invalid value '{''.join(wrong)}' for '[RULE]'")


def test_linter_config_version(cli: Cli) -> None:
    assert cli("linter").text == " MIL miles-lint\n"
    assert json.loads(cli("linter", "--output-format", "json").out)[0]["prefix"] == "MIL"
    assert "per-file-ignores\n" in cli("config").text
    assert "Default value: []" in cli("config", "ignore").text
    assert (
        json.loads(cli("config", "fail-on", "--output-format", "json").out)["value_type"]
        == '"error" | "warning" | "info"'
    )
    assert cli("config", "nope").code == 2
    assert cli("version").text == f"miles-lint {__version__}\n"
    assert json.loads(cli("version", "--output-format", "json").out) == {"version": __version__, "commit_info": None}


def test_version_lines(cli: Cli) -> None:
    assert cli("--version").text == cli("-V").text == f"miles-lint {__version__}\n"
    line = cli("--version", ruff=True).text
    assert line == f"ruff 0.17.6+miles.{__version__}\n"
    assert cli("check", "--version", ruff=True).text == line


def test_help_lists_every_option(cli: Cli) -> None:
    text = cli("check", "--help").text
    for option in CHECK:
        assert (f"--{option.name}" in text) == (option.kind != HIDDEN), option.name
    assert "generate-shell-completion" in cli("--help").text == cli("help").text


def test_output_that_nobody_reads_any_more(bad: Cli) -> None:
    command = f"{sys.executable} -m miles_lint config --output-format json | head -c 1 >/dev/null"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=bad.root)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--version"], ["argparse", "libcst", "json", "dataclasses", "miles_lint.rules"]),
        (["."], ["libcst", "multiprocessing", "miles_lint.rules", "json", "difflib"]),
        (
            ["clean.py", "--output-format", "json", "--select", "MIL0"],
            ["libcst", "multiprocessing", "miles_lint.rules"],
        ),
        (["clean.py", "--fix", "--diff"], ["libcst", "multiprocessing", "miles_lint.rules", "json", "difflib"]),
        (["--show-files"], ["libcst", "multiprocessing", "miles_lint.rules", "json", "difflib"]),
    ],
    ids=" ".join,
)
def test_start_up_loads_only_what_is_needed(arguments: list[str], unwanted: list[str], tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"other{number}.py").write_text("y = 1\n")
    (tmp_path / "clean.py").write_text("x = 1\n")
    code = (
        "import sys; from miles_lint.cli import main; code = main(sys.argv[1:])\n"
        f"print([name for name in {unwanted!r} if name in sys.modules], code, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=tmp_path, env=os.environ
    )
    assert done.stderr == "[] 0\n"


def test_findings_that_another_file_makes_are_repaired_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    helper = cli.root / "helper.py"

    def check(source: Source, settings: Settings) -> Report:
        if source.path == str(helper):
            return Report(source.path)
        return replace(fake_check(Source.from_text(str(helper), helper.read_text()), settings), path=source.path)

    monkeypatch.setattr(lint, "_check", check)
    cli.write("helper.py", "bad_call()\nodd_call()\n")
    cli.write("a.py", "recall\n")
    cli.write("b.py", "recall\n")
    assert cli("--diff").text.startswith(
        "--- helper.py\n+++ helper.py\n@@ -1,2 +1,2 @@\n-bad_call()\n+good_call()\n odd_call()\n"
    )
    assert helper.read_text() == "bad_call()\nodd_call()\n"
    ran = cli("--fix", "--output-format", "concise")
    assert ran.text == "helper.py:2:1: MIL003 `odd_call` is odd\nFound 2 errors (1 fixed, 1 remaining).\n"
    assert helper.read_text() == "good_call()\nodd_call()\n"
    assert (
        cli("--fix", "--output-format", "concise").text == "helper.py:2:1: MIL003 `odd_call` is odd\nFound 1 error.\n"
    )


def test_repairing_what_is_silenced(cli: Cli) -> None:
    cli.write("a.py", "bad_call()  # noqa: MIL001\n")
    assert cli("--fix").code == 0
    assert cli("--fix", "--ignore-noqa").text == "Found 1 error (1 fixed, 0 remaining).\n"
    assert (cli.root / "a.py").read_text() == "good_call()  # noqa: MIL001\n"


def test_watch_checks_again_after_a_change(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.write("a.py", "bad_call()\n")
    rounds: list[int] = []

    def sleep(_: float) -> None:
        rounds.append(len(rounds))
        if len(rounds) == 2:
            cli.write("a.py", "odd_call(1, 2)\n")
        if len(rounds) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", sleep)
    ran = cli("--watch", "--output-format", "concise", "-q")
    assert ran.code == 0
    assert [line for line in ran.text.splitlines() if line.startswith("a.py")] == [
        "a.py:1:1: MIL001 [*] `bad_call` is bad",
        "a.py:1:1: MIL003 `odd_call` is odd",
    ]


def test_watch_reads_settings_again_and_outlives_broken_ones(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.write("a.py", "bad_call(odd_call)\n")
    steps = iter(("ignore = ['MIL003']", "", "ignor = []", "", "ignore = ['MIL001']", "", None))

    def sleep(_: float) -> None:
        step = next(steps)
        if step is None:
            raise KeyboardInterrupt
        if step:
            cli.write("miles-lint.toml", step)

    monkeypatch.setattr("time.sleep", sleep)
    ran = cli("--watch", "--output-format", "concise", "-q")
    assert [line[:17] for line in ran.text.splitlines() if line.startswith("a.py")] == [
        *("a.py:1:1: MIL001 ", "a.py:1:10: MIL003"),
        "a.py:1:1: MIL001 ",
        "a.py:1:10: MIL003",
    ]
    assert ran.err.count("did you mean `ignore`?") == 1


@pytest.mark.parametrize("command", SUMMARIES)
def test_help_of_a_command(command: str, cli: Cli) -> None:
    ran = cli("help", command)
    assert (ran.code, ran.err) == (0, "")
    assert f"miles-lint {command}" in ran.text or command == "help"
    assert cli(command, "--help").text == ran.text


def test_a_trainer_that_is_not_there(bad: Cli) -> None:
    ran = bad("--trainer", "nowhere")
    assert (ran.code, ran.out) == (2, b"")
    assert "invalid value 'nowhere' for '--trainer <PATH>': no such file or directory" in ran.err
    assert bad("--trainer", "bundled").code == 1


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("check . >&-", 1, ""),
        ("- <&-", 0, ""),
        ("rule --all >&-", 0, ""),
        ("check . 2>&-", 1, ""),
        ("check . >/dev/full", 2, "miles-lint failed\n  Cause: No space left on device\n"),
        ("rule MIL001 >/dev/full", 2, "miles-lint failed\n  Cause: No space left on device\n"),
        ("rule --all", 0, ""),
    ],
)
def test_streams_that_are_closed_full_or_know_no_unicode(line: str, code: int, said: str, tmp_path: Path) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    recipe = Path(__file__).parent / "fixtures" / "doors" / "run_fully_async.py"
    (tmp_path / "recipe.py").write_text(recipe.read_text())
    code_line = "import sys; from miles_lint.cli import main; sys.exit(main())"
    command = f'{sys.executable} -c "{code_line}" {line}'
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (code, said)


def test_a_failure_counts_more_than_a_diff(bad: Cli) -> None:
    bad.write("b.py", "crash_here = call\n")
    ran = bad("--diff")
    assert (ran.code, "+good_call()" in ran.text) == (2, True)
    assert "internal error: RuntimeError" in ran.err


def test_only_comments_that_were_written_are_counted(bad: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    bad.write("b.py", "odd_call()\n")
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("b.py") and real(path, mode))
    ran = bad("--add-noqa")
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err == f"error: Failed to write {bad.root}/b.py: Permission denied\nAdded 1 noqa directive.\n"
