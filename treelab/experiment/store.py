"""The store: results of trials in one SQLite file, a transaction each.

A process that is killed at any moment leaves all finished trials behind, and nothing else.
"""

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any

from treelab import __version__
from treelab.errors import TreelabError
from treelab.experiment.record import Record, Work
from treelab.experiment.trial import MEASURES

FORMAT = 2
_COLUMNS = {measure: measure.replace("-", "_") for measure in MEASURES}
_OF_ALL = "version TEXT, environment TEXT, spent REAL, error TEXT"
_TABLES = {
    "trials": f"""
        key TEXT PRIMARY KEY, data TEXT, learner TEXT, seed INTEGER, repetition INTEGER,
        fold INTEGER, folds INTEGER, checksum TEXT, fingerprint TEXT,
        {" REAL, ".join(_COLUMNS.values())} REAL, {_OF_ALL}""",
    "answers": f"""
        key TEXT PRIMARY KEY, inquiry TEXT, part TEXT, settings TEXT, seed INTEGER, figures TEXT,
        {_OF_ALL}""",
}
"""Trials have a column for each measure; the figures of an inquiry are an object of JSON."""


class Store:
    """Results by key.

    >>> with Store(":memory:") as store:
    ...     len(store.records([]))
    0
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        self._connection = self._opened()

    def _opened(self) -> sqlite3.Connection:
        try:
            # Another process may be writing to the same store.
            connection = sqlite3.connect(self.path, timeout=60)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise TreelabError(f"cannot use {self.path} as a store of results: {error}") from None
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # The log of WAL is not forced to the disk at every commit. A killed process loses
        # nothing by that; a power cut may lose the last trials, but never harms the file.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found > FORMAT:
            raise TreelabError(
                f"{self.path} was written by a newer treelab: its format is {found}, "
                f"treelab {__version__} knows {FORMAT}"
            )
        with connection:
            for name, columns in _TABLES.items():
                connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns}) WITHOUT ROWID")
            connection.execute(f"PRAGMA user_version = {FORMAT}")

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

    def add(self, work: Work, record: Record) -> None:
        """Keep what a piece of work gave, in a transaction of its own."""
        row = {
            "key": work.key, **work.columns, **_figures(work.table, record.values),
            "version": __version__, "environment": record.environment, "spent": record.spent,
            "error": record.error,
        }  # fmt: skip
        names, places = ", ".join(row), ", ".join("?" * len(row))
        insert = f"INSERT OR REPLACE INTO {work.table} ({names}) VALUES ({places})"  # noqa: S608
        try:
            with self._connection as transaction:
                transaction.execute(insert, list(row.values()))
        except sqlite3.Error as error:
            raise TreelabError(f"cannot write {self.path}: {error}") from None

    def records(self, keys: Iterable[str]) -> dict[str, Record]:
        """Return the records of those keys that have one."""
        wanted = set(keys)
        return {key: record for key, record in self._all() if key in wanted}

    def _all(self) -> Iterator[tuple[str, Record]]:
        for table, figures in (("trials", ", ".join(_COLUMNS.values())), ("answers", "figures")):
            names = f"key, error, spent, environment, {figures}"
            with closing(self._connection.execute(f"SELECT {names} FROM {table}")) as rows:  # noqa: S608
                for key, error, spent, environment, *cells in rows:
                    yield key, Record(_values(table, cells), error, spent, environment)


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


def _or_null(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def store_in(folder: Path) -> Path:
    """Return the file of the store in a folder of results."""
    return folder / "trials.sqlite"
