"""Sheets of workbooks and tables of databases."""

import datetime as dt
import sqlite3
import sys
from contextlib import suppress

import duckdb
import openpyxl
import pytest
from columns import values

from treelab.data.readers import read
from treelab.errors import (
    DataWarning,
    FileFormatError,
    MissingExtraError,
    ParameterError,
    TreelabError,
    UnknownNameError,
)

ROWS = [
    (1.5, "red", True, "good"),
    (None, "n/a", False, "bad"),
    (3, None, None, "good"),
    ("-", "blue", True, None),
]
NAMES = ("age", "colour", "new", "class")


def check_cars(data, truth=("True", "False")):
    assert values(data, "age") == [1.5, None, 3, None]
    assert values(data, "colour") == ["red", None, None, "blue"]
    assert values(data, "new") == [truth[0], truth[1], None, truth[0]]
    assert (data.target, data.classes, data.y.tolist()) == ("class", ("bad", "good"), [1, 0, 1, -1])


# Excel


@pytest.fixture
def workbook(tmp_path):
    """Write sheets, given by name as rows, and return the path."""

    def write(**sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in sheets.items():
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append(row)
        book.save(tmp_path / "cars.xlsx")
        return tmp_path / "cars.xlsx"

    return write


def test_the_first_sheet_or_a_named_one_is_read(workbook):
    path = workbook(old=[NAMES, *ROWS], New=[("a", "b"), (1, "u")])

    check_cars(read(path))
    assert read(path).name == "cars"
    data = read(f"{path}::New")
    assert (data.name, data.features) == ("New", ("a",))
    with pytest.raises(UnknownNameError, match="unknown sheet 'new': did you mean 'New'"):
        read(f"{path}::new")


def test_a_sheet_may_have_no_names_and_blank_rows(workbook):
    rows = [(None, None), (1, "u"), (None, None), (2, "v"), (3, "u")]

    assert read(workbook(s=rows)).features == ("x1",)
    assert read(workbook(s=rows), header=True).features == ("1",)
    assert len(read(workbook(s=rows))) == 3


def test_a_field_of_a_sheet_is_told_with_its_row(workbook):
    path = workbook(s=[(None, None), ("a", "b"), (1, "u"), (None, None), ("x", "v")])
    with pytest.raises(FileFormatError, match=r"cars\.xlsx, line 5, column 1: 'x' is not a number"):
        read(path, numeric="a")


def test_dates_of_a_sheet_are_written_as_iso(workbook):
    path = workbook(s=[("a", "b"), (dt.date(2024, 2, 29), "u"), (dt.date(2024, 3, 1), "v")])

    assert values(read(path, nominal="a"), "a") == ["2024-02-29", "2024-03-01"]


def test_dirt_in_a_sheet_is_that_of_other_files(workbook):
    rows = [(n, f"{n},5", "u") for n in range(20)]
    path = workbook(s=[("a", "b", "a"), *rows, ("much", "1.234,5", "v")])
    with pytest.warns(DataWarning) as told:
        data = read(path)
    assert (data.features, data["b"][20], data.target) == (("a", "b"), 1234.5, "a (2)")
    assert [str(each.message)[:40] for each in told] == [
        "a name occurs more than once; columns af",
        "column 'a' is read as labels although 95",
    ]


@pytest.mark.parametrize(
    ("sheets", "message"),
    [({"s": []}, "cars.xlsx is empty"), ({"s": [("a", "b")]}, "cars.xlsx holds no cases")],
)
def test_a_sheet_without_cases_is_told(workbook, sheets, message):
    with pytest.raises(FileFormatError, match=message):
        read(workbook(**sheets), header=True)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PK\3\4" + b"x" * 200])
def test_what_is_no_workbook_is_told(tmp_path, content):
    (tmp_path / "d.xlsx").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"d\.xlsx is not an Excel workbook"):
        read(tmp_path / "d.xlsx")


def test_a_broken_workbook_is_told_in_treelabs_own_errors(workbook, tmp_path):
    content = workbook(s=[NAMES, *ROWS]).read_bytes()
    for place in range(0, len(content), 97):
        (tmp_path / "d.xlsx").write_bytes(content[:place] + b"\xff" + content[place + 1 :])
        with suppress(TreelabError):
            read(tmp_path / "d.xlsx")


# Databases


def fill(connection, table="cars"):
    name = '"' + table.replace('"', '""') + '"'
    connection.execute(f"CREATE TABLE {name} (age TEXT, colour TEXT, new BOOLEAN, class TEXT)")
    connection.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", ROWS)
    connection.commit()


