"""Sums over tables of any numbers of branches against the formulas, table by table."""

import numpy as np
import pytest

import treelab as tl
from treelab.kernels import table_sums as kernels
from treelab.metrics.adapters import CountMetric
from treelab.stats.formulas.fixed_point import in_units, stacked
from treelab.stats.formulas.sums import SumFormula

METRICS = [tl.metric(name) for name in tl.metric_names()]
FORMULAS = [m.formula for m in METRICS if isinstance(m, CountMetric)]
SUMS = [f for f in FORMULAS if isinstance(f, SumFormula)]
sums = pytest.mark.parametrize("formula", SUMS, ids=lambda f: f.__name__)
n_classes = pytest.mark.parametrize("n_classes", [1, 2, 9])

# Sums of logarithms are added up in another order, and may cancel.
CLOSE = {"rtol": 1e-9, "atol": 1e-12}


def tables_of(n_classes, empty_branches=False):
    """Return tables of whole numbers with one to nine branches, of a few or many cases."""
    rng = np.random.default_rng(n_classes)
    tables = [rng.integers(0, 4, (width, n_classes)) * 1.0 for width in (*range(1, 10), 2, 2)]
    tables += [rng.integers(0, 90, (2, n_classes)) * 1.0 for _ in range(5)]
    for table in tables:
        table[:, 0] += 1 - empty_branches
        table[0, 0] += 1
    return tables


def stack(tables):
    return np.concatenate(tables), np.cumsum([len(table) for table in tables])


@n_classes
@sums
def test_sums_in_fixed_point_score_tables_as_the_formula_does(formula, n_classes):
    tables = tables_of(n_classes)
    cells, ends = stack(tables)
    spare = np.full((3, n_classes), np.nan)  # what lies behind the last table is not looked at
    fixed = stacked(in_units(formula.cell, n) for n in (20, 60, 3000))
    expected = [float(formula(table)) for table in tables]

    given = kernels.whole_sums(np.concatenate([cells, spare]), ends, formula.needs_shares, fixed)
    np.testing.assert_allclose(formula.combine(*given), expected, **CLOSE)
    np.testing.assert_allclose(formula.of_whole_rows(cells, ends, fixed), expected, **CLOSE)


@pytest.mark.parametrize("unit", [1.0, 0.3])
@n_classes
@sums
def test_sums_of_any_weights_score_tables_as_the_formula_does(formula, n_classes, unit):
    tables = [table * unit for table in tables_of(n_classes, empty_branches=True)]
    cells, ends = stack(tables)
    spare = np.full((3, n_classes), np.nan)
    expected = [float(formula(table)) for table in tables]

    given = formula.of_rows(np.concatenate([cells, spare]), ends)
    np.testing.assert_allclose(given, expected, **CLOSE)


def test_the_sums_are_those_of_the_table():
    table = np.array([[1.5, 0.0, 2.0], [0.0, 0.0, 0.0], [3.0, 1.0, 0.5]])
    counts = kernels.counts_to_sum(table, np.array([3]))
    sums = kernels.sums_of_counts(counts, counts**2, np.array([3]), 3)[:, 0]

    of_rows = [(row**2).sum() for row in table]
    shares = of_rows[0] / 3.5 + of_rows[2] / 4.5
    whole = [(table.sum(axis=0) ** 2).sum(), 8.0**2, 8.0]
    assert sums.tolist() == [sum(of_rows), 3.5**2 + 4.5**2, shares, *whole]


def test_no_table_has_no_score():
    nothing = np.empty((0, 2)), np.empty(0, np.int64)
    assert len(SUMS[0].of_rows(*nothing)) == 0
