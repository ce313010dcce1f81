"""Settings files: where they are found, what they may hold, and what is told when they are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from doors import Cli
from hypothesis import given
from hypothesis import strategies as st

from miles_lint.cli.parsing import parse
from miles_lint.cli.resolve import Resolver
from miles_lint.diagnostic import Severity
from miles_lint.options import BY_KEY, OPTIONS, InvalidOption, json_schema, validate
from miles_lint.settings import Settings, SettingsError, apply_table
from miles_lint.settings_files import find, load, read_table

SCHEMA = Path(__file__).parent.parent / "schema" / "miles-lint.schema.json"


@pytest.fixture(autouse=True)
def fresh(fake_rules: None) -> None:
    find.cache_clear()


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_published_schema_is_made_from_the_table() -> None:
    assert json.loads(SCHEMA.read_text()) == json_schema(), (
        "run `miles-lint config --schema > schema/miles-lint.schema.json`"
    )
    jsonschema.Draft202012Validator.check_schema(json_schema())


_VALUES = st.one_of(
    st.booleans(),
    st.text(max_size=3),
    st.sampled_from(["full", "error", "info", "sarif"]),
    st.lists(st.one_of(st.text(max_size=2), st.integers()), max_size=2),
    st.dictionaries(
        st.text(max_size=2), st.one_of(st.lists(st.text(max_size=2), max_size=2), st.integers()), max_size=2
    ),
    st.integers(),
)


@given(st.dictionaries(st.sampled_from([*BY_KEY, "unknown"]), _VALUES, max_size=3))
def test_validation_and_schema_agree(table: dict[str, Any]) -> None:
    try:
        validate(table)
        fits = True
    except InvalidOption:
        fits = False
    assert jsonschema.Draft202012Validator(json_schema()).is_valid(table) == fits


def test_every_example_and_default_fits_its_option() -> None:
    from miles_lint.settings_files import tomllib

    for option in OPTIONS:
        assert option.problem(tomllib.loads(f"x = {option.example}")["x"]) is None, option.key
        assert option.default is None or option.problem(option.default) is None, option.key


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "unknown field `selct`, did you mean `select`?"),
        ("extend_select = []", "unknown field `extend_select`, did you mean `extend-select`?"),
        ("zzz = 1", "unknown field `zzz`, expected one of select, "),
        ("select = 'MIL001'", "invalid type for `select`: expected a list of strings"),
        ("fix = 'yes'", "invalid type for `fix`: expected a boolean"),
        ("output-format = 'text'", "invalid value `text` for `output-format`: expected one of full, concise"),
        ("[lint]\nselect = []", "unknown field `lint`: its keys stand directly in the table of miles-lint"),
        ("select = [", "TOML parse error"),
        ("select = ['MIL9x']", "Unknown rule selector `MIL9x` in `select` from"),
        ("ignore = ['mil001']", "Unknown rule selector `mil001` in `ignore` from"),
        ("ignore = ['MIL00']\nfixable = ['bad-cal']", "Unknown rule selector `bad-cal` in `fixable` from"),
        ("[per-file-ignores]\n'a' = ['MIL777']", "Unknown rule selector `MIL777` in `per-file-ignores` from"),
        ("required-version = '>=99'", "Required version `>=99` does not match the running version"),
        ("required-version = 'new'", "invalid `required-version` `new`"),
        ("extend = 'gone.toml'", "Failed to read"),
        ("extend = 'miles-lint.toml'", "extends itself"),
    ],
)
def test_errors(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as error:
        load(put(tmp_path / "miles-lint.toml", text))
    assert message in str(error.value)


def test_errors_reach_the_command_line(cli: Cli) -> None:
    cli.write("miles-lint.toml", "selct = []\n")
    cli.write("a.py", "bad_call()\n")
    ran = cli("a.py")
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err == (
        f"miles-lint failed\n  Cause: Failed to parse {cli.root}/miles-lint.toml\n"
        "  Cause: unknown field `selct`, did you mean `select`?\n"
    )


def test_nearest_file_wins_and_a_pyproject_without_our_table_is_skipped(tmp_path: Path) -> None:
    outer = put(tmp_path / "miles-lint.toml", "")
    put(tmp_path / "sub" / "pyproject.toml", "[tool.other]\nmiles-lint = 1\n")
    assert find(tmp_path / "sub" / "deep") == outer
    own = put(tmp_path / "sub" / "deep" / "pyproject.toml", "[tool.miles-lint]\nignore = ['MIL001']\n")
    find.cache_clear()
    assert find(tmp_path / "sub" / "deep") == own
    dotted = put(tmp_path / "sub" / "deep" / ".miles-lint.toml", "")
    find.cache_clear()
    assert find(tmp_path / "sub" / "deep") == dotted


def test_a_broken_pyproject_of_somebody_else_is_no_error(tmp_path: Path) -> None:
    put(tmp_path / "pyproject.toml", "not toml at all [[[\n")
    assert find(tmp_path) is None
    assert read_table(put(tmp_path / "other" / "pyproject.toml", "[tool]\n")) is None


def test_each_file_is_checked_with_its_own_settings(cli: Cli) -> None:
    cli.write("pyproject.toml", "[tool.miles-lint]\nselect = ['MIL001']\n")
    cli.write("sub/miles-lint.toml", "select = ['MIL003']\n")
    text = "bad_call(odd_call)\n"
    cli.write("a.py", text)
    cli.write("sub/b.py", text)
    codes = [(each["filename"][-4:], each["code"]) for each in json.loads(cli("--output-format", "json").out)]
    assert codes == [("a.py", "MIL001"), ("b.py", "MIL003")]


def test_extend_lies_beneath(tmp_path: Path) -> None:
    put(
        tmp_path / "base.toml",
        "ignore = ['MIL001']\nfail-on = 'error'\ntrainer = 'miles'\nextend-exclude = ['base*']\n",
    )
    settings = load(put(tmp_path / "sub" / "miles-lint.toml", "extend = '../base.toml'\nfail-on = 'warning'\n"))
    assert "MIL001" not in settings.enabled()
    assert settings.fail_on is Severity.WARNING
    assert settings.trainer == str(tmp_path / "miles")
    assert settings.exclude[-1].root == str(tmp_path)
    assert settings.root == str(tmp_path / "sub")


def test_the_command_line_wins(cli: Cli) -> None:
    cli.write("miles-lint.toml", "select = ['MIL003']\noutput-format = 'concise'\n")
    cli.write("a.py", "bad_call(odd_call)\n")
    assert "MIL003" in cli("a.py").text
    assert "MIL001" in cli("a.py", "--select", "MIL001", "--output-format", "pylint").text
    assert "[MIL001]" in cli("a.py", "--isolated", "--output-format", "pylint").text
    assert "MIL001" in cli("a.py", "--config", "select=['MIL001']").text
    cli.write("other.toml", "ignore = ['MIL003']\n")
    assert "MIL003" not in cli("a.py", "--config", "other.toml").text


@pytest.mark.parametrize("value", ["gone.toml", "a b", "selct = 1", "select = 1"])
def test_wrong_config_option(cli: Cli, value: str) -> None:
    ran = cli("--config", value)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith(f"error: invalid value '{value}' for '--config <CONFIG_OPTION>'\n")


def test_rules_off_by_default_run_only_when_selected() -> None:
    assert "MIL410" not in Settings().enabled()
    for table in (
        {"select": ["ALL"]},
        {"extend-select": ["MIL410"]},
        {"select": ["MIL4"]},
        {"select": ["house-call"]},
    ):
        assert "MIL410" in apply_table(Settings(), table, "the CLI", "/").enabled()


@pytest.mark.parametrize("selector", ["I001", "F", "I", "RUF100", "X9"])
def test_selectors_of_other_tools_select_nothing(selector: str, cli: Cli) -> None:
    cli.write("a.py", "bad_call()\n")
    ran = cli("--select", selector, "a.py", "-q", "--output-format", "json")
    assert (ran.code, ran.text) == (0, "[]")
    assert cli("--extend-select", selector, "a.py").code == 1


def test_the_bundled_trainer_can_be_named_anywhere(tmp_path: Path) -> None:
    put(tmp_path / "miles-lint.toml", "trainer = 'bundled'\n")
    assert load(tmp_path / "miles-lint.toml").trainer == "bundled"
    put(tmp_path / "miles-lint.toml", "trainer = '../miles'\n")
    assert load(tmp_path / "miles-lint.toml").trainer == str(tmp_path.parent / "miles")
    for arguments in (["--trainer", "bundled"], ["--config", "trainer = 'bundled'"]):
        settings = Resolver(parse(arguments, {}), str(tmp_path)).for_directory("/")
        assert settings.trainer == "bundled"


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("mil001", "; did you mean `MIL001`?"),
        (" MIL001", "; did you mean `MIL001`?"),
        ("bad-cal", "; did you mean `bad-call`?"),
        ("MIL0x", ""),
        ("", ""),
    ],
)
def test_a_wrong_selector_names_the_right_one(selector: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        apply_table(Settings(), {"select": [selector]}, "the CLI", "/p")
    assert str(caught.value) == f"Unknown rule selector `{selector}` in `select` from the CLI{hint}"
