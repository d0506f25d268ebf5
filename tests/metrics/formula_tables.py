"""Tables, and count metrics by name, as the tests of formulas share them."""

import naive_formulas
import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import treelab as tl
from treelab.stats.formulas.impurity import entropy

FORMULAS = ("gain", "gini", "gain-ratio", "chi2")


COUNT_METRICS = tuple(sorted(naive_formulas.FORMULAS))


SEPARATIONS = ("angle", "auc", "euclid", "hellinger")


MANY = ("pairs-mean", "pairs-max", "rest-mean", "rest-max")


# Every count metric, and the parameters that change what it computes.
VARIANTS = [
    *((name, {}) for name in COUNT_METRICS),
    ("normalized-entropy", {"expectation": "eq24"}),
    ("normalized-entropy", {"expectation": "eq26"}),
    ("ssv", {"lexicographic": True}),
    ("weight-of-evidence", {"m": 2}),
    ("weight-of-evidence", {"m": 0.3}),
    ("weighted-information", {"joint": True}),
    *((name, {"many": many}) for name in SEPARATIONS for many in MANY[1:]),
]


each_variant = pytest.mark.parametrize(
    ("name", "parameters"), VARIANTS, ids=[f"{name} {how}" for name, how in VARIANTS]
)


gain, gini, gain_ratio, chi2 = map(tl.formula, FORMULAS)


# Sums of logarithms of counts below 1000: about 1e-15 for each term.
CLOSE = {"rel": 1e-12, "abs": 1e-12}


def joint_entropy(tables):
    return entropy(tables.reshape(*tables.shape[:-2], -1))


@st.composite
def tables(draw, max_values=5, max_classes=4, min_classes=1):
    """Draw a table (value, class) that may have empty rows and columns, but not only such."""
    values = draw(st.integers(1, max_values))
    classes = draw(st.integers(min_classes, max_classes))
    cells = st.lists(st.integers(0, 20), min_size=classes, max_size=classes)
    table = np.array(draw(st.lists(cells, min_size=values, max_size=values)), dtype=float)
    assume(table.sum() > 0)
    return table


def occurring(table):
    """Return the table without empty rows and columns."""
    return table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]


SHAPES = [(values, classes) for values in range(1, 6) for classes in range(1, 5)]


# The last digits of sums in another order, and of differences of such sums.
NEAR = {"rtol": 1e-9, "atol": 1e-11}


def batch(seed, values, classes, n_tables, whole=True):
    """Return tables (table, value, class) with empty rows, columns and cells, none all empty."""
    rng = np.random.default_rng([seed, values, classes])
    tables = rng.integers(0, 21, (n_tables, values, classes)).astype(float)
    tables *= rng.random((n_tables, values, 1)) < 0.85
    tables *= rng.random((n_tables, 1, classes)) < 0.85
    tables *= rng.random(tables.shape) < 0.8
    tables[:, rng.integers(values), rng.integers(classes)] += tables.sum(axis=(1, 2)) == 0
    return tables if whole else tables * rng.choice([0.1, 0.3, 0.7, 1.0, 2.5], tables.shape)


# 2000 tables for each identity.
BATCHES = [batch(0, *shape, 100) for shape in SHAPES]


def raw(name, tables, /, **parameters):
    """Return the paper's quantity of many tables."""
    return tl.formula(name, **parameters).raw(tables)
