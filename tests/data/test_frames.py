import datetime as dt
import re
import sys
from decimal import Decimal
from enum import Enum

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from growth import python_steps

from treelab.data.dataset import Dataset
from treelab.data.labels import in_natural_order, natural_order
from treelab.data.moments import DATETIME
from treelab.data.schema import Column, Schema
from treelab.errors import (
    DataError,
    DataWarning,
    MissingExtraError,
    ParameterError,
    UnknownNameError,
)

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
HINT = ", such as 'a' (missing_marks= names what means missing)"
TODAY = dt.datetime(2024, 2, 29, 12)


@pytest.fixture(params=list(FRAMES))
def backend(request):
    return request.param


@pytest.fixture
def frame_of(backend):
    return lambda **columns: FRAMES[backend](columns)


def read(values, **options):
    """Read one column that a library made."""
    frame = values.to_frame("x") if hasattr(values, "to_frame") else pa.table({"x": values})
    return Dataset.from_frame(frame, **options)


def refused(message, error=DataError):
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def labelled(data, name="x"):
    column = data.schema.features[data.schema.index(name)]
    return [*np.array([*column.labels, None], object)[data[name]]]


# Kinds of columns, in every library


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


# Kinds of columns, library by library


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


# Target, weights and wishes


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


# Back to frames

FRUIT = Dataset.of(
    Schema((Column("size"), Column("colour", ("z", "a", "unused"))), Column("class", ("n", "y"))),
    [[1.5, np.nan, 3.0], [1, -1, 0]],
    [1, 0, -1],
)


def test_a_frame_and_back_is_the_same_data(backend):
    again = Dataset.from_frame(FRUIT.to_frame(backend), "class")

    assert again.schema == FRUIT.schema
    for ours, theirs in zip((*FRUIT.columns, FRUIT.y), (*again.columns, again.y), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_frame_is_of_the_library_asked_for(backend):
    assert type(FRUIT.to_frame(backend)).__module__.split(".")[0] == backend


def test_missing_values_become_null(backend):
    frame = nw.from_native(FRUIT.to_frame(backend))

    assert [frame[name].null_count() for name in frame.columns] == [1, 1, 1]


def test_a_frame_can_be_written_to_without_harm_to_the_data():
    frame = FRUIT.to_frame("pandas")
    frame.loc[0, "size"] = 9.0

    assert FRUIT["size"][0] == 1.5


def test_without_target_the_frame_has_only_features(backend):
    data = Dataset.from_frame(pd.DataFrame({"x": [1.0]}))

    assert len(data.to_frame(backend).columns) == 1


def test_a_column_without_labels_survives(backend):
    data = Dataset.of(Schema((Column("x", ()),)), [[-1, -1]])

    assert Dataset.from_frame(data.to_frame(backend)).schema == data.schema


def test_no_cases_survive(backend):
    none = FRUIT.take([])

    assert Dataset.from_frame(none.to_frame(backend), "class").schema == FRUIT.schema


def test_an_unknown_library_suggests_the_nearest():
    with pytest.raises(ParameterError, match="did you mean 'polars'"):
        FRUIT.to_frame("polar")


def test_a_library_that_is_not_installed_is_named(monkeypatch, backend):
    monkeypatch.setitem(sys.modules, backend, None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'treelab[frames]'")):
        FRUIT.to_frame(backend)


# Labels and speed


def test_natural_order_puts_numbers_first_and_by_value():
    assert sorted(["b", "nan", "10", "-1", "9.5", ""], key=natural_order) == [
        "-1",
        "9.5",
        "10",
        "",
        "b",
        "nan",
    ]


def test_labels_in_natural_order_are_distinct():
    assert in_natural_order(["b", "10", "b", "-nan", "9", "a", "10"]) == [
        "9",
        "10",
        "-nan",
        "a",
        "b",
    ]


@pytest.mark.compiled("without machine code labels are looked up one by one")
def test_labels_are_not_read_one_by_one(backend):
    labels = np.array(["red", "green", "blue", None], object)

    def steps(n):
        frame = FRAMES[backend]({"x": labels[np.arange(n) % 4]})
        Dataset.from_frame(frame)  # what is imported or compiled now is not counted
        return python_steps(lambda: Dataset.from_frame(frame))

    assert steps(100_000) < steps(1_000) + 1_000


@pytest.mark.parametrize("role", ["target", "feature"])
def test_bytes_that_differ_are_different_labels(frame_of, role):
    values = [b"\xff", b"\xfe", b"\\xff", b"\\\xff", b"\\\\xff", "é\\x".encode(), b"\xed\xa0\x80"]
    frame = frame_of(y=values)
    data = Dataset.from_frame(frame, "y" if role == "target" else None)
    labels = data.classes if role == "target" else data.schema.features[0].labels

    assert len(labels) == len(values)
    assert {"\\xff", "\\xfe", "é\\x"} < set(labels)
    assert all(label.encode() for label in labels)  # they can be written


TICKS = [1, 2, -1, 0, 1000, None]


def test_moments_a_nanosecond_apart_are_different_labels():
    zone = "Europe/Berlin"
    polars = pl.Series(TICKS).cast(pl.Datetime("ns", zone))
    pandas = pd.Series(pd.to_datetime(TICKS).tz_localize("UTC").tz_convert(zone))
    arrow = pa.array(TICKS, pa.int64()).cast(pa.timestamp("ns", zone))
    read_as = [read(values, nominal=["x"]) for values in (polars, pandas, arrow)]

    for data in read_as:
        assert data.schema == read_as[0].schema
        assert data["x"].tolist() == [2, 3, 0, 1, 4, -1]
    assert "1970-01-01 00:59:59.999999999+01:00" in read_as[0].schema.features[0].labels


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (
            pl.Series([-1, 999, -1000, 1000]).cast(pl.Duration("ns")),
            [
                "-1 day, 23:59:59.999999",
                "-1 day, 23:59:59.999999999",
                "0:00:00.000000999",
                "0:00:00.000001",
            ],
        ),
        (pl.Series([0, 1]).cast(pl.Time), ["00:00:00", "00:00:00.000000001"]),
        (pa.array([0, 1]).cast(pa.time64("ns")), ["00:00:00", "00:00:00.000000001"]),
    ],
    ids=["duration", "time", "arrow time"],
)
def test_times_a_nanosecond_apart_are_different_labels(values, labels):
    assert read(values, nominal=["x"]).schema.features[0].labels == tuple(labels)


def test_numbers_of_128_bits_are_numbers():
    data = read(pl.Series([1, 2**100, None], dtype=pl.Int128))

    assert data["x"][:2].tolist() == [1, 2.0**100]
    assert np.isnan(data["x"][2])
