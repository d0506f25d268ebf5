"""`treelab compare` and `treelab reproduce`: what they print, write, refuse, and how they end."""

import json
import os
import pty
import subprocess
import sys
from io import StringIO

import pytest
from called import run

from treelab.cli.studies import watch
from treelab.experiment import report

QUICK = ("--folds", "2", "--metric", "gain,gini")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch):
    """Figures take seconds: one test draws them, the others do not."""
    monkeypatch.setattr(report, "_write_page", lambda *_: None)


def test_a_comparison_is_printed_and_written(elsewhere):
    result = run("compare", "lenses", "zoo", *QUICK, "-o", "out")

    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("On average over 2 data sets, ")
    table = lines.index("") + 1
    assert lines[table].startswith("Accuracy in %, 2-fold cross-validation; the best on a data set")
    assert lines[table + 2].split() == ["data", "gain", "gini"]
    names = [line.split()[0] for line in lines[table + 3 : table + 6]]
    assert names == ["lenses", "zoo", "average"]
    assert lines[-1] == "All of it: out/table.md"
    assert sorted(path.name for path in (elsewhere / "out").iterdir()) == [
        "results.csv", "table.md", "table.tex", "tests.csv", "times.csv", "trials.sqlite",
    ]  # fmt: skip


def test_a_page_with_figures_is_written(elsewhere, monkeypatch):
    monkeypatch.undo()
    os.chdir(elsewhere)
    result = run("compare", "lenses", *QUICK, "-o", "out")

    assert result.stdout.splitlines()[-1] == "All of it: out/report.html"
    assert (elsewhere / "out" / "differences.png").read_bytes()[:4] == b"\x89PNG"


def test_memory_is_not_measured_by_threads(elsewhere):
    result = run("compare", "lenses", *QUICK, "--memory", "--jobs", 4, "--backend", "threading")

    assert result.exit_code == 2
    assert "memory is measured by one job, or by jobs of the backend 'loky'" in result.stderr
    assert list(elsewhere.iterdir()) == []


def test_a_comparison_with_a_preset():
    facts = json.loads(run("compare", "lenses", *QUICK, "--against", "preset:j48", "--json").stdout)

    assert [cell["learner"] for cell in facts["cells"]] == ["gain", "gini", "j48"]


def test_a_comparison_in_json():
    result = run("compare", "lenses", *QUICK, "--against",
                 "sklearn.tree:DecisionTreeClassifier(max_depth=1)", "--json")  # fmt: skip
    facts = json.loads(result.stdout)

    assert facts["trials"] == facts["done"] == 6
    assert facts["folder"] == "comparison"
    assert [cell["learner"] for cell in facts["cells"]] == [
        "gain", "gini", "DecisionTreeClassifier(max_depth=1)",
    ]  # fmt: skip
    assert 0 < facts["cells"][0]["accuracy"] < 1
    assert facts["cells"][2]["leaves"] == 2


def test_the_same_call_again_makes_nothing_anew(elsewhere):
    run("compare", "lenses", *QUICK)
    before = (elsewhere / "comparison" / "times.csv").read_bytes()
    run("compare", "lenses", *QUICK)

    assert (elsewhere / "comparison" / "times.csv").read_bytes() == before


def test_folds_and_memory_are_written_on_request(elsewhere):
    run("compare", "lenses", *QUICK, "--export-folds", "--memory", "--seed", "3")

    folds = (elsewhere / "comparison" / "folds.csv").read_text().splitlines()
    assert len(folds) == 25
    assert folds[1].startswith("lenses,3,0,0,")
    head = (elsewhere / "comparison" / "times.csv").read_text().splitlines()[0]
    assert head.endswith("seconds,memory,all_seconds")


def test_files_take_part(elsewhere):
    (elsewhere / "mine.csv").write_text("kind,a,b\n" + "p,x,1\nq,y,2\n" * 6)
    result = run("compare", "mine.csv", "--target", "kind", *QUICK)

    assert "mine" in result.stdout


def test_a_study_file_is_run(elsewhere):
    (elsewhere / "s.toml").write_text(
        'data = ["lenses", "hayes-roth:train"]\nfolds = 2\n[[learner]]\nmetric = "gain"\n'
    )
    result = run("compare", "s.toml", "-o", "out")

    assert result.exit_code == 0, result.stderr
    assert "lenses" in result.stdout
    assert "hayes-roth:train" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("irs",), "there is no file 'irs' and no bundled data set of that name: did you mean"),
        (("iris:train",), "the data set 'iris' has no training and test part"),
        (("iris", "--metric", "gani"), "unknown metric 'gani': did you mean 'gini'?"),
        (("iris", "--discretizer", "equal-with"), "unknown discretizer 'equal-with': did you mean"),
        (("iris", "--folds", "1"), "folds must be a whole number of at least 2, got 1"),
        (
            ("lenses", "--folds", "25"),
            "lenses: folds must be from 2 to the number of cases, 24, got",
        ),
        (("iris", "--repeats", "0"), "repeats must be a whole number of at least 1, got 0"),
        (("iris", "--jobs", "0"), "jobs must be at least 1, or -1 for all processors, got 0"),
        (("iris", "--backend", "lokky"), "backend must be one of"),
        (("iris", "--against", "preset:j84"), "unknown preset 'j84': did you mean 'j48'?"),
        (("iris", "--against", "os:system"), "unknown classifier 'system' of os: there are none"),
        (("iris", "--against", "fractions:Fraction"), "expected a class with fit and predict, got"),
        (("iris", "--against", "sklearn.tree"), "a classifier is written as module:Class("),
        (("s.toml", "--folds", "3"), "a study file says all: s.toml goes without data and"),
        (("s.toml",), "s.toml, line 1: unknown data set 'lense': did you mean 'lenses'?"),
    ],
)
def test_a_wrong_comparison_is_refused_in_one_sentence(elsewhere, arguments, message):
    (elsewhere / "s.toml").write_text('data = ["lense"]\n[[learner]]\nmetric = "gain"\n')
    result = run("compare", *arguments)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"treelab: {message}")
    assert result.stderr.count("\n") == 1
    assert not (elsewhere / "comparison").exists()


