"""Small files that stand for large tables: refused in one sentence, before memory is taken.

experiments/trust/bombs.py measures what files take that are not refused.
"""

import gzip
import io
import sqlite3
import sys
import tracemalloc
import zipfile
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyarrow import parquet

import treelab as tl
from treelab.cli import app
from treelab.data.readers import room
from treelab.data.readers.parquet import text_size
from treelab.errors import DataError, FileFormatError, ParameterError

FOLDER = Path(__file__).parents[2] / "experiments" / "trust"
sys.path.insert(0, str(FOLDER))
try:
    import binaries
finally:
    sys.path.remove(str(FOLDER))

ARFF = "@relation r\n@attribute a {1,2}\n@attribute y {p,q}\n@data\n"
ROWS = 2_000


def packed(name, text):
    def make(folder):
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        return folder / f"{name}.gz"

    return make


def plain(name, text):
    def make(folder):
        (folder / name).write_text(text)
        return folder / name

    return make


def c45(folder):
    (folder / "x.names").write_text("p,q.\na: 1,2.\n")
    (folder / "x.data.gz").write_bytes(gzip.compress(b"1,p\n" * ROWS))
    return folder / "x.data.gz"


def in_parquet(folder):
    rows = pa.array([0] * ROWS)
    table = pa.table({"a": rows, "y": pa.array(["p"]).take(rows)})
    parquet.write_table(table, folder / "x.parquet")
    return folder / "x.parquet"


def in_sqlite(folder):
    with closing(sqlite3.connect(folder / "x.db")) as database, database:
        database.execute("CREATE TABLE t (a, y)")
        database.executemany("INSERT INTO t VALUES (1, ?)", [("p",)] * ROWS)
    return folder / "x.db"


def in_duckdb(folder):
    with duckdb.connect(folder / "x.duckdb") as database:
        database.execute(f"CREATE TABLE t AS SELECT 1 AS a, 'p' AS y FROM range({ROWS})")
    return folder / "x.duckdb"


def sheet(last):
    """Make a workbook with a cell far below and beside the others."""

    def make(folder):
        parts = binaries.parts()
        name = "xl/worksheets/sheet1.xml"
        parts[name] = parts[name].replace(b"</sheetData>", last.encode() + b"</sheetData>")
        (folder / "x.xlsx").write_bytes(binaries.zipped(parts))
        return folder / "x.xlsx"

    return make


def _wide(folder):
    (folder / "x.csv").write_bytes(("a,y\n" + "1,p\n" * ROWS).encode("utf-16"))
    return folder / "x.csv"


