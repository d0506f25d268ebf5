"""Valid files that are no plain text, and how each is broken.

A change in packed or sealed bytes is found at once by whoever unpacks them, so that nothing behind
is ever tested. Parquet is therefore written plain; the parts of a workbook are changed before they
are packed; the blocks of a forged DuckDB file are sealed again, three times in four.
"""

import gzip
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import BadZipFile, ZipFile, ZipInfo

import broken
import numpy as np

ROWS = [(1.5, "red", 3, "yes"), (None, "blue", -1, "no"), (2.5, None, 2**40, "yes")]
NAMES = ("size", "colour", "count", "class")
AGAIN = 0.75
"""How often a file is packed or sealed again after it was changed."""


def gz(texts: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return texts as they are packed."""
    return tuple(gzip.compress(text, mtime=0) for text in texts)


def mutated_gz(rng: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Return a packed text that is changed before it is packed, or after."""
    if rng.random() > AGAIN:
        return broken.mutated(rng, seeds, words)
    return gzip.compress(
        broken.mutated(rng, [gzip.decompress(seed) for seed in seeds], words), mtime=0
    )


def parquet() -> tuple[bytes, ...]:
    """Return files of numbers, texts, labels, dates and times."""
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({name: [row[at] for row in ROWS] for at, name in enumerate(NAMES)})
    labels = table["colour"].dictionary_encode()
    others = pa.table({
        "when": pa.array([0, 1, None], pa.date32()),
        "time": pa.array([0, 10**15, 5], pa.timestamp("us", "UTC")),
        "amount": pa.array([None, 1, 2]).cast(pa.decimal128(25, 2)),
        "is": [True, False, None], "colour": labels,
    })  # fmt: skip
    made = []
    for each, options in (
        (table, {"use_dictionary": False}), (table, {"row_group_size": 2}), (others, {}),
        (table, {"data_page_version": "2.0", "version": "1.0"}),
    ):  # fmt: skip
        out = BytesIO()
        parquet.write_table(each, out, compression="none", store_schema=False, **options)
        made.append(out.getvalue())
    return tuple(made)


def sqlite(folder: Path) -> tuple[bytes, ...]:
    """Return files of small pages: a table, one with an index and a view, one without row ids."""
    declared = ", ".join(NAMES)
    scripts = (
        f"CREATE TABLE t ({declared})",
        f"CREATE TABLE t ({declared} COLLATE NOCASE); CREATE INDEX i ON t (class);"
        "CREATE VIEW v AS SELECT count(*), class FROM t GROUP BY class",
        f"CREATE TABLE t (key INTEGER PRIMARY KEY, {declared}, twice AS (count * 2))",
    )
    made = []
    for number, script in enumerate(scripts):
        path = folder / f"seed{number}.sqlite"
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("PRAGMA page_size = 512")
            database.executescript(script)
            places = "NULL, ?, ?, ?, ?" if number == 2 else "?, ?, ?, ?"
            database.executemany(f"INSERT INTO t VALUES ({places})", ROWS * 8)
        made.append(path.read_bytes())
    return tuple(made)


def duckdb(folder: Path) -> tuple[bytes, ...]:
    """Return files of blocks as small as there are."""
    import duckdb

    made = []
    for number, more in enumerate(("", "CREATE VIEW d.v AS SELECT 1 AS a", "CHECKPOINT d")):
        path = folder / f"seed{number}.duckdb"
        path.unlink(missing_ok=True)
        with duckdb.connect() as database:
            database.execute(f"ATTACH '{path}' AS d (BLOCK_SIZE 16384)")
            database.execute(
                "CREATE TABLE d.t (size DOUBLE, colour TEXT, count BIGINT, class TEXT)"
            )
            database.executemany("INSERT INTO d.t VALUES (?, ?, ?, ?)", ROWS * 5)
            database.execute(more or "SELECT 1")
            database.execute("DETACH d")
        made.append(path.read_bytes())
    return tuple(made)


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    f'<Relationship Id="r3" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="one" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}"><si><t>a</t></si><si><t>class</t></si>'
    "<si><t>yes</t></si><si><r><t>n</t></r><r><t>o</t></r></si></sst>",
    "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}"><cellXfs><xf numFmtId="0"/>'
    '<xf numFmtId="14"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}"><dimension ref="A1:C4"/><sheetData>'
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>b</t></is></c>'
    '<c r="C1" t="s"><v>1</v></c></row><row r="2"><c r="A2"><v>1.5</v></c><c r="B2" s="1">'
    '<v>45000.25</v></c><c r="C2" t="s"><v>2</v></c></row><row r="3"><c r="A3" t="b"><v>1</v></c>'
    '<c r="B3" t="e"><v>#N/A</v></c><c r="C3" t="s"><v>3</v></c></row><row r="4"><c r="A4" t="str">'
    '<f>A2*2</f><v>3</v></c><c r="C4" t="s"><v>2</v></c></row></sheetData>'
    '<mergeCells><mergeCell ref="A5:B6"/></mergeCells></worksheet>',
}
EXCEL_WORDS = (
    b"XFD1048576", b"A0", b"A1", b"ZZZZZZZ1", b"A99999999999", b' t="s"', b' t="d"', b' t="x"',
    b"<v>-1</v>", b"<v>1e999</v>", b"<v>99999999999999999999</v>", b' s="9"', b"<row>", b"</row>",
    b"<c>", b"</c>", b"&#0;", b"&lt;", b"<!--", b"<![CDATA[", b"]]>", b"<!DOCTYPE a [", b"_x0041_",
    b'r="', b'ref="A1:XFD1048576"', b'ref="', b"numFmtId", b'date1904="1"', b"sheet2.xml", b"../",
)  # fmt: skip


