"""Kinds of columns in frames of every library."""

import datetime as dt
from decimal import Decimal
from enum import Enum

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames_read import read, refused

from treelab.data.dataset import Dataset
from treelab.data.moments import DATETIME
from treelab.data.schema import Column, Schema
from treelab.errors import (
    DataWarning,
)

TODAY = dt.datetime(2024, 2, 29, 12)


def labelled(data, name="x"):
    column = data.schema.features[data.schema.index(name)]
    return [*np.array([*column.labels, None], object)[data[name]]]


def test_floats_are_numeric(frame_of):
    data = Dataset.from_frame(frame_of(x=[1.5, 2.0]))

    assert (data.schema.features, data["x"].tolist()) == ((Column("x"),), [1.5, 2.0])


def test_whole_numbers_are_numeric(frame_of):
    data = Dataset.from_frame(frame_of(x=[3, 1]))

    assert (data.schema.features, data["x"].tolist()) == ((Column("x"),), [3.0, 1.0])


def test_missing_numbers_are_nan(frame_of):
    data = Dataset.from_frame(frame_of(x=[1.0, None, 2.5, float("nan")]))

    assert np.isnan(data["x"]).tolist() == [False, True, False, True]


def test_decimals_are_numeric(frame_of):
    assert Dataset.from_frame(frame_of(x=[Decimal("1.5"), None]))["x"][0] == 1.5


def test_text_is_nominal_in_natural_order(frame_of):
    data = Dataset.from_frame(frame_of(x=["b", "10", "9", "a"]))

    assert (data.schema.features[0].labels, data["x"].tolist()) == (
        ("9", "10", "a", "b"),
        [3, 1, 0, 2],
    )


def test_missing_text_is_minus_one(frame_of):
    assert Dataset.from_frame(frame_of(x=["b", None, "a"]))["x"].tolist() == [1, -1, 0]


def test_marks_for_missing_are_labels_only_if_so_asked(frame_of):
    frame = frame_of(x=["", "a", "?", "-"])

    assert labelled(Dataset.from_frame(frame)) == [None, "a", None, "-"]
    assert labelled(Dataset.from_frame(frame, missing_marks=[])) == ["", "a", "?", "-"]
    assert (
        labelled(Dataset.from_frame(frame, missing_marks=["usual", "-"]))
        == [None, "a"] + [None] * 2
    )


def test_text_that_is_numbers_but_for_marks_is_numeric(frame_of):
    data = Dataset.from_frame(frame_of(x=["1.5", "n/a", "-", " 2 "]))

    np.testing.assert_array_equal(data["x"], [1.5, np.nan, np.nan, 2])


def test_numbers_that_came_as_text_without_need_are_labels(frame_of):
    assert labelled(Dataset.from_frame(frame_of(x=["01", None, "2"]))) == ["01", None, "2"]


def test_one_notation_holds_for_all_columns_of_a_frame(frame_of):
    data = Dataset.from_frame(frame_of(x=["1,5", "2"], y=["1.234", "1.234,5"], z=["a", "b"]))

    assert [data[name].tolist() for name in "xy"] == [[1.5, 2], [1234, 1234.5]]


def test_text_that_is_almost_numbers_is_warned_of(frame_of):
    frame = frame_of(x=[*map(str, range(49)), "much"])

    with pytest.warns(DataWarning, match=r"^column 'x' is read as labels although 98.0 % .*'much'"):
        assert len(Dataset.from_frame(frame).schema.features[0].labels) == 50
    data = Dataset.from_frame(frame, missing_marks=["usual", "much"])
    assert (data["x"][48], np.isnan(data["x"][49])) == (48.0, True)


def test_truth_values_are_nominal(frame_of):
    data = Dataset.from_frame(frame_of(x=[True, None, False]))

    assert (data.schema.features[0].labels, data["x"].tolist()) == (("False", "True"), [1, -1, 0])


def test_bytes_are_nominal(frame_of):
    assert labelled(Dataset.from_frame(frame_of(x=[b"up", None]))) == ["up", None]


def test_dates_can_be_labels(frame_of):
    data = Dataset.from_frame(frame_of(x=[TODAY, None]), nominal=["x"])

    assert labelled(data) == ["2024-02-29 12:00:00", None]


def test_dates_are_numbers_if_so_wished(frame_of):
    wished = Dataset.from_frame(frame_of(x=[TODAY]), numeric=["x"])
    data = Dataset.from_frame(frame_of(x=[TODAY]))

    assert wished.schema == data.schema == Schema((Column("x", scale=DATETIME),))
    assert wished["x"] == data["x"] == [1709208000]


