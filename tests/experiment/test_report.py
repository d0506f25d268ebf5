"""Reports: what the tables say, that they are the same for the same results, and honest."""

import csv
import io
import re
import sys
from html.parser import HTMLParser

import attrs
import numpy as np
import pytest
from told import LEARNERS, spread, told

import treelab as tl
from treelab.experiment import Store, Study, run_study
from treelab.experiment.record import Record
from treelab.experiment.report import folds_csv, table_md, table_tex, write_report
from treelab.experiment.report.latex import latex
from treelab.experiment.report.markdown import markdown
from treelab.experiment.report.tables import (
    Cell,
    Table,
    accuracy_table,
    checks,
    duel_table,
    paper_table,
)
from treelab.experiment.results import Results
from treelab.experiment.sources import InMemory
from treelab.experiment.study import Check, Note, Paper
from treelab.experiment.summary import Summary
from treelab.papers.catalog import paper_study, paper_titles


@pytest.fixture(scope="module")
def real():
    study = Study(
        name="small", title="A small <study>", data=["lenses", "zoo", "hayes-roth"],
        learners=LEARNERS, folds=3, repeats=2, notes=(Note("Why & how", "Because a < b."),),
    )  # fmt: skip
    with Store(":memory:") as store:
        return run_study(study, store)


# Figures by hand


def test_means_and_deviations_are_over_repetitions():
    """Repetition means 0.5 and 0.7: mean 60 %, deviation 14.14."""
    summary = Summary(told([[[[0.4, 0.6], [0.6, 0.8]], [[0.5, 0.5], [0.5, 0.5]]]]))

    assert summary.accuracy == pytest.approx(np.array([[60.0, 50.0]]))
    assert summary.deviation == pytest.approx(np.array([[np.sqrt(200), 0.0]]))
    assert summary.best.tolist() == [[True, False]]


def test_one_repetition_has_no_deviation():
    summary = Summary(told([[[[0.4, 0.6]], [[0.5, 0.7]]]]))

    assert np.isnan(summary.deviation).all()
    assert "(" not in table_md(summary).split("\n")[6]


def test_a_star_marks_a_best_that_beats_the_second_best():
    summary = Summary(told(spread([[0.9, 0.8, 0.7], [0.8, 0.8, 0.7]], 0.01)))

    assert summary.marked.tolist()[0] == [True, False, False]
    assert not summary.marked[1].any()


def test_stars_come_from_the_corrected_test_unless_the_study_says_otherwise():
    """Folds that differ by 0 to 8 points, but in sum nearly alike in each of three repetitions."""
    steps = np.array([0.0, 0.02, 0.08, 0.0, 0.02])
    rounds = np.array([steps, steps[::-1] + 0.001, steps - 0.001])
    cube = np.stack([0.8 + rounds, np.full((3, 5), 0.8)])[None]
    usual, papers = Summary(told(cube)), Summary(told(cube, marking_test="t"))
    d = 100 * rounds.ravel()
    corrected = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 15 + 1 / 4))
    found = {t.test: t for t in usual.tested if t.scope == "lenses"}

    assert usual.study.marking_test == "corrected-t"
    assert found["corrected-t"].statistic == pytest.approx(corrected, rel=1e-9)
    assert found["corrected-t"].p > 0.05 > found["t"].p
    assert not usual.marked.any()
    assert papers.marked.tolist() == [[True, False]]
    assert "t-test over the repetitions" in accuracy_table(papers).caption
    # bold P-values are those of the test that marks
    assert [c.emphasis for c in duel_table(usual).rows[0]][4:6] == ["", ""]
    assert [c.emphasis for c in duel_table(papers).rows[0]][4:6] == ["best", ""]


def test_the_marking_test_is_one_that_is_made():
    assert Study(data=["lenses"], learners=LEARNERS, tests=["t", "bayes"]).marking_test == "t"
    assert Study(data=["lenses"], learners=LEARNERS, tests=["bayes"]).marking_test is None
    with pytest.raises(tl.errors.ParameterError, match="marking_test must be one of 't', got"):
        Study(data=["lenses"], learners=LEARNERS, tests=["t"], marking_test="corrected-t")