def parts() -> dict[str, bytes]:
    """Return the parts of a workbook with all kinds of cells."""
    return {name: (_HEAD + text).encode() for name, text in _PARTS.items()}


def excel() -> tuple[bytes, ...]:
    """Return workbooks: one with all kinds of cells, and what another program wrote."""
    import openpyxl

    book, out = openpyxl.Workbook(), BytesIO()
    for row in [NAMES, *ROWS]:
        book.active.append(row)
    book.create_sheet("second").append([1])
    book.save(out)
    return zipped(parts()), out.getvalue()


def zipped(parts: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(ZipInfo(name), content)
    return out.getvalue()


def _unzipped(content: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def mutated_zip(rng: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Return an archive with parts that are changed, dropped or swapped; or broken itself."""
    if rng.random() > AGAIN:
        return broken.mutated(rng, seeds, words)
    changed = _unzipped(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 4))):
        name = rng.choice(sorted(changed))
        act = rng.randrange(12)
        if act == 0 and len(changed) > 1:
            del changed[name]
        elif act == 1:
            changed[name] = changed[rng.choice(sorted(changed))]
        else:
            changed[name] = broken.mutated(rng, [changed[name]], words)
    try:
        return zipped(changed)
    except (BadZipFile, ValueError):
        return seeds[0]


_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
HEADER, BLOCK = 4096, 16384
"""A DuckDB file begins with three headers, each with a seal in front of it, as blocks have."""


def mutated_sealed(rng: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Return a DuckDB file with changed bytes of the same number, sealed again."""
    if rng.random() > AGAIN:
        return broken.mutated(rng, seeds, words)
    content = bytearray(rng.choice(seeds))
    used = [at for at, byte in enumerate(content) if byte]  # what is zero is hardly ever looked at
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.choice(used)
        flipped, more = content[at] ^ 1 << rng.randrange(8), 255 & content[at] + 1
        few = [bytes([byte]) for byte in (rng.randrange(256), flipped, more)]
        word = rng.choice([*few, b"\xff" * 8, b"\0" * 8])
        content[at : at + len(word)] = word[: len(content) - at]
    return bytes(sealed(content))


def sealed(content: bytearray, block: int = BLOCK) -> bytearray:
    """Write the seals of the headers and blocks of a DuckDB file."""
    starts = [0, HEADER, 2 * HEADER, *range(3 * HEADER, len(content), block)]
    for start, end in zip(starts, [*starts[1:], len(content)], strict=True):
        body = np.frombuffer(bytes(content[start + 8 : end]), "<u8") * _FACTOR
        seal = int(np.bitwise_xor.reduce(body)) ^ 5381
        content[start : start + 8] = seal.to_bytes(8, "little")
    return content
