"""`Runs`: which candidates are of one feature at one node."""

from functools import cached_property
from typing import TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from treelab._typing import FloatArray, IndexArray

Number = TypeVar("Number", bound=np.generic)


@attrs.frozen(eq=False)
class Runs:
    """Where the candidates of each feature at each node end; those of a run stand together.

    Where a search offers only the best of many ways to split a run's feature, `searched` is how
    many bits it takes to name one of them; it is NaN where the candidates are all there are.
    """

    feature: IndexArray
    node: IndexArray
    ends: IndexArray
    searched: FloatArray | None = None

    @classmethod
    def joined(cls, parts: list["Runs"]) -> "Runs":
        """Return the runs of several blocks, one after the other."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls(*np.empty((3, 0), np.int64))
        ends, before = [], 0
        for part in parts:
            ends.append(part.ends + before)
            before += part.n_candidates
        return cls(
            np.concatenate([part.feature for part in parts]),
            np.concatenate([part.node for part in parts]),
            np.concatenate(ends),
            _joined_bits(parts),
        )

    @property
    def n_candidates(self) -> int:
        return int(self.ends[-1]) if len(self.ends) else 0

    @cached_property
    def lengths(self) -> IndexArray:
        lengths = self.ends.copy()
        lengths[1:] -= self.ends[:-1]
        return lengths

    def spread(self, of_runs: NDArray[Number]) -> NDArray[Number]:
        """Return for each candidate what is given for each run."""
        return np.repeat(of_runs, self.lengths)

    def largest(self, scores: FloatArray) -> FloatArray:
        """Return the largest score of each run, NaN where none can be judged."""
        best, some = np.full(len(self.ends), np.nan), self.lengths > 0
        if some.any():
            best[some] = np.fmax.reduceat(scores, (self.ends - self.lengths)[some])
        return best


def _joined_bits(parts: list[Runs]) -> FloatArray | None:
    if all(part.searched is None for part in parts):
        return None
    return np.concatenate(
        [
            np.full(len(part.ends), np.nan) if part.searched is None else part.searched
            for part in parts
        ]
    )
