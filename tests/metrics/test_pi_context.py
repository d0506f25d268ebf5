"""Pi with weights that leave the judged feature out, and its expectation in closed form."""

from itertools import permutations

import naive_pairs
import numpy as np
import pytest
from strategies import dataset, random_dataset

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.errors import ParameterError
from treelab.metrics import LeftOut, Pi1
from treelab.metrics.pi_context import chances
from treelab.stats.stores.in_memory import root_node

SETTINGS = [
    {},
    {"theta": (0.5, 2, 1, 3), "alpha": 0.7, "self_pairs": False},
    {"theta": (0, 0, 0, 1), "decay": "power", "alpha": 2},
    {"decay": "radius", "alpha": 2, "self_pairs": False},
    {"decay": lambda x: 1 / (1 + x)},
]
# Sums of at most 49 weights of at most 3 each: rounding stays far below.
CLOSE = {"rel": 1e-12, "abs": 1e-11}


def node_of(data):
    return root_node(Coded.of(data, Coding()), "multiway", seed=0)


def tiny(seed=3, n=6):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(-1, 2, n), rng.integers(0, 3, n), np.zeros(n, int)]
    return dataset(columns, rng.integers(0, 2, n), 2)


def rows_of(data):
    """Return the cases as tuples, missing being a value like any other."""
    return list(zip(*(column.tolist() for column in data.columns), strict=True)), data.y.tolist()


def weight_of(metric):
    if callable(metric.decay):
        return metric.decay
    return {
        "exponential": lambda x: 2 ** (-metric.alpha * x),
        "power": lambda x: x**-metric.alpha if x else 1.0,
        "radius": lambda x: float(x < metric.alpha),
    }[metric.decay]


@pytest.mark.parametrize("given", SETTINGS)
def test_scores_are_those_of_the_naive_sum(given):
    data, metric = tiny(n=12), Pi1(**given)
    cases, y = rows_of(data)
    naive = [
        naive_pairs.pi_1(cases, y, f, metric.theta, weight_of(metric), metric.self_pairs)
        for f in range(3)
    ]

    assert metric(node_of(data)).values == pytest.approx(naive, **CLOSE)


@pytest.mark.parametrize("self_pairs", [True, False])
def test_pairs_left_out_are_the_naive_tables(self_pairs):
    data = tiny(n=15)
    cases, y = rows_of(data)
    tables = node_of(data).pairs(LeftOut("exponential", 0.4, self_pairs))
    for f in range(3):
        naive = naive_pairs.left_out(cases, y, f, lambda x: 2 ** (-0.4 * x), self_pairs)
        found = tables[f].reshape(*tables.shape[1:3], 4)
        for (value, c, case), weight in naive.items():
            assert found[value if value >= 0 else -1, c, case] == pytest.approx(weight, **CLOSE)
        assert found.sum() == pytest.approx(sum(naive.values()), **CLOSE)


@pytest.mark.parametrize("given", SETTINGS)
def test_the_expectation_is_the_mean_over_all_permutations(given):
    data, metric = tiny(), Pi1(**given)
    (cases, y), n = rows_of(data), 6
    expected = metric.expected(node_of(data), "exact")
    for f in range(3):
        total = 0.0
        for order in permutations(range(n)):
            dealt = [list(case) for case in cases]
            for i, j in enumerate(order):
                dealt[i][f] = cases[j][f]
            total += naive_pairs.pi_1(
                dealt, y, f, metric.theta, weight_of(metric), metric.self_pairs
            )

        assert expected[f] == pytest.approx(total / 720, **CLOSE)


def test_a_case_of_weight_2_is_two_cases():
    data = random_dataset(1, cases=20, numeric=1, nominal=2, missing=0.2)
    heavy = dataset(data.columns, data.y, 3, np.where(np.arange(20) < 5, 2.0, 1.0))
    twice = data.take(np.r_[np.arange(20), np.arange(5)])
    for metric in (Pi1(), Pi1(self_pairs=False), tl.metric("normalized-pi")):
        one, other = metric(node_of(heavy)).values, metric(node_of(twice)).values

        assert one == pytest.approx(other, rel=1e-10, abs=1e-10)
        if isinstance(metric, Pi1):
            expected = (metric.expected(node_of(each), "exact") for each in (heavy, twice))
            assert next(expected) == pytest.approx(next(expected), rel=1e-10, abs=1e-10)


def test_a_single_feature_that_never_varies_has_all_pairs_agree():
    data = dataset([np.zeros(4, int)], [0, 0, 1, 1], 2)

    # 4 pairs of the same class (and 4 self-pairs) against 8 of other classes.
    assert Pi1()(node_of(data)).values.tolist() == [0.0]
    assert Pi1().expected(node_of(data), "exact").tolist() == [0.0]


def test_one_case_has_no_pairs():
    data = dataset([np.array([1])], [0], 2)

    assert Pi1(self_pairs=False).expected(node_of(data), "exact").tolist() == [0.0]
    assert chances(np.array([[1.0]]), 1.0) == (1.0, 0.0)
    assert chances(np.array([[0.5, 0.5]]), 1.0) == (0.5, 0.0)  # in parts, of which none is another


def test_another_aggregate_has_no_formula():
    metric = Pi1(aggregate=lambda matrices, _shares: matrices.sum())
    assert metric.expected(node_of(tiny()), "exact") is None
    assert Pi1().expected(node_of(tiny()), "approximate") is None


def test_normalized_pi_is_the_difference():
    node = node_of(random_dataset(2, cases=30, missing=0.1))
    metric = tl.metric("normalized-pi", alpha=0.5, theta=(1, 0, 0, 1))
    plain = Pi1((1, 0, 0, 1), 0.5, self_pairs=False)
    values = plain(node).values - plain.expected(node, "exact")

    assert metric(node).values == pytest.approx(values, rel=1e-12)
    assert metric.metric == plain


def test_a_ratio_and_numbers_kept_are_refused():
    with pytest.raises(ParameterError, match="either sign by chance"):
        tl.metric("normalized-pi:summary=ratio")
    with pytest.raises(ParameterError, match=r"^bins must be a whole number of at least 1, got 0$"):
        LeftOut(bins=0)
    with pytest.raises(ParameterError, match=r"^missing must be one of 'value', got 'expected'$"):
        LeftOut(missing="expected")


def test_noise_of_any_number_of_values_scores_0_on_average():
    """kononenko1995's experiment: where plain Pi goes by the number of values, this does not."""
    found = tl.bias(["pi", "normalized-pi"], classes=2, values=(2, 10, 40), cases=80, trials=60,
                    scenarios=["irrelevant"])  # fmt: skip

    assert found.chosen("pi", 2)["V2"] > 0.6
    assert found.chosen("normalized-pi", 2)["V40"] > 0.05
    assert found.tendency("pi", "irrelevant", 2) == "falls"
    curve = found.curve("normalized-pi", "irrelevant", 2)
    # 4 standard errors: exceeded by one of three means in 2 runs of 10,000.
    assert all(abs(curve.means) <= 4 * curve.errors)
