"""Back to frames; labels, and how fast they are read."""

import re
import sys

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames_read import FRAMES, read
from growth import python_steps

from treelab.data.dataset import Dataset
from treelab.data.labels import in_natural_order, natural_order
from treelab.data.schema import Column, Schema
from treelab.errors import (
    MissingExtraError,
    ParameterError,
)

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
