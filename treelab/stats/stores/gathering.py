"""The cases of a node that pairs are made of, gathered from all parts.

A small node comes as a whole. Of a large one as many distinct cases come as a pair scheme looks at
(`max_cases`), drawn by what is in them: those whose hash, in a stream of the node's own, is least.
So the draw does not depend on order or parts, and parts can draw by themselves: what is among the
least of all is among the least of every part that has it.
"""

from collections.abc import Callable, Iterable

import attrs
import numpy as np

from treelab._typing import AnyArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.data.order import mixed_bits
from treelab.errors import ParameterError
from treelab.protocols import PairScheme
from treelab.stats.pairs.pairing import PairCases
from treelab.stats.stores.context import SplitContext

Streams = Callable[[str], np.random.Generator]
"""Return the random stream of a key."""

LARGE = 2**18
"""A node of more weight is judged by a draw from its cases."""


@attrs.frozen(eq=False)
class NodeRows:
    """Some cases of a node: codes (feature, case), missing being the one behind the last."""

    codes: CodeArray
    y: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, coded: Coded, rows: IndexArray, y: IntArray, weights: FloatArray) -> "NodeRows":
        """Return some rows of coded data, with classes and weights of their own."""
        n_codes = np.array([axis.n_codes for axis in coded.axes], coded.codes.dtype)
        codes = np.minimum(coded.codes[:, rows], n_codes[:, None])
        return cls(np.ascontiguousarray(codes), y, weights)

    def pair_cases(self, context: SplitContext, scheme: PairScheme, rng: Streams) -> PairCases:
        """Return the cases as a pair scheme is given them."""
        y, all_rows = self.y.astype(np.int32), np.arange(len(self.y))
        coded = Coded(self.codes, context.axes, y, self.weights, context.n_classes, context.cuts)
        cases = PairCases.of(coded, all_rows, self.weights, scheme.ramp, scheme.bins)
        return attrs.evolve(cases, rng=rng)

    def take(self, rows: AnyArray) -> "NodeRows":
        """Return some of the cases."""
        codes = np.ascontiguousarray(self.codes[:, rows])
        return NodeRows(codes, self.y[rows], self.weights[rows])

    @classmethod
    def joined(cls, parts: Iterable["NodeRows"]) -> "NodeRows":
        """Return the cases of several parts, one after the other."""
        codes, y, weights = zip(*((p.codes, p.y, p.weights) for p in parts), strict=True)
        return cls(np.concatenate(codes, axis=1), np.concatenate(y), np.concatenate(weights))


def most_cases(scheme: PairScheme) -> int | None:
    """Return how many distinct cases of a node a scheme looks at; None: at all of them."""
    most: int | None = getattr(scheme, "max_cases", None)
    return most


NO_SAMPLE = ParameterError(
    "the metric compares pairs of cases, and these data lie elsewhere: max_cases says how many "
    "cases of a node it gets to see, such as metric='relieff:max_cases=500'"
)


@attrs.frozen
class Draw:
    """Which cases of a node come: at most so many distinct ones, by a stream, or all of them."""

    most: int | None
    start: int = 0

    @classmethod
    def of(cls, size: float, most: int | None, rng: Streams) -> "Draw":
        """Return the draw from a node of some weight, which has streams of its own."""
        if most is None or size <= LARGE:
            return cls(None)
        return cls(most, int(rng("drawn").integers(2**63)))

    def __call__(self, rows: NodeRows) -> NodeRows:
        """Return the cases that come; equal ones put together where not all do."""
        if self.most is None:
            return rows
        keys = mixed_bits([*rows.codes, rows.y], len(rows.y), self.start)
        least = np.unique(keys)[: self.most]
        near = np.flatnonzero(keys <= least[-1]) if len(least) else np.empty(0, np.int64)
        # Different cases of the same hash are put in the order of what is in them.
        some = rows.take(near[np.lexsort((*rows.codes[:, near], rows.y[near], keys[near]))])
        differs = (some.codes[:, 1:] != some.codes[:, :-1]).any(axis=0) | (np.diff(some.y) != 0)
        firsts = np.flatnonzero(np.append(True, differs)[: len(near)])
        weights = np.add.reduceat(some.weights, firsts) if len(firsts) else some.weights
        found = attrs.evolve(some.take(firsts), weights=weights)
        return found.take(np.arange(min(self.most, len(firsts))))

    def merged(self, one: NodeRows, other: NodeRows) -> NodeRows:
        """Return the cases that come from two parts."""
        return self(NodeRows.joined([one, other]))
