"""Cases in parts grow the trees of cases in one memory, bit for bit."""

from itertools import product

import numpy as np
import pytest
from partitions import MADE, METRICS, MISSING, SPLITS
from strategies import random_dataset
from thinned import thinned

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.errors import ParameterError
from treelab.stats.stores.partitioned import PartitionedStore
from treelab.tree.grow import Growth
from treelab.tree.model import ARRAYS
from treelab.tree.searches import BeamSearch
from treelab.tree.stop import Stop

DATA = [random_dataset(seed, **how) for seed, how in enumerate(MADE)]


def growth(metric, **settings):
    stop = Stop(min_branch=settings.pop("min_branch", 1))
    return Growth(metric=tl.metric(metric), cut_metric=tl.metric("gain"), stop=stop, **settings)


def in_parts(grow, data, n_parts, seed):
    """Grow from shuffled cases that are dealt to parts of random sizes; some may be empty."""
    rng = np.random.default_rng(seed)
    coded = Coded.of(data, grow.coding, grow.bins)
    where = np.sort(rng.integers(0, len(data) + 1, n_parts - 1))
    parts = [coded.take(rows) for rows in np.split(rng.permutation(len(data)), where)]
    how = grow.splits, grow.missing == "branch", grow.stop.min_branch, grow.seed
    return grow.of_store(PartitionedStore.of(parts, *how), data.schema)


def differing(one, other):
    """Return the arrays in which two trees differ by a single bit."""
    return [
        name for name in ARRAYS if getattr(one, name).tobytes() != getattr(other, name).tobytes()
    ]


@pytest.mark.parametrize("metric", thinned(METRICS, 3, 1))
def test_three_parts_grow_the_tree_of_one_memory(metric):
    for k, (data, splits, missing) in enumerate(product(DATA, SPLITS, MISSING)):
        if (k + k // 12) % 2:  # half of them; what one data set leaves out the next one has
            continue
        grow = growth(metric, splits=splits, missing=missing, bins=(4, 255)[k // 2 % 2])
        assert differing(grow(data), in_parts(grow, data, 3, k)) == []


@pytest.mark.parametrize("n_parts", [1, 2, 7, 50])
def test_the_number_of_parts_leaves_no_trace(n_parts):
    for k, data in enumerate(DATA):
        grow = growth("gain-ratio-c45", bins=16)
        assert differing(grow(data), in_parts(grow, data, n_parts, k)) == []


def test_bundled_data_with_missing_values_and_odd_weights():
    for name in ("hepatitis", "labor", "voting", "credit-german", "thyroid-allhyper"):
        data = tl.load(name)
        data = data.take(np.arange(min(len(data), 800)))
        weights = np.random.default_rng(1).random(len(data))
        for each in (data, data.reweighted(weights)):
            grow = growth("gain-ratio-c45", bins=255, min_branch=2)
            assert differing(grow(each), in_parts(grow, each, 3, 0)) == []


def test_a_beam_and_best_first_growth_work_in_parts():
    data = DATA[1]
    for settings in ({"search": BeamSearch(), "width": 3}, {}):
        grow = growth("gain", bins=8, **settings)
        grow = grow if settings else growth_of_few_leaves()
        assert differing(grow(data), in_parts(grow, data, 3, 0)) == []


def growth_of_few_leaves():
    gain = tl.metric("gain")
    return Growth(metric=gain, cut_metric=gain, stop=Stop(min_branch=1, max_leaves=5), bins=8)


def test_a_metric_that_judges_node_by_node_has_tables_and_chance():
    def noisy(node):
        return tl.metric("gini")(node) + 0.01 * node.rng("x").random(len(node.counts))

    grow = Growth(metric=noisy, cut_metric=noisy, bins=8, stop=Stop())
    assert differing(grow(DATA[0]), in_parts(grow, DATA[0], 3, 0)) == []


def test_a_metric_that_needs_the_cases_themselves_is_refused_in_one_sentence():
    for metric in ("relieff", "contextual-merit"):
        with pytest.raises(ParameterError, match=r"max_cases says how many cases of a node"):
            in_parts(growth(metric, bins=8), DATA[0], 3, 0)


def test_coding_of_a_discretizer_is_used_in_parts():
    data = DATA[0]
    coding = Coding({"x0": np.array([0.3, 0.6])}).on(data.schema)
    grow = growth("gain", splits="multiway", coding=coding, bins=8)
    assert differing(grow(data), in_parts(grow, data, 3, 0)) == []