def test_a_lead_without_spread_has_no_p_value_and_no_star(tmp_path):
    cube = np.tile([[[[0.9]], [[0.8]], [[0.8]]]], (1, 1, 2, 5))
    summary = Summary(told(cube))
    write_report(summary.results, tmp_path)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "tests.csv").read_text())))
    lead = [r for r in rows if r["test"] in ("t", "corrected-t") and r["first"] == "gain"]
    equal = [r for r in rows if r["test"] == "corrected-t" and r["first"] == "gini"]

    assert len(lead) == 4
    assert {(r["statistic"], r["p"], r["p_holm"]) for r in lead} == {("", "", "")}
    assert [(r["statistic"], r["p"], r["p_holm"]) for r in equal] == [("0.0", "1.0", "1.0")]
    assert not summary.marked.any()
    table = duel_table(summary)
    assert [cell.text for cell in table.rows[0]][4:6] == ["\u2013", "\u2013"]
    assert table.caption.endswith("all of them differ by the same amount.")
    for name in ("tests.csv", "table.md", "table.tex", "report.html"):
        assert not re.search(r"\b(inf|nan)\b", (tmp_path / name).read_text()), name


def test_figures_that_print_alike_are_all_best():
    summary = Summary(told([[[[0.9, 0.9]], [[0.9, 0.90000001]], [[0.8, 0.8]]]]))

    assert summary.best.tolist() == [[True, True, False]]
    assert summary.n_best() == [0, 0, 0]


def test_averages_are_over_data_sets_that_all_learners_have():
    accuracies = spread([[0.9, 0.8], [0.5, 0.5]], 0)
    accuracies[1, 0, 0, 0] = np.nan
    accuracies[1, 0, 1:] = np.nan
    results = told(accuracies)
    summary = Summary(results)

    assert summary.averages() == pytest.approx([90, 80])
    assert np.isnan(summary.accuracy[1, 0])
    assert results.state == "PARTIAL: 31 of 40 trials"
    assert "**PARTIAL: 31 of 40 trials**" in table_md(summary)
    assert table_tex(summary).startswith("% PARTIAL: 31 of 40 trials\n")


def test_a_partial_cell_shows_its_complete_repetitions():
    accuracies = spread([[0.9, 0.8]], 0)
    accuracies[0, 0, 3] = [0.1, np.nan]
    summary = Summary(told(accuracies))

    assert summary.accuracy[0] == pytest.approx([90, 80])


def test_tests_over_data_sets_are_those_of_the_statistics():
    from treelab.evaluate import friedman, holm, wilcoxon

    means = np.random.default_rng(1).uniform(0.6, 0.9, (5, 3)).round(4)
    summary = Summary(told(spread(means, 0)))
    found = {(t.test, t.first, t.second): t for t in summary.tested if t.scope == "all"}
    p = [wilcoxon(means[:, i], means[:, j]).p for i, j in ((0, 1), (0, 2), (1, 2))]

    assert summary.friedman.ranks == pytest.approx(friedman(means).ranks)
    assert found["wilcoxon", "gain", "mdl"].p == pytest.approx(p[1])
    assert found["wilcoxon", "gain", "mdl"].p_holm == pytest.approx(holm(p)[1])
    assert found["nemenyi", "gain", "mdl"].p == pytest.approx(friedman(means).nemenyi()[0, 2])


def test_the_best_and_the_second_best_meet_on_each_data_set():
    table = duel_table(Summary(told(spread([[0.8, 0.9, 0.7]], 0.005))))
    name, best, second, points, _t, _corrected, belief = (cell.text for cell in table.rows[0])

    assert (name, best, second) == ("lenses", "gini", "gain")
    assert float(points) == pytest.approx(10, abs=1)
    assert belief == "0 / 0 / 100"


