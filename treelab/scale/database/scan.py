"""`DatabaseScan`: a table that stays in its database, which counts its cases."""

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import attrs

from treelab.data.coding import Coding
from treelab.data.hashed_folds import are_ordered
from treelab.data.readers.table import Options
from treelab.errors import ParameterError
from treelab.evaluate.crossval import Test
from treelab.learner import Learner
from treelab.scale.axes import Description
from treelab.scale.database.axes import Limits, WeightFacts, axes_of
from treelab.scale.database.cases import (
    TableChunks,
    all_cases,
    class_sizes,
    coded_cases,
    lacking,
    n_known,
)
from treelab.scale.database.columns import TableColumns, read_columns
from treelab.scale.database.part import InDatabase, TablePart
from treelab.scale.database.source import CHUNK, Database, TableSource
from treelab.scale.held_out import ScannedFolds
from treelab.scale.predictions import (
    all_or_none,
    as_in_training,
    part_path,
    write_predictions,
)
from treelab.scale.progress import Watched
from treelab.scale.scanning import (
    Scan,
    check_prunable,
    check_scannable,
    check_scanned_classes,
    context_of,
)
from treelab.stats.stores.engine import InProcess
from treelab.stats.stores.partitioned import PartitionedStore
from treelab.tree.grow import Growth
from treelab.tree.model import Tree


def _silent(_: str) -> None:
    pass


@attrs.frozen(eq=False, repr=False)
class DatabaseScan:
    """A table of a database; made by `treelab.scan`.

    Nothing is read before a tree is grown: `treelab.grow(scan, ...)` or `Learner.fit(scan)`.
    """

    source: TableSource
    options: Options
    progress: Callable[[str], None] | None = None
    limits: Limits = attrs.field(factory=Limits)
    chunk: int = CHUNK

    def __repr__(self) -> str:
        what = "a query" if self.source.query is not None else f"table {self.source.table!r}"
        return f"<Scan of {what} of {self.source.path.name!r}, target {self.options.target!r}>"

    def grown_by(self, learner: Learner) -> Tree:
        """Return the tree of the data, the same as of data in memory."""
        with self.source.opened() as database:
            table, found, grown = self._grown(database, learner)
            cases: Any = None
            if learner.holds_out and not are_ordered(found.n_known, len(found.axes)):
                cases = self._foldable(table, found)
            elif learner.prunes_by_cases:
                check_prunable(found)
                cases = learner.in_canonical_order(all_cases(table))
            return found.known(learner.pruned(grown, cases))

    def unpruned_by(self, learner: Learner) -> Tree:
        """Return the tree as it grows."""
        with self.source.opened() as database:
            return self._grown(database, learner)[2]

    def _grown(
        self, database: Database, learner: Learner
    ) -> tuple[TableColumns, Description, Tree]:
        growth = learner.growth(Coding())
        check_scannable(learner, growth)
        _check_unweighed(learner)
        engine = Watched(InDatabase(), self.progress or _silent)
        engine.report("reading columns and classes")
        table = read_columns(database, self.options)
        weights = WeightFacts.of(table)
        engine.report("looking for the borders of bins")
        found = self._described(table, weights, growth.bins_used)
        engine.report("coding the table")
        store = _store(table, weights, found, growth, engine)
        grown = growth.of_store(store, found.schema)
        if learner.prunes_by_cases:
            engine.report("reading the cases to prune by")
        return table, found, grown

    def _foldable(self, table: TableColumns, found: Description) -> ScannedFolds:
        """Return the cases in folds, drawn by what is in a case: cases come here for that."""
        scan = Scan(TableChunks(table, self.chunk), self.options, progress=self.progress)
        return ScannedFolds(scan, Watched(InProcess(), self.progress or _silent), found)

    def _described(
        self, table: TableColumns, weights: WeightFacts, bins: int | None
    ) -> Description:
        schema, (sizes, n_cases) = table.schema, class_sizes(table)
        check_scanned_classes(schema.target, sizes, n_cases, self.options.target_is_class)
        axes = axes_of(table, weights, bins, self.limits)
        weighed = weights.total, weights.unit
        counts = n_cases, n_known(table, weights)
        return Description(self.options, schema, axes, *counts, *weighed, {}, lacking(table))

    def predict(self, tree: Tree, folder: str | PathLike[str], proba: bool = False) -> list[Path]:
        """Write what a tree predicts as Parquet, a file for each part; return the files.

        Each has a column 'prediction', and with `proba` one for each class, in the order of the
        cases; the target need not be there.
        """
        options = as_in_training(self.options, tree)
        engine = Watched(InDatabase(), self.progress or _silent)
        with self.source.opened() as database:
            table = read_columns(database, options, needed=tree.schema.names)
            paths, common = list[Path](), (options, tree, proba)
            with all_or_none(folder) as aside:
                for k, piece in enumerate(TableChunks(table, self.chunk)):
                    engine.each(write_predictions, [piece], [part_path(aside, k)], common=common)
                    paths.append(part_path(folder, k))
        return paths

    def folded(self, folds: int, seed: int) -> Iterator[tuple[Scan, Test]]:
        """Return the cases to learn from and what tests a tree on the others, fold by fold.

        Folds are drawn by what is in a case, which the database cannot do: cases come here, some
        at a time.
        """
        with self.source.opened() as database:
            table = read_columns(database, self.options)
            pieces = TableChunks(table, self.chunk)
            yield from Scan(pieces, self.options, progress=self.progress).folded(folds, seed)


def _check_unweighed(learner: Learner) -> None:
    for name in ("class_weight", "costs"):
        if getattr(learner, name) is not None:
            raise ParameterError(
                f"{name} is not for tables of a database: weigh the cases themselves with "
                "treelab.scan(..., weights=...), or read the data"
            )


def _store(
    table: TableColumns,
    weights: WeightFacts,
    found: Description,
    growth: Growth,
    engine: Watched,
) -> PartitionedStore:
    context = context_of(found, growth)
    coded = coded_cases(table, weights, context)
    part = TablePart(table.database, context, coded, weights.integral)
    return PartitionedStore(context, (part,), engine)
