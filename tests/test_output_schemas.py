"""The machine formats against the schemas of those who read them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import jsonschema
import pytest
import xmlschema
from doors import Cli
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif

SCHEMAS = Path(__file__).parent / "fixtures" / "schemas"
TEXTS = {
    "findings": "def f():\n    bad_call('é😀'); risky_call(\n    odd_call)\n# other_place\nplain_call < house_call\n",
    "clean": "good_call()\n",
    "syntax": "bad_call(\n",
}


@pytest.fixture(params=sorted(TEXTS))
def run(request: pytest.FixtureRequest, cli: Cli) -> Cli:
    cli.write("some dir/ä.py", TEXTS[request.param])
    cli.write("b.py", TEXTS[request.param])
    return cli


def test_sarif(run: Cli) -> None:
    document = json.loads(run("--output-format", "sarif", "--select", "ALL", ".").out)
    Sarif.model_validate(document)
    for result in document["runs"][0]["results"]:
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert artifact["uriBaseId"] == "%SRCROOT%"
        assert artifact["uri"] in ("b.py", "some%20dir/%C3%A4.py")


def test_sarif_model_refuses_what_the_schema_refuses(run: Cli) -> None:
    document = json.loads(run("--output-format", "sarif", ".").out)
    document["runs"][0]["unheard"] = 1
    with pytest.raises(ValueError, match="unheard"):
        Sarif.model_validate(document)


def test_gitlab(run: Cli) -> None:
    document = json.loads(run("--output-format", "gitlab", "--select", "ALL", ".").out)
    jsonschema.validate(document, json.loads((SCHEMAS / "gitlab.json").read_text()))
    prints = [each["fingerprint"] for each in document]
    assert len(prints) == len(set(prints))


def test_rdjson(run: Cli) -> None:
    document = json.loads(run("--output-format", "rdjson", "--select", "ALL", ".").out)
    jsonschema.validate(document, json.loads((SCHEMAS / "rdjson.json").read_text()))


def test_junit(run: Cli) -> None:
    text = run("--output-format", "junit", "--select", "ALL", ".").text
    xmlschema.XMLSchema(SCHEMAS / "junit.xsd").validate(io.StringIO(text))


def test_sarif_relates_the_other_place_and_keeps_fingerprints_when_rows_shift(cli: Cli) -> None:
    cli.write("a.py", "bad_call()\n# other_place\n")
    first = json.loads(cli("--output-format", "sarif").out)["runs"][0]["results"][0]
    related = first["relatedLocations"][0]
    assert related["message"]["text"] == "the other place"
    assert related["physicalLocation"]["region"]["startLine"] == 2
    cli.write("a.py", "\n\nbad_call()\n# other_place\n")
    second = json.loads(cli("--output-format", "sarif").out)["runs"][0]["results"][0]
    assert first["partialFingerprints"] == second["partialFingerprints"]
    assert first["locations"] != second["locations"]


def test_gitlab_fingerprints_survive_shifted_rows(cli: Cli) -> None:
    cli.write("a.py", "bad_call(bad_call)\n")
    first = json.loads(cli("--output-format", "gitlab").out)
    cli.write("a.py", "\n\nbad_call(bad_call)\n")
    second = json.loads(cli("--output-format", "gitlab").out)
    assert [each["fingerprint"] for each in first] == [each["fingerprint"] for each in second]


def test_gitlab_paths_are_relative_to_the_project_of_ci(cli: Cli) -> None:
    cli.write("sub/a.py", "bad_call()\n")
    cli.monkeypatch.setenv("CI_PROJECT_DIR", str(cli.root / "sub"))
    assert json.loads(cli("--output-format", "gitlab").out)[0]["location"]["path"] == "a.py"


def test_rdjson_counts_bytes_and_json_code_points(cli: Cli) -> None:
    cli.write("a.py", "'é😀'; bad_call()\n")
    range_ = json.loads(cli("--output-format", "rdjson").out)["diagnostics"][0]["location"]["range"]
    assert range_["start"] == {"column": 1 + len("'é😀'; ".encode()), "line": 1}
    assert json.loads(cli("--output-format", "json").out)[0]["location"] == {"column": 7, "row": 1}
