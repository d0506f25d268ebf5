"""Parquet is read a column at a time: names that begin alike, or are the same, are not mixed up."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import treelab as tl
from treelab.data.readers.parquet import StoredColumns
from treelab.errors import DataWarning, NoCasesError


def test_columns_of_the_same_name_and_of_names_that_begin_alike(tmp_path) -> None:
    columns = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], ["p", "q"]]
    table = pa.Table.from_arrays([pa.array(c) for c in columns], ["a", "a.b", "a", "y"])
    pq.write_table(table, tmp_path / "cases.parquet")
    with pytest.warns(DataWarning, match="occurs more than once"):
        data = tl.read(tmp_path / "cases.parquet", "y")
    assert data.features == ("a", "a.b", "a (2)")
    assert [column.tolist() for column in data.columns] == columns[:3]


def test_no_more_than_a_column_is_read_beside_the_data_set(tmp_path, monkeypatch) -> None:
    rng = np.random.default_rng(0)
    table = pa.table({**{f"x{f}": rng.normal(size=50) for f in range(4)}, "y": ["p", "q"] * 25})
    pq.write_table(table, tmp_path / "cases.parquet")
    asked, read = [], StoredColumns.__getitem__

    def noted(self, name):
        asked.append(name)
        return read(self, name)

    monkeypatch.setattr(StoredColumns, "__getitem__", noted)
    data = tl.read(tmp_path / "cases.parquet", drop=["x1"])
    assert asked == ["x0", "x2", "x3", "y"]
    assert all(column.base is None for column in data.columns)  # none holds on to the file's memory


def test_a_file_of_no_cases_is_refused_as_in_every_format(tmp_path) -> None:
    table = pa.table({"a": pa.array([], pa.float64()), "y": pa.array([], pa.string())})
    pq.write_table(table, tmp_path / "none.parquet")
    with pytest.raises(NoCasesError, match=r"^none\.parquet holds no cases$"):
        tl.read(tmp_path / "none.parquet")


def test_a_file_that_says_it_has_cases_and_has_none(tmp_path) -> None:
    path = tmp_path / "none.parquet"
    pq.ParquetWriter(path, pa.schema({"a": pa.float64(), "y": pa.string()})).close()
    no_rows, three_rows = b"\x16\x00\x19\x0c", b"\x16\x06\x19\x0c"  # and no row groups
    content = path.read_bytes()
    assert content.count(no_rows) == 1
    path.write_bytes(content.replace(no_rows, three_rows))
    with pytest.raises(NoCasesError, match=r"^none\.parquet holds no cases$"):
        tl.read(path)


def test_a_partition_may_have_no_cases(tmp_path) -> None:
    iris = tl.load("iris").to_frame("pandas")
    iris.to_parquet(tmp_path / "0.parquet")
    iris[:0].to_parquet(tmp_path / "1.parquet")
    assert tl.grow(tl.scan(tmp_path / "*.parquet", "class")) == tl.grow(iris, target="class")
