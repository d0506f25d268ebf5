"""The scikit-learn selectors: the contract, and the same answers as the functions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import treelab as tl
from treelab import MetricSelector, SubsetSelector
from treelab.errors import ParameterError

X, Y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"])
DATA = tl.Dataset.from_frame(FRAME.assign(y=Y.astype(str)), "y")


@parametrize_with_checks([MetricSelector(), SubsetSelector(), SubsetSelector("mrmr", "beam", 1)])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("metric", ["gain", "relieff"])
def test_the_k_best_are_kept(metric):
    ranking = tl.rank(DATA, metric)
    fitted = MetricSelector(metric, k=2).fit(FRAME, Y)

    assert fitted.get_feature_names_out().tolist() == sorted(ranking.top(2))
    assert fitted.scores_.tolist() == [ranking[name] for name in "abcd"]
    assert fitted.transform(FRAME[:3]).tolist() == X[:3, fitted.get_support()].tolist()


def test_a_threshold_limits_what_is_kept():
    fitted = MetricSelector(k=None, threshold=0.5).fit(X, Y)

    assert fitted.get_support().tolist() == (fitted.scores_ >= 0.5).tolist()
    assert 0 < fitted.get_support().sum() < 4


def test_the_set_is_that_of_the_function():
    found = tl.select(DATA, "mifs:beta=0.5", "beam", 2)
    fitted = SubsetSelector("mifs:beta=0.5", "beam", 2).fit(FRAME, Y)

    assert fitted.selection_.features == found.features
    assert fitted.get_feature_names_out().tolist() == sorted(found.features)


def test_classifiers_select_and_learn_in_a_pipeline():
    model = KNeighborsClassifier(3)
    chain = make_pipeline(SubsetSelector(clone(model), k=2), model)

    assert cross_val_score(chain, X, Y, cv=3).mean() > 0.9


def test_weights_count_as_cases():
    weights = np.random.default_rng(0).integers(0, 3, len(Y))
    many = np.repeat(np.arange(len(Y)), weights)
    one = MetricSelector("gini").fit(X, Y, weights)
    other = MetricSelector("gini").fit(X[many], Y[many])

    assert one.scores_ == pytest.approx(other.scores_, rel=1e-12)
    small = MetricSelector("chi2").fit(X, Y, np.full(len(Y), 0.01))
    assert small.scores_.tolist() == MetricSelector("chi2").fit(X, Y).scores_.tolist()


def test_mistakes_get_a_sentence():
    with pytest.raises(ParameterError, match="k must be"):
        MetricSelector(k=0).fit(X, Y)
    with pytest.raises(ParameterError, match="k must be at most 4"):
        SubsetSelector(k=5).fit(X, Y)


@pytest.mark.parametrize("selector", [MetricSelector(k=1), SubsetSelector(k=1)])
def test_names_that_end_in_nul_are_told_apart(selector):
    frame = pd.DataFrame({"a": X[:, 2], "a\0": X[:, 0]})

    assert selector.fit(frame, Y).get_support().tolist() == [True, False]


def test_classes_that_end_in_nul_are_ranked_as_two():
    fitted = MetricSelector(k=1).fit([[0.0], [1.0]] * 10, ["a", "a\0"] * 10)

    assert fitted.scores_.tolist() == [1.0]
