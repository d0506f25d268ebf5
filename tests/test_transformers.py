"""The scikit-learn transformers: the contract, and the same answers as the functions."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import treelab as tl
from treelab import ComponentReducer, Discretizer, FeatureReducer, reduce
from treelab.errors import DataError, ParameterError

X, Y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"])
DATA = tl.Dataset.from_frame(FRAME.assign(y=Y.astype(str)), "y")


@parametrize_with_checks(
    [
        Discretizer(),
        Discretizer("equal-frequency:5"),
        FeatureReducer(),
        FeatureReducer("relief", threshold=-1.0),
        FeatureReducer("entropy", k=1),
        ComponentReducer(),
    ]
)
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("method", ["mdlp", "ssv:4", "equal-width:3", "greedy:gini,bins=3"])
def test_codes_are_those_of_the_coding(method):
    coding = tl.discretizer(method).fit(DATA)
    found = Discretizer(method).fit(FRAME, Y).transform(FRAME)

    for f, name in enumerate("abcd"):
        assert found[:, f].tolist() == coding.codes(name, DATA[name]).tolist()


def test_the_coding_speaks_of_the_columns_of_a_frame():
    named = FRAME.set_axis(["class", "class_", "c", "d"], axis=1)

    assert list(Discretizer().fit(named, Y).coding_.cuts) == ["class", "class_", "c", "d"]
    assert list(Discretizer().fit(X, Y).coding_.cuts) == ["x0", "x1", "x2", "x3"]


def test_missing_stays_missing_and_what_is_beyond_falls_into_the_ends():
    fitted = Discretizer("equal-width:4").fit(X)
    found = fitted.transform([[np.nan, -99.0, 99.0, np.nan]])

    assert np.isnan(found[0, [0, 3]]).all()
    assert found[0, 1:3].tolist() == [0, 3]


def test_weights_count_as_cases():
    weights = np.random.default_rng(0).integers(0, 3, len(Y))
    rows = np.repeat(np.arange(len(Y)), weights)
    once = Discretizer().fit(X, Y, sample_weight=weights).coding_

    assert once == Discretizer().fit(X[rows], Y[rows]).coding_


def test_equal_weights_are_no_weights():
    """By weights of 1 / n the code length of MDLP would let no cut stand."""
    weights = np.full(len(Y), 1 / len(Y))

    assert Discretizer().fit(X, Y, sample_weight=weights).coding_ == Discretizer().fit(X, Y).coding_


def test_frames_keep_their_names():
    codes = Discretizer().set_output(transform="pandas").fit(FRAME, Y).transform(FRAME)
    kept = FeatureReducer(k=2).set_output(transform="pandas").fit(FRAME, Y).transform(FRAME)
    parts = ComponentReducer().set_output(transform="pandas").fit(FRAME).transform(FRAME)

    assert list(codes) == list("abcd")
    assert list(kept) == ["c", "d"]
    assert list(parts) == ["componentreducer0", "componentreducer1"]


def test_in_a_pipeline_the_cuts_are_found_in_each_fold():
    model = make_pipeline(Discretizer("mdlp"), CategoricalNB(min_categories=10))

    assert cross_val_score(model, X, Y, cv=5).mean() > 0.9
    assert clone(model)[0].method == "mdlp"


@pytest.mark.parametrize(
    ("method", "threshold", "judge"),
    [
        ("means", 5.0, reduce.means_and_variances),
        ("relief", 0.02, reduce.relief),
        ("elimination", 0.6, reduce.backward_elimination),
    ],
)
def test_features_are_kept_as_the_functions_keep_them(method, threshold, judge):
    fitted = FeatureReducer(method, threshold=threshold).fit(FRAME, Y)
    judged = judge(DATA, threshold)

    assert tuple(fitted.get_feature_names_out()) == judged.kept
    assert fitted.scores_.tolist() == list(judged.scores.values())


def test_the_k_best_features():
    scores = FeatureReducer("correlation", k=2).fit(X, Y).scores_
    by_entropy = FeatureReducer("entropy", k=2).fit(FRAME)

    assert set(np.argsort(-scores)[:2]) == set(
        np.flatnonzero(FeatureReducer("correlation", k=2).fit(X, Y).get_support())
    )
    assert set(by_entropy.get_feature_names_out()) == set(reduce.entropy_ranking(DATA).ranking[:2])
    with pytest.raises(ParameterError, match=r"judged features, 4, got 5$"):
        FeatureReducer(k=5).fit(X, Y)


def test_components_are_those_of_the_function():
    expected = reduce.principal_components(DATA, 0.9)
    fitted = ComponentReducer(0.9).fit(X)

    assert fitted.eigenvalues_ == pytest.approx(expected.eigenvalues)
    assert fitted.transform(X) == pytest.approx(
        np.column_stack([expected.apply(DATA)[f"component {i + 1}"] for i in range(expected.kept)])
    )


def test_a_supervised_method_asks_for_classes():
    with pytest.raises(ValueError, match=r"^mdlp requires y to be passed"):
        Discretizer().fit(X)


@pytest.mark.parametrize("zone", [None, "UTC"])
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_dates_are_refused_in_one_sentence_that_names_the_column(make, zone):
    when = pd.Series(pd.date_range("2024-01-01", periods=6, tz=zone))
    frame = make({"x": range(6), "when": when})
    message = "column 'when' holds dates or times; turn it into numbers"
    with pytest.raises(DataError, match=message):
        tl.Discretizer("equal-width").fit(frame)
    with pytest.raises(DataError, match="X holds dates or times"):
        tl.Discretizer("equal-width").fit(when.dt.tz_localize(None).to_numpy().reshape(-1, 1))
