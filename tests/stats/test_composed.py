"""Formulas made of others, of sizes, and of options: quick roads lead where the tables do."""

import pickle
from functools import partial

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.metrics.adapters import CountMetric
from treelab.metrics.chance import normalized_entropy
from treelab.stats.formulas.composed import Composed
from treelab.stats.formulas.expectation import expected_entropy, expected_gain

DATA = {
    "mixed": random_dataset(0, 60),
    "whole weights": random_dataset(1, 50, weights="whole", classes=12, missing=0.3),
    "fractions": random_dataset(2, 50, weights="fraction", missing=0.0),
    "numbers": random_dataset(3, 200, numeric=4, nominal=0, classes=3, ties=False),
}
data = pytest.mark.parametrize("data", DATA.values(), ids=DATA)
missing = pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])


def by_tables(formula):
    """Return a formula that nothing is known of."""
    return partial(formula)


@data
@missing
@pytest.mark.parametrize("formula", [expected_gain, expected_entropy, normalized_entropy.given()])
def test_a_quick_road_gives_every_candidate_what_its_table_gives(data, missing, formula):
    seen = []

    def metric(node):
        quick = node.counts.map(formula)
        # Sums are added up in another order; entropies are of the size of a bit.
        np.testing.assert_allclose(quick, node.counts.map(by_tables(formula)), atol=1e-11)
        seen.append(len(quick))
        return quick

    tl.grow(data, metric, missing=missing, pruner="none", min_branch=1)
    assert sum(seen) > 100


@data
@missing
def test_the_normalized_entropy_grows_the_tree_of_its_tables(data, missing):
    plain = CountMetric(by_tables(normalized_entropy), lower_is_better=True, uninformed=1.0)
    how = {"missing": missing, "pruner": "none", "min_branch": 1}

    assert tl.grow(data, "normalized-entropy", **how) == tl.grow(data, plain, **how)


def test_a_composed_formula_combines_its_parts():
    tables = np.arange(12.0).reshape(2, 2, 3)
    sums = Composed(lambda x, y: x - 2 * y, (lambda t: t.sum(axis=(1, 2)), lambda t: t[:, 0, 0]))

    assert sums(tables).tolist() == [15.0, 51.0 - 12.0]


@pytest.mark.filterwarnings("ignore:by expectation 'eq24':treelab.errors.DataWarning")
def test_options_choose_the_formula_before_there_are_tables():
    table = np.array([[30.0, 2.0], [5.0, 9.0]])
    exact, printed = (normalized_entropy(table, expectation=e) for e in ("exact", "eq24"))

    assert exact == normalized_entropy.given("exact")(table) != printed
    assert printed == tl.metric("normalized-entropy", expectation="eq24").raw(table)
    assert isinstance(tl.metric("normalized-entropy", expectation="exact").ranks, Composed)


@pytest.mark.parametrize("thing", [normalized_entropy, expected_entropy])
def test_formulas_are_pickled_by_their_names(thing):
    assert pickle.loads(pickle.dumps(thing)) is thing


def test_what_chance_gives_can_be_pickled():
    table = np.array([[30.0, 2.0], [5.0, 9.0]])
    metric = pickle.loads(pickle.dumps(tl.metric("gain")))

    assert metric.expectation(table) == expected_gain(table) > 0
