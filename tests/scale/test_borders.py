"""Axes of partitions are those of all cases in memory, to the last bit."""

import numpy as np
import pytest

from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.readers.table import Options
from treelab.data.schema import Column, Schema
from treelab.data.weights import unit_of
from treelab.scale.axes import Sizes, axes_of, gathered_facts
from treelab.scale.keys import keys_of, values_of_keys
from treelab.stats.stores.engine import InProcess

RNG = np.random.default_rng(5)
N = 3000
VALUES = {
    "normal": RNG.normal(size=N),
    "ties": np.round(RNG.normal(size=N), 1),
    "half zero": np.where(RNG.random(N) < 0.5, 0.0, RNG.random(N)),
    "huge and tiny": RNG.choice([-1.0, 1.0], N) * 10.0 ** RNG.uniform(-300, 300, N),
    "neighbours": 1.0 + np.spacing(1.0) * RNG.integers(0, 2000, N),
    "missing": np.where(RNG.random(N) < 0.3, np.nan, RNG.random(N)),
}
WEIGHTS = {
    "ones": np.ones(N),
    "whole": RNG.integers(0, 5, N).astype(float),
    "fractions": RNG.random(N),
    "very different": 10.0 ** RNG.uniform(-12, 3, N),
}


class Held:
    """A partition that is a data set."""

    name = "held"

    def __init__(self, data):
        self.data = data

    def read(self, _options):
        return self.data


def pieces(data, n_parts, seed):
    rows = np.random.default_rng(seed).permutation(len(data))
    return [Held(data.take(part)) for part in np.array_split(rows, n_parts)]


def axis_of_parts(data, n_parts, bins, sizes, seed=0):
    options, engine, parts = Options("y"), InProcess(), pieces(data, n_parts, seed)
    facts = gathered_facts(engine, parts, options, 0.0, sizes)
    unit = 0.0 if facts.integral else unit_of(facts.total)
    facts = gathered_facts(engine, parts, options, unit, sizes)
    return axes_of(engine, parts, options, facts, unit, bins, sizes)[0]


def data_of(values, weights, seed=0):
    y = np.random.default_rng(seed).integers(-1, 2, len(values))  # some classes are not known
    return Dataset.of(Schema((Column("x"),), Column("y", ("a", "b"))), [values], y, weights)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("values", VALUES)
def test_counted_digits_find_the_borders_of_sorted_values(values, weights):
    data = data_of(VALUES[values], WEIGHTS[weights])
    for bins, few_left, n_parts in ((2, 0, 3), (16, 50, 1), (37, 10**9, 7)):
        wanted = Coded.of(data, Coding(), bins).axes[0]
        found = axis_of_parts(data, n_parts, bins, Sizes(cap=40, few_left=few_left))
        assert found.n_codes == wanted.n_codes
        assert found.points.tobytes() == wanted.points.tobytes()
        assert found.binned == wanted.binned


@pytest.mark.parametrize("weights", WEIGHTS)
def test_distinct_values_give_the_axis_of_memory_with_its_means(weights):
    data = data_of(VALUES["ties"], WEIGHTS[weights])
    for bins in (None, 5, 20, 255):
        wanted = Coded.of(data, Coding(), bins).axes[0]
        found = axis_of_parts(data, 4, bins, Sizes())
        assert found.points.tobytes() == wanted.points.tobytes()
        assert found.values.tobytes() == wanted.values.tobytes()


def test_the_order_of_the_cases_leaves_no_trace_in_bins_of_uneven_weights():
    data = data_of(VALUES["ties"], WEIGHTS["very different"])
    wanted = Coded.of(data, Coding(), 9).axes[0]
    for seed in range(5):
        shuffled = data.take(np.random.default_rng(seed).permutation(N))
        found = Coded.of(shuffled, Coding(), 9).axes[0]
        assert found.points.tobytes() == wanted.points.tobytes()
        assert found.means.tobytes() == wanted.means.tobytes()


def test_keys_keep_order_and_number():
    values = np.sort(np.concatenate([VALUES["huge and tiny"], [0.0, 5e-324, -5e-324]]))
    keys = keys_of(values)

    assert (keys[1:] > keys[:-1]).all() == (values[1:] > values[:-1]).all()
    assert values_of_keys(keys).tobytes() == values.tobytes()
