"""`scan`: data that stay where they are, and how trees are grown of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import numpy as np

from treelab.data.checks import check_no_identifier
from treelab.data.coded import code_type
from treelab.data.coding import Coding
from treelab.data.continuous import check_class_sizes
from treelab.data.dataset import Dataset
from treelab.data.folds import check_folds
from treelab.data.hashed_folds import are_ordered
from treelab.data.notation import check_decimal
from treelab.data.readers.dialect import named_delimiter
from treelab.data.readers.room import check_max_bytes
from treelab.data.readers.table import Options
from treelab.data.schema import Column, Schema
from treelab.data.weights import unit_of
from treelab.errors import MismatchError, ParameterError, check_choice, shown, words
from treelab.evaluate.crossval import Test
from treelab.learner import Learner
from treelab.scale.axes import Description, Sizes, axes_of, gathered_facts
from treelab.scale.database.source import TableSource, is_address
from treelab.scale.derived import Change, DerivedPieces
from treelab.scale.engines import ENGINES, opened
from treelab.scale.facts import Facts
from treelab.scale.folds import Fold, Judged, judged
from treelab.scale.held_out import ScannedFolds
from treelab.scale.parts import fitted, joined, part_of
from treelab.scale.pieces import ParquetPiece, Piece
from treelab.scale.predictions import (
    all_or_none,
    as_in_training,
    part_path,
    write_predictions,
)
from treelab.scale.progress import Watched
from treelab.scale.pruning import ScannedCases
from treelab.scale.sources import pieces_of
from treelab.scale.weighing import weighed
from treelab.stats.stores.context import SplitContext
from treelab.stats.stores.engine import Engine
from treelab.stats.stores.partitioned import PartitionedStore
from treelab.tree.grow import Growth
from treelab.tree.model import Tree
from treelab.tree.optimal.settings import Optimal

if TYPE_CHECKING:
    from treelab.scale.database.scan import DatabaseScan

    Scanned: TypeAlias = "Scan | DatabaseScan"

MOST_IN_MEMORY = 2**30
"""Codes of more bytes are kept in files while a tree grows in this process."""

MOST_PRUNED = 2**27
"""So many values a pruner that needs the cases gets into memory."""


@attrs.frozen(eq=False, repr=False)
class Scan:
    """Where data are, and how they are read; made by `treelab.scan`.

    Nothing is read before a tree is grown: `treelab.grow(scan, ...)` or `Learner.fit(scan)`.
    """

    pieces: Iterable[Piece]
    options: Options
    engine: str = "local"
    resources: dict[str, Any] = attrs.field(factory=dict)
    progress: Callable[[str], None] | None = None
    sizes: Sizes = attrs.field(factory=Sizes)
    most_in_memory: int = MOST_IN_MEMORY
    running: Engine | None = None

    def __repr__(self) -> str:
        n = f"{len(self.pieces)} partitions" if isinstance(self.pieces, Sequence) else "frames"
        return f"<Scan of {n} on engine {self.engine!r}, target {self.options.target!r}>"

    def grown_by(self, learner: Learner) -> Tree:
        """Return the tree of the data, the same as of data in memory."""
        growth = learner.growth(Coding())
        check_scannable(learner, growth)
        with self._opened() as engine:
            return weighed(self, engine, learner)._pruned_by(engine, learner, growth)

    def _pruned_by(self, engine: Engine, learner: Learner, growth: Growth) -> Tree:
        found = self.described(engine, growth.bins_used)
        if learner.holds_out and not are_ordered(found.n_known, len(found.axes)):
            grown = self._grown(engine, found, growth)  # of whose store nothing is needed any more
            return found.known(learner.pruned(grown, ScannedFolds(self, engine, found)))
        with TemporaryDirectory() as folder:
            store = self._store(engine, found, growth, Path(folder))
            grown = growth.of_store(store, found.schema)
            if learner.prunes_elsewhere:
                cases_there = ScannedCases(store, self.pieces, found)
                return found.known(learner.pruned(grown, cases_there))
            cases = self._cases(engine, found) if learner.prunes_by_cases else None
        in_order = None if cases is None else learner.in_canonical_order(cases)
        return found.known(learner.pruned(grown, in_order))

    def unpruned_by(self, learner: Learner) -> Tree:
        """Return the tree as it grows, for pruners that grow trees of parts of the data."""
        growth = learner.growth(Coding())
        with self._opened() as engine:
            return self._grown(engine, self.described(engine, growth.bins_used), growth)

    def _grown(self, engine: Engine, found: Description, growth: Growth) -> Tree:
        with TemporaryDirectory() as folder:
            store = self._store(engine, found, growth, Path(folder))
            return growth.of_store(store, found.schema)

    @contextmanager
    def _opened(self) -> Iterator[Engine]:
        with self._engine() as engine:
            yield engine if self.progress is None else Watched(engine, self.progress)

    def _engine(self) -> AbstractContextManager[Engine]:
        if self.running is not None:
            return nullcontext(self.running)
        return opened(self.engine, self.resources)

    def predict(self, tree: Tree, folder: str | PathLike[str], proba: bool = False) -> list[Path]:
        """Write what a tree predicts as Parquet, a file for each partition; return the files.

        Each has a column 'prediction', and with `proba` one for each class, in the order of the
        cases; the target need not be there. On Dask, workers write: the folder must be theirs, too.
        All files are there in the end, or none.
        """
        common = as_in_training(self.options, tree), tree, proba
        with self._opened() as engine:
            dealt = list(engine.deal(self.pieces))
            numbers = range(len(dealt))
            with all_or_none(folder) as aside:
                paths = [part_path(aside, k) for k in numbers]
                engine.fetch(engine.each(write_predictions, dealt, paths, common=common))
        return [part_path(folder, k) for k in numbers]

    def folded(self, folds: int, seed: int) -> Iterator[tuple["Scan", Test]]:
        """Return the cases to learn from and what tests a tree on the others, fold by fold.

        For `treelab.cross_validate`; see `scale.folds`.
        """
        with self._engine() as engine:
            here = attrs.evolve(self, running=engine)
            with here._opened() as watched:
                options, schema, facts, _ = here.columns(watched)
            check_folds(folds, facts.sizes.total())
            for fold in range(folds):
                train, test = (
                    here.derived(engine, options, schema, Fold(fold, folds, seed, is_test))
                    for is_test in (False, True)
                )
                yield train, test._tested

    def derived(
        self, engine: Engine, options: Options, schema: Schema, change: Change | Sequence[Change]
    ) -> "Scan":
        """Return what is made of the cases of each partition, to which a running engine sees."""
        options = attrs.evolve(options, target_is_class=True)  # which has been checked of all cases
        pieces = DerivedPieces(self.pieces, options, schema, change)
        return attrs.evolve(self, pieces=pieces, options=options, running=engine)

    def _tested(self, tree: Tree) -> tuple[float, None]:
        with self._opened() as engine:
            dealt, common = engine.deal(self.pieces), (self.options, tree)
            found: Judged = engine.total(Judged.__add__, judged, dealt, common=common)
        return found.accuracy, None

    def described(self, engine: Engine, bins: int | None) -> Description:
        """Find out what the data are, in as many passes as it takes."""
        options, schema, facts, unit = self.columns(engine)
        axes = axes_of(engine, self.pieces, options, facts, unit, bins, self.sizes)
        counts = facts.n_cases, facts.n_known, facts.total
        return Description(options, schema, axes, *counts, unit, facts.numbers, facts.lacking)

    def columns(self, engine: Engine) -> tuple[Options, Schema, Facts, float]:
        """Find out what columns and classes there are, and what weights are multiples of."""
        options, unit = self.options, 0.0
        facts = gathered_facts(engine, self.pieces, options, unit, self.sizes)
        if facts.mixed:
            check_types_alike(self.pieces, facts.mixed[0])
            options = attrs.evolve(options, nominal=(*options.nominal, *facts.mixed))
        if not facts.integral:
            unit = unit_of(facts.total)
        if facts.mixed or unit:
            facts = gathered_facts(engine, self.pieces, options, unit, self.sizes)
        schema = facts.schema
        sizes, is_class = facts.sizes, self.options.target_is_class
        check_scanned_classes(schema.target, sizes, facts.n_cases, is_class)
        return _settled(options, schema), schema, facts, unit

    def _store(
        self, engine: Engine, found: Description, growth: Growth, folder: Path
    ) -> PartitionedStore:
        context = context_of(found, growth)
        size = np.dtype(code_type(int(context.n_codes.max(initial=0)))).itemsize
        in_files = 2 * size * found.n_cases * len(found.axes) > self.most_in_memory
        shelf = folder if in_files and self.engine == "local" else None
        common = found.options, found.schema, context, shelf
        parts = engine.each(part_of, engine.deal(self.pieces), common=common)
        return PartitionedStore(context, tuple(parts), engine)

    def _cases(self, engine: Engine, found: Description) -> Dataset:
        """Return all cases in one memory, if that is not too much."""
        check_prunable(found)
        common = found.options, found.schema
        parts = engine.each(fitted, engine.deal(self.pieces), common=common)
        return joined(found.schema, engine.fetch(parts))


def context_of(found: Description, growth: Growth) -> SplitContext:
    """Return what is common to all nodes of a tree of some data."""
    return SplitContext(
        found.axes, found.schema.target.n_labels, found.total, growth.splits,
        growth.missing == "branch", growth.stop.min_branch, growth.seed, growth.cuts,
    )  # fmt: skip


def check_prunable(found: Description) -> None:
    """Raise where there are too many cases for a pruner that needs them."""
    n_values = found.n_cases * max(1, len(found.axes))
    if n_values > MOST_PRUNED:
        raise ParameterError(
            f"this pruner needs all {found.n_cases:,} cases in one memory, {n_values:,} values "
            f"where at most {MOST_PRUNED:,} are taken: use one that needs counts only, such as "
            "pruner='pessimistic:cf=0.2,raising=false', 'minimum-error', 'pep' or 'none'"
        )


def scan(
    source: Any,
    target: str | None = None,
    *,
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    weights: str | None = None,
    drop: Iterable[str] = (),
    missing_marks: Iterable[object] | None = None,
    decimal: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    target_is_class: bool = False,
    max_bytes: int | None = None,
    engine: str = "local",
    scheduler: str | None = None,
    workers: int | None = None,
    memory_limit: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Scanned":
    """Describe data that stay where they are, in partitions.

    `treelab.grow(treelab.scan("data/*.parquet", target="y"), bins=255)` grows the same tree, byte
    for byte, as of the same cases in memory, for any number and order of partitions.

    Parameters
    ----------
    source
        A file, a folder or a pattern (``data/*.parquet``; files of any format of `treelab.read`,
        Parquet by row groups), a list of such, an Arrow data set, a `dask.dataframe`, frames, or a
        function that returns an iterable of frames, anew each time. The frames of an iterator are
        kept in memory. Or a table, a view or a query of a DuckDB file,
        'duckdb:///file.db?table=cases' or 'duckdb:///file.db?query=SELECT ...', which the database
        counts itself.
    target
        The column to predict; of files the last one if not given.
    nominal, numeric, weights, drop
        As in `treelab.read`; `weights` is the name of a column.
    missing_marks, decimal, delimiter, encoding, header, target_is_class
        As in `treelab.read`. A column that is numbers in some partitions and text in others is
        nominal.
    max_bytes
        As in `treelab.read`, for each partition.
    engine
        'local': in this process, a partition at a time; 'dask': on Dask.
    scheduler, workers, memory_limit
        For Dask: the address of a scheduler (``tcp://10.0.0.1:8786``), a `distributed.Client`,
        or, without one, how many workers of how much memory ('2GB') are started here, and closed
        in the end.
    progress
        Is told in a few words what is being done, such as `print`.

    Examples
    --------
    >>> import treelab as tl
    >>> data = tl.load("iris")
    >>> parts = [data.take(range(0, 70)).to_frame(), data.take(range(70, 150)).to_frame()]
    >>> tree = tl.grow(tl.scan(parts, "class"), bins=255)
    >>> bool((tree.counts == tl.grow(data, bins=255).counts).all())
    True
    """
    check_choice("engine", engine, ENGINES)
    check_decimal(decimal)
    check_max_bytes(max_bytes)
    if weights is not None and not isinstance(weights, str):
        raise ParameterError(f"weights must be the name of a column, got {weights!r}")
    options = Options(
        target, tuple(words("nominal", nominal)), tuple(words("numeric", numeric)), weights,
        tuple(words("drop", drop)),
        None if missing_marks is None else tuple(words("missing_marks", missing_marks)),
        decimal, named_delimiter(delimiter), encoding, header, target_is_class, max_bytes=max_bytes,
    )  # fmt: skip
    given = {"scheduler": scheduler, "workers": workers, "memory_limit": memory_limit}
    resources = {name: value for name, value in given.items() if value is not None}
    if resources and engine != "dask":
        raise ParameterError(f"{', '.join(resources)} is for engine='dask', not for {engine!r}")
    if is_address(source):
        return _of_database(source, options, engine, progress)
    return Scan(pieces_of(source), options, engine, resources, progress)


def _of_database(
    address: str, options: Options, engine: str, progress: Callable[[str], None] | None
) -> "DatabaseScan":
    from treelab.scale.database.scan import DatabaseScan

    if engine != "local":
        raise ParameterError(
            f"a database counts its cases itself: engine={engine!r} is for files and frames"
        )
    return DatabaseScan(TableSource.of(address), options, progress)


def check_types_alike(pieces: Iterable[Piece], column: str) -> None:
    """Raise where a column of numbers and labels has types, so that it is no matter of reading."""
    if isinstance(pieces, Sequence) and any(isinstance(each, ParquetPiece) for each in pieces):
        raise MismatchError(
            f"column {shown(column)} holds numbers in one partition and text in another: read it "
            f"as labels with nominal=[{column!r}] (--nominal), or write the files alike"
        )


def check_scannable(learner: Learner, growth: Growth) -> None:
    """Raise where growing a tree needs all cases in one memory."""
    if isinstance(growth.search, Optimal):
        raise ParameterError(
            "search='optimal' needs all cases in one memory: of scanned data use 'greedy', 'beam' "
            "or 'lookahead'"
        )
    if learner.discretizer is not None:
        raise ParameterError(
            "a discretizer needs all cases in one memory: of scanned data numbers are cut by the "
            "tree itself, or put into bins with bins=255"
        )


def check_scanned_classes(
    target: Column, sizes: Mapping[str, int], n_cases: int, is_class: bool
) -> None:
    """Raise unless there is a target, which is not to be estimated and no identifier.

    `sizes` are the cases of each label.
    """
    if not target.name:
        raise MismatchError("the data have no target: name the column to predict with target=")
    found = np.array([sizes[label] for label in target.labels or ()], np.int64)
    if not is_class:
        check_class_sizes(target, found)
    check_no_identifier(target, found, n_cases)


def _settled(options: Options, schema: Schema) -> Options:
    """Return how partitions are read now that the kinds of all columns are known."""
    nominal = tuple(column.name for column in schema.features if column.is_nominal)
    return attrs.evolve(options, nominal=nominal, target=schema.target.name)
