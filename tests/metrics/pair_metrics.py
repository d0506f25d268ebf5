"""Pair metrics and data as their tests share them."""

import numpy as np

from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.metrics.discrimination import (
    Algorithm1,
    ContextualMerit,
    ContextualMerit1,
    Relief,
    ReliefF,
    ReliefFExpRank,
)
from treelab.metrics.pi import Pi
from treelab.stats.stores.in_memory import root_node

ALL = [Relief(), ReliefF(3), ReliefFExpRank(8, 3.0), ContextualMerit(), ContextualMerit1(),
       Algorithm1(), Algorithm1("merit", None), Pi()]  # fmt: skip


def dataset(values, y, numeric, weights=None):
    """Make data of rows of numbers; None is missing."""
    columns, arrays = [], []
    for f, is_numeric in enumerate(numeric):
        column = np.array([np.nan if row[f] is None else row[f] for row in values], float)
        labels = np.unique(column[~np.isnan(column)])
        codes = np.where(np.isnan(column), -1, np.searchsorted(labels, column))
        arrays.append(column if is_numeric else codes)
        columns.append(Column(f"f{f}", None if is_numeric else tuple(map(str, labels))))
    classes, codes = np.unique(y, return_inverse=True)
    schema = Schema(tuple(columns), Column("class", tuple(map(str, classes))))
    return Dataset.of(schema, arrays, codes, weights)


def node(data):
    return root_node(Coded.of(data, Coding()))


def scores(metric, *data):
    return metric(node(dataset(*data))).values


def random_cases(seed, n=30, missing=0.1):
    rng = np.random.default_rng(seed)
    numeric = [False, True, False, True]
    cases = [
        [None if rng.random() < missing else int(rng.integers(3 if f % 2 == 0 else 9))
         for f in range(4)]
        for _ in range(n)
    ]  # fmt: skip
    return cases, rng.integers(3, size=n).tolist(), numeric


def parity(cases=200, noise=10, seed=0):
    """Make a class that is the parity of three bits among `noise` other bits."""
    bits = np.random.default_rng(seed).integers(0, 2, (3 + noise, cases))
    columns = tuple(Column(f"b{i}", ("0", "1")) for i in range(3 + noise))
    return Dataset.of(Schema(columns, Column("parity", ("0", "1"))), bits, bits[:3].sum(0) % 2)
