"""Dates, times and ordered labels: numbers that are read and written as what they stand for."""

import datetime as dt
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import treelab as tl
from tests.moments import SIZE, scaled_data
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.moments import DATE, DATETIME, DATETIME_UTC, SCALES, TIME, recognised
from treelab.data.scales import Ordered, limit_in_words
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, FileFormatError, ParameterError

NOON = dt.datetime(2024, 3, 1, 12, 30)
EPOCH = dt.datetime(1970, 1, 1)
UTC = dt.UTC


def seconds(moment):
    return (moment - EPOCH) / dt.timedelta(seconds=1)


@pytest.mark.parametrize(
    ("labels", "scale", "numbers"),
    [
        (["1970-01-02", "1969-12-31", "2024-02-29"], DATE, [1, -1, 19782]),
        (["1970-01-01 00:00", "1970-01-03T00:00:00"], DATE, [0, 2]),
        (["1970-01-01T00:01", "1970-01-02"], DATETIME, [60, 86400]),
        (["1970-01-01 00:00:01.25", "1970-01-01 00:00:00"], DATETIME, [1.25, 0]),
        (["1970-01-01T01:00+01:00", "1970-01-01 00:00:01Z"], DATETIME_UTC, [0, 1]),
        (["1970-01-01T00:00-0130", "1970-01-01 00:00:00 +02"], DATETIME_UTC, [5400, -7200]),
        (["00:01", "10:30:00.5", " 23:59:59 "], TIME, [60, 37800.5, 86399]),
    ],
)
def test_iso_dates_and_times_are_numbers(labels, scale, numbers):
    found = recognised(labels)

    assert found[0] is scale
    assert found[1].tolist() == numbers


@pytest.mark.parametrize(
    "labels",
    [
        [], ["2024"], ["20240301"], ["2024-03"], ["01.03.2024"], ["2024-02-30"], ["2024-13-01"],
        ["24:00"], ["10:60"], ["7:30"], ["2024-03-01", "today"], ["2024-03-01", "10:30"],
        ["2024-03-01 10:00", "2024-03-01 10:00Z"], ["2024-03-01\n2024-03-02"],
        [chr(0x662) + "024-03-01"],
        ["2024-03-01 10:00:00."], ["NaT"], ["10:30.5"], ["-2024-03-01"],
    ],
)  # fmt: skip
def test_what_is_no_iso_date_or_time_stays_labels(labels):
    assert recognised(labels) is None


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
def test_what_is_written_is_read_as_the_same_number(scale):
    rng = np.random.default_rng(3)
    micros = rng.integers(0, 86_400_000_000, 300)
    numbers = {
        "date": rng.integers(-700_000, 2_900_000, 300) + 0.0,
        "time": micros / 1e6,
        "datetime": np.append(rng.integers(-6e10, 2.5e11, 300), micros + 1.7e15) / [1] * 1.0,
    }
    given = numbers[scale.name.split("-")[0]]
    given = np.where(given > 1e15, given / 1e6, given)

    assert [scale.read(scale.write(number)) for number in given.tolist()] == given.tolist()


@pytest.mark.parametrize("scale", [*SCALES.values(), SIZE], ids=[*SCALES, "ordered"])
def test_a_limit_in_words_parts_the_same_values(scale):
    """What is written must part the values beside the limit as the number does."""
    rng = np.random.default_rng(5)
    unit = 1 if scale in (DATE, SIZE) else 1e-6
    start = 0 if scale is SIZE else 19_000 if scale is DATE else 40_000 if scale is TIME else 1.7e9
    values = np.array([round((start + k * unit) / unit) * unit for k in range(4)])
    values = values if unit == 1 else np.array([scale.read(scale.write(v)) for v in values])
    between = rng.uniform(values[0], np.nextafter(values[-1], 0), 200)
    for limit in [*values[:-1].tolist(), *between.tolist()]:
        if limit > values[0]:
            up = scale.read(limit_in_words(scale, limit, closed=False))
            assert ((values < limit) == (values < up)).all()
        down = scale.read(limit_in_words(scale, limit, closed=True))
        assert ((values <= limit) == (values <= down)).all()


def test_the_words_of_far_numbers_are_numbers():
    assert DATE.write(1e300) == "1e+300"
    assert DATETIME.down(1e300) == 1e300
    assert SIZE.write(7.0) == "7"


# Frames


