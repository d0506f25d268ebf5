"""Values too rare at a node to be grouped by their own classes: they stay together, in a pool.

Two cases of one class say nothing, but a search that may send each of a hundred such values to
the side of its class finds a rule in them. Without the pool an identifier, a date read as labels or
a column of a thousand labels is memorised, whatever the metric.
"""

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray

RARE = 5
"""A value with fewer cases at a node is rare there; see `experiments/defaults`."""

ROUNDING = 1e-9
"""A branch may be smaller than wanted by so much: fractional weights add up inexactly."""


@attrs.frozen(eq=False)
class Pools:
    """The rare values of each run, which is a feature at a node.

    `rare` are the places of such values in the counts, `run` whose they are, and `code` their
    codes; the first of a run stands for all.
    """

    rare: IndexArray
    run: IndexArray
    code: IndexArray

    @classmethod
    def of(
        cls, weights: FloatArray, run: IndexArray, code: IndexArray, pooled: BoolArray
    ) -> "Pools":
        """Find the rare values among those that may be pooled."""
        rare = np.flatnonzero((weights > 0) & (weights < RARE - ROUNDING) & pooled)
        return cls(rare, run[rare], code[rare])

    def join(self, counts: FloatArray) -> FloatArray:
        """Return the counts (value, class), those of rare values at the place of the first one."""
        if not len(self.rare):
            return counts
        _, first, place = np.unique(self.run, return_index=True, return_inverse=True)
        joined = counts.copy()
        joined[self.rare] = 0.0
        np.add.at(joined, self.rare[first][place], counts[self.rare])
        return joined

    def codes(self, run: int) -> IndexArray:
        """Return the rare codes of a run."""
        return self.code[slice(*np.searchsorted(self.run, [run, run + 1]))]