FAR = sheet('<row r="2000"><c r="C2000"><v>1</v></c></row>')
FILES = {
    "csv": packed("x.csv", "a,y\n" + "1,p\n" * ROWS),
    "a plain csv": plain("x.csv", "a,y\n" + "1,p\n" * ROWS),
    "utf-16": _wide,
    "tsv": packed("x.tsv", "a\ty\n" + "1\tp\n" * ROWS),
    "arff": packed("x.arff", ARFF + "1,p\n" * ROWS),
    "a plain arff": plain("x.arff", ARFF + "1,p\n" * ROWS),
    "sparse arff": plain("x.arff", ARFF + "{}\n" * (ROWS // 4)),
    "c45": c45,
    "tab": packed("x.tab", "a\ty\nd\td\n\tclass\n" + "1\tp\n" * ROWS),
    "keel": packed("x.dat", ARFF + "1,p\n" * ROWS),
    "parquet": in_parquet,
    "sqlite": in_sqlite,
    "duckdb": in_duckdb,
    "excel": FAR,
}


@pytest.mark.parametrize("kind", FILES)
def test_every_reader_has_a_limit(kind, tmp_path):
    path = FILES[kind](tmp_path)
    with pytest.raises(FileFormatError, match=r"more than 5,000 bytes .*max_bytes= \(--max-bytes"):
        tl.read(path, max_bytes=5_000)
    assert len(tl.read(path, max_bytes=400_000)) > 0
    assert len(tl.read(path)) > 0


@pytest.mark.parametrize("kind", ["csv", "parquet", "a plain csv"])
def test_so_have_the_partitions_of_a_scan(kind, tmp_path):
    path = FILES[kind](tmp_path)
    with pytest.raises(DataError, match="more than 5,000 bytes"):
        tl.grow(tl.scan(path, "y", max_bytes=5_000))


@pytest.mark.parametrize("given", [0, -1, 1.5, "1GB", True])
def test_a_limit_is_a_number_of_bytes(given, tmp_path):
    path = FILES["csv"](tmp_path)
    for work in (tl.read, tl.scan):
        with pytest.raises(ParameterError, match="max_bytes must be a whole number of at least 1"):
            work(path, max_bytes=given)


def test_the_command_line_has_the_limit_and_says_so(tmp_path, capsys, monkeypatch):
    path = FILES["csv"](tmp_path)
    for words in (["train"], ["check"], ["rank"], ["compare", "-o", str(tmp_path / "out")]):
        with pytest.raises(SystemExit) as ended:
            app([words[0], str(path), *words[1:], "--max-bytes", "5000"])
        assert ended.value.code == 1
        assert "holds more than 5,000 bytes" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,y\n" + b"1,p\n" * ROWS)))
    with pytest.raises(SystemExit):
        app(["check", "-", "--max-bytes", "5000"])
    assert "standard input holds more than 5,000 bytes" in capsys.readouterr().err


def test_a_study_has_it_too(tmp_path):
    FILES["a plain csv"](tmp_path)
    (tmp_path / "s.toml").write_text('data = ["x.csv"]\n[[learner]]\nmetric = "gain"\n')
    study = tl.read_study(tmp_path / "s.toml", max_bytes=5_000)
    with pytest.raises(FileFormatError, match="more than 5,000 bytes"):
        study.trials()


@pytest.mark.parametrize(
    "last",
    [
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        "<row r=\"1048576\"><c\nr = 'XFD1048576'><v>1</v></c></row>",
        '<row r="1048576">' + "<c><v>1</v></c>" * 2000 + "</row>",
        '<x:row r="1048576">' + "<x:c><v>1</v></x:c>" * 2000 + "</x:row>",
        '<row r="1048576"><c t="x>y" r="XFD1048576"><v>1</v></c></row>',
    ],
)
def test_a_cell_far_away_does_not_end_the_process(last, tmp_path):
    """python-calamine would ask for half a terabyte, and be ended for it."""
    with pytest.raises(FileFormatError, match="with the empty ones, stand for"):
        tl.read(sheet(last)(tmp_path))


def test_a_workbook_that_is_packed_to_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "ROOM", 100_000)
    monkeypatch.setattr(room, "PACKING", 10)
    parts = binaries.parts()
    name = "xl/sharedStrings.xml"
    parts[name] = parts[name].replace(b"<t>a</t>", b"<t>" + b"a" * 1_000_000 + b"</t>")
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
        for each, content in parts.items():
            book.writestr(each, content)
    with pytest.raises(FileFormatError, match="more than 100,000 bytes"):
        tl.read(tmp_path / "x.xlsx")


def shared(folder, texts, cells):
    """Make a workbook whose cells share texts, given as XML and by their numbers."""
    parts = binaries.parts()
    rows = "".join(
        f'<row r="{at}"><c t="s"><v>{number}</v></c><c><v>{at % 2}</v></c></row>'
        for at, number in enumerate(cells, 1)
    )
    for name, content in (
        ("sharedStrings", f"<sst>{texts}</sst>"),
        ("worksheets/sheet1", f"<worksheet><sheetData>{rows}</sheetData></worksheet>"),
    ):
        parts[f"xl/{name}.xml"] = content.encode()
    (folder / "x.xlsx").write_bytes(binaries.zipped(parts))
    return folder / "x.xlsx"


LONG = "x" * 5_000


@pytest.mark.parametrize(
    ("texts", "number"),
    [
        (f"<si><t>{LONG}</t></si>", 0),
        (f"<si><t>{LONG}</t></si>", "&#48;"),
        (f"<si><t>{LONG}</t></si>", "+0"),
        (f"<si><r><t>{LONG}</t></r><r><t>{LONG}</t></r></si>", 0),
        (f"<x:si><x:t>{LONG}</x:t></x:si>", 0),
        ("<si><t xml:space='preserve'>a" + " " * 5_000 + "b</t></si>", 0),
        (f"<si><t>{'<!--<si>-->'.join([LONG[:500]] * 10)}</t></si>", 0),
        (f"<si><t>{LONG}<b></t></si>", 0),  # no XML
        (f"<si/><si><t>{LONG}</t></si>", 0),  # of which some programs count one text
        (f"<si><rPh><t>a</t></rPh></si><si><t>{LONG}</t></si>", 0),
    ],
)
def test_a_long_text_that_cells_share_counts_for_each(texts, number, tmp_path, monkeypatch):
    path = shared(tmp_path, texts, [number] * 400)
    monkeypatch.setattr("python_calamine.CalamineWorkbook", None)  # it makes the texts
    with pytest.raises(
        FileFormatError, match=r"1,000,000 bytes .*, for its cells share long texts"
    ):
        tl.read(path, max_bytes=1_000_000)


def test_one_long_text_among_many_cells_is_no_harm(tmp_path):
    texts = f"<si><t>{LONG}</t></si><si><t>a</t></si><si><t>b</t></si>"
    data = tl.read(shared(tmp_path, texts, [0, *[1, 2] * 400]), max_bytes=100_000)
    assert len(data) == 801
    assert len(data.schema.features[0].labels) == 3


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("is_whole", [False, True])
def test_a_workbook_that_is_packed_as_none_is(packing, is_whole, tmp_path):
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w", packing) as book:
        for name, content in binaries.parts().items():
            book.writestr(name, content)
        at = book.getinfo("xl/styles.xml").header_offset + len("xl/styles.xml") + 30
    content = bytearray((tmp_path / "x.xlsx").read_bytes())
    if not is_whole:
        content[at + 4 : at + 20] = b"\xff" * 16
    (tmp_path / "x.xlsx").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"^x\.xlsx is not an Excel workbook$"):
        tl.read(tmp_path / "x.xlsx")


