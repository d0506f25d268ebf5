"""Target, weights and what is to be read as what."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames_read import read, refused

from treelab.data.dataset import Dataset
from treelab.errors import (
    ParameterError,
    UnknownNameError,
)

HINT = ", such as 'a' (missing_marks= names what means missing)"


def test_the_target_is_nominal_and_no_feature(frame_of):
    data = Dataset.from_frame(frame_of(y=[2.0, 1.0, None], x=[1, 2, 3]), "y")

    assert (data.features, data.classes, data.y.tolist()) == (("x",), ("1", "2"), [1, 0, -1])


def test_without_target_no_class_is_known(frame_of):
    data = Dataset.from_frame(frame_of(x=[1, 2]))

    assert (data.target, data.classes, data.y.tolist()) == ("", (), [-1, -1])


def test_numbers_can_be_read_as_nominal(frame_of):
    data = Dataset.from_frame(frame_of(x=[10.0, 2.5, 1.0]), nominal=["x"])

    assert data.schema.features[0].labels == ("1", "2.5", "10")


def test_a_single_wish_needs_no_list(frame_of):
    data = Dataset.from_frame(frame_of(size=[1], mass=["1"]), nominal="size", numeric="mass")

    assert [column.kind for column in data.schema.features] == ["nominal", "numeric"]


@pytest.mark.parametrize("wish", ["nominal", "numeric"])
@pytest.mark.parametrize("given", [None, 5])
def test_a_wish_that_is_no_list_is_refused(frame_of, wish, given):
    with refused(f"{wish} must be a word or a list of words, got {given}", ParameterError):
        Dataset.from_frame(frame_of(x=[1]), **{wish: given})


def test_text_can_be_read_as_numeric(frame_of):
    data = Dataset.from_frame(frame_of(x=["1.5", None]), numeric=["x"])

    np.testing.assert_array_equal([1.5, np.nan], data["x"])


def test_truth_values_can_be_read_as_numeric(frame_of):
    assert Dataset.from_frame(frame_of(x=[True, False]), numeric=["x"])["x"].tolist() == [1, 0]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(["7", "5"], dtype="category"),
        pd.Series([7, 5], dtype="category"),
        pl.Series(["7", "5"], dtype=pl.Categorical),
        pl.Series(["7", "5"], dtype=pl.Enum(["5", "7"])),
        pa.array(["7", "5"]).dictionary_encode(),
    ],
    ids=["pandas", "pandas numbers", "polars", "polars enum", "pyarrow"],
)
def test_categories_read_as_numeric_give_their_text_and_not_their_code(values):
    assert read(values, numeric=["x"])["x"].tolist() == [7.0, 5.0]


def test_text_that_is_no_number_cannot_be_numeric(frame_of):
    with refused(f"column 'x' holds values that are not numbers{HINT}"):
        Dataset.from_frame(frame_of(x=["1", "a"]), numeric=["x"])


def test_a_column_of_weights_is_no_feature(frame_of):
    data = Dataset.from_frame(frame_of(x=[1, 2], w=[3.0, 0.5]), weights="w")

    assert (data.features, data.weights.tolist()) == (("x",), [3.0, 0.5])


def test_weights_may_be_given_apart(frame_of):
    assert Dataset.from_frame(frame_of(x=[1, 2]), weights=[2, 3]).weights.tolist() == [2, 3]


def test_missing_weights_are_refused(frame_of):
    with refused("weights must be finite numbers of at least 0"):
        Dataset.from_frame(frame_of(x=[1, 2], w=[1, None]), weights="w")


def test_weights_of_text_are_refused(frame_of):
    with refused(f"column 'w' holds values that are not numbers{HINT}"):
        Dataset.from_frame(frame_of(x=[1], w=["a"]), weights="w")


@pytest.mark.parametrize(
    "wish", [{"target": "siz"}, {"weights": "siz"}, {"nominal": ["siz"]}, {"numeric": ["siz"]}]
)
def test_an_unknown_column_suggests_the_nearest(frame_of, wish):
    with pytest.raises(UnknownNameError, match="unknown column 'siz': did you mean 'size'"):
        Dataset.from_frame(frame_of(size=[1]), **wish)


def test_a_column_cannot_be_target_and_weights(frame_of):
    with refused("column 'x' cannot be both target and weights", ParameterError):
        Dataset.from_frame(frame_of(x=[1]), target="x", weights="x")


@pytest.mark.parametrize("wish", [{"nominal": ["x"]}, {"target": "x"}])
def test_a_column_cannot_be_nominal_and_numeric(frame_of, wish):
    with refused("column 'x' cannot be both nominal and numeric", ParameterError):
        Dataset.from_frame(frame_of(x=[1]), numeric=["x"], **wish)


def test_data_from_a_frame_can_be_named(frame_of):
    assert Dataset.from_frame(frame_of(x=[1]), name="mine").name == "mine"


def test_the_frame_is_not_shared():
    values = np.array([1.0, 2.0])
    frame = pd.DataFrame({"x": values}, copy=False)
    data = Dataset.from_frame(frame)
    values[0] = 9

    assert data["x"].tolist() == [1.0, 2.0]
