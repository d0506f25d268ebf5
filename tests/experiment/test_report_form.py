"""What a report looks like: conclusion first, ranks on their axis, wide screens used, labels."""

import csv
from pathlib import Path

import numpy as np
import pytest

import treelab as tl
from treelab.experiment import Study, Summary, run_study, write_report
from treelab.experiment.report import write_tables
from treelab.experiment.report.article import Article, Section
from treelab.experiment.report.latex import latex
from treelab.experiment.report.ranks import critical_difference
from treelab.experiment.report.tables import Cell, Table
from treelab.experiment.study import Paper

PAPER = Paper(
    "Somebody 2001",
    {
        ("zoo", "gain"): (90.0, 1.0),
        ("hepatitis", "stump"): (70.0, None),
        ("gone", "gain"): (5.0, None),
    },
    unavailable={"gone": "lost"},
)


@pytest.fixture(scope="module")
def results():
    learners = {
        "gain": tl.Learner(metric="gain"), "relief": tl.Learner(metric="relieff"),
        "stump": tl.Learner(metric="gain", max_depth=1),
    }  # fmt: skip
    data = ["zoo", "hepatitis", "labor"]  # mixed, with missing values
    return run_study(Study(name="a_b: c", data=data, learners=learners, folds=2, paper=PAPER))


@pytest.fixture(scope="module")
def folder(results, tmp_path_factory):
    made = tmp_path_factory.mktemp("report")
    assert write_report(results, made) is None
    return made


def test_a_page_opens_with_the_conclusion(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")

    assert text.index("<h2>Conclusion</h2>") < text.index("<nav>") < text.index("<h2>Accuracy</h2>")
    assert '<a href="#s2">Accuracy</a>' in text
    assert '<a href="#s1">' not in text


def test_an_article_without_words_first_begins_with_its_contents():
    table = Table("", ("a",), ((Cell("b"),),))
    words, figures = Section("In short", ("This holds.",)), Section("Table 1", tables=(table,))

    assert Article("", "", "", (words, figures)).opens_with_words
    assert not Article("", "", "", (figures, words)).opens_with_words
    assert not Article("", "", "", ()).opens_with_words


def test_the_diagram_of_ranks_has_an_axis_and_a_ruler(results):
    summary = Summary(results)
    _, figure = critical_difference(summary)
    axes = figure.axes[0]
    difference = summary.friedman.critical_difference(summary.study.alpha)
    rulers = [
        line for line in axes.lines
        if np.allclose(np.ptp(line.get_xdata()), difference) and min(line.get_ydata()) > 0
    ]  # fmt: skip

    assert axes.spines["top"].get_visible()
    assert axes.get_xticks().tolist() == [1, 2, 3]
    assert len(rulers) == 1
    low, high = axes.get_xlim()
    assert low <= 1 < 1 + difference <= high
    words = {text.get_text() for text in axes.texts}
    assert {f"critical difference {difference:.2f}", "mean rank"} <= words


def test_the_figures_of_the_paper_are_data(results, folder):
    rows = list(csv.DictReader((folder / "paper.csv").read_text().splitlines()))
    ours = Summary(results).accuracy

    assert list(rows[0]) == ["data", "learner", "paper", "ours", "difference"]
    assert [(row["data"], row["learner"], float(row["paper"])) for row in rows] == [
        ("zoo", "gain", 90.0), ("hepatitis", "stump", 70.0), ("gone", "gain", 5.0),
    ]  # fmt: skip
    assert float(rows[0]["ours"]) == ours[0, 0]
    assert float(rows[1]["difference"]) == ours[1, 2] - 70.0
    assert (rows[2]["ours"], rows[2]["difference"]) == ("", "")


def test_a_study_without_a_paper_has_no_such_file(tmp_path):
    study = Study(data=["lenses"], learners={"gain": tl.Learner(metric="gain")}, folds=2)
    write_tables(Summary(run_study(study)), tmp_path)

    assert not (tmp_path / "paper.csv").exists()


def test_tables_of_latex_have_labels(folder):
    lines = (folder / "table.tex").read_text(encoding="utf-8").splitlines()

    assert r"\label{tab:a-b-c-accuracy}" in lines
    assert lines.index(r"\label{tab:a-b-c-accuracy}") > 0  # after the caption, whose number it has
    assert lines[lines.index(r"\label{tab:a-b-c-accuracy}") - 1].startswith(r"\caption{")
    assert r"\label{tab:study}" in latex(Table("", ("a",), ((Cell("b"),),)), "{}")


def test_a_wide_screen_shows_table_and_figure_side_by_side(browser, folder):
    def places(width):
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto(Path(folder / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        section = "document.querySelector('#s2')"
        boxes = [
            f"{section}.querySelector('{what}').getBoundingClientRect()"
            for what in ("table", "figure")
        ]
        found = page.evaluate(f"[{boxes[0]}.toJSON(), {boxes[1]}.toJSON()]")
        page.close()
        return found

    table, figure = places(1600)
    assert figure["left"] > table["right"]
    assert figure["top"] < table["bottom"]
    table, figure = places(400)
    assert figure["top"] >= table["bottom"]
