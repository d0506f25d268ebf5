"""Columns of text and categories, coded by the library of the frame: as value by value."""

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treelab.data import frames, labels
from treelab.data.distinct import distinct_values
from treelab.data.instants import values_of

WORDS = ["b", None, "10", "b", "", "9", None, "é", "10"]
NULL_INSIDE = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2]), ["b", None, "a"])

COLUMNS = {
    "pandas text": pd.Series(WORDS, dtype="str"),
    "pandas string": pd.Series(WORDS, dtype="string"),
    "pandas categories": pd.Series(WORDS, dtype=pd.CategoricalDtype([*"9zéb", "", "10"])),
    "pandas numbers as categories": pd.Series([2, 1, None, 2], dtype="category"),
    "pandas 1 and '1'": pd.Series([1, "1", "2", 1], dtype="category"),
    "polars text": pl.Series(WORDS),
    "polars categories": pl.Series(["x", *WORDS], dtype=pl.Categorical)[1:],
    "polars enum": pl.Series(WORDS, dtype=pl.Enum(["é", "z", "9", "10", "b", ""])),
    "polars nothing": pl.Series([None, None], dtype=pl.String),
    "polars empty": pl.Series([], dtype=pl.String),
    "arrow text": pa.chunked_array([WORDS, WORDS[:3]]),
    "arrow empty": pa.chunked_array([], pa.string()),
    "arrow dictionaries that differ": pa.chunked_array(
        [pa.array(WORDS).dictionary_encode(), pa.array(["q", "10"]).dictionary_encode()]
    ),
    "arrow small codes": pa.chunked_array(
        [pa.array(WORDS).dictionary_encode().cast(pa.dictionary(pa.uint8(), pa.string()))]
    ),
    "arrow null in the dictionary": pa.chunked_array([NULL_INSIDE]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_has_the_codes_that_its_values_have_one_by_one(name: str) -> None:
    series = nw.from_native(COLUMNS[name], series_only=True)
    objects = isinstance(COLUMNS[name], pd.Series) and COLUMNS[name].dtype == object
    assert (distinct_values(series) is None) == objects  # the text of pandas 2 is objects
    kept = frames._categories(series)
    found, codes = frames._coded(series, kept)
    wanted, wanted_codes = labels.coded(values_of(series), kept)
    assert found == wanted
    np.testing.assert_array_equal(codes, wanted_codes)


@pytest.mark.parametrize("values", [[1.5, 2.0], [True, False]])
def test_other_columns_are_left_to_their_own_readers(values: list[float]) -> None:
    for column in (pd.Series(values), pl.Series(values), pa.chunked_array([values])):
        assert distinct_values(nw.from_native(column, series_only=True)) is None
