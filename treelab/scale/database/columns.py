"""The columns of a table, read as `treelab.read` reads them, by their different values.

A column of numbers stays as it is. Of any other one, the different values come here, are read, and
go back as a look-up table: so kinds, labels, dates and marks of missing values are those of a file.
"""

from collections.abc import Collection, Sequence
from itertools import zip_longest
from typing import Any

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.data.dataset import Dataset, is_missing
from treelab.data.labels import label_of
from treelab.data.notation import MARKS
from treelab.data.readers.database import quoted
from treelab.data.readers.source import Source
from treelab.data.readers.table import Options
from treelab.data.readers.values import read_values
from treelab.data.schema import Column, Schema
from treelab.errors import NoCasesError, ParameterError
from treelab.scale.database.source import CASES, Database

WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}
FLOATING = {"FLOAT", "DOUBLE"}
LONG = ("HUGEINT", "UHUGEINT", "DECIMAL")
"""Types of numbers that may have more digits than a float: through text they are rounded once."""


@attrs.frozen
class Field:
    """A column as queries see it: an expression that is NULL where missing, and what it needs.

    `column` is its schema. Numbers are doubles, labels and classes their codes.
    """

    column: Column
    value: str
    join: str = ""


@attrs.frozen(eq=False)
class TableColumns:
    """The fields of a table: features, target and weights; `unused` is the name of no column."""

    database: Database
    features: tuple[Field, ...]
    target: Field
    weight: Field | None
    unused: str

    @property
    def schema(self) -> Schema:
        return Schema(tuple(field.column for field in self.features), self.target.column)

    def query(self, select: str, *fields: Field) -> str:
        """Return a query of all cases that needs some fields besides class and weight."""
        return f"SELECT {select} FROM {CASES} AS c {self._joins(fields)}"

    def ordered_query(self, select: str, *fields: Field) -> str:
        """Return such a query of the cases in the order of the table, which joins do not keep."""
        numbered = f"(SELECT *, row_number() OVER () AS {self.unused} FROM {CASES})"
        return (
            f"SELECT {select} FROM {numbered} AS c {self._joins(fields)} ORDER BY c.{self.unused}"
        )

    def _joins(self, fields: Sequence[Field]) -> str:
        """Return what classes, weights and some fields are looked up in."""
        return " ".join(dict.fromkeys(f.join for f in (self.target, *self._weights, *fields)))

    @property
    def _weights(self) -> tuple[Field, ...]:
        return () if self.weight is None else (self.weight,)

    @property
    def weighed(self) -> str:
        """The weight of a case, as it is given."""
        return "1.0::DOUBLE" if self.weight is None else self.weight.value


def read_columns(
    database: Database, options: Options, needed: Collection[str] | None = None
) -> TableColumns:
    """Find out what the columns of a table are: all of them, or those that are needed."""
    types = {name: kind for name, kind, *_ in database.rows(f"DESCRIBE {CASES}")}
    names = list(types)
    target, weight = _target(options, names), _weight(options)
    options.check(names, target, options.weights)
    labels = {*options.nominal, target}
    kept = [n for n in names if n not in options.drop and (needed is None or n in needed)]
    numbers = {n: _number(n, types[n], options) for n in kept if n not in labels}
    plain = {name: number for name, number in numbers.items() if number}
    looked_up = {n: database.make(_different(n)) for n in kept if n not in plain}
    given = [_range_of(database, plain[n]) if n in plain else _values(database, looked_up[n])
             for n in kept]  # fmt: skip
    data = _read(database, kept, given, _asked(options, target, weight))
    fields: dict[str, Field] = {}
    for name in kept:
        column, values = _found(data, name)
        if name in plain:
            fields[name] = Field(column, plain[name])
        else:
            fields[name] = _looked_up(database, name, column, values, looked_up[name])
    y = fields.pop(target) if target else Field(Column("", ()), "NULL::INTEGER")
    w = fields.pop(weight) if weight else None
    unused = "_" * (1 + max(map(len, names), default=0))
    return TableColumns(database, tuple(fields.values()), y, w, unused)