def test_a_folder_that_cannot_be_written_is_told(elsewhere):
    (elsewhere / "out").write_text("a file")
    result = run("compare", "lenses", *QUICK, "-o", "out")

    assert result.exit_code == 1
    assert result.stderr == "treelab: cannot write to out: File exists\n"


def test_failures_are_told_and_end_in_1(elsewhere):
    """A classifier that refuses its parameters when it is to learn."""
    bad = ("--against", "sklearn.tree:DecisionTreeClassifier(max_depth=-1)")
    result = run("compare", "lenses", *QUICK, *bad)

    assert result.exit_code == 1
    assert result.stdout.startswith("PARTIAL: 4 of 6 trials, 2 failed\n")
    assert (
        "treelab: 2 trials failed; the first: DecisionTreeClassifier(max_depth=-1) on lenses"
        in (result.stderr)
    )
    assert "InvalidParameterError" in (elsewhere / "comparison" / "results.csv").read_text()


def test_a_strict_comparison_stops_and_keeps_what_is_done(elsewhere):
    bad = ("--against", "sklearn.tree:DecisionTreeClassifier(max_depth=-1)", "--strict")
    result = run("compare", "lenses", *QUICK, *bad)

    assert result.exit_code == 1
    assert "What is done is kept in comparison; the same call goes on from there." in result.stderr
    assert "failed: InvalidParameterError" in result.stderr
    assert "PARTIAL: 2 of 6 trials, 1 failed" in (elsewhere / "comparison/table.md").read_text()


def test_without_the_extra_one_sentence_says_what_it_adds(monkeypatch):
    def missing(*_):
        raise ImportError(name="matplotlib.figure")

    monkeypatch.setattr(report, "_write_page", missing)
    result = run("compare", "lenses", *QUICK)

    assert result.exit_code == 0
    assert result.stderr == (
        "the page with figures, report.html, needs matplotlib: pip install 'treelab[report]' "
        "All else is written.\n"
    )


WITHOUT_PICTURES = """
from treelab.cli import main
from treelab.experiment import report
report._write_page = lambda *_: None
main()
"""


def test_a_bar_shows_how_far_it_is_on_a_terminal_only(elsewhere):
    """Standard error is a terminal; standard output is not."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", WITHOUT_PICTURES, "compare", "lenses", *QUICK]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, env=environment, cwd=elsewhere, check=True
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)

    assert "4/4" in shown
    assert b"4/4" not in done.stdout


def test_a_bar_obeys_no_label(monkeypatch):
    class Terminal(StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    outcomes = [("cars[/b] by gain", None)]

    assert [*watch(iter(outcomes), 1, 1)] == outcomes
    assert "cars[/b] by gain" in sys.stderr.getvalue()


def test_generated_data_can_be_compared_on():
    result = run("compare", "make:exor,n=2,m=1,cases=40", "make:exor,n=2,m=3,cases=40", *QUICK)

    assert result.exit_code == 0, result.stderr
    below = result.stdout.split("\n\n")[2].splitlines()[1:3]
    assert [line.split()[0] for line in below] == [
        "make:exor,n=2,m=1,cases=40", "make:exor,n=2,m=3,cases=40",
    ]  # fmt: skip


# Papers


def test_papers_are_listed():
    assert "vilalta2001" in run("reproduce", "--list").stdout
    listed = json.loads(run("reproduce", "--list", "--json").stdout)

    assert listed[0].keys() == {"name", "title"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "which paper? One of: "),
        (("vilalta",), "unknown paper 'vilalta': did you mean 'vilalta2001'?"),
        (("vilalta2001", "--grid", "--all-metrics"), "--grid is about one metric"),
        (("vilalta2001", "--grid", "--sensitivity"), "--grid and --sensitivity are two studies"),
        (("vilalta2001", "--repeats", "0"), "repeats must be a whole number of at least 1, got 0"),
        (("hong1996", "--grid"), "the paper 'hong1996' has no grid"),
        (("hong1996", "--sensitivity"), "the paper 'hong1996' has no sensitivity"),
        (("hong1996", "--all-metrics"), "the study of 'hong1996' has no further metrics"),
        (("hong1996", "--repeats", "0"), "repeats must be a whole number of at least 1, got 0"),
    ],
)
def test_a_wrong_paper_is_refused(arguments, message):
    result = run("reproduce", *arguments)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"treelab: {message}")


@pytest.mark.slow
def test_the_quick_look_at_vilalta_stands_beside_the_paper(elsewhere):
    result = run("reproduce", "vilalta2001", "--quick")

    assert result.exit_code == 0, result.stderr
    table = (elsewhere / "reproduced/vilalta2001-quick/table.md").read_text()
    assert "| star-cluster | n/a | 80.64 |" in table
    assert "cells lie within 3 points of the paper" in table
