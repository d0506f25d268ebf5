"""Pruning by description length: a subtree must tell more than chance would (SPEC 12.9)."""

from math import log
from typing import ClassVar

import attrs
import numpy as np
from scipy.special import gammainccinv, gammaln

from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_number
from treelab.protocols import Regrow
from treelab.stats.formulas.impurity import n_log_n
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import is_leaf, with_leaves
from treelab.tree.prune.dealt import CasesElsewhere

LOG_TINY = 600.0
"""Probabilities below exp(-600) are too near the smallest number there is."""


@attrs.frozen
class Chance:
    """Replaces a subtree by a leaf where its splits save no more bits than chance would.

    A leaf of n cases costs n H(class) bits, a split its price: what the best of all ways to split
    on any feature saves by chance, in all but `level` of the draws; on one feature where the metric
    has judged features as a whole, by pairs of cases. A subtree stays where it costs
    less than a leaf as a whole, so a split may be paid for by those below it: two features that
    tell something only together stay, a tree grown on noise does not.

    Parameters
    ----------
    level
        How often chance may pass for a rule; smaller prunes more.
    """

    level: float = 0.5
    takes_elsewhere: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        check_number("level", self.level, 0)
        if not 0 < self.level <= 1:
            raise ParameterError(f"level must be above 0 and at most 1, got {self.level!r}")

    def __call__(
        self,
        tree: Tree,
        data: Dataset | CasesElsewhere | None = None,
        _regrow: Regrow | None = None,
    ) -> Tree:
        tests = np.flatnonzero(~is_leaf(tree))
        bits = _class_bits(tree.counts)
        cost = bits.copy()
        cost[tests] = self.prices(tree, tests, data)
        # Bits are sums of logarithms: what only rounding pays for is not paid for.
        return with_leaves(tree, bits, cost, 1e-9)

    def prices(
        self, tree: Tree, tests: IndexArray, data: Dataset | CasesElsewhere | None
    ) -> FloatArray:
        """Return the bits that chance gives the best of all ways to split at some nodes.

        G = 2 ln 2 times the bits saved is chi-square distributed where class and test do not
        depend, each branch but one bringing as many degrees of freedom as there are classes but
        one; the best of m ways exceeds the quantile of level / m in at most `level` of all draws.
        """
        distinct = _distinct_values(tree, data)
        log_ways = log(2.0) * _log2_ways(tree, tests, distinct)
        if tree.by_counts:  # else chance had the ways of one feature to choose among
            log_ways += log(max(1, int(np.count_nonzero(distinct > 1))))
        n_branches = np.diff(tree.first_child)[tests]
        freedom = (n_branches - 1) * (np.count_nonzero(tree.counts[tests] > 0, axis=1) - 1)
        return _chi_square_limit(log_ways - log(self.level), freedom) / (2.0 * log(2.0))


def _class_bits(counts: FloatArray) -> FloatArray:
    """Return n H(class), the bits that tell the class of all cases, of each row."""
    return np.asarray(n_log_n(counts.sum(axis=1)) - n_log_n(counts).sum(axis=1))


def _distinct_values(tree: Tree, data: Dataset | CasesElsewhere | None) -> FloatArray:
    """Return how many values each feature has; without data, as many as it may have.

    Of numbers that the tree does not test, only whether there is more than one.
    """
    columns = [tree.coding.column(column) for column in tree.schema.features]
    found = np.array([column.n_labels if column.is_nominal else np.inf for column in columns])
    if data is None:
        return found
    tested = set(tree.feature.tolist())
    if isinstance(data, CasesElsewhere):
        return np.where(found == np.inf, data.n_distinct(tested), found)
    return distinct_numbers(data, tested, found)


def distinct_numbers(data: Dataset, tested: set[int], known_of: FloatArray) -> FloatArray:
    """Return how many values each feature has, counting those of which inf is known."""
    found = known_of.copy()
    for feature in np.flatnonzero(found == np.inf):
        values = data.columns[feature]
        known = values[~np.isnan(values)]
        if feature in tested:
            known.sort()
            found[feature] = np.count_nonzero(known[1:] != known[:-1]) + (len(known) > 0)
        else:
            found[feature] = 1 + np.any(known != known[:1])
    return found


def _log2_ways(tree: Tree, tests: IndexArray, distinct: FloatArray) -> FloatArray:
    """Return the bits that name each split among those of its feature at its node."""
    feature, weight = tree.feature[tests], tree.flat.weight[tests]
    numbers = np.minimum(distinct[feature], weight)
    bits_of_cut = np.log2(np.maximum(numbers - 1.0, 1.0))
    if not len(tree.branch_of):
        return bits_of_cut
    n_codes = np.diff(tree.first_code)
    node = np.repeat(np.arange(tree.n_nodes), n_codes)
    n_values, in_first, in_others = (
        np.bincount(node[which], minlength=tree.n_nodes)[tests]
        for which in (tree.branch_of >= 0, tree.branch_of == 0, tree.branch_of > 1)
    )
    is_nominal = np.array([column.is_nominal for column in tree.schema.features])[feature]
    bits_of_cut = np.where(
        n_codes[tests] > 0, np.log2(np.maximum(n_values - 1.0, 1.0)), bits_of_cut
    )
    bits = np.where(is_nominal, bits_of_group(n_values, in_first), bits_of_cut)
    return np.where(in_others > 0, 0.0, bits)  # a branch for each value: there is one way to do it


def bits_of_group(n_values: IndexArray, size: IndexArray) -> FloatArray:
    """Return the bits that name a group of so many values, or the rest: how many, and which.

    A single value against the rest takes about 2 log2(values) bits, half of the values about as
    many bits as there are values.

    >>> bits_of_group(np.array([2, 3]), np.array([1, 1]))
    array([0.       , 1.5849625])
    """
    log_groups = gammaln(n_values + 1) - gammaln(size + 1) - gammaln(n_values - size + 1)
    both = 2 * size == n_values  # a half and the other half are one group
    return np.asarray(np.log2(np.maximum(n_values // 2, 1)) + log_groups / log(2.0) - both)


def _chi_square_limit(log_times: FloatArray, freedom: IndexArray) -> FloatArray:
    """Return the chi-square that is exceeded once in exp(log_times) draws; 0 without freedom."""
    half, most = np.maximum(freedom, 1) / 2.0, np.minimum(log_times, LOG_TINY)
    limit = gammainccinv(half, np.exp(-np.maximum(most, 0.0)))
    for _ in range(3):  # far out the tail is limit^(half - 1) exp(-limit) / Gamma(half)
        further = log_times + (half - 1.0) * np.log(np.maximum(limit, 1.0)) - gammaln(half)
        limit = np.where(log_times > LOG_TINY, further, limit)
    return np.where(freedom > 0, 2.0 * limit, 0.0)
