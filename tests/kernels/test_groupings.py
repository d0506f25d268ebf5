"""The kernels of groupings against the naive learner, node by node and value by value."""

import attrs
import naive_candidates
import numpy as np
import pytest
from nodes import AWKWARD, nodes

from treelab.kernels import groupings as kernels
from treelab.kernels import value_order
from treelab.stats.candidates.grouped import GroupingBlock, Histograms, ranks_of
from treelab.stats.stores.context import FeatureGroup

FIRST = 3
"""The number of the first node."""

MANY_VALUES = {
    "two-classes": {"n_codes": [12, 20], "sizes": [300, 90, 40], "n_classes": 2},
    "three-classes": {"n_codes": [12, 20], "sizes": [300, 90], "n_classes": 3},
    "shares": {"n_codes": [15], "sizes": [200, 60], "weights": "fraction", "n_classes": 2},
    "all-rare": {"n_codes": [40, 9], "sizes": [50], "weights": "whole"},
}
some_nodes = pytest.mark.parametrize(
    "how", [*AWKWARD.values(), *MANY_VALUES.values()], ids=[*AWKWARD, *MANY_VALUES]
)
missing = pytest.mark.parametrize("missing", [False, True])
subset = pytest.mark.parametrize("subset", [False, True])


def histograms(made, subset):
    """Return the counts (node, value, class) of all features."""
    offsets = np.concatenate([[0], np.cumsum(made.n_codes + 1)])
    counts = np.zeros((len(made.starts), offsets[-1], made.n_classes))
    for k in made.numbers:
        for place in made.places(k):
            weight = made.weight(made.ids[place])
            for f in made.features:
                counts[k, offsets[f] + made.code(f, place), made.labels[place]] += weight
    most = int(counts.sum(axis=2).max(initial=0.0))
    group = FeatureGroup("subset" if subset else "binary", made.features, made.n_codes)
    return Histograms(counts, group, FIRST, most, whole=False)


def found(made, subset, missing, min_branch):
    """Return the map, the table and the bits of every candidate, by feature and node."""
    found_in = histograms(made, subset)
    block = GroupingBlock.of(found_in, ranks_of(found_in, missing), min_branch)
    chosen = np.arange(len(block.tables()))[::-1].copy()  # in any order
    splits = block.splits(chosen)
    run = np.repeat(np.arange(len(block.runs.ends)), block.runs.lengths)
    result = {}
    for c, first in zip(chosen[::-1], splits.first_map[::-1], strict=True):
        k, f = int(block.runs.node[run[c]]) - FIRST, int(block.runs.feature[run[c]])
        branches = splits.maps[first : first + made.n_codes[f] + 1].tolist()
        given = branches, block.tables()[c].tolist(), block.found.searched[run[c]]
        result.setdefault((k, f), []).append(given)
    return result


def expected(made, subset, missing, min_branch):
    result = {}
    for k in made.numbers:
        for f in made.features:
            cases = made.cases(k)
            how = "subset" if subset else "one"
            for one in naive_candidates.groupings(made, cases, f, how, missing):
                table = np.zeros((2, made.n_classes))
                for case in cases:
                    branch = one.branch(case.values[f])
                    if branch is not None:
                        table[branch, case.y] += case.weight
                sizes = table.sum(axis=1)
                if (sizes > 0).all() and (sizes >= min_branch - 1e-9).all():
                    codes = [*range(made.n_codes[f])]
                    branches = [one.branch_of.get(code, -1) for code in codes]
                    branches.append(-1 if one.missing is None else one.missing)
                    bits = np.nan if one.log2_ways is None else float(one.log2_ways)
                    result.setdefault((k, f), []).append((branches, table.tolist(), bits))
    return result


@missing
@subset
@some_nodes
def test_groupings_are_those_of_the_naive_learner(how, subset, missing):
    for seed, min_branch in enumerate((0.0, 2.0, 6.0)):
        made = nodes(seed, **how)
        given = found(made, subset, missing, min_branch)
        wanted = expected(made, subset, missing, min_branch)

        assert list(given) == list(wanted)
        for at in wanted:
            for mine, theirs in zip(given[at], wanted[at], strict=True):
                assert mine[:2] == theirs[:2]
                np.testing.assert_equal(mine[2], theirs[2])


def test_ranks_can_be_used_with_other_classes():
    """Values stay where the first classes have put them, whatever the classes are now."""
    found_in = histograms(nodes(**MANY_VALUES["three-classes"]), subset=True)
    ranks = ranks_of(found_in, False)
    turned = np.ascontiguousarray(found_in.counts[:, :, ::-1])
    plain = GroupingBlock.of(found_in, ranks, 2.0)
    other = GroupingBlock.of(attrs.evolve(found_in, counts=turned), ranks, 2.0)
    n = len(plain.ends)

    assert n
    np.testing.assert_array_equal(other.tables(), plain.tables()[:, :, ::-1])
    np.testing.assert_array_equal(other.found.candidate[:n], plain.found.candidate[:n])


@pytest.mark.parametrize("n_classes", [2, 3, 10])
@pytest.mark.parametrize("n_values", [8, 9, 30])
def test_values_are_ordered_as_the_naive_learner_orders_them(n_values, n_classes):
    rng = np.random.default_rng(n_values)
    for most in (2, 40):  # with few cases there are many ties
        table = rng.integers(0, most, (n_values, n_classes)) * 0.5
        table[:, rng.integers(n_classes)] += 1.0
        counts = np.concatenate([table, np.zeros((1, n_classes))])[None]
        rank = np.append(np.arange(n_values), -1).astype(np.int32)[None]
        ranks = kernels.Ranks(rank, np.array([[n_values]]), True)
        offsets = np.array([0, n_values + 1])
        value_order.order_ranks(counts, offsets, ranks, np.empty((n_values + 1, n_classes)))

        assert np.argsort(rank[0, :-1]).tolist() == naive_candidates.subset_order(table.tolist())


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 100])
def test_values_of_equal_share_stay_in_their_order(n):
    share = np.random.default_rng(n).integers(0, 5, n) / 4
    place = np.empty(n, np.int64)
    value_order.order_by_share(np.stack([share, 1 - share], axis=1), n, 0, place)

    assert np.argsort(place).tolist() == sorted(range(n), key=lambda i: -share[i])