def test_two_learners_or_one_data_set_have_no_ranks():
    assert Summary(told(spread([[0.9, 0.8]]))).friedman is None
    assert Summary(told(spread([[0.9]]))).tested == []


# Beside a paper


PAPER = Paper(
    "Somebody 2001",
    {("lenses", "gain"): (88.0, 0.5), ("zoo", "gain"): (90.0, None), ("far", "gain"): (70.0, 1.0)},
    frozenset({("lenses", "gain")}),
    {"far": "lost"},
    (Check(("gain",), ("lenses", "zoo", "wine"), 3),),
)


def test_ours_stand_beside_the_papers():
    summary = Summary(told(spread([[0.9, 0.8], [0.85, 0.8]], 0), paper=PAPER))
    table = paper_table(summary, PAPER)
    rows = [[cell.text for cell in row] for row in table.rows]

    assert table.heads == ("data", "gain", "paper", "diff.")
    assert rows[0] == ["lenses", "90.00", "88.00", "+2.00"]
    assert rows[1] == ["zoo", "85.00", "90.00", "-5.00"]
    assert rows[2] == ["far", "n/a", "70.00", "\u2013"]
    assert rows[3] == ["average", "87.50", "89.00", "-1.50"]
    assert table.rows[0][2].mark
    assert table.rows[1][3].emphasis == "far"


def test_checks_tell_what_lies_outside():
    summary = Summary(told(spread([[0.9, 0.8], [0.85, 0.8]], 0), paper=PAPER))

    assert checks(summary, PAPER) == [
        "1 of all 2 cells lie within 3 points of the paper; outside: gain on zoo (-5.00).",
        "gain on lenses, zoo, wine: 1 of 2 cells lie within 3 points of the paper "
        "(1 more are not among these results); outside: gain on zoo (-5.00).",
    ]


def test_vilaltas_figures_are_the_printed_ones():
    """The column averages of Table 1, recomputed from our copy of its rows."""
    study = paper_study("vilalta2001")
    names = ["Gini", "Info Gain", "C. Merit", "Relief", "Pi"]
    printed = study.paper.expected
    means = [
        np.mean([mean for (_, n), (mean, _) in printed.items() if n == name]) for name in names
    ]

    assert len(printed) == 18 * 5
    assert np.round(means, 2).tolist() == [83.13, 84.39, 81.75, 81.68, 84.47]
    assert {data for data, _ in printed} == {e.label for e in study.data} | {"star-cluster"}
    assert sorted(data for data, _ in study.paper.marked) == sorted(
        ["bupa", "credit", "heart", "thyroid-hypo", "diabetes", "tic-tac-toe", "voting"]
    )


def test_vilaltas_study_is_the_papers_protocol():
    study = paper_study("vilalta2001")
    learners = {each.name: each.factory.learner for each in study.learners}

    assert len(study.data) == 17
    assert (study.repeats, study.folds, study.alpha, study.marking_test) == (5, 10, 0.05, "t")
    assert {learner.discretizer for learner in learners.values()} == {"equal-width:10"}
    assert {learner.min_cases for learner in learners.values()} == {3}
    assert {learner.splits for learner in learners.values()} == {"multiway"}
    assert learners["C. Merit"].metric == tl.metric("contextual-merit", k="all")
    assert learners["Pi"].metric == tl.metric("pi", theta=(1, 1, 1, 1), alpha=0.1)


def test_papers_are_listed_and_vary():
    assert "vilalta2001" in paper_titles()
    grid = paper_study("vilalta2001", "grid")
    thetas = {each.place[0] for each in grid.learners}

    assert thetas == {f"{number:04b}" for number in range(16)}
    assert {each.factory.learner.metric.decay for each in grid.learners} == {
        "exponential", "power", "radius",
    }  # fmt: skip
    assert {each.label for each in grid.data} == {
        each.label for each in paper_study("vilalta2001").data
    }
    assert paper_study("vilalta2001", "grid", repeats=5).repeats == 5
    every = paper_study("vilalta2001", all_metrics=True)
    # the paper's Contextual Merit takes all counter-examples; treelab's own joins beside it
    assert len(every.learners) == len(tl.metric_names()) + 1
    assert "contextual-merit" in [each.name for each in every.learners]
    assert len(paper_study("vilalta2001", quick=True).data) < 10