@pytest.mark.parametrize("cell", ["XFE2", "B1048577", "NULLC3"])
def test_a_sheet_larger_than_any_is_refused(cell, tmp_path):
    path = sheet(f'<row><c r="{cell}"><v>1</v></c></row>')(tmp_path)
    with pytest.raises(FileFormatError, match=r"no workbook has more than 1,048,576 and 16,384"):
        tl.read(path)


@pytest.mark.parametrize("cell", ["A1" + "9" * 30, "C" * 10 + "3", "CCC" * 30_000 + "3"])
def test_a_place_beyond_all_numbers_is_far_away(cell, tmp_path):
    """calamine takes what is left beyond 2**32, and asked for 90 GB, which ended the process."""
    path = sheet(f'<row><c r="{cell}"><v>1</v></c></row>')(tmp_path)
    with pytest.raises(FileFormatError, match=r"stand for .* fields|not an Excel workbook"):
        tl.read(path)


def test_an_attribute_that_ends_like_a_place_is_none(tmp_path):
    path = sheet('<row color="FFFFFFF00"><c r="A9"><v>1</v></c></row>')(tmp_path)
    assert len(tl.read(path)) > 0


def test_the_last_column_of_a_sheet_is_one(tmp_path):
    path = sheet('<row r="9"><c r="XFD9"><v>1</v></c></row>')(tmp_path)
    with pytest.raises(FileFormatError, match="column 4 has no name"):
        tl.read(path)


def test_one_text_in_a_million_rows_of_parquet(tmp_path):
    """Which it keeps once; written out it would be 2 GB."""
    rows = pa.array([0] * 20_000, pa.int32())
    column = pa.DictionaryArray.from_arrays(rows, ["a" * 100_000])
    schema = pa.schema({"y": pa.string()})
    with parquet.ParquetWriter(tmp_path / "x.parquet", schema) as writer:
        for start in range(0, 20_000, 500):
            part = column.slice(start, 500).cast(pa.string())
            writer.write_table(pa.table([part], schema))
    assert (tmp_path / "x.parquet").stat().st_size < 10_000_000
    with pytest.raises(FileFormatError, match="more than 1,073,741,824 bytes"):
        tl.read(tmp_path / "x.parquet")


def of_bytes(length):
    return pa.array([b"x" * length] * ROWS, pa.binary(length))


def long_texts(kind):
    """Return a text in every row that Parquet keeps once, of a type of its own."""
    rows = pa.array([0] * ROWS, pa.int32())
    return pa.DictionaryArray.from_arrays(rows, ["a" * 1_000]).cast(kind)