def read(values, **how):
    data = Dataset.from_frame(
        pd.DataFrame({"x": values}) if not hasattr(values, "columns") else values, **how
    )
    column = data.schema.features[0]
    return column.scale, [None if math.isnan(x) else x for x in data["x"].tolist()]


DAYS = [dt.date(2024, 3, 1), None, dt.date(1969, 12, 31)]
MOMENTS = [NOON, None, EPOCH]
TIMES = [dt.time(10, 30), None, dt.time(0, 0, 1, 500_000)]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": DAYS}),
        pd.DataFrame({"x": pd.Series(pd.to_datetime(DAYS))}),
        pd.DataFrame({"x": pd.Series(DAYS, dtype=pd.ArrowDtype(pa.date32()))}),
        pd.DataFrame({"x": ["2024-03-01", None, "1969-12-31"]}),
        pl.DataFrame({"x": DAYS}),
        pl.DataFrame({"x": ["2024-03-01", None, "1969-12-31"]}),
        pa.table({"x": DAYS}),
        pa.table({"x": pa.array(DAYS, pa.date64())}),
    ],
    ids=["objects", "pandas", "pandas arrow", "text", "polars", "polars text", "arrow", "date64"],
)
def test_dates_of_frames_are_days(frame):
    assert read(frame) == (DATE, [19783, None, -1])


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_moments_of_frames_are_seconds(unit):
    expected = DATETIME, [seconds(NOON), None, 0]
    polars_unit = "us" if unit == "s" else unit

    assert read(pd.Series(pd.to_datetime(MOMENTS)).astype(f"datetime64[{unit}]")) == expected
    assert read(pl.DataFrame({"x": pl.Series(MOMENTS, dtype=pl.Datetime(polars_unit))})) == expected
    assert read(pa.table({"x": pa.array(MOMENTS, pa.timestamp(unit))})) == expected
    assert read(pd.Series(MOMENTS, dtype=object)) == expected


def test_moments_with_a_zone_are_seconds_in_utc():
    zoned = pd.Series(pd.to_datetime(MOMENTS)).dt.tz_localize("Europe/Berlin")
    expected = DATETIME_UTC, [seconds(NOON) - 3600, None, -3600]

    assert read(zoned) == expected
    assert read(pl.DataFrame({"x": pl.from_pandas(zoned)})) == expected
    assert read(pa.table({"x": pa.array(zoned)})) == expected
    assert read(zoned.astype(object)) == expected


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame({"x": TIMES}), pl.DataFrame({"x": TIMES}), pa.table({"x": TIMES})],
    ids=["pandas", "polars", "arrow"],
)
def test_times_of_frames_are_seconds_of_the_day(frame):
    assert read(frame) == (TIME, [37800, None, 1.5])


@pytest.mark.parametrize("backend", [pd.DataFrame, pl.DataFrame, pa.table])
def test_durations_are_plain_seconds(backend):
    durations = [dt.timedelta(days=1, milliseconds=1), None, -dt.timedelta(seconds=1)]

    assert read(backend({"x": durations})) == (None, [86400.001, None, -1])


def test_a_column_of_missing_dates_is_one():
    assert read(pd.Series(pd.to_datetime([None, None]))) == (DATE, [None, None])


def test_dates_may_be_labels_or_a_target():
    frame = pd.DataFrame({"x": ["2024-03-01", "2024-03-02"], "y": ["10:30", "2024-03-01"]})

    labels = Dataset.from_frame(frame, nominal=["x"]).schema.features[0].labels
    assert labels == ("2024-03-01", "2024-03-02")
    assert Dataset.from_frame(frame, "x").classes == labels
    assert Dataset.from_frame(frame).schema.features[1].labels == ("10:30", "2024-03-01")


def test_categories_of_dates_stay_labels():
    assert read(pd.Series(["2024-03-01"]).astype("category"))[0] is None


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(pd.Categorical(["b", None, "c"], categories=["c", "b", "a"], ordered=True)),
        pa.DictionaryArray.from_arrays(
            pa.array([1, None, 0]), pa.array(["c", "b", "a"]), ordered=True
        ),
    ],
    ids=["pandas", "arrow"],
)
def test_ordered_categories_are_ordered(values):
    frame = pa.table({"x": values}) if isinstance(values, pa.Array) else values

    assert read(frame) == (Ordered(("c", "b", "a")), [1, None, 0])
    target = Dataset.from_frame(
        pd.DataFrame({"x": values.to_pandas() if isinstance(values, pa.Array) else values}), "x"
    )
    assert target.classes == ("c", "b", "a")


