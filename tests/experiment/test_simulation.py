"""Simulations: every question once, kept as it comes, told as an article."""

import sqlite3
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

from treelab.errors import DataError, ParameterError
from treelab.experiment.report import write_report
from treelab.experiment.report.article import Article, Drawing, Section, Statement, statement_table
from treelab.experiment.report.tables import Cell, Table
from treelab.experiment.runner import run_simulation
from treelab.experiment.simulation import Part, Simulation
from treelab.experiment.simulation_file import read_simulation

ASKED = []


def total(settings, seed):
    ASKED.append((dict(settings), seed))
    if settings["a"] == 13:
        raise ValueError("thirteen")
    return {"sum": settings["a"] + settings["n"] + seed, "nothing": float("nan")}


def to_article(answers):
    def draw():
        from matplotlib.figure import Figure

        figure = Figure((2, 1))
        figure.subplots().plot(answers.figures("totals", "sum"))
        return figure

    table = Table("Sums.", ("a", "mean"), tuple(
        (Cell(str(a)), Cell(f"{answers.figures('totals', 'sum', a=a).mean():.1f}")) for a in (1, 2)
    ))  # fmt: skip
    said = Statement("p. 1", "sums grow | always", "holds", "<b>2 > 1</b>")
    sections = (
        Section("Sums", ("A text.",), (table,), (Drawing("sums", "How sums grow.", draw),)),
        Section("Statements", tables=(statement_table([said], "What the paper says."),)),
    )
    return Article("Totals", "A. Author 1999.", answers.state, sections, table)


def simulation(tmp_path, over=(1, 2), seeds=3, **changes):
    part = Part("totals", total, {"a": list(over)}, {"n": 10}, seeds)
    given = {
        "name": "sums",
        "title": "Sums",
        "citation": "",
        "parts": (part,),
        "to_article": to_article,
    }
    return Simulation(**given | {"folder": tmp_path} | changes)


def test_every_combination_is_asked_for_every_seed(tmp_path):
    answers = run_simulation(simulation(tmp_path))
    assert len(answers.trials) == 6
    assert answers.figures("totals", "sum", a=2).tolist() == [12, 13, 14]
    assert np.isnan(answers.figures("totals", "nothing", a=1)).all()
    assert answers.state == ""
    assert len({question.key for question in answers.trials}) == 6


def test_what_is_answered_is_not_asked_again(tmp_path):
    ASKED.clear()
    run_simulation(simulation(tmp_path, seeds=2), tmp_path / "s.sqlite")
    answers = run_simulation(simulation(tmp_path, seeds=3), tmp_path / "s.sqlite")
    assert len(ASKED) == 6
    assert answers.done == 6
    with closing(sqlite3.connect(tmp_path / "s.sqlite")) as store:
        rows = store.execute(
            "SELECT part, seed, json_extract(settings, '$.a'), json_extract(figures, '$.sum') "
            "FROM answers ORDER BY 2, 3"
        )
        assert rows.fetchone() == ("totals", 0, 1, 11)


def test_jobs_do_not_change_answers(tmp_path):
    one, two = run_simulation(simulation(tmp_path)), run_simulation(simulation(tmp_path), jobs=2)
    assert [one[q].values["sum"] for q in one.trials] == [two[q].values["sum"] for q in two.trials]


def test_a_question_that_fails_leaves_the_others(tmp_path):
    answers = run_simulation(simulation(tmp_path, over=(1, 13), seeds=1))
    assert answers.done == 1
    assert answers.state == "PARTIAL: 1 of 2 trials, 1 failed"
    question, error = answers.failures[0]
    assert str(question) == "totals (a 13, seed 0)"
    assert error == "ValueError: thirteen"


def test_the_article_is_written_as_markdown_page_pictures_and_figures(tmp_path):
    assert write_report(run_simulation(simulation(tmp_path)), tmp_path) is None
    text = (tmp_path / "report.md").read_text("utf-8")
    assert "| 2 | 13.0 |" in text
    assert "sums grow \\| always" in text
    assert "![How sums grow.](sums.svg)" in text
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<td>13.0</td>" in page
    assert "&lt;b&gt;2" in page
    assert 'class="prose"' in page
    assert "<svg" in page
    assert (tmp_path / "sums.png").stat().st_size > 100
    lines = (tmp_path / "answers-totals.csv").read_text("utf-8").splitlines()
    assert lines[:2] == ["a,seed,sum,nothing,error", "1,0,11.0,nan,"]


FILE = """
name = "sums"
title = "Sums"
[[part]]
name = "totals"
seeds = 3
over = { a = [1, 2] }
settings = { n = 10 }
[quick.totals]
seeds = 1
over = { a = [1] }
[[note]]
title = "T"
text = "Some  words."
"""


@pytest.fixture
def package():
    return SimpleNamespace(QUESTIONS={"totals": total}, to_article=to_article)


def written(tmp_path, text):
    (tmp_path / "study.toml").write_text(text)
    return tmp_path / "study.toml"


def test_a_file_tells_the_parts_and_what_quick_changes(tmp_path, package):
    path = written(tmp_path, FILE)
    assert len(read_simulation(path, package).trials()) == 6
    quick = read_simulation(path, package, quick=True)
    assert [(q.seed, dict(q.varied), dict(q.settings)) for q in quick.trials()] == [
        (0, {"a": 1}, {"n": 10})
    ]
    assert quick.notes[0].text == "Some words."


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("totals", "total"), "line 5: part must be one of 'totals'"),
        (("seeds = 3", "seeds = 0"), "line 6: seeds must be a whole number of at least 1"),
        (("[quick.totals]", "[quick.others]"), "line 9: unknown part 'others'"),
        (("settings", "setings"), "unknown key 'setings'"),
    ],
)
def test_mistakes_in_a_file_are_told_with_their_line(tmp_path, package, change, told):
    with pytest.raises(ParameterError) as error:
        read_simulation(written(tmp_path, FILE.replace(*change)), package)
    assert told in str(error.value)


def test_printed_figures_are_read_as_they_are(tmp_path):
    (tmp_path / "expected.csv").write_text("case,value\nA,23.17\n")
    assert simulation(tmp_path).printed() == [{"case": "A", "value": "23.17"}]
    with pytest.raises(DataError, match=r"cannot read .*other\.csv"):
        simulation(tmp_path).printed("other.csv")