# Files


@pytest.fixture(scope="module")
def written(real, tmp_path_factory):
    """The folder of a whole report, which takes seconds to draw; no test may change it."""
    folder = tmp_path_factory.mktemp("real")
    assert write_report(real, folder) is None
    return folder


def test_results_have_every_trial(real, written):
    rows = list(csv.DictReader(io.StringIO((written / "results.csv").read_text())))

    assert len(rows) == 3 * 3 * 2 * 3
    assert list(rows[0])[:5] == ["data", "learner", "seed", "repetition", "fold"]
    assert {row["repetition"] for row in rows} == {"1", "2"}
    assert "seconds" not in rows[0]
    cube = real.cube("accuracy")
    first = [r for r in rows if (r["data"], r["learner"]) == ("zoo", "mdl")]
    assert [float(r["accuracy"]) for r in first] == cube[1, 2].ravel().tolist()


def test_the_same_results_make_the_same_files(real, written, tmp_path):
    assert write_report(real, tmp_path) is None
    names = sorted(path.name for path in written.iterdir())

    assert {"report.html", "differences.png", "differences.svg", "leaves.svg"} <= set(names)
    assert "critical-difference.svg" in names
    for name in names:
        assert (written / name).read_bytes() == (tmp_path / name).read_bytes(), name


