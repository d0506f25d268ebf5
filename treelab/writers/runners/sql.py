"""SQL, run by SQLite or DuckDB on a table in memory."""

import sqlite3
from collections.abc import Callable
from typing import Any

import numpy as np

from treelab.data.moments import Moments
from treelab.data.schema import Column
from treelab.writers.export_tree import ExportTree
from treelab.writers.runners.answers import Answers, Cases, NoEngineError, numbers, texts
from treelab.writers.sql import free_name, quoted, view_of

TABLE = "cases"
"""The table an expression is tried on."""


def run(
    content: str,
    form: ExportTree,
    cases: Cases,
    dialect: str = "sqlite",
    table: str | None = None,
    view: str | None = None,
) -> Answers:
    """Return what the expression gives or, of a table, the view."""
    base, engine = _connected(dialect)
    number = free_name("case", {column.name.lower() for column in form.features})
    try:
        _fill(base, form, cases, table or TABLE, number)
        if table is None:
            found = _rows(base, content.strip(), TABLE, number)
            return Answers(engine, [str(label) for (label,) in found])
        base.execute(content)
        found = _rows(base, "*", view or view_of(table), number)
    finally:
        base.close()
    after = len(form.features) + 1
    shares = np.array([row[after + 1 :] for row in found], dtype=float)
    return Answers(engine, [str(row[after]) for row in found], shares)


def _connected(dialect: str) -> tuple[Any, str]:
    connect = _ENGINES.get(dialect)
    if connect is None:
        raise NoEngineError(f"there is no server of {dialect} here that could run the SQL")
    return connect()


def _sqlite() -> tuple[Any, str]:
    return sqlite3.connect(":memory:"), f"SQLite {sqlite3.sqlite_version}"


def _duckdb() -> tuple[Any, str]:
    try:
        import duckdb
    except ImportError:
        raise NoEngineError("DuckDB is not here: pip install duckdb") from None
    return duckdb.connect(":memory:"), f"DuckDB {duckdb.__version__}"


_ENGINES: dict[str, Callable[[], tuple[Any, str]]] = {"sqlite": _sqlite, "duckdb": _duckdb}


def _fill(base: Any, form: ExportTree, cases: Cases, table: str, number: str) -> None:
    """Make the table: the number of each case, and its features."""
    kinds = (f"{quoted(c.name)} {_type(c)}" for c in form.features)
    columns = ", ".join([f"{quoted(number)} INTEGER", *kinds])
    base.execute(f"CREATE TABLE {quoted(table)} ({columns})")
    values = [_values(column, cases) for column in form.features]
    rows = [list(row) for row in zip(range(len(cases)), *values, strict=True)]
    marks = ", ".join("?" * (1 + len(values)))
    if rows:
        base.executemany(f"INSERT INTO {quoted(table)} VALUES ({marks})", rows)  # noqa: S608


def _rows(base: Any, what: str, table: str, number: str) -> list[Any]:
    query = f"SELECT {what} FROM {quoted(table)} ORDER BY {quoted(number)}"  # noqa: S608
    rows: list[Any] = base.execute(query).fetchall()
    return rows


def _type(column: Column) -> str:
    is_text = column.has_labels or isinstance(column.scale, Moments)
    return "TEXT" if is_text else "DOUBLE PRECISION"


def _values(column: Column, cases: Cases) -> list[Any]:
    """Return a column as a table holds it: labels, ISO text of dates and times, numbers."""
    if column.has_labels:
        return list(texts(column, cases, None))
    found = [None if value != value else value for value in numbers(column, cases).tolist()]
    scale = column.scale
    if not isinstance(scale, Moments):
        return found
    return [None if value is None else scale.write(value) for value in found]
