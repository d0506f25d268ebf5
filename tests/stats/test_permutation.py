"""Nodes where chance has dealt again, and mean distances."""

import json
from pathlib import Path

import naive
import naive_chance
import naive_pairs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, random_dataset, steady

from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.kernels.neighbours import neighbours
from treelab.metrics import metric
from treelab.metrics.discrimination import ReliefF
from treelab.stats.formulas import permutation
from treelab.stats.formulas.permutation import best_by_chance, over_permuted_classes
from treelab.stats.pairs.pairing import PairCases
from treelab.stats.pairs.spread import mean_distances
from treelab.stats.stores.in_memory import root_node
from treelab.stats.stores.node import copies_of
from treelab.stats.stores.nodes import Lineage

VECTORS = json.loads((Path(__file__).parents[1] / "reference" / "chance_vectors.json").read_text())


def vectors(measure):
    found = [vector for vector in VECTORS if vector["measure"] == measure]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


def node(data, **how):
    return root_node(Coded.of(data, Coding()), **how)


def contents(view):
    """Return the cases of a view: codes, class, weight."""
    coded = view.coded
    codes = coded.codes[:, view.rows].T.tolist()
    return list(zip(codes, coded.y[view.rows].tolist(), view.weights.tolist(), strict=True))


# Nodes


def test_units_are_cases_of_weight_1_in_an_order_of_their_own():
    data = random_dataset(3, cases=40, weights="whole")
    order = np.random.default_rng(0).permutation(40)
    shuffled = data.take(order)
    twice = np.repeat(np.arange(40), data.weights.astype(int))
    doubled = dataset([np.asarray(column)[twice] for column in data.columns], data.y[twice],
                      len(data.classes), labels={f: column.n_labels for f, column in
                                                 enumerate(data.schema.features)
                                                 if column.is_nominal})  # fmt: skip
    units = contents(node(data).units)

    assert len(units) == data.weights.sum()
    assert contents(node(shuffled).units) == units
    assert contents(node(doubled).units) == units


def test_fractional_weights_travel_with_their_case():
    assert copies_of(np.array([1.0, 3.0, 0.5, 2.5])).tolist() == [1, 3, 1, 1]
    assert copies_of(np.array([1e9, 2.0])).tolist() == [1, 1], "too many to deal out one by one"


@pytest.mark.parametrize("splits", ["auto", "multiway", "binary", "subset"])
@pytest.mark.parametrize("weights", ["one", "fraction"])
def test_a_relabelled_node_has_the_same_candidates(splits, weights):
    data = random_dataset(5, cases=60, nominal=2, labels=9, classes=3, weights=weights)
    view = node(data, splits=splits, min_branch=2.0)
    rng = np.random.default_rng(1)
    for _ in range(5):
        other = view.units.relabelled(rng.permutation(view.units.labels))

        assert other.counts.feature.tolist() == view.counts.feature.tolist()
        np.testing.assert_allclose(other.counts.known, view.counts.known)
        np.testing.assert_allclose(
            np.asarray(other.counts).sum(axis=2), np.asarray(view.counts).sum(axis=2), atol=1e-9
        )
        every = np.arange(len(view.counts))
        mine, theirs = view.counts.splits(every), other.counts.splits(every)
        for name in ("feature", "low", "high", "first_map", "maps"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name))


def test_relabelling_changes_the_tables_as_new_data_would():
    data = random_dataset(7, cases=30, classes=3)
    view = node(data, splits="multiway")
    y = np.roll(data.y, 1)
    labels = {f: c.n_labels for f, c in enumerate(data.schema.features) if c.is_nominal}
    fresh = node(dataset(data.columns, y, 3, data.weights, labels), splits="multiway")
    found = view.relabelled(y[view.rows])

    np.testing.assert_array_equal(np.asarray(found.counts), np.asarray(fresh.counts))
    np.testing.assert_allclose(ReliefF(3)(found).values, ReliefF(3)(fresh).values)
    assert found.labels.tolist() == y.tolist()
    assert view.labels.tolist() == data.y.tolist(), "the node itself stays as it is"


@pytest.mark.parametrize("splits", ["auto", "multiway", "binary", "subset"])
@pytest.mark.parametrize("weights", ["one", "whole", "fraction"])
def test_dealt_nodes_are_those_of_new_data(splits, weights):
    """Candidates, too: groups of ten values are found in the order of the new classes."""
    data = random_dataset(5, cases=60, nominal=2, labels=10, classes=2, weights=weights)
    view, rng = node(data, splits=splits, min_branch=2.0), np.random.default_rng(1)
    classes = {f: c.n_labels for f, c in enumerate(data.schema.features) if c.is_nominal}
    deals = np.stack([rng.permutation(view.labels) for _ in range(3)])
    level = view.dealt(deals)
    for k, y in enumerate(deals):
        fresh = node(dataset(data.columns, y, 2, data.weights, classes), splits=splits,
                     min_branch=2.0)  # fmt: skip
        found = level.node(k)

        np.testing.assert_array_equal(found.counts.runs.ends, fresh.counts.runs.ends)
        np.testing.assert_allclose(np.asarray(found.counts), np.asarray(fresh.counts), atol=1e-9)
        assert found.rng("key").random() == view.rng("key").random()
        assert found.labels.tolist() == y.tolist()


