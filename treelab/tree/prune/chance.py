"""Pruning by description length: a subtree must tell more than chance would (SPEC 12.9)."""

from math import log

import attrs
import numpy as np
from scipy.special import gammainccinv, gammaln

from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_number
from treelab.protocols import Regrow
from treelab.stats.impurity import n_log_n
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import is_leaf, with_leaves

LOG_TINY = 600.0
"""Probabilities below exp(-600) are too near the smallest number there is."""


@attrs.frozen
class Chance:
    """Replaces a subtree by a leaf where its splits save no more bits than chance would.

    A leaf of n cases costs n H(class) bits, a split its price: what the best of all ways to split
    on any feature saves by chance, in all but `level` of the draws. A subtree stays where it costs
    less than a leaf as a whole, so a split may be paid for by those below it: two features that
    tell something only together stay, a tree grown on noise does not.

    Parameters
    ----------
    level
        How often chance may pass for a rule; smaller prunes more.
    """

    level: float = 0.5

    def __attrs_post_init__(self) -> None:
        check_number("level", self.level, 0)
        if not 0 < self.level <= 1:
            raise ParameterError(f"level must be above 0 and at most 1, got {self.level!r}")

    def __call__(
        self, tree: Tree, data: Dataset | None = None, _regrow: Regrow | None = None
    ) -> Tree:
        tests = np.flatnonzero(~is_leaf(tree))
        bits = _class_bits(tree.counts)
        cost = bits.copy()
        cost[tests] = self.prices(tree, tests, data)
        # Bits are sums of logarithms: what only rounding pays for is not paid for.
        return with_leaves(tree, bits, cost, 1e-9)

    def prices(self, tree: Tree, tests: IndexArray, data: Dataset | None) -> FloatArray:
        """Return the bits that chance gives the best of all ways to split at some nodes.

        G = 2 ln 2 times the bits saved is chi-square distributed where class and test do not
        depend, each branch but one bringing as many degrees of freedom as there are classes but
        one; the best of m ways exceeds the quantile of level / m in at most `level` of all draws.
        """
        distinct = _distinct_values(tree, data)
        log_ways = log(2.0) * _log2_ways(tree, tests, distinct)
        log_ways += log(max(1, int(np.count_nonzero(distinct > 1))))
        n_branches = np.diff(tree.first_child)[tests]
        freedom = (n_branches - 1) * (np.count_nonzero(tree.counts[tests] > 0, axis=1) - 1)
        return _chi_square_limit(log_ways - log(self.level), freedom) / (2.0 * log(2.0))


def _class_bits(counts: FloatArray) -> FloatArray:
    """Return n H(class), the bits that tell the class of all cases, of each row."""
    return np.asarray(n_log_n(counts.sum(axis=1)) - n_log_n(counts).sum(axis=1))


def _distinct_values(tree: Tree, data: Dataset | None) -> FloatArray:
    """Return how many values each feature has; without data, as many as it may have."""
    columns = [tree.coding.column(column) for column in tree.schema.features]
    declared = [column.n_labels if column.is_nominal else np.inf for column in columns]
    if data is None:
        return np.array(declared)
    return np.array(
        [
            len(np.unique(values[~np.isnan(values)])) if most == np.inf else most
            for values, most in zip(data.columns, declared, strict=True)
        ],
        float,
    )


def _log2_ways(tree: Tree, tests: IndexArray, distinct: FloatArray) -> FloatArray:
    """Return the bits that name each split among those of its feature at its node."""
    return np.array([_bits_of_split(tree, int(node), distinct) for node in tests])


def _bits_of_split(tree: Tree, node: int, distinct: FloatArray) -> float:
    feature = int(tree.feature[node])
    branch_of = tree.branch_of[tree.first_code[node] : tree.first_code[node + 1]]
    if not len(branch_of):
        return _bits_of_cut(min(distinct[feature], tree.flat.weight[node]))
    sizes = np.bincount(branch_of[branch_of >= 0])
    if len(sizes) > 2:
        return 0.0  # a branch for each value: there is one way to do it
    if tree.schema.features[feature].is_nominal:
        return bits_of_group(int(sizes.sum()), int(sizes.min()))
    return _bits_of_cut(float(sizes.sum()))


def _bits_of_cut(n_values: float) -> float:
    return float(np.log2(max(n_values - 1.0, 1.0)))


def bits_of_group(n_values: int, size: int) -> float:
    """Return the bits that name a group of so many values, or the rest: how many, and which.

    A single value against the rest takes about 2 log2(values) bits, half of the values about as
    many bits as there are values.

    >>> bits_of_group(2, 1), round(bits_of_group(3, 1), 3)
    (0.0, 1.585)
    """
    log_groups = gammaln(n_values + 1) - gammaln(size + 1) - gammaln(n_values - size + 1)
    both = 1.0 if 2 * size == n_values else 0.0  # a half and the other half are one group
    return float(np.log2(max(n_values // 2, 1)) + log_groups / log(2.0) - both)


def _chi_square_limit(log_times: FloatArray, freedom: IndexArray) -> FloatArray:
    """Return the chi-square that is exceeded once in exp(log_times) draws; 0 without freedom."""
    half, most = np.maximum(freedom, 1) / 2.0, np.minimum(log_times, LOG_TINY)
    limit = gammainccinv(half, np.exp(-np.maximum(most, 0.0)))
    for _ in range(3):  # far out the tail is limit^(half - 1) exp(-limit) / Gamma(half)
        further = log_times + (half - 1.0) * np.log(np.maximum(limit, 1.0)) - gammaln(half)
        limit = np.where(log_times > LOG_TINY, further, limit)
    return np.where(freedom > 0, 2.0 * limit, 0.0)
