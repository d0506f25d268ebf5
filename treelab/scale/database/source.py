"""`TableSource`: a table, a view or a query of a DuckDB file, and how it is opened."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from urllib.parse import parse_qsl, unquote

import attrs

from treelab._threads import threads
from treelab._typing import AnyArray
from treelab.data.readers.database import DUCKDB_TABLES, chosen_table, quoted
from treelab.data.readers.source import check_file
from treelab.errors import DataError, MissingExtraError, ParameterError, UnknownNameError, shown

SCHEME = "duckdb:///"
KNOWN = ("table", "query")

CHUNK = 2**18
"""So many rows come here at a time."""

READERS = ("to_arrow_reader", "fetch_record_batch", "fetch_arrow_reader")
"""What a query's Arrow batches are asked for by: in DuckDB 2, from 1.4 on, and before."""

CASES = "cases"
"""What the table is called in the queries of treelab, a view of this connection only."""


def is_address(source: object) -> bool:
    """Tell whether a source is the address of a database."""
    return isinstance(source, str) and source.startswith(SCHEME)


@attrs.frozen
class TableSource:
    """A table or view of a DuckDB file, the only table if none is named, or a query."""

    path: Path
    table: str | None = None
    query: str | None = None

    @classmethod
    def of(cls, address: str) -> "TableSource":
        """Return what an address names; a path that begins with a fourth '/' is absolute.

        >>> source = TableSource.of("duckdb:////data/all.db?table=my%20cases")
        >>> source.path.as_posix(), source.table
        ('/data/all.db', 'my cases')
        >>> TableSource.of("duckdb:///all.db?query=SELECT a + 1 AS a, y FROM t").query
        'SELECT a + 1 AS a, y FROM t'
        """
        place, _, said = address.removeprefix(SCHEME).partition("?")
        # A plus sign stands for itself: queries add up.
        options = dict(parse_qsl(said.replace("+", "%2B"), keep_blank_values=True))
        for name in options:
            if name not in KNOWN:
                raise UnknownNameError("option of the address", name, KNOWN)
        if len(options) > 1:
            raise ParameterError("the address names a table and a query: one of them is meant")
        if not place:
            raise ParameterError(
                f"the address names no file, as 'duckdb:///file.db?table=t' does, got {address!r}"
            )
        return cls(_path(unquote(place)), **options)

    @contextmanager
    def opened(self) -> Iterator["Database"]:
        """Give the table for reading; what is counted lies in tables of this connection only."""
        try:
            import duckdb
        except ModuleNotFoundError:
            raise MissingExtraError("reading DuckDB", "duckdb", "duckdb") from None
        if not self.path.exists():
            raise ParameterError(f"there is no file {self.path}")
        check_file(self.path)
        try:
            with TemporaryDirectory() as folder:
                config = _config(folder)
                with duckdb.connect(str(self.path), True, config) as connection:
                    database = Database(connection, self)
                    database.run(f"CREATE TEMP {self._definition(database)}")
                    try:
                        yield database
                    finally:
                        database.close()
        except duckdb.Error as error:
            raise DataError(f"{self.path.name}: {str(error).splitlines()[0]}") from None

    def _definition(self, database: "Database") -> str:
        if self.query is not None:
            _check_query(self.query)
            # Run once: another time it might give other rows, or others first.
            return f"TABLE {CASES} AS SELECT * FROM ({self.query.strip().rstrip(';')}\n)"
        found = database.rows(DUCKDB_TABLES)
        table = chosen_table(self.path, self.table, {str(name): bool(t) for name, t in found})
        # In full: tables of this connection may have the same name.
        ((catalog,),) = database.rows("SELECT current_database()")
        return f"VIEW {CASES} AS SELECT * FROM {quoted(catalog)}.main.{quoted(table)}"


def _path(given: str) -> Path:
    """Return the path of a file; many write an absolute one with three slashes, too."""
    path, absolute = Path(given), Path(f"/{given}")
    return absolute if absolute.exists() and not path.exists() else path


def _config(folder: str) -> dict[str, Any]:
    # Nothing in the file, such as a view, may open other files or load extensions.
    return {
        "enable_external_access": "false",
        "autoload_known_extensions": "false",
        "temp_directory": folder,
        "threads": threads(),
    }


def _check_query(query: str) -> None:
    import duckdb

    try:
        statements = duckdb.extract_statements(query)
    except duckdb.Error as error:
        raise ParameterError(f"the query is no SQL: {str(error).splitlines()[0]}") from None
    if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
        raise ParameterError(f"the query must be one SELECT, got {shown(query)}")


@attrs.define(eq=False)
class Database:
    """An open database, in which what is counted gets tables of its own."""

    connection: Any
    source: TableSource
    is_open: bool = True
    _made: int = 0

    def run(self, text: str, parameters: Sequence[Any] = ()) -> None:
        """Run a statement that returns nothing."""
        self.connection.execute(text, list(parameters))

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        found: list[tuple[Any, ...]] = self.connection.execute(text).fetchall()
        return found

    def arrays(self, text: str) -> dict[str, AnyArray]:
        """Return the columns of a query, of which none holds NULL."""
        found: dict[str, AnyArray] = self.connection.execute(text).fetchnumpy()
        return found

    def batches(self, text: str, size: int = CHUNK) -> Iterable[Any]:
        """Return Arrow batches of so many rows of a query, which come as they are found."""
        try:
            import pyarrow  # noqa: F401
        except ModuleNotFoundError:
            raise MissingExtraError("reading a table in parts", "pyarrow", "parquet") from None
        found = self.connection.sql(text)
        read = next(getattr(found, name) for name in READERS if name in dir(found))
        return cast(Iterable[Any], read(size))

    def make(self, query: str) -> str:
        """Put the rows of a query into a new table, and return its name."""
        self._made += 1
        self.run(f"CREATE TEMP TABLE made_{self._made} AS {query}")
        return f"made_{self._made}"

    def drop(self, table: str) -> None:
        """Drop a table that was made, unless all is over."""
        if self.is_open:
            self.run(f"DROP TABLE {table}")

    @contextmanager
    def given(self, **tables: Mapping[str, AnyArray]) -> Iterator[None]:
        """Let queries see arrays as tables of some names."""
        for name, columns in tables.items():
            self.connection.register(name, dict(columns))
        try:
            yield
        finally:
            for name in tables:
                self.connection.unregister(name)

    def close(self) -> None:
        """Forget the tables: they go with the connection."""
        self.is_open = False
