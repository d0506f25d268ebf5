"""Metrics that see pairs of cases: exact figures, naive twins, invariances, and the point."""

import json
from pathlib import Path

import naive_pairs as naive
import numpy as np
import pytest

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ParameterError
from treelab.metrics.discrimination import (
    Algorithm1,
    ContextualMerit,
    ContextualMerit1,
    Relief,
    ReliefF,
    ReliefFExpRank,
)
from treelab.metrics.pi import Pi
from treelab.protocols import FeatureScores
from treelab.stats.pairing import AllPairs
from treelab.stats.view import Space, View

VECTORS = json.loads((Path(__file__).parents[1] / "reference" / "pair_vectors.json").read_text())
ALL = [Relief(), ReliefF(3), ReliefFExpRank(8, 3.0), ContextualMerit(), ContextualMerit1(),
       Algorithm1(), Algorithm1("merit", None), Pi()]  # fmt: skip


def vectors(*measures):
    found = [vector for vector in VECTORS if vector["measure"] in measures]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


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
    return View.root(Space(Coded.of(data, Coding())))


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


# Exact figures


@vectors("relief")
def test_relief(vector):
    given, how = vector["input"], vector["params"]
    numeric = [f not in given["nominal"] for f in range(len(given["X"][0]))]
    metric = Relief(how["normalise"], ties="first", euclid=how["metric"] == "euclid")
    found = scores(metric, given["X"], given["y"], numeric)

    assert found == pytest.approx(vector["expected"], abs=1e-9)


@vectors("contextual_merit_CM0", "contextual_merit_CM1")
def test_contextual_merit(vector):
    given, how = vector["input"], vector["params"]
    metric = ContextualMerit if vector["measure"].endswith("0") else ContextualMerit1
    values = given.get("Z", given.get("X"))
    k = {"all": "all", "k2": 2}.get(how["k"])
    rule = metric(k, how.get("threshold_fraction", 0.5), how.get("rows", "all"), "first")
    found = scores(rule, values, given["y"], given.get("numeric", [False] * len(values[0])))

    assert found == pytest.approx(vector["expected"], abs=1e-9)


def instance_of_pi(how):
    known = {"exp0.1": ("exponential", 0.1), "alpha0": ("exponential", 0.0), "pow2": ("power", 2)}
    return known[how.get("f", "alpha0")]


@vectors("pi_F14")
def test_pi(vector):
    given, how = vector["input"], vector["params"]
    decay, alpha = instance_of_pi(how)
    metric = Pi(how.get("theta", (1, 1, 1, 1)), alpha, decay)
    found = scores(metric, given["X"], given["y"], [False] * len(given["X"][0]))

    assert found[given["feature"]] == pytest.approx(vector["expected"], abs=1e-9)


@vectors("pi_contextual_merit", "pi_relief_radius")
def test_instances_of_pi(vector):
    """Proposition 2 of vilalta2001, as put right: column 4 is CM, column 4 less 3 radius Relief."""
    given = vector["input"]
    data = (given["X"], given["y"], [False] * len(given["X"][0]))
    if vector["measure"] == "pi_contextual_merit":
        same = [ContextualMerit("all"), Algorithm1("merit", None),
                Pi((0, 0, 0, 1), 2, "power", lambda matrices, _: matrices.sum())]  # fmt: skip
    else:
        signs = np.array([0, 0, -1, 1])
        same = [Algorithm1(radius=2.0),
                Pi((0, 0, 1, 1), 2.0, "radius", lambda m, _: float((m * signs).sum()))]  # fmt: skip

    for metric in same:
        assert scores(metric, *data)[given["feature"]] == pytest.approx(
            vector["expected"], abs=1e-9
        )


def test_gini_is_an_instance_of_pi():
    """Proposition 1 of vilalta2001, as repaired: with alpha = 0, column 1 holds squared counts."""
    cases, y, _ = random_cases(5, missing=0.0)
    cases = [[case[0], case[2]] for case in cases]
    data = dataset(cases, y, [False, False])

    def gini(matrices, shares):
        n = len(cases)
        within = [m.sum(0)[0] / (n * n * s) for m, s in zip(matrices, shares, strict=True) if s > 0]
        return sum(within) - (matrices[..., 0].sum() + matrices[..., 2].sum()) / n**2

    found = Pi(alpha=0.0, aggregate=gini)(node(data)).values
    tables = [np.zeros((3, 3)), np.zeros((3, 3))]
    for case, label in zip(cases, y, strict=True):
        for table, value in zip(tables, case, strict=True):
            table[value, label] += 1

    assert found == pytest.approx([tl.formula("gini")(table) for table in tables], abs=1e-12)


# Naive twins


@pytest.mark.parametrize("seed", range(6))
def test_fast_equals_naive(seed):
    cases, y, numeric = random_cases(seed)
    data = (cases, y, numeric)

    assert scores(ContextualMerit(), *data) == pytest.approx(naive.contextual_merit(*data))
    assert scores(ContextualMerit(4), *data) == pytest.approx(naive.contextual_merit(*data, k=4))
    assert scores(ContextualMerit1(), *data) == pytest.approx(
        naive.contextual_merit(*data, leave_out=True)
    )
    assert scores(ReliefF(3), *data) == pytest.approx(naive.relieff(*data, k=3))


def test_pi_equals_naive():
    cases, y, _ = random_cases(9, missing=0.0)

    assert scores(Pi(), cases, y, [False] * 4) == pytest.approx(naive.pi(cases, y))


