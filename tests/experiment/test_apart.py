"""Learners that stand apart: a column in the tables, no part in the contest."""

import attrs
import numpy as np
import pytest
from told import LEARNERS, spread, told

import treelab as tl
from treelab.errors import ParameterError
from treelab.experiment import Study
from treelab.experiment.competitors import competitor
from treelab.experiment.report import figures, files, table_md
from treelab.experiment.report.conclusion import conclusion
from treelab.experiment.report.tables import accuracy_table, duel_table, overall_table
from treelab.experiment.study_file import read_study
from treelab.experiment.summary import Summary

MEANS = [[0.7, 0.9, 0.8], [0.75, 0.85, 0.7], [0.6, 0.9, 0.8]]
"""Of gain, gini, which is the best everywhere, and mdl."""


def learners(*apart):
    made = [competitor(name, learner) for name, learner in LEARNERS.items()]
    return tuple(attrs.evolve(each, apart=each.name in apart) for each in made)


@pytest.fixture(scope="module")
def summary():
    return Summary(told(spread(MEANS), learners=learners("gini")))


def test_it_neither_wins_nor_is_beaten(summary):
    table = accuracy_table(summary)

    assert [[cell.emphasis for cell in row[1:]] for row in table.rows[:3]] == [
        ["", "", "best"], ["best", "", ""], ["", "", "best"],
    ]  # fmt: skip
    assert [[cell.mark for cell in row[1:]] for row in table.rows[:3]] == [
        [False, False, True], [True, False, False], [False, False, True],
    ]  # fmt: skip
    assert [cell.text for cell in table.rows[-1]] == ["only best on", "1", "\u2013", "2"]
    assert table.rows[-2][2].text == f"{summary.accuracy[:, 1].mean():.2f}"
    assert "gini: apart, not in the contest." in table.caption


def test_no_test_counts_it(summary):
    assert {name for t in summary.contest.tested for name in (t.first, t.second)} == {"gain", "mdl"}
    assert "gini" not in files.tests_csv(summary)
    assert len(overall_table(summary).rows) == 1
    assert {row[1].text for row in duel_table(summary).rows} == {"gain", "mdl"}
    assert not any("gini" in sentence for sentence in conclusion(summary))
    assert "gini" in table_md(summary)


def test_without_any_the_contest_is_of_all():
    summary = Summary(told(spread(MEANS)))

    assert summary.contest is summary
    assert "apart" not in accuracy_table(summary).caption


def test_some_learners_alone_are_as_if_there_were_no_others(summary):
    two = summary.of(("gini", "mdl"))
    alone = np.delete(summary.accuracy, 0, axis=1)

    assert two.learners == ["gini", "mdl"]
    assert two.accuracy.tolist() == alone.tolist()


def test_somebody_has_to_take_part():
    with pytest.raises(ParameterError, match="a study needs at least one learner"):
        Study(data=["lenses"], learners=learners(*LEARNERS))


def test_a_study_file_says_who_stands_apart(tmp_path):
    file = tmp_path / "mine.toml"
    text = (
        'data = ["zoo"]\n[[learner]]\nmetric = "gain"\n[[learner]]\nmetric = "gini"\napart = {}\n'
    )
    file.write_text(text.format("true"))

    assert [each.apart for each in read_study(file).learners] == [False, True]
    file.write_text(text.format('"yes"'))
    with pytest.raises(ParameterError, match="line 6: apart must be true or false, got 'yes'"):
        read_study(file)


# Samples of bundled data, and several parameters on one axis of a grid

GRID = """\
data = ["zoo", {{ name = "voting", cases = {cases} }}]
[grid]
metric = "pi"
theta = [[1, 1, 1, 1], [0, 0, 0, 1]]
f = [{{ decay = "power", alpha = 2.0 }}, {{ decay = "radius", {name} = 3 }}, {{ alpha = 0.1 }}]
"""


def test_a_grid_may_vary_parameters_together(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(GRID.format(cases=100, name="alpha"))
    study = read_study(file)

    assert study.grid.labels[1] == ("power 2", "radius 3", "0.1")
    assert study.learners[4].name == "theta=0001, f=radius 3"
    assert study.learners[4].factory.learner.metric == tl.Pi((0, 0, 0, 1), 3, "radius")
    file.write_text(GRID.format(cases=100, name="alfa"))
    with pytest.raises(ParameterError, match="did you mean 'alpha'"):
        read_study(file)


def test_a_study_may_take_a_sample_of_bundled_data(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(GRID.format(cases=100, name="alpha"))
    whole, sample = tl.load("voting"), read_study(file).data[1]

    assert (sample.label, str(sample)) == ("voting", "voting (at most 100 cases)")
    shares = [np.bincount(data.y) / len(data) for data in (whole, sample.read())]
    # sizes of classes are rounded to whole cases of 100
    assert shares[1] == pytest.approx(shares[0], abs=0.01)
    assert len(sample.read()) == 100
    assert attrs.evolve(sample, cases=10**6).read().y.tolist() == whole.y.tolist()


@pytest.mark.parametrize(
    ("labels", "angle"), [(("0.1", "0.5"), 0), (("exponential 0.1", "radius 2"), 90)]
)
def test_long_labels_of_a_map_do_not_overlap(labels, angle):
    matrix = figures._matrix(np.eye(2), ("a", "b"), labels)

    assert {text.get_rotation() for text in matrix.axes[0].get_xticklabels()} == {angle}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('{ name = "voting", cases = 1 }', "cases must be a whole number of at least 2, got 1"),
        ('{ name = "votin", cases = 9 }', "unknown data set 'votin': did you mean 'voting'?"),
        ('{ name = "voting", case = 9 }', "did you mean 'cases'?"),
    ],
)
def test_a_wrong_sample_is_refused(tmp_path, given, message):
    file = tmp_path / "mine.toml"
    file.write_text(f'data = [{given}]\n[[learner]]\nmetric = "gain"\n')
    with pytest.raises(ParameterError) as refused:
        read_study(file)

    assert message in str(refused.value)
    assert "line 1" in str(refused.value)
