"""`treelab bias`: what it prints, writes and refuses."""

import json

import pytest
from typer.testing import CliRunner

from treelab.cli import app
from treelab.experiment import report

SMALL = ("--classes", "2", "--values", "2,20", "--cases", "100", "--trials", "40")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, ["bias", *arguments], prog_name="treelab")


def test_choices_are_printed_and_nothing_is_written(elsewhere):
    result = run("--metric", "gain,relieff:k=3,ties=first", *SMALL)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("How often each of the noise attributes is chosen")
    assert lines[2].split("  ")[0] == "metric"
    assert [line.split()[0] for line in lines[3:]] == ["gain", "relieff:k=3,ties=first"]
    assert lines[3].split()[1:5] == ["2", "0.0", "100.0", "<"]
    assert not list(elsewhere.iterdir())


def test_json_has_means_and_choices():
    facts = json.loads(run("--metric", "gain", "--scenario", "irrelevant", *SMALL, "--json").stdout)
    (choice,) = facts["choices"]
    assert choice["chosen"] == {"V2": 0.0, "V20": 1.0}
    assert choice["tendency"] == "rises"
    assert [row["attribute"] for row in facts["means"]] == ["V2", "V20"]
    assert facts["means"][0]["mean"] < facts["means"][1]["mean"]


def test_what_cannot_be_judged_is_null_in_json():
    words = ("--classes", "2", "--values", "2", "--cases", "2", "--trials", "2")
    facts = json.loads(run("--metric", "gain-ratio-c45", *words, "--json").stdout)
    assert facts["choices"][0]["p_equal"] is None


def test_a_report_is_written_and_the_same_call_asks_nothing_again(elsewhere, monkeypatch):
    monkeypatch.setattr(report, "_write_page", lambda *_: None)  # figures take seconds
    first = run("--metric", "gini", *SMALL, "-o", "out")
    assert first.exit_code == 0, first.stderr
    assert first.stdout.splitlines()[-1] == "All of it: out/report.md"
    assert sorted(path.name for path in (elsewhere / "out").iterdir()) == [
        "answers-bias.csv", "report.md", "trials.sqlite",
    ]  # fmt: skip
    monkeypatch.setattr("treelab.laboratory.asking.scores", None)
    assert run("--metric", "gini", *SMALL, "-o", "out").stdout == first.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--metric", "gani"), "unknown metric 'gani': did you mean 'gini'?"),
        (("--metric", "relieff:kk=3"), "unknown parameter 'kk' of metric 'relieff'"),
        (("--classes", "two"), "--classes takes whole numbers such as 2,5,10, got 'two'"),
        (("--values", "2,-5"), "--values takes whole numbers such as 2,5,10, got '-5'"),
        (("--values", "1,5"), "values must be a whole number of at least 2, got 1"),
        (("--values", "5,5"), "values must be at least one number, and none of them twice"),
        (("--cases", "0"), "cases must be a whole number of at least 2, got 0"),
        (("--trials", "1"), "trials must be a whole number of at least 2, got 1"),
        (
            ("--scenario", "informativ"),
            "unknown scenario 'informativ': did you mean 'informative'?",
        ),
        (("--jobs", "0"), "jobs must be at least 1"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(words, told):
    result = run(*words)
    assert result.exit_code == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_metric_that_fails_ends_the_command_with_its_name_and_reason(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("no cases")

    monkeypatch.setattr("treelab.laboratory.asking.scores", broken)
    result = run("--metric", "gini", "--scenario", "irrelevant", *SMALL)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "PARTIAL: 0 of 1 trials, 1 failed",
        "nothing is answered",
    ]
    assert result.stderr == (
        "treelab: 1 trial failed; the first: bias (metric gini, scenario irrelevant, classes 2, "
        "seed 0): ZeroDivisionError: no cases\n"
    )
