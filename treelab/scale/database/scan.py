"""`DatabaseScan`: a table that stays in its database, which counts its cases."""

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path

import attrs

from treelab._files import named_path
from treelab.data.coding import Coding
from treelab.data.readers.table import Options
from treelab.evaluate.crossval import Test
from treelab.learner import Learner
from treelab.scale.axes import Description
from treelab.scale.database.axes import Limits, WeightFacts, axes_of
from treelab.scale.database.cases import TableChunks, all_cases, class_sizes, coded_cases, lacking
from treelab.scale.database.columns import TableColumns, read_columns
from treelab.scale.database.part import InDatabase, TablePart
from treelab.scale.database.source import CHUNK, TableSource
from treelab.scale.predictions import as_in_training, write_predictions
from treelab.scale.progress import Watched
from treelab.scale.scanning import (
    Scan,
    check_prunable,
    check_scannable,
    check_scanned_classes,
    context_of,
)
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
        growth = learner.growth(Coding())
        check_scannable(learner, growth)
        engine = Watched(InDatabase(), self.progress or _silent)
        with self.source.opened() as database:
            engine.report("reading columns and classes")
            table = read_columns(database, self.options)
            weights = WeightFacts.of(table)
            engine.report("looking for the borders of bins")
            found = self._described(table, weights, growth.bins_used)
            engine.report("coding the table")
            store = _store(table, weights, found, growth, engine)
            grown = growth.of_store(store, found.schema)
            cases = None
            if learner.prunes_by_cases:
                check_prunable(found)
                engine.report("reading the cases to prune by")
                cases = learner.in_canonical_order(all_cases(table))
        return found.known(learner.pruned(grown, cases))

    def _described(
        self, table: TableColumns, weights: WeightFacts, bins: int | None
    ) -> Description:
        schema, (sizes, n_cases) = table.schema, class_sizes(table)
        check_scanned_classes(schema.target, sizes, n_cases, self.options.target_is_class)
        axes = axes_of(table, weights, bins, self.limits)
        weighed = weights.total, weights.unit
        return Description(self.options, schema, axes, n_cases, *weighed, {}, lacking(table))

    def predict(self, tree: Tree, folder: str | PathLike[str], proba: bool = False) -> list[Path]:
        """Write what a tree predicts as Parquet, a file for each part; return the files.

        Each has a column 'prediction', and with `proba` one for each class, in the order of the
        cases; the target need not be there.
        """
        place = named_path(folder)
        place.mkdir(parents=True, exist_ok=True)
        options, paths = as_in_training(self.options, tree), list[Path]()
        engine = Watched(InDatabase(), self.progress or _silent)
        with self.source.opened() as database:
            table = read_columns(database, options, needed=tree.schema.names)
            for k, piece in enumerate(TableChunks(table, self.chunk)):
                paths.append(place / f"part-{k:05}.parquet")
                engine.each(write_predictions, [piece], paths[-1:], common=(options, tree, proba))
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