def stored(folder, monkeypatch=None, **columns):
    """Write a file of columns; what it says of its sizes is wrong if there is a monkeypatch."""
    if monkeypatch is not None:
        monkeypatch.setattr("treelab.data.readers.parquet.claimed", lambda *_: 0)
    columns["y"] = pa.array(["p", "q"] * (len(columns["a"]) // 2))
    parquet.write_table(pa.table(columns), folder / "x.parquet", row_group_size=ROWS // 4)
    return folder / "x.parquet"


def test_lists_in_parquet_are_refused_before_they_are_read(tmp_path, monkeypatch):
    path = stored(tmp_path, a=pa.array([[0] * 1000, [1]] * 4), **{"a.b": pa.array([1.0] * 8)})
    with monkeypatch.context() as patched:
        patched.setattr(parquet.ParquetFile, "iter_batches", None)
        with pytest.raises(DataError, match=r"^column 'a' holds lists or records"):
            tl.read(path)
    assert tl.read(path, drop=["a"]).features == ("a.b",)


@pytest.mark.parametrize("lies", [False, True])
def test_bytes_of_one_length_in_parquet(lies, tmp_path, monkeypatch):
    """No text has a length of its own, nor does the file say that they are as long."""
    path = stored(tmp_path, monkeypatch if lies else None, a=of_bytes(100))
    with pytest.raises(FileFormatError, match="more than 200,000 bytes"):
        tl.read(path, max_bytes=200_000)
    assert len(tl.read(path, max_bytes=300_000)) == ROWS


def test_what_parquet_says_of_its_sizes_is_asked_before_it_is_read(tmp_path, monkeypatch):
    path = stored(tmp_path, a=pa.array([f"{k:01000}" for k in range(ROWS)]))
    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", None)
    with pytest.raises(FileFormatError, match="more than 1,000,000 bytes"):
        tl.read(path, max_bytes=1_000_000)


def test_where_it_lies_a_row_group_is_the_most_that_is_read(tmp_path, monkeypatch):
    path = stored(tmp_path, monkeypatch, a=pa.array([f"{k:01000}" for k in range(ROWS)]))
    read, made = [], parquet.ParquetFile.iter_batches

    def noted(self, *args, row_groups, **options):
        read.extend(row_groups)
        return made(self, *args, row_groups=row_groups, **options)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", noted)
    with pytest.raises(FileFormatError, match="more than 700,000 bytes"):
        tl.read(path, max_bytes=700_000)
    assert read == [0, 1]


def test_columns_of_text_in_parquet_have_room_together(tmp_path, monkeypatch):
    texts = pa.array([f"{k:0100}" for k in range(ROWS)])
    path = stored(tmp_path, monkeypatch, a=texts, b=texts)
    with pytest.raises(FileFormatError, match="more than 300,000 bytes"):
        tl.read(path, max_bytes=300_000)
    assert len(tl.read(path, drop=["b"], max_bytes=300_000)) == ROWS


@pytest.mark.skipif(not hasattr(pa, "json_"), reason="pyarrow has no such type")
def test_a_text_of_another_type_is_written_out_for_a_few_rows(tmp_path, monkeypatch):
    texts = long_texts(pa.string())
    path = stored(tmp_path, monkeypatch, a=pa.ExtensionArray.from_storage(pa.json_(), texts))
    taken, made = [], text_size

    def noted(part, kind):
        taken.append(len(part))
        return made(part, kind)

    monkeypatch.setattr("treelab.data.readers.parquet.text_size", noted)
    with pytest.raises(FileFormatError, match="more than 200,000 bytes"):
        tl.read(path, max_bytes=200_000)
    assert sum(taken) < 200


@contextmanager
def taking_less_than(size):
    """Check how much memory Python's objects take at once, and numpy's arrays."""
    tracemalloc.start()
    try:
        yield
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < size


def computed(folder, columns):
    """Make a table of twenty rows whose values are not in the file."""
    with closing(sqlite3.connect(folder / "x.db")) as database, database:
        database.execute(f"CREATE TABLE t (a, {columns}, y)")
        database.executemany("INSERT INTO t (a, y) VALUES (?, ?)", [(1, "p"), (2, "q")] * 10)
    return folder / "x.db"


def test_a_computed_value_of_sqlite_has_no_more_than_the_room(tmp_path):
    path = computed(tmp_path, "b AS (zeroblob(50000000 * a))")
    refusal = r"more than 1,000,000 bytes .*values is too long"
    with taking_less_than(10_000_000), pytest.raises(FileFormatError, match=refusal):
        tl.read(path, max_bytes=1_000_000)


def test_computed_columns_of_sqlite_share_the_room(tmp_path):
    """A row is in memory as a whole before it is counted."""
    columns = ", ".join(f"b{k} AS (zeroblob(900000))" for k in range(20))
    path = computed(tmp_path, columns)
    refused = pytest.raises(FileFormatError, match="more than 1,000,000 bytes")
    with taking_less_than(5_000_000), refused:
        tl.read(path, max_bytes=1_000_000)


def test_rows_of_sqlite_are_counted_one_by_one(tmp_path):
    path = computed(tmp_path, "b AS (zeroblob(900000))")
    refused = pytest.raises(FileFormatError, match="more than 1,000,000 bytes")
    with taking_less_than(5_000_000), refused:
        tl.read(path, max_bytes=1_000_000)


def test_empty_rows_below_many_columns_take_no_room(tmp_path):
    """A hundred thousand rows of five thousand columns would be 4 GB."""
    names = ",".join(f"c{k}" for k in range(5_000))
    rows = f"{names}\n{'1,' * 4_999}p\n{'2,' * 4_999}q\n"
    text = rows + "\n" * 100_000
    (tmp_path / "few.csv").write_text(rows)
    tl.read(tmp_path / "few.csv")  # what is imported and compiled for it does not count
    (tmp_path / "x.csv").write_text(text)
    with taking_less_than(150 * len(text)):
        assert len(tl.read(tmp_path / "x.csv")) == 2