def _target(options: Options, names: Sequence[str]) -> str:
    if options.target is not None:
        return options.target
    return next((name for name in reversed(names) if name not in options.drop), "")


def _weight(options: Options) -> str:
    assert options.weights is None or isinstance(options.weights, str)
    return options.weights or ""


def _asked(options: Options, target: str, weight: str) -> Options:
    numeric = (*options.numeric, *([weight] if weight else []))
    return attrs.evolve(
        options, target=target, weights=None, numeric=numeric, drop=(), target_is_class=True
    )


def _number(name: str, kind: str, options: Options) -> str:
    """Return the expression of a column of numbers; none for another column."""
    column = f"c.{quoted(name)}"
    if kind.startswith(LONG):
        value = f"CAST(CAST({column} AS VARCHAR) AS DOUBLE)"
    elif kind in FLOATING:
        value = f"nullif(CAST({column} AS DOUBLE) + 0.0, 'NaN'::DOUBLE)"  # -0.0 becomes 0.0
    elif kind in WHOLE:
        value = f"CAST({column} AS DOUBLE)"
    else:
        return ""
    marks = [number for mark in options.missing_or(MARKS) if (number := _marked(mark))]
    if not marks:
        return value
    return f"CASE WHEN {value} IN ({', '.join(sorted(marks))}) THEN NULL ELSE {value} END"


def _marked(mark: str) -> str:
    """Return the number that is written like a mark of missing values, if there is one."""
    try:
        number = float(mark)
    except ValueError:
        return ""
    return double(number) if np.isfinite(number) and label_of(number) == mark else ""


def double(number: float) -> str:
    """Return a number as SQL has it, to the last bit."""
    return f"'{float(number)!r}'::DOUBLE"


def _different(name: str) -> str:
    """Return the query of the different values of a column, numbered."""
    values = f"SELECT DISTINCT {quoted(name)} AS v FROM {CASES}"
    number = "CAST(row_number() OVER () - 1 AS BIGINT)"
    return f"SELECT {number} AS k, v FROM ({values}) WHERE v IS NOT NULL"


def _values(database: Database, table: str) -> list[Any]:
    return [value for (value,) in database.rows(f"SELECT v FROM {table} ORDER BY k")]


def _range_of(database: Database, value: str) -> list[Any]:
    """Return a few numbers of a column: the first, the last, and one that is written as decimal."""
    fraction = f"any_value({value}) FILTER (WHERE {value} != floor({value}))"
    (found,) = database.rows(f"SELECT min({value}), max({value}), {fraction} FROM {CASES} AS c")
    return list(found)


def _read(
    database: Database, names: Sequence[str], given: Sequence[list[Any]], options: Options
) -> Dataset:
    """Read different values of all columns side by side."""
    source = Source(database.source.path, b"", database.source.table)
    ((n_cases,),) = database.rows(f"SELECT count(*) FROM {CASES}")
    if not n_cases:
        raise NoCasesError(f"{source.name} holds no cases")
    rows = [*zip_longest(*given)] or [(None,) * len(names)]
    if not names:
        raise ParameterError("there is no column left: all of them are dropped")
    return read_values(source, names, [*enumerate(rows, 1)], options)


def _found(data: Dataset, name: str) -> tuple[Column, AnyArray]:
    if name == data.target:
        return data.schema.target, data.y
    place = data.schema.index(name)
    return data.schema.features[place], data.columns[place]


def _looked_up(
    database: Database, name: str, column: Column, values: AnyArray, different: str
) -> Field:
    """Return a column whose different values have been read: a table of what they mean."""
    known = np.flatnonzero(~is_missing(values))
    meant = {"k": known, "value": values[known]}
    with database.given(meant=meant):
        table = database.make(
            f"SELECT d.v, m.value FROM {different} AS d JOIN meant AS m ON d.k = m.k"
        )
    database.drop(different)
    return Field(column, f"{table}.value", f"LEFT JOIN {table} ON c.{quoted(name)} = {table}.v")
