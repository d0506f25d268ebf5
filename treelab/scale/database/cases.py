"""The cases of a table: coded, all of them, or some at a time."""

from collections.abc import Iterator, Mapping

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.data.coded import fixed
from treelab.data.dataset import Dataset
from treelab.scale.database.axes import WeightFacts
from treelab.scale.database.coding import coded_query
from treelab.scale.database.columns import Field, TableColumns
from treelab.scale.database.part import NodeTable
from treelab.scale.pieces import DatasetPiece
from treelab.stats.stores.context import SplitContext


def class_sizes(table: TableColumns) -> tuple[dict[str, int], int]:
    """Return the number of cases of each class, and of all cases."""
    select = f"coalesce({table.target.value}, -1) AS y, count(*) AS n"
    found = table.database.arrays(f"{table.query(select)} GROUP BY 1")
    by_code = dict(zip(found["y"].tolist(), found["n"].tolist(), strict=True))
    labels = table.target.column.labels or ()
    return {label: by_code.get(k, 0) for k, label in enumerate(labels)}, sum(by_code.values())


def n_known(table: TableColumns, weights: WeightFacts) -> int:
    """Return the number of cases to learn from."""
    found = table.database.rows(f"SELECT count(*) FROM ({_known(table, weights)})")
    return int(found[0][0])


def _known(table: TableColumns, weights: WeightFacts, *values: str) -> str:
    """Return the query of classes, weights and some values of the cases to learn from."""
    select = ", ".join([f"{table.target.value} AS y", f"{weights.weight} AS w", *values])
    needed = table.features if values else ()
    return f"SELECT * FROM ({table.query(select, *needed)}) WHERE w > 0 AND y IS NOT NULL"


def coded_cases(table: TableColumns, weights: WeightFacts, context: SplitContext) -> NodeTable:
    """Return the table of the codes of all cases to learn from, as those of node 0."""
    values = [f"{field.value} AS n{f}" for f, field in enumerate(table.features)]
    coded = coded_query(table.database, _known(table, weights, *values), context.axes)
    node = "CAST(0 AS INTEGER) AS node, CAST(y AS INTEGER) AS y"
    query = f"SELECT {node}, * EXCLUDE (y) FROM ({coded})"
    return NodeTable(table.database, table.database.make(query))


def all_cases(table: TableColumns) -> Dataset:
    """Return all cases in one memory."""
    query = table.query(_values(table), *table.features)
    return _dataset(table, table.database.arrays(query))


@attrs.frozen(eq=False)
class TableChunks:
    """The cases in the order of the table, some at a time."""

    table: TableColumns
    size: int

    def __iter__(self) -> Iterator[DatasetPiece]:
        database = self.table.database
        query = self.table.ordered_query(_values(self.table), *self.table.features)
        for batch in database.batches(query, self.size):
            names = batch.schema.names
            arrays = {n: batch.column(n).to_numpy(zero_copy_only=False) for n in names}
            yield DatasetPiece(_dataset(self.table, arrays), database.source.path.name)


def lacking(table: TableColumns) -> frozenset[str]:
    """Return the names of the features of which values are missing."""
    counts = [f"count(*) - count({field.value})" for field in table.features]
    if not counts:
        return frozenset()
    found = table.database.rows(table.query(", ".join(counts), *table.features))[0]
    features = zip(table.features, found, strict=True)
    return frozenset(field.column.name for field, missing in features if missing)


def _values(table: TableColumns) -> str:
    """Return what is selected: class, weight and values, missing ones as a data set has them."""
    values = [f"{_or_missing(field)} AS n{f}" for f, field in enumerate(table.features)]
    return ", ".join([f"{_or_missing(table.target)} AS y", f"{table.weighed} AS w", *values])


def _or_missing(field: Field) -> str:
    missing = "-1" if field.column.is_nominal else "'NaN'::DOUBLE"
    return f"coalesce({field.value}, {missing})"


def _dataset(table: TableColumns, arrays: Mapping[str, AnyArray]) -> Dataset:
    schema = table.schema
    columns = [fixed(np.array(arrays[f"n{f}"])) for f in range(len(schema.features))]
    return Dataset.of(schema, columns, arrays["y"], arrays["w"], cases=len(arrays["y"]))