@pytest.mark.parametrize("splits", ["auto", "multiway", "binary", "subset"])
@pytest.mark.parametrize("weights", ["one", "fraction"])
@pytest.mark.parametrize("by_level", [True, False])
def test_the_best_by_chance_is_that_of_the_naive_twin(splits, weights, by_level, monkeypatch):
    monkeypatch.setattr(permutation, "MOST_PLACES", 500)  # two rounds at a time
    data = random_dataset(8, cases=50, nominal=2, labels=10, classes=2, weights=weights)
    view, gain = node(data, splits=splits, min_branch=2.0), metric("gain")
    draws = best_by_chance(gain.quantity, view, 5, by_level)
    units, rng = view.units, view.rng("permuted classes")
    task = naive.problem(data.take(units_in(data, units)))
    task_cases = [case._replace(weight=w) for case, w in zip(task.cases, units.weights.tolist(),
                                                             strict=True)]  # fmt: skip
    for drawn in draws:
        labels = rng.permutation(units.labels).tolist()
        expected = naive_chance.best_by_chance(task, task_cases, labels, "gain", splits, 2.0)
        found = dict(zip(view.counts.runs.feature.tolist(), drawn.tolist(), strict=True))

        assert {f: v for f, v in found.items() if not np.isnan(v)} == pytest.approx(expected)


def units_in(data, units):
    """Return the row of each unit, by its content."""
    coded = Coded.of(data, Coding())
    rows = {}
    for row, content in enumerate(coded.codes.T.tolist()):
        rows.setdefault((*content, int(data.y[row]), _rounded(data.weights[row])), []).append(row)
    return [rows[(*codes, label, _rounded(w))].pop() for codes, label, w in contents(units)]


def _rounded(weight):
    """Weights are multiples of a unit, which rounds them by less than 1e-14 here."""
    return round(float(weight), 12)


def test_what_pairs_need_but_for_classes_is_made_once():
    view = node(random_dataset(2, cases=20)).units
    ReliefF(2)(view)
    other = view.relabelled(np.roll(view.labels, 1))

    assert other.scaled is view.scaled
    assert list(other.scaled) == [(1.0, 0)]


def test_a_shuffled_feature_leaves_the_others():
    view = node(random_dataset(4, cases=25)).units
    order = np.random.default_rng(0).permutation(25)
    codes, other = view.coded.codes, view.shuffled(1, order).coded.codes

    np.testing.assert_array_equal(other[1], codes[1][order])
    np.testing.assert_array_equal(np.delete(other, 1, axis=0), np.delete(codes, 1, axis=0))


def test_draws_depend_on_seed_and_path_and_nothing_else():
    data = random_dataset(8, cases=40)

    def draws(view):
        return over_permuted_classes(lambda n: n.counts.map(lambda t: t[:, 0, 0]), view, 3)

    first = draws(node(data))
    assert np.array_equal(first, draws(node(data)))
    assert not np.array_equal(first, draws(node(data, seed=1)))
    here = node(data)
    path = Lineage(Lineage(), np.array([0]), np.array([1]))
    child = here.store.view(here.store.node_of(here.rows, here.weights, path))
    assert not np.array_equal(first, draws(child))
    assert not np.array_equal(first[0], first[1]), "every round is another permutation"


# Distances


@vectors("average_feature_distance")
def test_the_mean_distance_of_a_nominal_feature(vector):
    counts = vector["input"]["counts"]
    data = dataset([np.repeat(np.arange(len(counts)), counts)], [0] * sum(counts))
    found = mean_distances(PairCases.of(Coded.of(data, Coding()), np.arange(sum(counts)),
                                        np.ones(sum(counts)), 0.5, 0))  # fmt: skip

    assert found == pytest.approx([vector["expected"]], abs=1e-9)


@vectors("cm_neighbours")
def test_the_number_of_neighbours(vector):
    assert neighbours(0, float(vector["input"]["counter_examples"])) == vector["expected"]


@steady(300)
@given(st.lists(st.sampled_from([None, -3.5, 0.0, 0.1, 1.0, 4.0, 1e6]), min_size=1, max_size=12),
       st.booleans(), st.sampled_from([0.5, 1 / 3, 1.0]), st.integers(0, 3))  # fmt: skip
def test_the_mean_distance_is_that_of_all_pairs(values, is_numeric, ramp, seed):
    weights = np.random.default_rng(seed).choice([1.0, 2.0], len(values))
    known = sorted({v for v in values if v is not None})
    column = np.array([np.nan if v is None else v for v in values])
    codes = np.array([-1 if v is None else known.index(v) for v in values])
    data = dataset([column if is_numeric else codes], [0] * len(values), labels={0: 7})
    cases = PairCases.of(Coded.of(data, Coding()), np.arange(len(values)), weights, ramp, 0)
    scale = naive_pairs.scales([[v] for v in values], [is_numeric], ramp)[0]
    if is_numeric and scale is None:
        scale = 1.0
    each = [v for v, w in zip(values, weights, strict=True) for _ in range(int(w))]
    apart = [naive_pairs.difference(a, b, scale) for a in each for b in each]
    pairs = max(len(each) * (len(each) - 1), 1)

    # Of numbers up to 1e6 apart by 0.1, scaled to at most 3, the tenth digit is lost.
    assert mean_distances(cases)[0] == pytest.approx(sum(apart) / pairs, abs=1e-9)


def test_numbers_that_are_not_scaled_have_no_largest_distance():
    data = dataset([np.array([0.0, 10.0, 40.0])], [0, 1, 0])
    cases = PairCases.of(Coded.of(data, Coding()), np.arange(3), np.ones(3), None, 0)

    assert mean_distances(cases) == pytest.approx([80 / 3])