def test_dates_are_no_weights(frame_of):
    with refused("column 'w' holds values that are not numbers"):
        Dataset.from_frame(frame_of(x=[1], w=[TODAY]), weights="w")


def test_lists_are_refused(frame_of):
    with refused("column 'x' holds lists or records, which make no labels"):
        Dataset.from_frame(frame_of(x=[[1], [2, 3]]))


def test_infinite_numbers_are_refused(frame_of):
    with refused("column 'x' holds an infinite number; use NaN for missing"):
        Dataset.from_frame(frame_of(x=[1.0, float("inf")]))


def test_a_frame_without_features_keeps_its_cases(frame_of):
    assert len(Dataset.from_frame(frame_of(w=[1.0, 2.0]), weights="w")) == 2


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, None], dtype="Int64"),
        pd.Series([1, None], dtype="Float32"),
        pd.Series([1, None], dtype="int64[pyarrow]"),
        pd.Series([1, None], dtype=object),
        pd.Series([1.0, pd.NA], dtype=object),
        pd.Series([np.float32(1), Decimal("NaN")], dtype=object),
        pl.Series([1, None], dtype=pl.UInt8),
        pl.Series([1, None], dtype=pl.Float32),
        pa.array([1, None], pa.int8()),
        pa.array([1, None], pa.decimal128(5, 2)),
    ],
    ids=lambda values: f"{type(values).__module__.split('.')[0]} {getattr(values, 'dtype', '')}",
)
def test_every_numeric_type_is_read_as_float64(values):
    np.testing.assert_array_equal([1.0, np.nan], read(values)["x"])


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(["a", None], dtype="string"),
        pd.Series(["a", None], dtype="str"),
        pd.Series(["a", None], dtype=object),
        pd.Series(["a", None], dtype="category"),
        pd.Series(["a", None], dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        pd.Series(["a", None], dtype=pd.ArrowDtype(pa.string())),
        pl.Series(["a", None], dtype=pl.Categorical),
        pl.Series(["a", None], dtype=pl.Enum(["a"])),
        pa.array(["a", None], pa.large_string()),
        pa.array(["a", None]).dictionary_encode(),
    ],
    ids=lambda values: f"{type(values).__module__.split('.')[0]} {getattr(values, 'dtype', '')}",
)
def test_every_text_type_is_read_as_labels(values):
    assert labelled(read(values)) == ["a", None]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([True, None], dtype="boolean"),
        pd.Series([True, None], dtype=object),
        pl.Series([True, None]),
        pa.array([True, None]),
    ],
    ids=["pandas", "pandas object", "polars", "pyarrow"],
)
def test_truth_values_may_be_missing(values):
    assert labelled(read(values)) == ["True", None]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(pd.Categorical(["b", None, "c"], categories=["c", "b", "a"])),
        pl.Series(["b", None, "c"], dtype=pl.Enum(["c", "b", "a"])),
        pa.DictionaryArray.from_arrays(pa.array([1, None, 0]), pa.array(["c", "b", "a"])),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
def test_categories_are_kept_in_their_order_used_or_not(values):
    data = read(values)

    assert (data.schema.features[0].labels, data["x"].tolist()) == (("c", "b", "a"), [1, -1, 0])


def test_polars_categoricals_know_only_the_categories_they_use():
    pl.Series(["z"], dtype=pl.Categorical)

    assert read(pl.Series(["b", "a"], dtype=pl.Categorical)).schema.features[0].labels == ("a", "b")


def test_pyarrow_dictionaries_may_differ_between_chunks():
    chunks = [pa.array(["a"]).dictionary_encode(), pa.array(["b"]).dictionary_encode()]

    assert labelled(read(pa.chunked_array(chunks))) == ["a", "b"]


def test_pyarrow_dictionaries_may_have_no_chunk():
    empty = pa.chunked_array([], pa.dictionary(pa.int32(), pa.string()))

    assert read(empty).schema.features == (Column("x", ()),)


def test_categories_that_are_numbers_are_written_without_decimals():
    values = pd.Series(pd.Categorical([2.0, 1.5], categories=[2.0, 1.5]))

    assert read(values).schema.features[0].labels == ("2", "1.5")