MAKERS = {".db": sqlite3.connect, ".sqlite3": sqlite3.connect, ".duckdb": duckdb.connect}


@pytest.fixture(params=list(MAKERS))
def database(tmp_path, request):
    """Make tables of the cars, and return the path of the file."""

    def write(*tables):
        path = tmp_path / f"shop{request.param}"
        path.unlink(missing_ok=True)
        connection = MAKERS[request.param](str(path))
        for table in tables:
            fill(connection, table)
        connection.close()
        return path

    return write


def test_the_only_table_or_a_named_one_is_read(database):
    path = database("cars")
    truth = ("True", "False") if path.suffix == ".duckdb" else ("1", "0")

    check_cars(read(path, nominal="new"), truth)
    assert (read(path).name, read(f"{path}::cars").name) == ("shop", "cars")


def test_of_several_tables_one_must_be_named(database):
    path = database("cars", 'odd "name"; DROP TABLE cars')
    with pytest.raises(
        ParameterError, match=r"has 2 tables .*: say which one, as in shop.*::TABLE"
    ):
        read(path)
    with pytest.raises(UnknownNameError, match="unknown table 'carz': did you mean 'cars'"):
        read(f"{path}::carz")
    assert len(read(f'{path}::odd "name"; DROP TABLE cars')) == 4
    assert len(read(f"{path}::cars")) == 4


def test_a_database_without_tables_is_told(database):
    with pytest.raises((ParameterError, FileFormatError), match=r"has 0 tables \(none\)"):
        read(database())


def test_reading_changes_nothing(database):
    path = database("cars")
    before = path.read_bytes()
    path.chmod(0o444)
    read(path)

    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_view_is_read_if_it_is_named(database):
    path = database("cars")
    connection = MAKERS[path.suffix](str(path))
    connection.execute("CREATE VIEW best AS SELECT age, class FROM cars WHERE class = 'good'")
    connection.commit()
    connection.close()

    assert (len(read(path)), len(read(f"{path}::best"))) == (4, 2)


def test_a_duckdb_file_opens_no_other(tmp_path):
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    connection = duckdb.connect(str(tmp_path / "d.duckdb"))
    connection.execute(f"CREATE VIEW v AS SELECT * FROM read_csv('{tmp_path}/secret.csv')")
    connection.close()
    with pytest.raises(FileFormatError, match="cannot be read as DuckDB: Permission Error"):
        read(f"{tmp_path}/d.duckdb::v")


def test_a_duckdb_file_may_have_the_suffix_of_others(tmp_path):
    connection = duckdb.connect(str(tmp_path / "shop.db"))
    fill(connection)
    connection.close()

    check_cars(read(tmp_path / "shop.db"))


@pytest.mark.parametrize("suffix", [".db", ".sqlite", ".duckdb"])
@pytest.mark.parametrize("content", [b"a,b\n1,2\n" * 500, b"SQLite format 3\0" + b"x" * 2000])
def test_what_is_no_database_is_told(tmp_path, suffix, content):
    path = tmp_path / f"d{suffix}"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"^d\..* cannot be read as (SQLite|DuckDB): "):
        read(path)


def test_a_broken_database_is_told_in_treelabs_own_errors(database):
    path = database("cars")
    content = path.read_bytes()
    for place in range(0, len(content), len(content) // 60):
        path.write_bytes(content[:place] + b"\xff" * 8 + content[place + 8 :])
        with suppress(TreelabError):
            read(path, target="class")


# What is not there


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        ("python_calamine", "d.xlsx", r"reading Excel needs python-calamine: .*treelab\[excel\]"),
        ("duckdb", "d.duckdb", r"reading DuckDB needs duckdb: .*treelab\[duckdb\]"),
    ],
)
def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch, module, name, message):
    (tmp_path / name).write_bytes(b"")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=message):
        read(tmp_path / name)


def test_only_workbooks_and_databases_have_tables(tmp_path):
    (tmp_path / "d.csv").write_text("a,b\n1,u\n")
    with pytest.raises(ParameterError, match="::TABLE is for excel, sqlite, duckdb files, not"):
        read(f"{tmp_path}/d.csv::t")
    (tmp_path / "e.csv::t.csv").write_text("a,b\n1,u\n")
    assert len(read(tmp_path / "e.csv::t.csv")) == 1, "a file may be called so"
