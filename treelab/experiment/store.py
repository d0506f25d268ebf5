"""The store: results of trials in one SQLite file, a transaction each.

A process that is killed at any moment leaves all finished trials behind, and nothing else. Every
row carries a seal, so that one that a failing disk has changed is not taken for a result.
"""

import errno
import json
import math
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from types import TracebackType
from typing import Any

from treelab import __version__
from treelab._files import LARGEST, check_plain
from treelab.errors import ParameterError, TreelabError, shown
from treelab.experiment.record import Record, Work
from treelab.experiment.trial import MEASURES

FORMAT = 3
"""Rows of format 1 have no seal, and there are trials only; formats 1 and 2 lack `NEW_IN_3`."""

NEW_IN_3 = ("macro-f1", "auc")
"""Measures that older rows do not have; what the rows have stays valid."""

PATIENCE = 60
"""Seconds to wait for another process that is writing to the same store."""

ATTEMPTS = 5
"""A copy is made so often, at most, until nobody has written to the file meanwhile."""

_COLUMNS = {measure: measure.replace("-", "_") for measure in MEASURES}
_OF_ALL = "version TEXT, environment TEXT, spent REAL, error TEXT, seal TEXT"
_TABLES = {
    "trials": f"""
        key TEXT PRIMARY KEY, data TEXT, learner TEXT, seed INTEGER, repetition INTEGER,
        fold INTEGER, folds INTEGER, checksum TEXT, fingerprint TEXT,
        {" REAL, ".join(_COLUMNS.values())} REAL, {_OF_ALL}""",
    "answers": f"""
        key TEXT PRIMARY KEY, inquiry TEXT, part TEXT, settings TEXT, seed INTEGER, figures TEXT,
        {_OF_ALL}""",
}
"""Trials have a column for each measure; the figures of a simulation are an object of JSON."""

# One question, so that no other process makes the table between two answers.
_STATE = """
    SELECT user_version, (SELECT count(*) FROM sqlite_master),
        (SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')),
        (SELECT count(*) FROM pragma_table_info('trials') WHERE name = 'fingerprint')
    FROM pragma_user_version"""
_READ = "SELECT key, seal, error, spent, environment"
_SELECT = {
    "trials": f"{_READ}, {', '.join(_COLUMNS.values())} FROM trials",
    "answers": f"{_READ}, figures FROM answers",
}


class Store:
    """Results by key.

    Parameters
    ----------
    path
        The file, which is made if there is none; ':memory:' for none.
    read_only
        Whether only to look: a copy is opened, and nothing is written to the file or beside it.

    >>> with Store(":memory:") as store:
    ...     len(store.records([]))
    0
    """

    def __init__(self, path: str | PathLike[str], *, read_only: bool = False) -> None:
        if not isinstance(path, str | PathLike) or not str(path) or "\0" in str(path):
            raise ParameterError(f"a store is a file, or ':memory:', got {shown(path)}")
        self.path = str(path)
        self.read_only = read_only
        with ExitStack() as stack:
            where = stack.enter_context(copied(self.path, self.path)) if read_only else self.path
            self._connection = opened(where, self.path)
            self._used = stack.pop_all()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._used.close()

    def add(self, work: Work, record: Record) -> None:
        """Keep what a piece of work gave, in a transaction of its own."""
        if self.read_only:
            raise TreelabError(f"cannot write {self.path}: it was opened for reading only")
        figures, spent = _figures(work.table, record.values), float(record.spent)
        row = {
            "key": work.key, **work.columns, **figures, "version": __version__,
            "environment": record.environment, "spent": spent, "error": record.error,
            "seal": _seal(work.key, record.error, spent, record.environment, *figures.values()),
        }  # fmt: skip
        names, places = ", ".join(row), ", ".join("?" * len(row))
        insert = f"INSERT OR REPLACE INTO {work.table} ({names}) VALUES ({places})"  # noqa: S608
        try:
            with self._connection as transaction:
                transaction.execute(insert, list(row.values()))
        except sqlite3.Error as error:
            raise TreelabError(f"cannot write {self.path}: {error}") from None

    def records(self, keys: Iterable[str]) -> dict[str, Record]:
        """Return the records of those keys that have one; a damaged one is as good as none."""
        wanted = set(keys)
        try:
            return {
                row[0]: _record(table, row)
                for table in _TABLES
                for row in self._connection.execute(_SELECT[table])
                if row[0] in wanted and _sound(row)
            }
        except sqlite3.Error as error:
            raise TreelabError(f"cannot read {self.path}: {error}") from None


@contextmanager
def copied(path: str, name: str) -> Iterator[str]:
    """Yield the path of a copy of a store, with what is still in its log, for as long as it lasts.

    Nothing is written beside the store itself; `name` is what a message calls it.
    """
    with TemporaryDirectory() as folder:
        copy = f"{folder}/store"
        try:
            _copy_store(Path(path), copy)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise TreelabError(f"cannot read {name}: {why}") from None
        yield copy


def _copy_store(path: Path, copy: str) -> None:
    """Copy a store, again if a log was taken over into the file in between."""
    for _ in range(ATTEMPTS):
        before = _moment(path)
        _copy_file(path, copy)
        with suppress(FileNotFoundError):
            _copy_file(Path(f"{path}-wal"), f"{copy}-wal")
        if _moment(path) == before:
            return


