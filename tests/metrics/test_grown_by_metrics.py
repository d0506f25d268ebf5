"""Every count metric grows trees, on awkward data too."""

import numpy as np
import pytest
from formula_tables import COUNT_METRICS, VARIANTS, each_variant
from strategies import dataset, random_dataset
from thinned import thinned

import treelab as tl

# Equation 24 warns of identifiers.
pytestmark = pytest.mark.filterwarnings("ignore:by expectation 'eq24':treelab.errors.DataWarning")

MISSING = ("fractional", "branch", "majority")

AWKWARD = [
    random_dataset(0, cases=25, missing=0.3),
    random_dataset(1, cases=20, classes=4, weights="fraction"),
    random_dataset(2, cases=16, numeric=0, nominal=3, labels=9, weights="some-zero"),
    # One class; one case; a constant feature; a class that never occurs; nothing known.
    dataset([[0, 1, 1]], [0, 0, 0]),
    dataset([[1.0]], [1], 3),
    dataset([[2.0, 2.0, 2.0, 2.0], [0, 0, 0, 0]], [0, 1, 0, 2], 5),
    dataset([[np.nan, np.nan, 1.0, 2.0], [-1, -1, -1, -1]], [0, 1, 0, 1], labels={1: 3}),
    dataset([[1.0, 2.0, 3.0, 4.0]], [0, 1, 0, 1], weights=[1e-9, 1e9, 0.3, 0.0]),
    # Every case its own value; contradictions.
    dataset([[0, 1, 2, 3, 4, 5]], [0, 1, 2, 0, 1, 2]),
    dataset([[0, 0, 1, 1]], [0, 1, 0, 1]),
]


@pytest.mark.parametrize("turn", thinned(range(3), 3))
@each_variant
def test_every_metric_grows_trees_on_awkward_data(name, parameters, turn):
    """Policies take turns from set to set and from variant to variant; three turns are all."""
    first = turn + VARIANTS.index((name, parameters))
    for place, data in enumerate(AWKWARD, first):
        metric, missing = tl.metric(name, **parameters), MISSING[place % 3]
        tree = tl.grow(data, metric, missing=missing, min_cases=2, min_branch=1, pruner="none")
        proba = tree.predict_proba(data)

        np.testing.assert_allclose(proba.sum(axis=1), 1.0)
        assert np.all(np.isfinite([n.score for n in tree.nodes if not n.is_leaf]))


@pytest.mark.parametrize("name", COUNT_METRICS)
def test_the_order_of_cases_and_their_doubling_by_weight_do_not_matter(name):
    data = random_dataset(3, cases=30, missing=0.2)
    mixed = np.random.default_rng(0).permutation(30)
    rows = np.arange(30)

    def tree(chosen, weight):
        columns = [column[chosen] for column in data.columns]
        labels = {2: 4, 3: 4}
        weights = np.full(len(chosen), float(weight))
        again = dataset(columns, data.y[chosen], 3, weights, labels)
        settings = {"missing": "branch", "min_cases": 2, "min_branch": 1, "pruner": "none"}
        return tl.grow(again, name, **settings)

    assert tree(mixed, 1) == tree(rows, 1)
    assert tree(rows, 2) == tree(np.repeat(rows, 2), 1)
    assert tree(rows, 1).n_leaves > 2


@pytest.mark.parametrize("name", ["ssv", "gain", "mdl", "p-g", "weight-of-evidence"])
def test_a_monotone_transformation_leaves_the_tree(name):
    data = random_dataset(4, cases=40, numeric=3, nominal=0, missing=0.1, ties=False)
    bent = dataset([np.exp(column) for column in data.columns], data.y, 3)
    trees = [tl.grow(d, name, pruner="none") for d in (data, bent)]

    assert trees[0].n_leaves == trees[1].n_leaves
    np.testing.assert_array_equal(
        *(t.predict_proba(d) for t, d in zip(trees, (data, bent), strict=True))
    )


@pytest.mark.parametrize("name", ["p-chi2", "p-g", "log-p-chi2", "log-p-g"])
@pytest.mark.parametrize("n", [200, 3000, 10**6])
def test_probabilities_never_saturate(name, n):
    """P is 1.0 for all, and its complement 0.0 for most; still the better one is better."""
    many = np.array([[[n - k, k], [k, n - k]] for k in range(5, -1, -1)], dtype=float)
    scores = tl.metric(name).of_tables(many)

    assert np.all(tl.formula("p-chi2")(many) == 1.0)
    assert np.all(np.isfinite(scores))
    assert np.all(np.diff(scores) > 0)


@pytest.mark.parametrize("name", ["p-chi2", "p-g", "log-p-chi2", "log-p-g"])
def test_the_better_of_two_sure_features_is_chosen(name):
    y = np.repeat([0, 1], 1500)
    noisy = np.where(np.arange(3000) % 300 == 0, 1 - y, y)
    better = np.where(np.arange(3000) % 1000 == 0, 1 - y, y)
    tree = tl.grow(dataset([noisy, better], y), name, max_depth=1, pruner="none")

    assert tree.root.feature == "x1"
    assert np.isfinite(tree.root.score)


@pytest.mark.parametrize("lexicographic", [False, True])
def test_ssv_may_be_asked_to_put_the_pairs_first(lexicographic):
    """SPEC 3.3: seven pairs separated against six, with the smaller sum."""
    more_pairs = [[0, 1, 2], [1, 1, 2]]
    fewer_torn = [[0, 2, 4], [1, 0, 0]]
    ssv = tl.formula("ssv", lexicographic=lexicographic)

    assert (ssv(more_pairs) > ssv(fewer_torn)) == lexicographic


@pytest.mark.parametrize("name", ["dkm", "hellinger"])
def test_what_is_left_of_subtracted_weights_is_no_case(name):
    clean = [[0.7, 0.0], [0.1, 0.4]]
    dusty = [[0.7, 1e-17], [0.1, 0.4]]

    assert tl.formula(name)(dusty) == pytest.approx(tl.formula(name)(clean), abs=1e-14)
