"""The store: results of trials in one SQLite file, a transaction each.

A process that is killed at any moment leaves all finished trials behind, and nothing else.
"""

import math
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any

from treelab import __version__
from treelab.errors import TreelabError
from treelab.experiment.trial import MEASURES, Record, Trial

FORMAT = 1
_COLUMNS = [measure.replace("-", "_") for measure in MEASURES]
_TABLE = f"""
CREATE TABLE IF NOT EXISTS trials (
    key TEXT PRIMARY KEY, data TEXT, learner TEXT, seed INTEGER, repetition INTEGER, fold INTEGER,
    folds INTEGER, checksum TEXT, fingerprint TEXT, version TEXT, environment TEXT,
    {" REAL, ".join(_COLUMNS)} REAL, spent REAL, error TEXT
) WITHOUT ROWID"""


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
            connection.execute(_TABLE)
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

    def add(self, trial: Trial, record: Record) -> None:
        """Keep what a trial gave, in a transaction of its own."""
        row = [
            trial.key, trial.data, trial.learner, trial.seed, trial.repetition, trial.fold,
            trial.folds, trial.checksum, trial.fingerprint, __version__, record.environment,
            *(_or_null(record.values.get(measure)) for measure in MEASURES),
            record.spent, record.error,
        ]  # fmt: skip
        places = ", ".join("?" * len(row))
        try:
            with self._connection as transaction:
                transaction.execute(f"INSERT OR REPLACE INTO trials VALUES ({places})", row)  # noqa: S608
        except sqlite3.Error as error:
            raise TreelabError(f"cannot write {self.path}: {error}") from None

    def records(self, keys: Iterable[str]) -> dict[str, Record]:
        """Return the records of those keys that have one."""
        wanted = set(keys)
        names = ", ".join(["key", "error", "spent", "environment", *_COLUMNS])
        with closing(self._connection.execute(f"SELECT {names} FROM trials")) as rows:  # noqa: S608
            return {row[0]: _record(row) for row in rows if row[0] in wanted}


def _or_null(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _record(row: tuple[Any, ...]) -> Record:
    _, error, spent, environment, *values = row
    known = {m: v for m, v in zip(MEASURES, values, strict=True) if v is not None}
    return Record(known, error, spent, environment)


def store_in(folder: Path) -> Path:
    """Return the file of the store in a folder of results."""
    return folder / "trials.sqlite"
