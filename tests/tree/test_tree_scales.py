"""Trees on dates, times and ordered labels: cuts, words, and new data written otherwise."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from thinned import thinned

import treelab as tl
from tests.moments import COLUMNS, SIZE, scaled_data
from treelab.data.dataset import Dataset
from treelab.data.moments import DATE, DATETIME, DATETIME_UTC
from treelab.data.scales import Ordered
from treelab.data.schema import Column, Schema
from treelab.errors import DataError

METRICS = ("gain", "gain-ratio-c45", "relieff", "contextual-merit")
POLICIES = ("fractional", "branch", "majority")


def plain(data):
    """Return the same numbers without their scales."""
    columns = tuple(Column(c.name, c.labels) for c in data.schema.features)
    return Dataset.of(Schema(columns, data.schema.target), data.columns, data.y)


def one(scale, values, name="x"):
    return Dataset.of(Schema((Column(name, scale=scale),)), [values])


def stump(scale, values, **how):
    """Return a tree with one test, between the second and the third value."""
    schema = Schema((Column("x", scale=scale),), Column("y", ("low", "high")))
    data = Dataset.of(schema, [values], [0, 0, 1, 1])
    return tl.grow(data, "gain", min_branch=1, pruner="none", max_depth=1, **how)


@pytest.mark.parametrize("how", thinned(product(METRICS, POLICIES), 2), ids="-".join)
def test_a_scale_changes_words_and_nothing_else(how):
    metric, missing = how
    data = scaled_data()
    tree, bare = (tl.grow(d, metric, missing=missing) for d in (data, plain(data)))

    for name in ("feature", "threshold", "children", "branch_of", "missing_branch", "counts"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(bare, name))
    np.testing.assert_array_equal(tree.predict_proba(data), bare.predict_proba(plain(data)))
    assert tl.rank(data, metric).features == tl.rank(plain(data), metric).features


@pytest.mark.parametrize(
    ("scale", "values", "words"),
    [
        (DATE, [19782, 19783, 19784, 19790], ("x <= 2024-03-01", "x > 2024-03-01")),
        (DATE, [19782, 19783, 19785, 19790], ("x <= 2024-03-02", "x > 2024-03-02")),
        (DATETIME, [0, 1, 2, 3], ("x <= 1970-01-01 00:00:01.5", "x > 1970-01-01 00:00:01.5")),
        (DATETIME_UTC, [0, 0, 60, 90], ("x <= 1970-01-01 00:00:30Z", "x > 1970-01-01 00:00:30Z")),
        (SIZE, [0, 1, 3, 3], ("x <= large", "x > large")),
        (SIZE, [0, 1, 2, 3], ("x <= medium", "x > medium")),
    ],
)
def test_a_cut_is_shown_on_its_scale(scale, values, words):
    tree = stump(scale, values)

    assert tree.root.branch_labels == words
    assert tree.predict(one(scale, values)).tolist() == ["low", "low", "high", "high"]


def test_an_order_is_cut_and_not_grouped():
    """Ends against the middle: groups would part them in one test, cuts need two."""
    frame = pd.DataFrame({"size": ["s", "m", "l"] * 20, "y": ["out", "in", "out"] * 20})
    frame["size"] = pd.Categorical(frame["size"], ["s", "m", "l"], ordered=True)
    tree = tl.grow(Dataset.from_frame(frame, "y"), "gini", splits="subset", pruner="none")

    assert tree.depth == 2
    assert tl.grow(Dataset.from_frame(frame, "y", nominal=["size"]), splits="subset").depth == 1


# New data

FRAMES = {
    "text": lambda d: d.to_frame("pandas").astype(object).map(_text),
    "pandas": lambda d: d.to_frame("pandas"),
    "polars": lambda d: d.to_frame("polars"),
    "pyarrow": lambda d: d.to_frame("pyarrow"),
}


def _text(value):
    if value is None or value != value:
        return None
    return value.isoformat() if hasattr(value, "isoformat") else value


@pytest.mark.parametrize("backend", FRAMES)
@pytest.mark.parametrize("discretizer", [None, "equal-width:4"])
def test_frames_are_read_on_the_scales_of_training(backend, discretizer):
    data = scaled_data()
    tree = tl.grow(data, discretizer=discretizer)

    frame = FRAMES[backend](scaled_data(7))
    np.testing.assert_array_equal(
        tree.predict_proba(frame), tree.predict_proba(scaled_data(7).select(data.features))
    )


@pytest.mark.parametrize(
    ("scale", "new", "expected"),
    [
        (DATE, one(DATETIME, [19783.0 * 86400 + 5, 19784 * 86400.0]), ["low", "high"]),
        (DATE, one(None, [19783.0, 19784.0]), ["low", "high"]),
        (DATETIME, one(DATE, [0.0, 1.0]), ["low", "high"]),
        (SIZE, one(Ordered(("large", "small")), [1.0, 0.0]), ["low", "high"]),
        (SIZE, Dataset.of(Schema((Column("x", ("small", "large")),)), [[0, 1]]), ["low", "high"]),
        (DATE, Dataset.of(Schema((Column("x", ("2025-01-01", "2024-03-01 10:00")),)), [[1, 0]]),
         ["low", "high"]),
    ],
)  # fmt: skip
def test_data_are_taken_to_the_scale_of_training(scale, new, expected):
    values = {DATE: [19782, 19783, 19784, 19790], DATETIME: [0, 1, 2, 3], SIZE: [0, 1, 2, 3]}

    assert stump(scale, values[scale]).predict(new).tolist() == expected


@pytest.mark.parametrize(
    ("scale", "new", "said"),
    [
        (DATETIME, one(DATETIME_UTC, [1.0]), "must be of kind 'datetime', as in training, but is "
         "of kind 'datetime-utc'"),
        (DATETIME_UTC, one(DATE, [1.0]), "but is of kind 'date'"),
        (DATE, one(SIZE, [1.0]), "must be of kind 'date', as in training, but is of"),
        (None, one(DATE, [1.0]), "must be numeric, as in training, but is of kind 'date'"),
        (DATE, Dataset.of(Schema((Column("x", ("soon", "2024-03-01")),)), [[1, 0]]),
         "column 'x': 'soon' is no date, such as 2024-03-01"),
    ],
)  # fmt: skip
def test_data_of_another_scale_are_refused(scale, new, said):
    with pytest.raises(DataError, match=said):
        stump(scale, [0, 1, 2, 3]).predict(new)


def test_dates_that_were_labels_in_training_are_found_by_what_they_are():
    frame = pd.DataFrame({"x": ["2024-03-01", "2024-03-02"] * 9, "y": ["a", "b"] * 9})
    tree = tl.grow(Dataset.from_frame(frame, "y", nominal=["x"]))

    assert tree.predict(Dataset.from_frame(frame, "y")).tolist() == frame["y"].tolist()
    moments = frame.assign(x=pd.to_datetime(frame["x"]))
    assert tree.predict(Dataset.from_frame(moments, "y")).tolist() == frame["y"].tolist()


def test_the_places_of_an_order_of_numbers_are_found_by_value():
    frame = pd.DataFrame({"x": pd.Categorical([3, 1, 2, 3] * 5, [3, 1, 2], ordered=True)})
    frame["y"] = ["a", "b", "b", "a"] * 5
    tree = tl.grow(Dataset.from_frame(frame, "y"))

    assert tree.root.branch_labels == ("x <= 3", "x > 3")
    assert tree.predict(pd.DataFrame({"x": [1, 3.0, 2]})).tolist() == ["b", "a", "b"]


@pytest.mark.parametrize("words", [("true", "false"), ("TRUE", "FALSE"), ("True", "False")])
def test_truth_values_are_found_however_they_are_written(words):
    frame = pd.DataFrame({"x": [*words] * 9, "y": ["a", "b"] * 9})
    tree = tl.grow(Dataset.from_frame(frame, "y"), probabilities="shares")

    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        shares = tree.predict_proba(make({"x": [True, False, None]}))
        assert shares.tolist() == [[1, 0], [0, 1], [0.5, 0.5]]
    assert tree.predict(pd.DataFrame({"x": ["false"]})).tolist() == ["b"]


def test_words_that_are_no_truth_values_keep_their_case():
    frame = pd.DataFrame({"x": ["true", "True"] * 9, "y": ["a", "b"] * 9})
    tree = tl.grow(Dataset.from_frame(frame, "y"))

    assert tree.predict(frame).tolist() == frame["y"].tolist()


def test_what_a_node_saw_is_found_in_new_data():
    data = scaled_data()
    tree = tl.grow(data)
    frame = data.to_frame("pandas").assign(size=lambda f: f["size"].astype(str))
    frame.loc[0, "size"] = "gigantic"

    said = str(tl.why(tree, "", data=frame))
    assert said.startswith("node root: 240 cases")
    assert "day <= 2022-0" in said


def test_the_estimator_takes_dates_and_orders():
    data = scaled_data()
    frame = data.to_frame("pandas")
    X, y = frame.drop(columns="class"), frame["class"].astype(str)
    model = tl.TreeClassifier().fit(X, y)

    assert model.tree_.schema.features == data.schema.features
    new = scaled_data(5).to_frame("pandas").drop(columns="class")
    np.testing.assert_array_equal(model.predict(new), tl.grow(data).predict(new))
    text = new.astype(object).map(_text)
    np.testing.assert_array_equal(model.predict_proba(text), model.predict_proba(new))


def test_the_features_that_are_not_called_categorical_keep_their_scales():
    X = scaled_data().to_frame("pandas").drop(columns="class")
    model = tl.TreeClassifier(categorical_features=["day", "flag"]).fit(X, scaled_data().labels)
    columns = model.tree_.schema.features

    assert [column.is_nominal for column in columns] == [name in ("day", "flag") for name in X]
    assert [column.scale for column in columns[1:5]] == [c.scale for c in COLUMNS[1:5]]


def test_an_order_makes_strata():
    sample = tl.reduce.stratified(scaled_data(), 0.5, by="size", seed=1)

    assert len(sample) == pytest.approx(120, abs=3)  # each stratum is rounded by itself
