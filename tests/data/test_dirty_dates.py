"""Dates as people keep them: marks for missing among them, words, targets that are numbers."""

import numpy as np
import pandas as pd
import pytest

from treelab.data.dataset import Dataset
from treelab.data.moments import DATE
from treelab.data.readers import read
from treelab.errors import DataError, DataWarning, FileFormatError

DAYS = [f"2024-03-{day:02d}" for day in range(1, 31)]


def dates_read(days, road, tmp_path):
    """Return the data of a column of text, from a file or from a frame."""
    frame = pd.DataFrame({"d": days, "y": ["a", "b"] * (len(days) // 2)})
    if road == "frame":
        return Dataset.from_frame(frame, "y")
    frame.to_csv(tmp_path / "days.csv", index=False)
    return read(tmp_path / "days.csv")


@pytest.mark.parametrize("road", ["file", "frame"])
@pytest.mark.parametrize("mark", ["-", "None", "n/a", "", "?"])
@pytest.mark.parametrize("place", [0, 7])
def test_marks_among_dates_are_missing(road, mark, place, tmp_path):
    days = [*DAYS[:place], mark, *DAYS[place + 1 :]]
    data = dates_read(days, road, tmp_path)

    assert data.schema.features[0].scale == DATE
    assert np.flatnonzero(np.isnan(data["d"])).tolist() == [place]
    assert data["d"][29] - data["d"][1] == 28


@pytest.mark.parametrize("road", ["file", "frame"])
def test_marks_that_outnumber_dates_are_labels(road, tmp_path):
    assert dates_read([DAYS[0], *["-"] * 3], road, tmp_path).schema.features[0].is_nominal


@pytest.mark.parametrize("road", ["file", "frame"])
def test_labels_that_are_almost_dates_are_warned_of(road, tmp_path):
    sentence = (
        "column 'd' is read as labels although 96.7 % of it are dates or times, because 'soon' is "
        r"none: missing_marks=\['usual', 'soon'\] \(--missing-marks\)"
    )
    with pytest.warns(DataWarning, match=sentence):
        data = dates_read([*DAYS[:-1], "soon"], road, tmp_path)

    assert data.schema.features[0].is_nominal


def test_a_date_that_is_wrong_is_named_where_the_column_is_said_to_be_numeric(tmp_path):
    path = tmp_path / "days.csv"
    path.write_text("d,y\n-,a\n2024-03-01,b\nsoon,a\n")
    with pytest.raises(FileFormatError, match=r"line 4.*'soon' is no date"):
        read(path, numeric=["d"])


@pytest.mark.parametrize("road", ["file", "frame"])
def test_a_target_with_decimal_commas_is_one_of_numbers(road, tmp_path):
    frame = pd.DataFrame({"x": range(200), "price": [f"{i},5" for i in range(200)]})
    frame.to_csv(tmp_path / "prices.csv", sep=";", index=False)
    with pytest.raises(DataError, match="the target 'price' holds 200 different numbers"):
        read(tmp_path / "prices.csv") if road == "file" else Dataset.from_frame(frame, "price")
