"""The figures of a report can be had without writing one."""

import sys

import attrs
import pytest

from treelab.errors import MissingExtraError, ParameterError
from treelab.experiment import Study, report_figures, run_simulation, run_study, write_report
from treelab.learner import Learner
from treelab.papers.catalog import paper_study


def lines_of(figure):
    return [line.get_xydata().tolist() for axes in figure.axes for line in axes.lines]


def test_those_of_a_study_are_the_files_of_its_report(tmp_path):
    learners = {name: Learner(metric=name) for name in ("gain", "gini")}
    results = run_study(Study(data=["lenses", "zoo"], learners=learners, folds=2))

    figures = report_figures(results)
    write_report(results, tmp_path)

    assert {"differences", "leaves"} <= set(figures)
    assert {path.stem for path in tmp_path.glob("*.svg")} == set(figures)


def test_those_of_a_simulation_are_drawn_from_its_answers():
    study = paper_study("kononenko1995", quick=True)
    part = study.parts[0]
    over = {**part.over, "classes": [2], "values": [2, 10]}
    small = attrs.evolve(part, over=over, settings={**part.settings, "trials": 5})
    others = [attrs.evolve(other, seeds=0) for other in study.parts[1:]]
    answers = run_simulation(attrs.evolve(study, parts=(small, *others)))

    figures = report_figures(answers)
    means = answers.figures("measures", "Gain", scenario="irrelevant").tolist()

    assert {f"figure-{n}" for n in range(1, 11)} <= set(figures)
    assert [[2.0, means[0]], [10.0, means[1]]] in lines_of(figures["figure-1"])


def test_anything_else_is_refused():
    with pytest.raises(ParameterError, match=r"^expected what run_study returns, got 5$"):
        report_figures(5)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    results = run_study(Study(data=["lenses"], learners={"gain": Learner()}, folds=2))
    monkeypatch.setitem(sys.modules, "treelab.experiment.report.figures", None)

    with pytest.raises(MissingExtraError, match="report"):
        report_figures(results)
