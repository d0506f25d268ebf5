"""What constraints make of candidates: the one filter that growing a tree knows."""

from typing import Any, Protocol

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.data.constraints import Constraints
from treelab.data.schema import Schema
from treelab.errors import LARGEST
from treelab.kernels.ties import TIE
from treelab.protocols import Scores
from treelab.stats.candidates.splits import NONE
from treelab.stats.candidates.tables import BlockTables


class Admission(Protocol):
    """Which candidates may be taken, and what their scores are worth."""

    def allowed(self, counts: BlockTables, depth: int, /) -> BoolArray:
        """Tell which candidates of nodes of some depth may be taken."""
        ...

    def worth(self, counts: BlockTables, scores: Scores, /) -> Scores:
        """Return what the scores of candidates are worth, in the same order or another one."""
        ...


@attrs.frozen(eq=False)
class Admitted:
    """The constraints of a tree as a filter of candidates.

    `first` are the features of the depths from 0 on; `never` tells by feature the depths where it
    is refused (none: all of them); `way` and `cost` are of each feature.
    """

    first: tuple[int, ...]
    never: tuple[tuple[int, tuple[int, ...]], ...]
    way: IndexArray
    cost: FloatArray

    @classmethod
    def of(cls, given: Constraints, schema: Schema) -> "Admitted":
        """Return the filter for data of a schema."""
        given.check(schema)
        place, monotone, cost = schema.places, dict(given.monotone), dict(given.cost)
        return cls(
            tuple(place[name] for name in given.first),
            tuple((place[name], depths) for name, depths in given.never),
            np.array([monotone.get(name, 0) for name in schema.names], np.int64),
            np.array([cost.get(name, 1.0) for name in schema.names], np.float64),
        )

    def allowed(self, counts: BlockTables, depth: int) -> BoolArray:
        """Tell which candidates of nodes of some depth may be taken."""
        refused = [f for f, depths in self.never if not depths or depth in depths]
        allowed = ~np.isin(counts.feature, refused)
        if self.way.any():
            allowed &= _goes(counts, self.way)
        return allowed if depth >= len(self.first) else _only(counts, allowed, self.first[depth])

    def worth(self, counts: BlockTables, scores: Scores) -> Scores:
        """Return what scores are worth at the prices of their features."""
        return per_cost(scores, self.cost[counts.feature])


def per_cost(scores: Scores, cost: FloatArray) -> Scores:
    """Return what scores are worth at a price (CS-ID3): score^2 / cost, or -score^2 cost."""
    if (cost == 1.0).all():
        return scores
    with np.errstate(over="ignore"):
        worth = np.where(scores >= 0, scores**2 / cost, -(scores**2) * cost)
    return np.clip(worth, -LARGEST, LARGEST)


def _only(counts: BlockTables, allowed: BoolArray, feature: int) -> BoolArray:
    """Refuse all other features, at every node that can be split by this one."""
    wanted = counts.feature == feature
    has_it = np.zeros(len(counts.class_counts), bool)
    has_it[counts.node[wanted & allowed]] = True
    return np.asarray(allowed & (wanted | ~has_it[counts.node]))


def _goes(counts: BlockTables, way: IndexArray) -> BoolArray:
    """Tell which candidates do not turn the share of the second class the wrong way round."""
    allowed, first = np.ones(len(counts), bool), 0
    for block in counts.blocks:
        n = block.runs.n_candidates
        directed = way[counts.feature[first : first + n]]
        if directed.any():
            allowed[first : first + n] = _block_goes(block, directed)
        first += n
    return allowed


def _block_goes(block: Any, directed: IndexArray) -> BoolArray:
    allowed: BoolArray = directed == 0
    allowed[block.splits(np.arange(len(directed))).high == NONE] = True  # known against missing
    for mine, tables in block.batches():
        sizes = tables[:, :2].sum(axis=2)
        rise = tables[:, 1, 1] * sizes[:, 0] - tables[:, 0, 1] * sizes[:, 1]
        allowed[mine] |= directed[mine] * rise >= -TIE * sizes.prod(axis=1)
    return allowed