def test_the_labels_of_an_enum_are_nominal_in_their_order():
    frame = pl.DataFrame({"x": pl.Series(["b", None], dtype=pl.Enum(["c", "b"]))})

    assert Dataset.from_frame(frame).schema.features[0] == Column("x", ("c", "b"))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_truth_values_are_two_labels(backend):
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[backend]
    data = Dataset.from_frame(make({"x": [True, None, False]}))

    assert data.schema.features[0].labels == ("False", "True")
    assert data["x"].tolist() == [1, -1, 0]


def _same(a, b):
    pairs = zip(a.columns, b.columns, strict=True)
    return all(np.array_equal(x, y, equal_nan=x.dtype.kind == "f") for x, y in pairs)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_holds_what_the_data_hold(backend):
    data = scaled_data()
    frame = data.to_frame(backend)
    if backend == "polars":  # whose order of labels says nothing of them
        assert frame["size"].dtype == pl.Enum(SIZE.labels)
        data, frame = data.select([f for f in data.features if f != "size"]), frame.drop("size")
    back = Dataset.from_frame(frame, "class")

    assert back.schema.features == data.schema.features
    assert _same(back, data)


def test_the_types_of_a_frame_are_those_of_dates():
    table = scaled_data().to_frame("pyarrow")
    kinds = [str(table.schema.field(name).type) for name in ("day", "at", "sent", "clock")]

    assert kinds == ["date32[day]", "timestamp[us]", "timestamp[us, tz=UTC]", "time64[us]"]
    assert table.schema.field("size").type.ordered
    assert scaled_data().to_frame("pandas")["size"].cat.ordered


def test_parquet_keeps_scales(tmp_path):
    data = scaled_data()
    pq.write_table(data.to_frame("pyarrow"), tmp_path / "data.parquet")
    back = tl.read(tmp_path / "data.parquet")

    assert back.schema.features == data.schema.features
    assert _same(back, data)


# Files

CSV = "day,at,time,year,number,word,y\n"


def written(tmp_path, *lines, head=CSV):
    path = tmp_path / "data.csv"
    path.write_text(head + "".join(f"{line}\n" for line in lines))
    return path


def test_a_file_may_hold_dates_and_times(tmp_path):
    path = written(
        tmp_path,
        ",2024-03-01T12:30:00Z,10:30,2024,20240301,2024-03-01,a",
        "2024-03-01,?,10:31,2025,20240302,soon,b",
        "2024-03-02,2024-03-01 12:30+01:00,,2026,20240303,never,a",
    )
    data = tl.read(path)

    scales = [column.scale for column in data.schema.features]
    assert scales == [DATE, DATETIME_UTC, TIME, None, None, None]
    assert [column.kind for column in data.schema.features] == ["numeric"] * 5 + ["nominal"]
    assert data["day"][1:].tolist() == [19783, 19784]
    assert data["at"][[0, 2]].tolist() == [seconds(NOON), seconds(NOON) - 3600]
    assert np.isnan([data["day"][0], data["at"][1], data["time"][2]]).all()
    assert tl.read(path, nominal=["day"]).schema.features[0].labels == ("2024-03-01", "2024-03-02")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (["2024-03-01", "2024-13-01"], "line 3, column 1: '2024-13-01' is no date, such as"),
        (["2024-03-01 10:00Z", "2024-03-01 10:00"], "line 3, column 1: '2024-03-01 10:00' is no"),
        (["10:30", "?", "2024-03-01"], "line 4, column 1: '2024-03-01' is no time, such as"),
        (["2024-02-30", "x"], "line 2, column 1: '2024-02-30' is no date or time"),
        (["5", "2024-03-01"], "line 3, column 1: '2024-03-01' is not a number"),
    ],
)
def test_one_bad_date_is_named_where_all_are_to_be_numbers(tmp_path, fields, said):
    path = written(tmp_path, *(f"{field},a" for field in fields), head="x,y\n")

    assert tl.read(path).schema.features[0].is_nominal
    with pytest.raises(FileFormatError, match=said):
        tl.read(path, numeric=["x"])


@pytest.mark.parametrize("fields", [["2024-03-01", "2024-03-02"], ["10:30", "10:31", "10:32"]])
def test_dates_below_it_tell_a_row_of_names(tmp_path, fields):
    rows = [f"{field},{label}" for field, label in zip(fields, "abc", strict=False)]

    assert tl.read(written(tmp_path, *rows, head="when,y\n")).features == ("when",)
    assert tl.read(written(tmp_path, *rows, head="")).features == ("x1",)


