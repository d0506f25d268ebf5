"""Tables of SQLite and DuckDB files, `file.db::table`; both are opened for reading only."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from treelab.data.dataset import Dataset
from treelab.data.readers.room import CELL, Room
from treelab.data.readers.source import Source, check_file, texts_of
from treelab.data.readers.sqlite_address import sqlite_address
from treelab.data.readers.table import Options
from treelab.data.readers.values import read_values, text_of
from treelab.errors import (
    DataError,
    FileFormatError,
    MissingExtraError,
    ParameterError,
    UnknownNameError,
    clipped,
)

DUCKDB_MARK = b"DUCK"
"""Stands in the first bytes of a DuckDB file."""

# The names of what can be read, and whether each is a table or else a view.
SQLITE_TABLES = (
    "SELECT name, type = 'table' FROM sqlite_master "
    "WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name"
)
DUCKDB_TABLES = (
    "SELECT table_name, table_type = 'BASE TABLE' FROM information_schema.tables "
    "WHERE table_schema = 'main' ORDER BY table_name"
)

AT_ONCE = 1000
"""So many rows of DuckDB, which has about twice as many in memory, are fetched at a time."""
COMPUTED = 2
"""What SQLite says of a column that is computed when it is read."""
SHORT, LONGEST = 2**16, 2**31 - 1
"""No limit of a value's length is smaller or larger."""


def read_sqlite(path: Path, options: Options) -> Dataset:
    """Read a table of an SQLite file, or of a DuckDB file of the same suffix."""
    check_file(path)
    if _is_duckdb(path):
        return read_duckdb(path, options)
    room = Room.of(path, options.max_bytes)
    try:
        with (
            texts_of(path),
            sqlite_address(path) as address,
            closing(sqlite3.connect(address, uri=True)) as database,
        ):
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = bytes  # what is no UTF-8 is written with escapes
            table = _table(path, options, database, SQLITE_TABLES)
            _limit_values(database, table, room)
            return _read(path, options, database, table, room)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_TOOBIG:
            room.check(room.most + 1, ", for one of its values is too long")
        raise FileFormatError(f"{path.name} cannot be read as SQLite: {error}") from None


def read_duckdb(path: Path, options: Options) -> Dataset:
    """Read a table of a DuckDB file."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise MissingExtraError("reading DuckDB", "duckdb", "duckdb") from None
    check_file(path)
    # Nothing in the file, such as a view, may open other files or load extensions.
    config: dict[str, Any] = {
        "enable_external_access": "false",
        "autoload_known_extensions": "false",
    }
    try:
        with (
            texts_of(path),
            duckdb.connect(str(path), read_only=True, config=config) as database,
        ):
            table = _table(path, options, database, DUCKDB_TABLES)
            return _read(path, options, database, table, Room.of(path, options.max_bytes))
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise FileFormatError(f"{path.name} cannot be read as DuckDB: {first}") from None


def _table(path: Path, options: Options, database: Any, tables: str) -> str:
    """Return the table that is to be read."""
    found = database.execute(tables).fetchall()
    known = {text_of(name): bool(is_table) for name, is_table in found}
    return chosen_table(path, options.table, known)


def _limit_values(database: sqlite3.Connection, table: str, room: Room) -> None:
    """Let no value be longer than there is room for.

    A column that is computed has values that are not in the file. A row is in memory as a whole
    before its length is known, so that its computed columns share the room.
    """
    columns = database.execute(f"PRAGMA table_xinfo({quoted(table)})").fetchall()
    computed = sum(column[-1] == COMPUTED for column in columns)
    most = max(room.most // max(computed, 1), SHORT)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(most, LONGEST))


def _read(path: Path, options: Options, database: Any, table: str, room: Room) -> Dataset:
    everything = f"SELECT * FROM {quoted(table)}"  # noqa: S608  (quoted, and known)
    names = [str(column[0]) for column in database.execute(f"{everything} LIMIT 0").description]
    most = room.most // (CELL * max(len(names), 1)) + 1
    rows = list(_fetched(database.execute(f"{everything} LIMIT {most}"), room))
    return read_values(Source(path, b"", options.table), names, list(enumerate(rows, 1)), options)


def _fetched(found: Any, room: Room) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a query as long as there is room for them."""
    size = 0
    at_once = 1 if isinstance(found, sqlite3.Cursor) else AT_ONCE
    while rows := found.fetchmany(at_once):
        size += sum(CELL + _length(value) for row in rows for value in row)
        room.check(size)
        yield from rows


def _length(value: object) -> int:
    return len(value) if isinstance(value, str | bytes) else 0


def chosen_table(path: Path, wanted: str | None, known: dict[str, bool]) -> str:
    """Return the table that is wanted, or the only one; views only if they are named."""
    if wanted is not None:
        if wanted not in known:
            raise UnknownNameError("table", wanted, known)
        return wanted
    tables = [name for name, is_table in known.items() if is_table]
    if len(tables) != 1:
        some = ", ".join(map(clipped, tables[:12])) or "none"
        what = f"{path.name} has {len(tables)} tables ({some})"
        raise ParameterError(f"{what}: say which one, as in {path.name}::TABLE")
    return tables[0]


def _is_duckdb(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return DUCKDB_MARK in file.read(16)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None


def quoted(name: str) -> str:
    """Return a name as SQL has it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'