class Page(HTMLParser):
    """Collects the tags, the text and the addresses of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.links, self.ids = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given[k] for k in ("href", "src", "xlink:href") if k in given]

    def handle_data(self, data):
        self.texts.append(data)


def test_the_page_needs_nothing_else(written):
    text = (written / "report.html").read_text()
    page = Page()
    page.feed(text)
    words = " ".join(page.texts)

    assert all(link.startswith("#") for link in page.links)
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert page.tags.count("svg") == 4
    assert "A small <study>" in words
    assert "Because a < b." in words
    assert "http" not in re.sub(
        r'xmlns(:\w+)?="[^"]*"|<metadata>.*?</metadata>', "", text, flags=re.S
    )
    assert "scikit-learn" in words
    assert "PARTIAL" not in words


def test_a_partial_page_says_so(real, tmp_path):
    keys = list(real.records)
    some = {key: real.records[key] for key in keys[:10]}
    some |= {keys[20]: Record({}, "RuntimeError: no <luck>", 0.1, "here")}
    write_report(attrs.evolve(real, records=some), tmp_path)
    text = (tmp_path / "report.html").read_text()

    assert '<p class="partial">PARTIAL: 10 of 54 trials, 1 failed' in text
    assert "RuntimeError: no &lt;luck&gt;" in text


def test_without_the_extra_all_else_is_written(real, tmp_path, monkeypatch):
    for name in [n for n in sys.modules if n.startswith("treelab.experiment.report.figures")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = write_report(real, tmp_path)

    assert said == (
        "the page with figures, report.html, needs matplotlib: pip install 'treelab[report]'"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "results.csv", "table.md", "table.tex", "tests.csv", "times.csv",
    ]  # fmt: skip


def test_a_grid_is_drawn_as_a_map_for_each_data_set(tmp_path):
    learners = {
        f"{a}{b}": tl.Learner(metric=a, min_cases=b) for a in ("gain", "gini") for b in (2, 4)
    }
    from treelab.experiment.study import Grid

    grid = Grid(("metric", "min_cases"), (("gain", "gini"), ("2", "4")))
    study = Study(data=["lenses", "zoo"], learners=learners, folds=2, tests=(), grid=grid)
    with Store(":memory:") as store:
        write_report(run_study(study, store), tmp_path)

    assert (tmp_path / "map-lenses.png").exists()
    assert (tmp_path / "report.html").read_text().count("<svg") == 2


def test_folds_are_exported(real):
    rows = list(csv.DictReader(io.StringIO(folds_csv(real.study))))

    assert len(rows) == 2 * (24 + 101 + len(tl.load("hayes-roth")))
    assert {row["fold"] for row in rows} == {"0", "1", "2"}


def test_many_learners_go_down_not_across():
    learners = {f"at {n}": tl.Learner(min_cases=n) for n in range(2, 16)}
    study = Study(data=["lenses", "zoo"], learners=learners, folds=2)
    table = accuracy_table(Summary(Results(study, tuple(study.trials()), {})))

    assert table.heads == ("learner", "lenses", "zoo", "average", "only best on")
    assert [row[0].text for row in table.rows] == list(learners)


TABLE = Table("90 % of a_b", ("data", "A&B"), ((Cell("x|y"), Cell("1.0", True, "best")),), 1)


def test_markdown_and_latex_keep_their_marks():
    assert markdown(TABLE).split("\n")[-2] == r"| x\|y | \***1.0** |"
    assert r"x|y & *\textbf{1.0} \\" in latex(TABLE, "a study")
    assert r"data & A\&B \\" in latex(TABLE, "a study")
    assert r"\caption{90 \% of a\_b}" in latex(TABLE, "a study")


def renamed(results, names, **changes):
    """Return results whose learners have other names."""
    learners = zip(results.study.learners, names, strict=True)
    named = [attrs.evolve(learner, name=name) for learner, name in learners]
    return attrs.evolve(results, study=attrs.evolve(results.study, learners=named, **changes))


def test_no_name_is_markup_in_markdown():
    results = told(spread([[0.9, 0.8, 0.7], [0.9, 0.8, 0.6]]))
    names = ("<script>|", "![a](http://evil/x.png) &lt;", "c")
    page = table_md(Summary(renamed(results, names, title="T <img src=x onerror=alert(1)>")))

    assert "# T &lt;img src=x onerror=alert(1)>" in page
    assert re.search(r"<[A-Za-z/!?]|\]\(", page) is None
    assert r"| &lt;script>\| | ![a]\(http://evil/x.png) &amp;lt; | c |" in page


def test_names_of_any_script_are_drawn_without_a_warning(tmp_path, recwarn):
    results = told(spread([[0.9, 0.8, 0.7], [0.8, 0.8, 0.7]]))
    write_report(renamed(results, ("\u6c49\u5b57", "\U0001f600", "e\u0301")), tmp_path)

    assert not [each for each in recwarn if "Glyph" in str(each.message)]
    assert "<!-- \u6c49\u5b57 -->" in (tmp_path / "leaves.svg").read_text(encoding="utf-8")


def test_fewer_tests_fewer_figures(tmp_path):
    results = told(spread([[0.9, 0.8, 0.7], [0.8, 0.8, 0.7]]), tests=(), record=("accuracy",))
    write_report(results, tmp_path)

    assert not (tmp_path / "critical-difference.svg").exists()
    assert (tmp_path / "tests.csv").read_text().count("\n") == 1
    assert "*" not in (tmp_path / "table.tex").read_text()


def test_a_dollar_in_a_name_is_no_mathematics(tmp_path):
    """Nor is a power on a logarithmic axis, whose ticks would show their code."""
    learners = dict.fromkeys(("p$^$q", "$x$", "c"), LEARNERS["gain"])
    study = Study(data=[InMemory(tl.load("lenses"), "a$_$b"), "zoo"], learners=learners, folds=2)
    write_report(run_study(study), tmp_path)

    assert "<!-- p$^$q -->" in (tmp_path / "seconds.svg").read_text()
    assert "<!-- a$_$b -->" in (tmp_path / "differences.svg").read_text()
    for path in tmp_path.glob("*.svg"):
        assert "mathdefault" not in path.read_text()