def test_categories_written_alike_are_one_label():
    values = pd.Series(pd.Categorical([1, "1"], categories=[1, "1"]))

    assert (read(values).schema.features[0].labels, read(values)["x"].tolist()) == (("1",), [0, 0])


def test_mixed_types_become_labels():
    values = pd.Series([1, "b", 2.5, 1.0, None, pd.NA], dtype=object)

    assert labelled(read(values)) == ["1", "b", "2.5", "1", None, None]


class Colour(str, Enum):  # noqa: UP042  (a StrEnum is written as the text)
    """A text that is written differently from the text that it equals."""

    RED = "red"


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([True, 1, 2], ("1", "2", "True")),
        ([Decimal("1.0"), Decimal("1.00"), 1], ("1", "1.0", "1.00")),
        (["red", Colour.RED, "blue"], ("Colour.RED", "blue", "red")),
    ],
)
def test_equal_values_that_are_written_differently_are_two_labels(values, labels):
    forth, back = pd.Series(values, dtype=object), pd.Series(values[::-1], dtype=object)
    there, here = read(forth, nominal=["x"]), read(back, nominal=["x"])

    assert there.schema == here.schema
    assert there.schema.features[0].labels == labels
    assert labelled(there) == labelled(here)[::-1] == [str(value) for value in values]


def test_a_column_of_missing_text_has_no_labels():
    assert read(pl.Series([None], dtype=pl.String)).schema.features == (Column("x", ()),)


@pytest.mark.parametrize(
    "values", [pl.Series([None, None]), pa.nulls(2)], ids=["polars", "pyarrow"]
)
def test_a_column_of_nothing_is_numeric(values):
    assert np.isnan(read(values)["x"]).all()


def test_times_with_a_zone_can_be_labels():
    values = pd.Series(pd.to_datetime(["2024-02-29", None], utc=True))

    assert labelled(read(values, nominal=["x"])) == ["2024-02-29 00:00:00+00:00", None]


def test_lists_in_pandas_are_no_numbers():
    with refused("column 'x' holds values that are not numbers"):
        read(pd.Series([[1], [2]]), numeric=["x"])


def test_records_in_polars_are_no_numbers():
    with refused("column 'x' holds values that are not numbers"):
        read(pl.Series([{"a": 1}]), numeric=["x"])


def test_a_lazy_frame_is_collected():
    lazy = pl.LazyFrame({"x": [1, 2]}).filter(pl.col("x") > 1)

    assert Dataset.from_frame(lazy)["x"].tolist() == [2.0]


def test_a_pandas_index_is_no_column():
    frame = pd.DataFrame({"x": [1, 2]}, index=["p", "q"]).iloc[::-1]

    assert Dataset.from_frame(frame)["x"].tolist() == [2.0, 1.0]


def test_column_names_that_are_numbers_are_written_out():
    data = Dataset.from_frame(pd.DataFrame({0: [1.0], 1: ["a"]}), target=1)

    assert (data.features, data.target) == (("0",), "1")


def test_columns_named_by_numbers_are_found_by_text():
    data = Dataset.from_frame(pd.DataFrame({0: [1.0], 1: ["a"]}), target="1", nominal=["0"])

    assert data.schema.features == (Column("0", ("1",)),)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({0: [1.0], "0": [2.0]}),
        pd.DataFrame([[1.0, 2.0]], columns=["0", "0"]),
        pa.table([pa.array([1.0]), pa.array([2.0])], names=["0", "0"]),
    ],
    ids=["written alike", "pandas", "pyarrow"],
)
def test_equal_column_names_get_numbers(frame):
    with pytest.warns(DataWarning, match=r"^a name occurs more than once.*'0 \(2\)'"):
        data = Dataset.from_frame(frame)

    assert (data.features, data["0 (2)"].tolist()) == (("0", "0 (2)"), [2.0])


def test_a_number_after_a_name_is_one_that_no_column_has():
    frame = pd.DataFrame([[1, 2, 3]], columns=["x", "x", "x (2)"])
    with pytest.warns(DataWarning, match="'x \\(3\\)'"):
        assert Dataset.from_frame(frame).features == ("x", "x (3)", "x (2)")


@pytest.mark.parametrize("thing", [[1, 2], {"x": [1]}, np.ones((2, 2)), pd.Series([1]), None])
def test_what_is_no_frame_is_refused(thing):
    kind = type(thing).__name__
    with refused(f"expected a data frame (pandas, polars, pyarrow, ...), got {kind}"):
        Dataset.from_frame(thing)
