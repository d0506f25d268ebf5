"""The memory that a file takes, as a multiple of what it holds when it is unpacked.

    python experiments/trust/bombs.py [--quick]         needs Linux

Each reader is given the files that ask most of it: rows of one byte, empty rows, rows that it reads
one by one, constant columns that are packed to nothing, sheets of empty cells. A process reads the
file twice as large as another; the difference of their peaks over the difference of what they hold
is the multiple, free of Python, numpy and numba. What counts as held is in SECURITY.md.
"""

import gzip
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from report import tell

CELL = 8
MOST = 150
"""No file takes more than so many times what it holds; SECURITY.md says so."""

# The peak of a process begins anew with its program; a file that is refused counts as well.
READ = """
import sys, warnings
warnings.simplefilter("ignore")
import treelab as tl
from treelab.errors import TreelabError
for path in sys.argv[1:]:
    try:
        tl.read(path)
    except TreelabError as error:
        print(error)
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print(int(line.split()[1]) * 1024)
"""

Made = tuple[str, int]
"""The name of the file to read, and how many bytes it holds."""


def text(suffix: str, head: str, row: str, foot: str = "") -> Callable[[Path, int], Made]:
    """Return what writes a text of so many bytes, packed."""

    def make(folder: Path, size: int) -> Made:
        content = (head + row * (size // len(row)) + foot).encode()
        (folder / f"x{suffix}.gz").write_bytes(gzip.compress(content, 1))
        return f"x{suffix}.gz", len(content)

    return make


def c45(folder: Path, size: int) -> Made:
    (folder / "x.names").write_text("a,b.\n")
    (folder / "x.data").write_text("a\n" * (size // 2))
    return "x.data", size


def parquet(folder: Path, size: int) -> Made:
    import pyarrow as pa
    from pyarrow import parquet

    rows = size // (2 * CELL)
    ones, texts = pa.array([1.0]), pa.array(["a"])
    columns = [each.take(pa.array([0] * rows, pa.int8())) for each in (ones, texts)]
    parquet.write_table(pa.table(columns, ["a", "b"]), folder / "x.parquet")
    return "x.parquet", size


def long_texts(folder: Path, size: int) -> Made:
    """One long text in every row, which Parquet keeps once."""
    import pyarrow as pa
    from pyarrow import parquet

    rows, length = size // 10_000, 10_000
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["a" * length])
    table = pa.table([pa.array(range(rows)), column.cast(pa.string())], ["a", "b"])
    parquet.write_table(table, folder / "x.parquet")
    return "x.parquet", rows * (length + 2 * CELL)


def sqlite(folder: Path, size: int) -> Made:
    with closing(sqlite3.connect(folder / "x.db")) as database, database:
        database.execute("CREATE TABLE t (a, b)")
        rows = size // (2 * CELL)
        database.executemany("INSERT INTO t VALUES (NULL, ?)", ((n % 2,) for n in range(rows)))
    return "x.db", size


def duckdb(folder: Path, size: int) -> Made:
    import duckdb

    with duckdb.connect(folder / "x.duckdb") as database:
        rows = size // (2 * CELL)
        database.execute(f"CREATE TABLE t AS SELECT 1 AS a, i % 2 AS b FROM range({rows}) r(i)")
    return "x.duckdb", size


def sheet(folder: Path, size: int) -> Made:
    """Two columns and rows far below them: all between are empty cells."""
    import binaries

    cells = size // CELL
    place = f'<row r="{cells // 100}"><c r="CV{cells // 100}"><v>1</v></c></row></sheetData>'
    parts = dict(binaries.parts())
    name = "xl/worksheets/sheet1.xml"
    parts[name] = parts[name].replace(b"</sheetData>", place.encode())
    (folder / "x.xlsx").write_bytes(binaries.zipped(parts))
    return "x.xlsx", size


def shared_text(folder: Path, size: int) -> Made:
    """One long text in every row, which a workbook keeps once."""
    import binaries

    rows, length = size // 10_000, 10_000
    parts = dict(binaries.parts())
    cells = "".join(f'<row><c t="s"><v>0</v></c><c><v>{n % 2}</v></c></row>' for n in range(rows))
    parts["xl/sharedStrings.xml"] = f"<sst><si><t>{'a' * length}</t></si></sst>".encode()
    sheet = f"<worksheet><sheetData>{cells}</sheetData></worksheet>"
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    (folder / "x.xlsx").write_bytes(binaries.zipped(parts))
    return "x.xlsx", rows * (length + 2 * CELL)


def bytes_of_one_length(folder: Path, size: int) -> Made:
    import pyarrow as pa
    from pyarrow import parquet

    rows, length = size // 1_000, 1_000
    column = pa.array([b"a" * length] * rows, pa.binary(length))
    parquet.write_table(pa.table([column, pa.array(range(rows))], ["a", "b"]), folder / "x.parquet")
    return "x.parquet", rows * (length + CELL)


def computed(folder: Path, size: int) -> Made:
    with closing(sqlite3.connect(folder / "x.db")) as database, database:
        database.execute("CREATE TABLE t (a, b AS (zeroblob(10000)), y)")
        rows = size // 10_000
        database.executemany("INSERT INTO t VALUES (1, ?)", ((n % 2,) for n in range(rows)))
    return "x.db", rows * (10_000 + 3 * CELL)


ARFF = "@relation r\n@attribute a {p,q}\n@attribute b {p,q}\n@data\n"
WIDE = "".join(f"@attribute c{k} numeric\n" for k in range(100))


def _sparse(folder: Path, size: int) -> Made:
    """Rows of three bytes that stand for a hundred numbers."""
    rows = size // (101 * CELL)
    content = "@relation r\n" + WIDE + "@attribute y {p,q}\n@data\n" + "{}\n" * rows
    (folder / "x.arff").write_text(content)
    return "x.arff", size


def _different(folder: Path, size: int) -> Made:
    rows = size // 10
    content = "a,b\n" + "".join(f"x{n:06},{'pq'[n % 2]}\n" for n in range(rows))
    (folder / "x.csv").write_text(content)
    return "x.csv", len(content)


FILES: dict[str, Callable[[Path, int], Made]] = {
    "csv, numbers of one byte": text(".csv", "a,b\n", "1,2\n3,1\n"),
    "csv, one byte a row": text(".csv", "a\n", "p\nq\n"),
    "csv, empty rows": text(".csv", "a,b\n1,p\n", "\n"),
    "csv, empty fields": text(".csv", "a,b\n1,p\n2,q\n", ",\n"),
    "csv, empty rows below many columns": text(
        ".csv", ",".join(f"c{k}" for k in range(5000)) + "\n" + "1," * 4999 + "p\n", "\n"
    ),
    "csv, all labels different": _different,
    "csv, dates": text(".csv", "a,b\n", "2024-01-01,p\n2024-01-02,q\n"),
    "arff, one byte a field": text(".arff", ARFF, "p,q\n"),
    "arff, empty rows": text(".arff", ARFF + "p,q\n", "\n"),
    "arff, row by row": text(".arff", ARFF, "p,q,{1}\n"),
    "arff, comments": text(".arff", ARFF, "%\n", "p,q,{1}\n"),
    "arff, sparse rows": _sparse,
    "c45, one byte a row": c45,
    "tab, one byte a row": text(".tab", "a\tb\nd\td\n\tclass\n", "p\tq\n"),
    "keel, one byte a field": text(".dat", ARFF, "p,q\n"),
    "parquet, constant columns": parquet,
    "parquet, one long text": long_texts,
    "parquet, bytes of one length": bytes_of_one_length,
    "sqlite, computed values": computed,
    "sqlite, nothing and digits": sqlite,
    "duckdb, constant columns": duckdb,
    "excel, empty cells": sheet,
    "excel, one long text": shared_text,
}


def peak(path: Path) -> int:
    """Return the peak of the memory of a process that reads a file."""
    ended = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TREELAB_THREADS": "1"},
    )  # fmt: skip
    if ended.returncode:
        raise RuntimeError(f"{path}: {ended.returncode} {ended.stderr[-500:]}")
    return int(ended.stdout.split()[-1])


def multiple(make: Callable[[Path, int], Made], size: int) -> float:
    """Return how many times what it holds a file takes."""
    peaks, held = [], []
    for times in (1, 3):
        with tempfile.TemporaryDirectory() as name:
            path, bytes_held = make(Path(name), times * size)
            peaks.append(peak(Path(name) / path))
            held.append(bytes_held)
    return (peaks[1] - peaks[0]) / (held[1] - held[0])


def main() -> int:
    size = 1_000_000 if "--quick" in sys.argv else 8_000_000
    found = dict[str, float]()
    for name, make in FILES.items():
        found[name] = multiple(make, size)
        print(f"{name}: {found[name]:.1f}", file=sys.stderr, flush=True)
    worst = max(found, key=found.__getitem__)
    figure = f"at most {found[worst]:.0f} times what it holds ({worst}), {len(found)} kinds of file"
    ok = tell("bombs: memory of a file", figure, found[worst] <= MOST, ["treelab.data.readers"])
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