def test_numbers_are_cut_into_intervals_for_pi():
    cases, y, _ = random_cases(3, missing=0.0)
    cut = [[case[0], min(int(case[1] / 8 * 4), 3)] for case in cases]
    assert {case[1] for case in cases} >= {0, 8}

    expected = scores(Pi(), cut, y, [False, False])
    found = scores(Pi(bins=4), [case[:2] for case in cases], y, [False, True])
    assert found == pytest.approx(expected)


# Invariances


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_the_order_of_the_cases_does_not_matter(metric):
    cases, y, numeric = random_cases(1)
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = [cases[i] for i in order], [y[i] for i in order], numeric

    assert scores(metric, *shuffled) == pytest.approx(scores(metric, cases, y, numeric))


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_case_of_weight_2_is_two_cases(metric):
    cases, y, numeric = random_cases(2, n=16)
    weights = np.where(np.arange(16) % 3 == 0, 2.0, 1.0)
    twice = np.repeat(np.arange(16), weights.astype(int))
    doubled = [cases[i] for i in twice], [y[i] for i in twice], numeric

    weighted = scores(metric, cases, y, numeric, weights)
    assert weighted == pytest.approx(scores(metric, *doubled))


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_constant_feature_or_a_single_class_tells_nothing(metric):
    cases, y, numeric = random_cases(4)
    constant = [[1, *case] for case in cases]
    found = scores(metric, constant, y, [False, *numeric])
    one_class = scores(metric, cases, [0] * len(y), numeric)

    # Pi also counts agreement, of which a constant has most; it has no split to win with.
    assert isinstance(metric, Pi) or found[0] == 0
    assert np.isfinite(found).all()
    assert np.isfinite(one_class).all()


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_metric_can_be_pasted_back(metric):
    names = vars(tl.metrics.discrimination) | vars(tl.metrics.pi)

    assert eval(repr(metric), names) == metric


# In the tree


def parity(cases=200, noise=10, seed=0):
    """Make a class that is the parity of three bits among `noise` other bits."""
    bits = np.random.default_rng(seed).integers(0, 2, (3 + noise, cases))
    columns = tuple(Column(f"b{i}", ("0", "1")) for i in range(3 + noise))
    return Dataset.of(Schema(columns, Column("parity", ("0", "1"))), bits, bits[:3].sum(0) % 2)


@pytest.mark.parametrize("name", ["relief", "relieff", "contextual-merit", "contextual-merit-1"])
def test_pairs_find_the_parity_that_counts_miss(name):
    data = parity()

    assert tl.cross_validate(data, tl.Learner(metric=name).fit, 5).accuracy == 1.0
    assert tl.cross_validate(data, tl.Learner(metric="gain").fit, 5).accuracy < 0.8


def test_every_pair_metric_grows_a_tree_on_mixed_data_with_missing_values():
    data = tl.load("heart").take(np.arange(120))
    for info in map(tl.metrics.metric_info, tl.metric_names()):
        if info.needs == "pairs":
            tree = tl.grow(data, info.name)
            assert (tree.predict(data) == data.labels).mean() > 0.75, info.name


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_column_without_known_values_does_no_harm(metric):
    cases, y, numeric = random_cases(7)
    empty = [[None, *case] for case in cases]
    found = scores(metric, empty, y, [True, *numeric])

    assert found[1:] == pytest.approx(scores(metric, cases, y, numeric))
    assert tl.grow(dataset(empty, y, [True, *numeric]), metric).root.feature != "f0"


def test_the_cut_metric_finds_the_cut():
    x = np.arange(12.0)
    data = dataset([[v] for v in x], [0] * 3 + [1] * 9, [True])

    def by_feature(_node):
        return FeatureScores(np.ones(1))

    def last_cut(node):
        return np.arange(len(node.counts), dtype=float)

    settings = {"pruner": "none", "min_branch": 1, "max_depth": 1}
    assert tl.grow(data, by_feature, **settings).root.threshold == 2.5
    assert tl.grow(data, by_feature, cut_metric=last_cut, **settings).root.threshold == 10.5


def test_scores_of_features_must_be_as_many_as_features():
    data = tl.load("iris")
    with pytest.raises(DataError, match=r"expected shape \(4,\), got \(2,\)"):
        tl.grow(data, lambda _: FeatureScores(np.ones(2)))


def test_pair_tables_sum_to_all_pairs():
    """Identity 18 of SPEC section 7: with alpha = 0 the four columns sum to N^2."""
    cases, y, numeric = random_cases(6)
    tables = node(dataset(cases, y, numeric)).pairs(AllPairs(alpha=0.0))

    assert tables.sum(axis=(1, 2, 3, 4)) == pytest.approx(len(y) ** 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ReliefF(0)(node(tl.load("iris"))), "k must be a whole number of at least 1"),
        (lambda: ReliefFExpRank("all"), "k must be a whole number of at least 1, got 'all'"),
        (lambda: tl.metric(tl.formula("ssv"), lexicographic=True), "parameters go with the name"),
        (lambda: ContextualMerit(rows="some"), "rows must be one of 'all', 'smaller'"),
        (lambda: Algorithm1("cm"), "update must be one of 'relief', 'merit'"),
        (lambda: Pi((1, 2)), "theta must be four numbers"),
        (lambda: Pi(decay="linear"), "decay must be one of 'exponential', 'power', 'radius'"),
    ],
)
def test_a_wrong_parameter_is_told(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