def _moment(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_mtime_ns, state.st_size


def _copy_file(path: Path, copy: str) -> None:
    check_plain(path)
    if path.stat().st_size > LARGEST:
        raise OSError(errno.EFBIG, f"{path.name} holds more than {LARGEST:,} bytes")
    shutil.copyfile(path, copy)


def opened(where: str, name: str) -> sqlite3.Connection:
    """Return a connection to a store, made if there is none, and refuse whatever else is there.

    Views and triggers are the author's own queries: where there are any, nothing is asked.
    """
    try:
        check_plain(Path(where))
        connection = sqlite3.connect(where, timeout=PATIENCE)
        try:
            _prepare(connection, name)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise TreelabError(f"cannot use {name} as a store of results: {error}") from None
    except OSError as error:
        raise TreelabError(f"cannot use {name} as a store of results: {error.strerror}") from None
    return connection


def _prepare(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if damage != "ok":
        raise sqlite3.DatabaseError(f"the file is damaged: {damage}")
    _check_format(connection, name)
    _log_ahead(connection)
    # The log is not forced to the disk at every commit. A killed process loses nothing by
    # that; a power cut may lose the last trials, but never harms the file.
    connection.execute("PRAGMA synchronous = NORMAL")
    if _format(connection) < FORMAT:
        _renew(connection)
    _check_columns(connection)


def _check_format(connection: sqlite3.Connection, name: str) -> None:
    found, tables, others, is_ours = connection.execute(_STATE).fetchone()
    if others or (not (found > 0 and is_ours) and (found or tables)):
        raise sqlite3.DatabaseError("it holds something else")
    if found > FORMAT:
        raise TreelabError(
            f"{name} was written by a newer treelab: its format is {found}, "
            f"treelab {__version__} knows {FORMAT}"
        )


def _figures(table: str, values: Mapping[str, float]) -> dict[str, Any]:
    """Return the columns of the figures."""
    if table == "answers":
        return {"figures": json.dumps({name: _plain(value) for name, value in values.items()})}
    return {column: _or_null(values.get(measure)) for measure, column in _COLUMNS.items()}


def _values(table: str, cells: list[Any]) -> dict[str, float]:
    """Return the figures in their columns."""
    if table == "answers":
        return {name: float(value) for name, value in json.loads(cells[0]).items()}
    return {m: v for m, v in zip(_COLUMNS, cells, strict=True) if v is not None}


def _plain(value: float) -> float | str:
    """Return a figure for JSON, which has no infinity: as text, if need be."""
    return value if math.isfinite(value) else str(float(value))


def _format(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Switch to a log written ahead, so that readers and a writer are not in each other's way.

    SQLite does not wait for others who switch at the same moment.
    """
    for patience in (0.05, 0.2, 0.5, 1, 2):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            sleep(patience)
        else:
            return
    connection.execute("PRAGMA journal_mode = WAL")


def _renew(connection: sqlite3.Connection) -> None:
    """Make a new store, or give an old one what it lacks; another process may be at it as well."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        found = _format(connection)
        if found == 1:
            connection.execute("ALTER TABLE trials ADD COLUMN seal TEXT")
        if 1 <= found < 3:
            _add_measures(connection, is_sealed=found > 1)
        for name, columns in _TABLES.items():
            connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns}) WITHOUT ROWID")
        connection.execute(f"PRAGMA user_version = {FORMAT}")


def _check_columns(connection: sqlite3.Connection) -> None:
    """Refuse tables whose columns have lost their types: they would give numbers back as others.

    The types are a part of the file that no seal covers.
    """
    for table, columns in _TABLES.items():
        made = {tuple(column.split()[:2]) for column in columns.split(",")}
        there = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
        if not made <= set(there):
            raise sqlite3.DatabaseError(
                f"the file is damaged: the table {table} has not the columns it was made with"
            )


def _add_measures(connection: sqlite3.Connection, is_sealed: bool) -> None:
    """Give rows the columns they lack and new seals; a row that is damaged gets none."""
    old = [column for measure, column in _COLUMNS.items() if measure not in NEW_IN_3]
    rows = connection.execute(f"{_READ}, {', '.join(old)} FROM trials").fetchall()
    for measure in NEW_IN_3:
        connection.execute(f"ALTER TABLE trials ADD COLUMN {_COLUMNS[measure]} REAL")
    seals = []
    for row in rows:
        key, _, error, spent, environment, *cells = row
        known = dict(zip(old, cells, strict=True))
        figures = [known.get(column) for column in _COLUMNS.values()]
        if not is_sealed or _sound(row):
            seals.append((_seal(key, error, spent, environment, *figures), key))
    connection.executemany("UPDATE trials SET seal = ? WHERE key = ?", seals)


def _or_null(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _seal(*facts: str | float | None) -> str:
    """Return a few letters that change when anything in a row does."""
    return blake2b(repr(facts).encode(), digest_size=8).hexdigest()


def _sound(row: tuple[Any, ...]) -> bool:
    key, seal, *facts = row
    return bool(seal == _seal(key, *facts))


def _record(table: str, row: tuple[Any, ...]) -> Record:
    _, _, error, spent, environment, *cells = row
    return Record(_values(table, cells), error, spent, environment)


def sound_record(row: Mapping[str, Any]) -> Record | None:
    """Return the record in a row of trials, given by column; None where the row is damaged."""
    names = ("key", "seal", "error", "spent", "environment", *_COLUMNS.values())
    cells = tuple(row[name] for name in names)
    return _record("trials", cells) if _sound(cells) else None


def store_in(folder: Path) -> Path:
    """Return the file of the store in a folder of results."""
    return folder / "trials.sqlite"
