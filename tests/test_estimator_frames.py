"""`TreeClassifier` on frames, and which features are nominal."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris
from weather import full, weather


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def nominal(model):
    return [column.name for column in model.tree_.schema.features if column.is_nominal]


@pytest.mark.parametrize(
    "library", [pl.from_pandas, pa.Table.from_pandas, lambda frame: pl.from_pandas(frame).lazy()]
)
def test_every_frame_library_gives_the_same_tree(library):
    frame, y = weather()
    expected = full().fit(frame, y)
    model = full().fit(library(frame), y)

    assert model.tree_ == expected.tree_
    assert list(model.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(model.predict(library(frame)), expected.predict(frame))


@pytest.mark.parametrize("from_dtype", [None, "from_dtype"])
def test_types_of_a_frame_tell_the_nominal_features(from_dtype):
    frame, y = weather()

    assert nominal(full(categorical_features=from_dtype).fit(frame, y)) == [
        "sky",
        "holiday",
        "place",
    ]


def test_a_frame_of_numbers_and_its_array_give_the_same_tests(iris):
    X, y = iris
    named = full().fit(pd.DataFrame(X, columns=["x0", "x1", "x2", "x3"]), y)

    assert named.tree_ == full().fit(X, y).tree_


def test_names_that_are_no_text_are_places(iris):
    X, y = iris
    model = full().fit(pd.DataFrame(X), y)

    assert not hasattr(model, "feature_names_in_")
    assert model.tree_ == full().fit(X, y).tree_
    np.testing.assert_array_equal(model.predict(X), model.predict(pd.DataFrame(X)))


def test_names_and_their_order_are_checked():
    frame, y = weather()
    model = full().fit(frame, y)

    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["wind", "sky", "holiday", "place"]])
    with pytest.raises(ValueError, match="yet now missing"):
        model.predict(frame[["sky", "wind"]])


def test_a_nominal_feature_may_be_given_as_another_type():
    frame = pd.DataFrame({"size": pd.Categorical([1, 1, 2, 2, 3, 3])})
    model = full().fit(frame, y := [0, 0, 1, 1, 0, 0])

    np.testing.assert_array_equal(model.predict(frame.astype(float)), y)
    np.testing.assert_array_equal(model.predict(frame.astype(str)), y)


def test_the_target_goes_by_the_name_of_the_series():
    frame, y = weather()

    assert full().fit(frame, pd.Series(y, name="play")).tree_.schema.target.name == "play"
    assert full().fit(frame, pd.Series(y, name="sky")).tree_.schema.target.name == "sky_"
    assert full().fit(frame, y).tree_.schema.target.name == "class"


@pytest.mark.parametrize(
    "chosen", [[0, 3], ["sky", "place"], [True, False, False, True], np.array([3, 0], np.uint8)]
)
def test_places_names_and_masks_choose_nominal_features(chosen):
    frame, y = weather()
    model = full(categorical_features=chosen).fit(frame, y)

    assert nominal(model) == ["sky", "place"]
    assert model.score(frame, y) == 1.0


def test_numbers_of_a_frame_may_be_labels():
    frame = pd.DataFrame({"size": [1, 2, 3, 1, 2, 3]})
    model = full(categorical_features=["size"]).fit(frame, [0, 1, 0, 0, 1, 0])

    assert nominal(model) == ["size"]
    assert model.get_depth() == 1


def test_an_empty_choice_makes_all_features_numeric():
    frame, y = weather()

    assert nominal(full(categorical_features=[]).fit(frame[["wind", "holiday"]], y)) == []


def test_numbers_of_an_array_may_be_labels():
    X, y = np.array([[0.0], [1], [2], [0], [1], [np.nan]]), [0, 1, 0, 0, 1, 0]
    model = full(categorical_features=[0], splits="multiway").fit(X, y)

    assert model.tree_.schema.features[0].labels == ("0", "1", "2")
    np.testing.assert_array_equal(model.predict(X[:5]), y[:5])


@pytest.mark.parametrize("give", [np.asarray, lambda frame: frame.to_numpy().tolist()])
def test_an_array_of_objects_may_hold_text(give):
    frame, y = weather()
    frame = frame.astype(object).where(np.random.default_rng(1).random(frame.shape) < 0.9, None)
    model = full(categorical_features=[0, 2, 3]).fit(give(frame), y)
    expected = full().fit(frame, y)

    np.testing.assert_array_equal(model.predict_proba(give(frame)), expected.predict_proba(frame))
    assert [column.labels for column in model.tree_.schema.features] == [
        column.labels for column in expected.tree_.schema.features
    ]


def test_a_list_of_text_and_numbers_keeps_the_numbers():
    X = [["red", 1.0], ["red", 2.0], ["blue", 1.0]]
    model = full(categorical_features=[0, 1]).fit(X, [0, 1, 0])

    assert model.tree_.schema.features[1].labels == ("1", "2")


def test_every_kind_of_nothing_is_missing_in_an_array_of_objects():
    X = np.array([["a"], ["b"], [None], [np.nan], [pd.NA]], dtype=object)
    model = full(categorical_features=[0]).fit(X, [0, 1, 0, 0, 0])

    assert model.tree_.schema.features[0].labels == ("a", "b")


@pytest.mark.parametrize("nominal", [None, [0]])
def test_every_kind_of_nothing_is_a_missing_number_in_an_array_of_objects(nominal):
    X = np.array([[0, 1.5], [0, 2], [1, None], [1, np.nan], [1, pd.NA]], dtype=object)
    floats = np.array([[0, 1.5], [0, 2], [1, np.nan], [1, np.nan], [1, np.nan]])
    model = full(categorical_features=nominal).fit(X, y := [0, 1, 0, 1, 1])
    expected = full(categorical_features=nominal).fit(floats, y)

    assert model.tree_ == expected.tree_
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(floats))


def test_true_and_one_are_two_labels_whatever_comes_first():
    X = np.array([[True], [1], [2]], dtype=object)

    for order in ([0, 1, 2], [1, 0, 2]):
        model = full(categorical_features=[0]).fit(X[order], [0, 1, 0])
        assert model.tree_.schema.features[0].labels == ("1", "2", "True")


def test_an_array_of_text_may_hold_numbers():
    X = np.array([["red", "1.5"], ["red", "2.5"], ["blue", "1.5"], ["blue", "2.5"]])
    model = full(categorical_features=[0]).fit(X, y := [0, 1, 0, 1])

    np.testing.assert_array_equal(model.predict(X), y)
    assert model.tree_.root.threshold == 2.0
