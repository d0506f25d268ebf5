"""`ScannedFolds`: cases that stay where they are, for pruners that hold some of them out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.hashed_folds import TO_PRUNE, Copies, Keys, few_different, keys_of
from treelab.data.readers.table import Options
from treelab.data.schema import Schema
from treelab.data.weights import unit_of
from treelab.scale.axes import Description
from treelab.scale.folds import Fold, known_in
from treelab.scale.parts import fitted
from treelab.scale.pieces import Piece, read_piece
from treelab.stats.stores.engine import Engine
from treelab.tree.model import Tree
from treelab.tree.prune.held import ended_classes

if TYPE_CHECKING:
    from treelab.scale.scanning import Scan


@attrs.frozen(eq=False)
class ScannedFolds:
    """The known cases of a scan, a `treelab.tree.prune.held.Foldable`.

    They are more than would be put in order in memory, so their folds are drawn by a hash, as those
    of so many cases in memory are.
    """

    scan: "Scan"
    engine: Engine
    found: Description

    @property
    def n_cases(self) -> int:
        return self.found.n_known

    @property
    def weight(self) -> float:
        return self.found.total

    def parted(self, folds: int, seed: int) -> Iterator[tuple["Scan", "HeldScan"]]:
        copies, unit = self._copies(folds, seed), unit_of(self.weight)
        for number in range(folds):
            rest, held = (
                self.scan.derived(
                    self.engine,
                    self.found.options,
                    self.found.schema,
                    _folds(Fold(number, folds, seed, is_test, (TO_PRUNE,)), copies),
                )
                for is_test in (False, True)
            )
            yield rest, HeldScan(held, self.engine, unit)

    def _copies(self, folds: int, seed: int) -> list[Copies] | None:
        """Return how equal cases are dealt out in each partition, where only few are different."""
        common = self.found.options, self.found.schema, seed
        different: Keys | None = self.engine.total(
            few_different, different_in, self.engine.deal(self.scan.pieces), common=common
        )
        if different is None:
            return None
        dealt = self.engine.deal(self.scan.pieces)
        counts = self.engine.each(copies_in, dealt, common=(*common, different, folds))
        return Copies.of_parts(different, self.engine.fetch(counts), folds)


@attrs.frozen(eq=False)
class HeldScan:
    """Cases of a scan that are held out, a `treelab.tree.prune.held.HeldOut`."""

    scan: "Scan"
    engine: Engine
    unit: float

    def ended(self, tree: Tree) -> FloatArray:
        common = self.scan.options, tree, self.unit
        dealt = self.engine.deal(self.scan.pieces)
        found: FloatArray = self.engine.total(np.add, ended_in, dealt, common=common)
        return found


def _folds(fold: Fold, copies: list[Copies] | None) -> Fold | list[Fold]:
    return fold if copies is None else [attrs.evolve(fold, copies=each) for each in copies]


def different_in(piece: Piece, options: Options, schema: Schema, seed: int) -> Keys | None:
    """Return the keys of the different cases of a partition, unless they are many."""
    return few_different(keys_of(known_in(fitted(piece, options, schema)), seed))


def copies_in(
    piece: Piece, options: Options, schema: Schema, seed: int, different: Keys, folds: int
) -> IndexArray:
    """Return how many copies of each case a partition has, but for whole rounds of dealing."""
    keys = keys_of(known_in(fitted(piece, options, schema)), seed)
    counts = Copies.first(different, folds).counted(keys) % folds
    return counts.astype(np.min_scalar_type(folds))


def ended_in(piece: Piece, options: Options, tree: Tree, unit: float) -> FloatArray:
    """Return the weights (node, class) of the cases of a partition that end at each node."""
    data = read_piece(piece, options)
    if data is None:
        return np.zeros((tree.n_nodes, len(tree.classes) + 1))
    return ended_classes(tree, data, unit)