def test_other_formats_say_that_they_hold_dates(tmp_path):
    arff = tmp_path / "data.arff"
    arff.write_text('@relation r\n@attribute d date "yyyy-MM-dd"\n@attribute y {a,b}\n@data\n'
                    '"2024-03-01",a\n?,b\n')  # fmt: skip
    tab = tmp_path / "data.tab"
    tab.write_text("d\ty\ntime\tdiscrete\n\tclass\n2024-03-01\ta\n?\tb\n")
    names = tmp_path / "data.names"
    names.write_text("a, b.\nd: date.\nsize: [ordered] small, large.\n")
    (tmp_path / "data.data").write_text("2024-03-01,large,a\n?,?,b\n")

    for path in (arff, tab, names):
        data = tl.read(path)
        assert (data.schema.features[0].scale, data["d"][0]) == (DATE, 19783)
    assert data.schema.features[1] == Column("size", scale=Ordered(("small", "large")))
    assert data["size"][0] == 1
    assert np.isnan(data["size"][1])


# Data sets and codings


def test_codes_of_an_order_are_checked():
    schema = Schema((Column("size", scale=SIZE),))
    for wrong in (4.0, 0.5, -1.0):
        with pytest.raises(DataError, match=r"^column 'size' has the code .*, which is none of 0"):
            Dataset.of(schema, [[wrong, np.nan]])


def test_a_column_has_labels_or_a_scale():
    with pytest.raises(DataError, match="both labels and a scale"):
        Column("x", ("a",), DATE)
    with pytest.raises(DataError, match="labels of column 'x' must differ"):
        Column("x", scale=Ordered(("a", "a")))


def test_labels_may_be_put_in_order():
    frame = pl.DataFrame({"size": pl.Series(["b", None, "c"], dtype=pl.Enum(["c", "b", "a"]))})
    data = Dataset.from_frame(frame)

    assert data.ordered("size").schema.features[0].scale == Ordered(("c", "b", "a"))
    np.testing.assert_array_equal(data.ordered("size")["size"], [1, np.nan, 0])
    given = data.ordered("size", ["a", "b", "c"])
    assert given.schema.features[0].scale == Ordered(("a", "b", "c"))
    np.testing.assert_array_equal(given["size"], [1, np.nan, 2])
    with pytest.raises(ParameterError, match=r"must name each of its labels once \(c, b, a\)"):
        data.ordered("size", ["a", "b"])
    with pytest.raises(DataError, match="only labels can be put in order"):
        given.ordered("size")


def test_take_and_select_keep_scales():
    data = scaled_data()

    assert data.take([3, 1]).schema == data.schema
    assert data.select(["size", "day"]).schema.features[0].scale == SIZE


def test_cut_points_are_written_on_their_scale():
    data = scaled_data()
    cuts = {"day": [19_000.5, 19_020, 19_020.25], "size": [0.2, 0.7, 2.5], "clock": [3600.5]}
    coding = Coding(cuts).on(data.schema)

    assert coding.labels("day") == (
        "< 2022-01-09", "2022-01-09..2022-01-28", "2022-01-28..2022-01-29", ">= 2022-01-29",
    )  # fmt: skip
    assert coding.labels("size") == ("< medium", "medium..large", ">= it's huge")
    assert Coding({"size": [1, 2]}).on(data.schema).labels("size") == (
        "< medium", "medium", ">= large",
    )  # fmt: skip
    assert coding.labels("clock") == ("< 01:00:00.5", ">= 01:00:00.5")
    for name, points in cuts.items():
        known = data[name][~np.isnan(data[name])]
        parts = np.searchsorted(points, known, side="right")
        moved = coding.codes(name, known)
        # The same partition: intervals that no value can fall into are gone.
        assert len({*zip(parts.tolist(), moved.tolist(), strict=True)}) == len({*parts.tolist()})


@pytest.mark.parametrize(
    "name", ["mdlp", "chimerge", "equal-width:10", "equal-frequency:3", "ssv:4"]
)
def test_discretizers_cut_scales(name):
    data = scaled_data()
    coding = tl.discretizer(name).fit(data)
    cut = coding.apply(data)

    assert all(column.is_nominal for column in cut.schema.features)
    assert coding.describe(data)[0].label == coding.labels("day")[0]
    assert "< 2023-11-1" in str(coding)
    tree = tl.grow(data, discretizer=name)
    np.testing.assert_array_equal(tree.predict(data), tree.predict(data.to_frame("pandas")))
