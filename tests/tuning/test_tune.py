"""Tuning: every combination on the same folds, the smallest of the good, a line to paste."""

import numpy as np
import pytest

import treelab as tl
from treelab.choosing import portfolios
from treelab.errors import ParameterError, UnknownNameError
from treelab.tuning.grid import USUAL, candidates

IRIS = tl.load("iris")


@pytest.fixture(scope="module")
def found():
    return tl.tune(IRIS, metric=["gain", "relieff:k=5"], min_branch=[2, 10], folds=4)


def test_every_combination_is_judged_as_cross_validation_judges_it(found):
    assert found.race.names == (
        "metric=gain, min_branch=2", "metric=gain, min_branch=10",
        "metric=relieff:k=5, min_branch=2", "metric=relieff:k=5, min_branch=10",
    )  # fmt: skip
    alone = tl.cross_validate(IRIS, tl.Learner(metric="gain", min_branch=10), 4, seed=0)
    assert found.race.accuracy[1].tolist() == alone.of("accuracy").tolist()
    assert found.race.leaves[1].tolist() == alone.of("leaves").tolist()


def test_the_smallest_within_a_standard_error_is_chosen(found):
    close = found.race.within(1.0)

    assert close[found.place]
    assert found.leaves == found.race.sizes[close].min()
    most = tl.tune(IRIS, metric=["gain", "relieff:k=5"], min_branch=[2, 10], folds=4, within=0)
    assert most.accuracy == most.race.means.max()
    assert most.learner == most.best


def test_the_line_can_be_pasted(found):
    assert eval(found.line, {"tl": tl}) == found.learner
    metric = {"name": "pi", "alpha": [0.1, 1.0], "theta": (1, 0, 0, 1)}
    of_table = tl.tune(IRIS, metric=metric, folds=2)
    assert eval(of_table.line, {"tl": tl}) == of_table.learner
    assert len(of_table.candidates) == 2
    assert tl.tune(IRIS, folds=2, max_depth=[None]).line == "tl.Learner()"


def test_a_portfolio_stands_for_its_metrics():
    tried = candidates(tl.Learner(), {"metric": ["gain", "auto:pi", "gain"]})

    assert [each.learner.metric for each in tried] == ["gain", *portfolios()["pi"]]


def test_without_options_the_usual_ones_are_tried():
    tried = candidates(tl.Learner(), USUAL)

    assert len(tried) == 8 * len(portfolios()["metrics"])
    assert len({each.name for each in tried}) == len(tried)


def test_functions_of_one_name_are_told_apart():
    gini = tl.metric("gini")
    metrics = [lambda node: 2 * gini(node), lambda node: -gini(node)]
    found = tl.tune(IRIS, metric=metrics, folds=2)

    assert found.race.names == ("metric=<lambda>", "metric=<lambda> (2)")


def test_the_order_of_the_cases_does_not_matter_and_the_seed_does():
    turned = IRIS.take(np.arange(150)[::-1])
    one, other = (tl.tune(data, metric=["gini"], folds=3, max_cases=90) for data in (IRIS, turned))

    assert np.array_equal(one.race.accuracy, other.race.accuracy)
    assert one.n_cases == 90
    again = tl.tune(IRIS, metric=["gini"], folds=3, max_cases=90, seed=1)
    assert not np.array_equal(one.race.accuracy, again.race.accuracy)


def test_it_shows_itself(found):
    assert repr(found).startswith("<Tuned: tl.Learner(")
    assert str(found).splitlines()[0].split() == ["metric", "min_branch", "accuracy", "leaves",
                                                  "close"]  # fmt: skip
    assert found.line in found._repr_html_()
    assert found.to_frame()["chosen"].sum() == 1
    facts = found.to_dict()
    assert len(facts["candidates"]) == 4
    assert facts["learner"] == found.learner.settings
    assert f"of {len(found.candidates)}" in found.why


def test_a_candidate_that_fails_is_shown_as_such():
    def fails(_node):
        raise tl.errors.DataError("not these")

    found = tl.tune(IRIS, metric=["gain", fails], folds=2)
    assert found.learner.metric == "gain"
    assert "failed" in str(found)
    assert found.to_dict()["candidates"][1]["error"] == "not these"


def test_progress_is_watched():
    seen = []

    def watch(judged, total):
        for each in judged:
            seen.append((each[0], total))
            yield each

    tl.tune(IRIS, metric=["gain", "gini"], folds=2, watch=watch)
    assert seen == [("metric=gain", 2), ("metric=gini", 2)]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"metrik": ["gain"]}, "unknown parameter to tune 'metrik': did you mean 'metric'"),
        ({"metric": []}, "nothing to choose from for 'metric'"),
        ({"metric": ["gian"]}, "unknown metric 'gian'"),
        ({"min_branch": list(range(101)), "min_cases": list(range(101))}, "10,201 learners"),
        ({"within": -1}, "within must be"),
        ({"folds": 1}, "folds must be from 2"),
        ({"max_cases": 1}, "max_cases must be"),
        ({"learner": "gain"}, "expected a Learner"),
    ],
)
def test_what_is_wrong_is_said(options, problem):
    with pytest.raises((ParameterError, UnknownNameError), match=problem):
        tl.tune(IRIS, **options)
