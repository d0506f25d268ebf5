"""Reading: the file, its format, sentences of bounded length."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from columns import values
from pyarrow import parquet as pq
from read_files import ARFF, CARS

from treelab.data.readers import read
from treelab.errors import (
    DataError,
    DataWarning,
    FileFormatError,
    ParameterError,
    TreelabError,
    UnknownNameError,
)


def test_an_unknown_column_is_told_with_the_nearest_name(file):
    path = file("cars.csv", CARS)

    for option in ({"target": "clas"}, {"nominal": ["clas"]}, {"weights": "clas"}):
        with pytest.raises(UnknownNameError, match="unknown column 'clas': did you mean 'class'"):
            read(path, **option)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"numeric": "class"}, "the target is always nominal, but numeric= names 'class'"),
        ({"numeric": "age", "nominal": "age"}, "'age' cannot be both nominal and numeric"),
        ({"weights": "class"}, "'class' cannot be both target and weights"),
    ],
)
def test_wishes_that_contradict_each_other_are_refused(file, options, message):
    with pytest.raises(ParameterError, match=message):
        read(file("cars.csv", CARS), **options)


def test_the_weights_must_be_as_many_as_the_cases(file):
    with pytest.raises(DataError, match="expected 4 weights, got 1"):
        read(file("cars.csv", CARS), weights=[1.0])


def test_an_unknown_suffix_is_told_with_the_nearest(file):
    with pytest.raises(
        UnknownNameError, match=r"unknown file suffix '\.csw': did you mean '\.csv'"
    ):
        read(file("cars.csw", CARS))


def test_the_format_may_be_said(file):
    assert len(read(file("cars.data", CARS), format="csv")) == 4
    with pytest.raises(ParameterError, match="did you mean 'csv'"):
        read(file("cars.csv", CARS), format="csvv")


def test_a_file_that_is_not_there_or_a_directory_is_told(tmp_path):
    with pytest.raises(DataError, match=r"there is no file .*nothing\.csv"):
        read(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="is a directory"):
        read(tmp_path)


def test_a_file_that_cannot_be_read_is_told(file, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = file("cars.csv", CARS)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"cannot read .*cars\.csv: Permission denied"):
        read(path)


def test_a_damaged_gzip_file_is_told(file):
    with pytest.raises(FileFormatError, match=r"cars\.csv\.gz is not a whole gzip file"):
        read(file("cars.csv.gz", gzip.compress(CARS.encode())[:-9]))


def test_header_is_refused_where_it_means_nothing(file):
    with pytest.raises(
        ParameterError, match=r"header= \(--no-header\) is for csv, tsv, excel files, not"
    ):
        read(file("a.arff", ARFF), header=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nominal": None}, "nominal must be a word or a list of words, got None"),
        ({"numeric": 5}, "numeric must be a word or a list of words, got 5"),
        ({"missing_marks": 5}, "missing_marks must be a word or a list of words, got 5"),
        ({"header": "x"}, "header must be True, False or None, got 'x'"),
    ],
)
def test_wishes_of_the_wrong_type_are_refused(file, options, message):
    with pytest.raises(ParameterError, match=message):
        read(file("cars.csv", CARS), **options)


def test_a_missing_mark_may_be_a_number(file):
    assert read(file("x.csv", "a,y\n-9,p\n1,q\n"), missing_marks=[-9]).missing() == {"a": 1}


LONG = 10_000


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("a.csv", f"x,y\n{'x' * LONG},a\n", {"numeric": ["x"]}),
        ("a.csv", f"x,y\n{'9' * LONG},a\n", {}),
        ("a.csv", f"{'n' * LONG},y\ninf,a\n", {}),
        ("a.csv", f"{'n' * LONG},y\n1,a\n", {"target": "z"}),
        ("a.arff", f"@attribute x {'t' * LONG}\n@data\n", {}),
        ("a.arff", f"@attribute {'n' * LONG} nonsense\n@data\n", {}),
        ("a.arff", f"@attribute x {{{'a' * LONG},{'a' * LONG}}}\n@data\n", {}),
        ("a.arff", f"@attribute x {{{'a' * LONG},b}}\n@data\n{'c' * LONG}\n", {}),
        ("a.arff", f"@attribute x numeric\n@data\n1,{{{'w' * LONG}}}\n", {}),
        ("a.arff", f"@attribute x numeric\n@data\n{{{'1' * LONG} 1}}\n", {}),
        ("a.tab", f"{'n' * LONG}\ty\n{'k' * LONG}\td\n\tclass\n1\ta\n", {}),
        ("a.dat", f"@attribute x real\n@inputs {'n' * LONG}\n@data\n1\n", {}),
    ],
)
def test_no_sentence_is_as_long_as_what_it_quotes(file, name, text, options):
    with pytest.raises(TreelabError) as told:
        read(file(name, text), **options)
    assert len(str(told.value)) < 700


def test_names_in_c45_are_quoted_in_short(file):
    file("a.names", f"a, b.\nx: c: {'n' * LONG}: d.\n")

    with pytest.raises(FileFormatError, match="must be written") as told:
        read(file("a.data", "c,a\n"))
    assert len(str(told.value)) < 700


def test_equal_names_in_parquet_get_numbers(tmp_path):
    table = pa.table([pa.array([1]), pa.array([2]), pa.array(["a"])], names=["x", "x", "y"])
    pq.write_table(table, tmp_path / "d.parquet")

    with pytest.warns(DataWarning, match=r"are read as 'x \(2\)': drop= \(--drop\) leaves out"):
        data = read(tmp_path / "d.parquet")
    assert (data.features, data["x (2)"].tolist()) == (("x", "x (2)"), [2.0])


def test_attributes_of_sparse_rows_may_begin_with_zeros(file):
    text = "@attribute x numeric\n@attribute y {a,b}\n@data\n{000 5, 01 b}\n"

    assert values(read(file("a.arff", text)), "x") == [5.0]
