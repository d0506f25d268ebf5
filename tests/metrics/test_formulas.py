"""Count formulas: exact values, outside oracles, identities; and metrics by name."""

import json
import math
import pickle
import re
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special, stats
from sklearn.metrics import (
    homogeneity_score,
    mutual_info_score,
    normalized_mutual_info_score,
)
from strategies import dataset, random_dataset, steady

import treelab as tl
from treelab import _registry
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.metrics.information import j_of_values
from treelab.metrics.registry import METRICS, MetricInfo, metric_info
from treelab.metrics.significance import degrees_of_freedom, log_survival
from treelab.stats.formulas.impurity import entropy, of_classes, of_values

# Equation 24 warns of identifiers.
pytestmark = pytest.mark.filterwarnings("ignore:by expectation 'eq24':treelab.errors.DataWarning")

FORMULAS = ("gain", "gini", "gain-ratio", "chi2")
COUNT_METRICS = tuple(sorted(naive.FORMULAS))
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
REFERENCE = json.loads((Path(__file__).parents[1] / "reference/count_vectors.json").read_text())
each_variant = pytest.mark.parametrize(
    ("name", "parameters"), VARIANTS, ids=[f"{name} {how}" for name, how in VARIANTS]
)
gain, gini, gain_ratio, chi2 = map(tl.formula, FORMULAS)

# Sums of logarithms of counts below 1000: about 1e-15 for each term.
CLOSE = {"rel": 1e-12, "abs": 1e-12}


def joint_entropy(tables):
    return entropy(tables.reshape(*tables.shape[:-2], -1))


def conditional_entropy(table):
    return joint_entropy(table) - entropy(of_values(table))


def mantaras_distance(table):
    """D = (H(C|A) + H(A|C)) / H_CA; 0 where both are constant."""
    both = joint_entropy(table)
    return tl.formula("entropy-distance").raw(table) / both if both > 1e-12 else 0.0


def log10_survival(chi2, dof):
    return log_survival(chi2, dof) / np.log(10)


def weight_of_evidence(table, estimate, m):
    assert (estimate == "laplace") == (m is None)
    return tl.formula("weight-of-evidence", m=m)(table)


def ssv_best_split(x, y):
    """Return the best score and its threshold; None where the feature is constant."""
    data = dataset([np.array(x, dtype=float)], y)
    tree = tl.grow(data, "ssv", max_depth=1, min_cases=2, min_branch=1, pruner="none")
    return None if tree.root.is_leaf else [tree.root.score, tree.root.threshold]


MEASURES = {
    "G_statistic": tl.formula("g"),
    "J": tl.formula("j-measure"),
    "P_G": lambda table, dof: tl.formula("p-g")(table) if check_freedom(table, dof) else None,
    "P_chi2": lambda table, dof: tl.formula("p-chi2")(table) if check_freedom(table, dof) else None,
    "WI_conditional": tl.formula("weighted-information"),
    "WI_joint": lambda table: -tl.formula("weighted-information", joint=True)(table),
    "asym_dependency": tl.formula("normalized-gain"),
    "chi2": chi2,
    "cond_entropy": conditional_entropy,
    "dof": degrees_of_freedom,
    "entropy_attr": lambda table: entropy(of_values(table)),
    "entropy_class": lambda table: entropy(of_classes(table)),
    "entropy_distance": tl.formula("entropy-distance").raw,
    "entropy_joint": tl.formula("joint-information").raw,
    "gain": gain,
    "gain_ratio": gain_ratio,
    "gd": tl.formula("gd").raw,
    "gini_gain": gini,
    "gini_prime": tl.formula("gini-prime"),
    "imc": tl.formula("imc"),
    "log10_sf_chi2": log10_survival,
    "mantaras_distance": mantaras_distance,
    "mdl": lambda table, C: tl.formula("mdl")(table) if table.shape[1] == C else None,
    "mdl_prime": lambda table, C: tl.formula("mdl-prime")(table) if table.shape[1] == C else None,
    "one_minus_D": tl.formula("mantaras"),
    "p2_concentration": tl.formula("concentration"),
    "relevance": tl.formula("relevance"),
    "relief_myopic": tl.formula("relief-myopic"),
    "ssv": tl.formula("ssv"),
    "ssv_best_split": ssv_best_split,
    "sym_uncertainty": tl.formula("symmetrical-uncertainty"),
    "woe": weight_of_evidence,
}
# Parameters of the vectors that say how a table is read, and are no choice of ours.
FIXED = ("log_base", "mantaras", "ties")


def check_freedom(table, dof):
    return degrees_of_freedom(table) == dof


def arguments_of(vector):
    """Return what a measure is called with: a table (value, class), or the input as it is."""
    given, chosen = vector["input"], vector["params"]
    chosen = {key: value for key, value in chosen.items() if key not in FIXED}
    if "table" in given:
        return {"table": np.array(given["table"], dtype=float).T, **chosen}
    if "left_class_counts" in given:
        sides = [given["left_class_counts"], given["right_class_counts"]]
        return {"table": np.array(sides, dtype=float), **chosen}
    if "X" in given:
        values, y = np.array(given["X"])[:, 0], np.array(given["y"])
        table = np.zeros((values.max() + 1, y.max() + 1))
        np.add.at(table, (values, y), 1.0)
        return {"table": table, **chosen}
    return {**given, **chosen}


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


# Exact values


def test_every_measure_has_reference_values():
    assert {vector["measure"] for vector in REFERENCE} == set(MEASURES)


@pytest.mark.parametrize("vector", REFERENCE, ids=lambda vector: vector["id"])
def test_the_reference_value_is_met(vector):
    actual = MEASURES[vector["measure"]](**arguments_of(vector))

    assert (vector["expected"] is None) == (actual is None)
    if actual is not None:
        assert vector["expected"] == pytest.approx(actual, **CLOSE)


@pytest.mark.parametrize("name", FORMULAS)
@steady(50)
@given(table=tables())
def test_a_formula_equals_the_naive_one(name, table):
    expected = naive.FORMULAS[name](table.tolist())

    assert expected == pytest.approx(tl.formula(name)(table), **CLOSE)


# Outside oracles


@steady(50)
@given(tables())
def test_chi_square_is_that_of_scipy(table):
    expected = stats.chi2_contingency(occurring(table), correction=False).statistic

    assert expected == pytest.approx(chi2(table), **CLOSE)


@steady(50)
@given(tables())
def test_gain_is_the_mutual_information_of_scikit_learn(table):
    nats = mutual_info_score(None, None, contingency=table)

    assert nats / np.log(2) == pytest.approx(gain(table), **CLOSE)


@steady(50)
@given(tables())
def test_entropy_is_that_of_scipy(table):
    margin = of_classes(table)

    assert stats.entropy(margin, base=2) == pytest.approx(entropy(margin), **CLOSE)


@steady(50)
@given(tables())
def test_gain_ratio_divides_by_the_entropy_of_scipy(table):
    cost = stats.entropy(table.sum(axis=1), base=2)
    # A single value costs nothing and tells nothing: 0 / 0 is 0.
    expected = gain(table) / cost if np.count_nonzero(table.sum(axis=1)) > 1 else 0.0

    assert expected == pytest.approx(gain_ratio(table), **CLOSE)


# Identities


@steady()
@given(tables())
def test_gain_lies_between_0_and_the_smaller_entropy(table):
    most = min(entropy(of_classes(table)), entropy(of_values(table)))

    assert -1e-12 <= gain(table) <= most + 1e-12


@steady()
@given(tables())
def test_gain_and_chi_square_do_not_tell_class_from_value(table):
    assert gain(table.T) == pytest.approx(gain(table), **CLOSE)
    assert chi2(table.T) == pytest.approx(chi2(table), **CLOSE)


@steady()
@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=5),
    st.lists(st.integers(0, 20), min_size=1, max_size=4),
)
def test_proportional_rows_tell_nothing(values, classes):
    assume(sum(values) * sum(classes) > 0)
    table = np.outer(values, classes)

    for name in FORMULAS:
        # The counts go up to 400 here, and chi-square is of their size.
        assert tl.formula(name)(table) == pytest.approx(0.0, abs=1e-10)


@steady()
@given(tables())
def test_rows_that_are_not_proportional_tell_something(table):
    margins = np.outer(table.sum(axis=1), table.sum(axis=0))
    assume(np.any(table * table.sum() != margins))

    # The least deviation that counts up to 20 allow is far above rounding.
    assert min(tl.formula(name)(table) for name in FORMULAS) > 1e-9


@steady()
@given(tables())
def test_gain_is_the_divergence_from_independence(table):
    """The J-measure summed over the values, and the divergence of Kullback and Leibler."""
    joint = occurring(table) / table.sum()
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))

    expected = stats.entropy(joint.reshape(-1), product.reshape(-1), base=2)
    assert expected == pytest.approx(gain(table), **CLOSE)


@steady()
@given(tables())
def test_gini_gain_is_the_drop_of_the_impurity(table):
    shares = occurring(table) / table.sum()
    before = 1 - (shares.sum(axis=0) ** 2).sum()
    rows = shares.sum(axis=1)
    after = (rows * (1 - ((shares / rows[:, None]) ** 2).sum(axis=1))).sum()

    assert before - after == pytest.approx(gini(table), **CLOSE)
    assert gini(table) >= -1e-12


@steady()
@given(tables(min_classes=2, max_classes=2))
def test_gini_gain_of_two_classes_is_chi_square_scaled(table):
    n = table.sum()
    p = table[:, 0].sum() / n

    assert 2 * p * (1 - p) * chi2(table) / n == pytest.approx(gini(table), **CLOSE)


@steady()
@given(tables())
def test_chi_square_is_bounded_by_the_number_of_classes_and_values(table):
    most = table.sum() * (min(occurring(table).shape) - 1)

    # Rounding, in proportion to the number of cases.
    assert 0 <= chi2(table) <= most + 1e-12 * table.sum()


@steady()
@given(st.lists(st.integers(1, 20), min_size=1, max_size=5))
def test_chi_square_of_a_perfect_feature_is_the_bound(counts):
    expected = sum(counts) * (len(counts) - 1)

    assert expected == pytest.approx(chi2(np.diag(counts)), **CLOSE)


@pytest.mark.parametrize("name", FORMULAS)
@steady()
@given(table=tables(), seed=st.integers(0, 99))
def test_neither_names_nor_empty_values_and_classes_matter(name, table, seed):
    rng, formula = np.random.default_rng(seed), tl.formula(name)
    renamed = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    expected = pytest.approx(formula(table), **CLOSE)

    assert formula(renamed) == expected
    assert formula(np.pad(table, ((1, 2), (0, 0)))) == expected
    assert formula(np.pad(table, ((0, 0), (2, 1)))) == expected


@pytest.mark.parametrize("formula", [gain, gini, chi2, lambda t: float(entropy(of_values(t)))])
@steady()
@given(table=tables())
def test_merging_two_values_never_tells_more(formula, table):
    assume(len(table) > 1)
    merged = np.vstack([table[0] + table[1], table[2:]])

    assert formula(merged) <= formula(table) * (1 + 1e-12) + 1e-12


def test_merging_two_values_can_raise_the_gain_ratio():
    table = np.array([[4, 0], [4, 0], [0, 8]])
    merged = np.array([[8, 0], [0, 8]])

    assert gain_ratio(merged) > gain_ratio(table)


@steady()
@given(tables(), st.sampled_from([2, 3, 0.5, 1e-6, 1e6]))
def test_replicated_data_scale_chi_square_and_nothing_else(table, times):
    for name in ("gain", "gini", "gain-ratio"):
        # Shares of scaled counts: the logarithms of n are larger by log2 of the scale.
        assert tl.formula(name)(table * times) == pytest.approx(
            tl.formula(name)(table), rel=1e-10, abs=1e-11
        )
    assert chi2(table * times) == pytest.approx(times * chi2(table), rel=1e-10, abs=1e-11 * times)


# Tables


@pytest.mark.parametrize("name", FORMULAS)
def test_many_tables_at_once_are_one_by_one(name):
    many = np.random.default_rng(0).integers(0, 9, (4, 3, 5, 2)).astype(float)
    scores = tl.formula(name)(many)

    assert scores.shape == (4, 3)
    for place in np.ndindex(4, 3):
        assert scores[place] == tl.formula(name)(many[place])


@pytest.mark.parametrize("name", FORMULAS)
def test_one_table_gives_a_float(name):
    assert type(tl.formula(name)([[1, 2], [3, 4]])) is float


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, 0], [0, 0]], "a table must hold at least one case, but all its counts are 0"),
        ([[[1, 2]], [[0, 0]]], "a table must hold at least one case, but all its counts are 0"),
        ([[]], "a table must hold at least one case, but all its counts are 0"),
        ([[1, -1], [2, 3]], "the counts of a table must be finite numbers of at least 0"),
        ([[1, np.nan], [2, 3]], "the counts of a table must be finite numbers of at least 0"),
        ([[1, np.inf], [2, 3]], "the counts of a table must be finite numbers of at least 0"),
        ([1, 2], "a table must be (..., value, class), got shape (2,)"),
        (3, "a table must be (..., value, class), got shape ()"),
        ([["a", "b"]], "a table must be an array of numbers (..., value, class)"),
        ([[1, 2], [3]], "a table must be an array of numbers (..., value, class)"),
        ([[1, None]], "the counts of a table must be finite numbers of at least 0"),
    ],
)
def test_a_wrong_table_is_told_in_one_sentence(name, table, message):
    with pytest.raises(DataError, match=f"^{re.escape(message)}$"):
        tl.formula(name)(table)


# Every count metric against its naive twin, on tables of all small shapes

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
each_batch = pytest.mark.parametrize("many", BATCHES, ids=str(SHAPES).strip("[]()").split("), ("))


def raw(name, tables, /, **parameters):
    """Return the paper's quantity of many tables."""
    return tl.formula(name, **parameters).raw(tables)


def test_every_count_metric_has_a_naive_twin():
    described = [metric_info(name) for name in tl.metric_names()]

    # Of pairs of cases, or of all candidates of a node, there is no formula over a table.
    by_table = {info.name for info in described if info.needs == "counts"} - {"gain-ratio-c45"}
    assert by_table == set(COUNT_METRICS)
    assert {info.name for info in described if info.lower_is_better} == set(naive.LOWER_IS_BETTER)


@each_variant
@pytest.mark.parametrize("whole", [True, False])
def test_a_count_metric_is_its_naive_twin(name, parameters, whole):
    for shape in SHAPES:
        many = batch(1, *shape, 12, whole)
        expected = [naive.FORMULAS[name](table.tolist(), **parameters) for table in many]

        np.testing.assert_allclose(raw(name, many, **parameters), expected, **NEAR)


@pytest.mark.parametrize("name", COUNT_METRICS)
def test_what_ranks_is_the_quantity_of_the_paper_or_its_opposite(name):
    metric, many = tl.metric(name), batch(2, 4, 3, 40)
    expected = [naive.score(name, table.tolist()) for table in many]
    sign = -1.0 if name in naive.LOWER_IS_BETTER else 1.0

    np.testing.assert_allclose(metric.of_tables(many), np.array(expected, dtype=float), **NEAR)
    np.testing.assert_array_equal(tl.formula(name)(many), sign * tl.formula(name).raw(many))
    np.testing.assert_array_equal(metric.raw(many), tl.formula(name).raw(many))


@each_variant
def test_leading_axes_do_not_matter(name, parameters):
    many, metric = batch(3, 5, 3, 12), tl.metric(name, **parameters)
    scores = metric.of_tables(many.reshape(3, 2, 2, 5, 3))

    assert scores.shape == (3, 2, 2)
    np.testing.assert_array_equal(scores.reshape(-1), metric.of_tables(many))
    for table, score in zip(many, scores.reshape(-1), strict=True):
        np.testing.assert_allclose(metric.of_tables(table), score, rtol=1e-14, atol=1e-14)


@each_variant
def test_no_tables_have_no_scores(name, parameters):
    """A node may have features, and no way to part it."""
    for shape in [(0, 2, 3), (4, 0, 5, 2)]:
        assert tl.metric(name, **parameters).of_tables(np.zeros(shape)).shape == shape[:-2]


@pytest.mark.parametrize("name", SEPARATIONS)
def test_two_classes_are_one_pair_and_each_the_rest_of_the_other(name):
    many = batch(4, 5, 2, 12)
    expected = raw(name, many)
    for how in MANY[1:]:
        np.testing.assert_allclose(raw(name, many, many=how), expected, **NEAR)


@pytest.mark.parametrize(
    ("many", "expected"),
    # The classes have shares (1, 0), (0, 1), (.5, .5), the rests (1/4, 3/4), (3/4, 1/4), (.5, .5).
    [("pairs-mean", 2 / 3), ("pairs-max", 1.0), ("rest-mean", 1 / 2), ("rest-max", 3 / 4)],
)
def test_many_classes_can_be_compared_in_four_ways(many, expected):
    table = np.array([[4.0, 0.0, 2.0], [0.0, 4.0, 2.0]])

    assert tl.formula("euclid", many=many)(table) == pytest.approx(expected, rel=1e-12)


def test_there_is_no_fifth_way_to_compare_classes():
    with pytest.raises(ParameterError, match=r"^many must be one of .* did you mean 'rest-max'\?$"):
        tl.formula("auc", many="rest-mx")([[1, 2], [3, 4]])


# Identities (SPEC 7), on 2000 tables each


@each_batch
def test_gain_in_bounds_and_without_direction(many):
    gains = raw("gain", many)
    flipped = np.swapaxes(many, 1, 2)
    most = np.minimum(entropy(of_classes(many)), entropy(of_values(many)))
    n = many.sum(axis=(1, 2))[:, None, None]
    margins = of_values(many)[:, :, None] * of_classes(many)[:, None, :]

    assert np.all((gains >= -1e-12) & (gains <= most + 1e-12))
    np.testing.assert_allclose(raw("gain", flipped), gains, **NEAR)
    np.testing.assert_array_equal(gains > 1e-9, np.any(many * n != margins, axis=(1, 2)))


@each_batch
def test_the_names_of_the_gain(many):
    gains, n = raw("gain", many), many.sum(axis=(1, 2))
    joint = many / n[:, None, None]
    product = joint.sum(axis=2)[:, :, None] * joint.sum(axis=1)[:, None, :]

    np.testing.assert_allclose(raw("j-measure", many), gains, **NEAR)
    np.testing.assert_allclose(raw("g", many), 2 * n * np.log(2) * gains, rtol=1e-9, atol=1e-10)
    divergence = special.rel_entr(joint, product).sum(axis=(1, 2)) / np.log(2)
    np.testing.assert_allclose(gains, divergence, **NEAR)
    np.testing.assert_allclose(
        raw("weighted-information", many), gains - entropy(of_classes(many)), **NEAR
    )
    assert np.all(j_of_values(many) >= -1e-12)


@each_batch
def test_normalized_gains(many):
    uncertainty, similar = raw("symmetrical-uncertainty", many), raw("mantaras", many)
    flipped = np.swapaxes(many, 1, 2)

    np.testing.assert_allclose(similar, uncertainty / (2 - uncertainty), **NEAR)
    np.testing.assert_allclose(raw("symmetrical-uncertainty", flipped), uncertainty, **NEAR)
    np.testing.assert_allclose(raw("normalized-gain", flipped), raw("gain-ratio", many), **NEAR)
    for shares in (uncertainty, similar, raw("gain-ratio", many), raw("normalized-gain", many)):
        assert np.all((shares >= -1e-12) & (shares <= 1 + 1e-12))


@each_batch
def test_entropy_distance_is_what_class_and_value_do_not_share(many):
    distance = raw("entropy-distance", many)
    single = entropy(of_classes(many)) + entropy(of_values(many))
    cost = entropy(of_values(many))

    np.testing.assert_allclose(distance, 2 * joint_entropy(many) - single, **NEAR)
    assert np.all(distance >= -1e-12)
    np.testing.assert_array_equal(np.isnan(raw("gd", many)), (of_values(many) > 0).sum(axis=1) < 2)
    judged = cost > 1e-12
    np.testing.assert_allclose((raw("gd", many) * cost)[judged], distance[judged] ** 2, **NEAR)


@each_batch
def test_gini_and_its_relatives(many):
    n = many.sum(axis=(1, 2))
    same_class = ((of_classes(many) / n[:, None]) ** 2).sum(axis=1)
    same_value = ((of_values(many) / n[:, None]) ** 2).sum(axis=1)
    relief, prime = raw("relief-myopic", many), raw("gini-prime", many)

    assert np.all(raw("gini", many) >= -1e-12)
    # The relief of a single class is 0, and so is the other side.
    left = relief * same_class * (1 - same_class)
    right = np.where(same_class < 1, same_value * prime, 0.0)
    np.testing.assert_allclose(left, right, **NEAR)
    assert np.all(np.abs(relief) <= 1 + 1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gini_prime_of_equally_frequent_values_is_gini(shape):
    values, classes = shape
    rng = np.random.default_rng(values)
    many = rng.multinomial(12, rng.dirichlet(np.ones(classes)), (100, values)).astype(float)
    many[:, 1:] *= rng.random((100, 1, 1)) < 0.9

    np.testing.assert_allclose(raw("gini-prime", many), raw("gini", many), **NEAR)


@each_batch
def test_gini_of_two_classes_is_chi_square(many):
    two = many[:, :, :2][many[:, :, :2].sum(axis=(1, 2)) > 0]
    n = two.sum(axis=(1, 2))
    p = of_classes(two)[:, 0] / n
    product = 2 * p * (1 - p) * raw("chi2", two) / n

    if two.shape[2] == 2:
        np.testing.assert_allclose(raw("gini", two), product, **NEAR)


@each_batch
def test_bounds(many):
    n, n_classes = many.sum(axis=(1, 2)), (of_classes(many) > 0).sum(axis=1)
    n_values = (of_values(many) > 0).sum(axis=1)
    majority = of_classes(many).max(axis=1) / n
    at_most = n * (np.minimum(n_classes, n_values) - 1)
    bounds = {
        "chi2": (0, at_most * (1 + 1e-12)),
        "relevance": (0, 1),
        "imc": (majority, 1),
        "accuracy": (0, 1 - 1 / n_classes),
        "concentration": (1 / (n_classes * n_values), 1),
        "laplace": (1 / n_classes, 1),
        "hellinger": (0, math.sqrt(2)),
        "euclid": (0, 1),
        "auc": (0, 1),
        "angle": (0, 1),
        "orthogonality": (0, 1),
        "dkm": (np.where(n_classes <= 2, 0, -1), 1),
        "p-chi2": (0, 1),
        "p-g": (0, 1),
        "ssv": (-n, n**2),
        "mdl": (-np.inf, np.log2(n_classes)),
        "mdl-prime": (-np.inf, np.log2(n_classes)),
        "weight-of-evidence": (0, np.inf),
        "joint-information": (0, np.log2(n_classes * n_values)),
        "entropy-distance": (0, np.log2(n_classes * n_values)),
    }
    for name, (least, most) in bounds.items():
        found = raw(name, many)
        assert np.all((found >= least - 1e-12) & (found <= most + 1e-12)), name


def test_a_perfect_feature_reaches_the_bounds():
    rng = np.random.default_rng(0)
    for classes in (2, 3, 4):
        counts = rng.integers(1, 21, (400, classes))
        many = np.zeros((400, 5, classes))
        for c in range(classes):
            many[:, c, c] = counts[:, c]

        expected = counts.sum(axis=1) * (classes - 1)
        np.testing.assert_allclose(raw("chi2", many), expected, rtol=1e-12)
        ones = ("relevance", "imc", "normalized-gain", "mantaras", "euclid", "auc", "angle")
        for name in (*ones, "symmetrical-uncertainty", "orthogonality"):
            # Distances of the shares are 1 for single values only, which these are.
            np.testing.assert_allclose(raw(name, many), 1.0, rtol=1e-12, err_msg=name)
        np.testing.assert_allclose(raw("hellinger", many), math.sqrt(2), rtol=1e-12)
        np.testing.assert_allclose(raw("entropy-distance", many), 0.0, atol=1e-12)


@each_variant
def test_neither_names_nor_empty_rows_and_columns_matter_to_any_metric(name, parameters):
    rng = np.random.default_rng(5)
    for many in BATCHES:
        expected = raw(name, many, **parameters)
        changed = {
            "values": many[:, rng.permutation(many.shape[1])],
            "classes": many[:, :, rng.permutation(many.shape[2])],
            "empty value": np.pad(many, ((0, 0), (1, 1), (0, 0))),
            "empty class": np.pad(many, ((0, 0), (0, 0), (1, 0))),
        }
        if name.startswith("mdl"):
            # A class that is absent here still has to be coded.
            del changed["empty class"]
        for what, tables in changed.items():
            found = raw(name, tables, **parameters)
            np.testing.assert_allclose(found, expected, **NEAR, err_msg=what)


NEVER_MORE = ("gain", "gini", "chi2", "imc")
SOMETIMES_MORE = ("gain-ratio", "mantaras", "symmetrical-uncertainty", "relief-myopic", "mdl")
SOMETIMES_MORE += ("weight-of-evidence", "gini-prime")


def merged(many):
    return np.concatenate([many[:, :1] + many[:, 1:2], many[:, 2:]], axis=1)


def rise(name):
    """Return by how much merging the first two values raises a metric, at most."""
    several = [many for many in BATCHES if many.shape[1] > 1]
    return max(np.max(raw(name, merged(many)) - raw(name, many)) for many in several)


@pytest.mark.parametrize("name", NEVER_MORE)
def test_merging_two_values_never_raises(name):
    assert rise(name) < 1e-10


def test_merging_two_values_never_raises_the_entropy_of_the_values():
    for many in BATCHES[4:]:
        assert np.all(entropy(of_values(merged(many))) <= entropy(of_values(many)) + 1e-12)


@pytest.mark.parametrize("name", SOMETIMES_MORE)
def test_merging_two_values_can_raise(name):
    assert rise(name) > 0.01


@pytest.mark.parametrize(
    "name",
    ["gain", "gain-ratio", "mantaras", "gini", "gini-prime", "relief-myopic", "relevance"],
)
def test_replicated_data_change_nothing(name):
    for many in BATCHES:
        for times in (3, 0.25, 1e4):
            np.testing.assert_allclose(raw(name, times * many), raw(name, many), **NEAR)


@pytest.mark.parametrize("name", ["chi2", "g"])
def test_replicated_data_replicate_the_statistic(name):
    for many in BATCHES:
        for times in (3, 0.25, 1e4):
            expected = times * raw(name, many)
            np.testing.assert_allclose(raw(name, times * many), expected, rtol=1e-9, atol=1e-9)


@each_batch
def test_of_two_classes_either_gives_the_weight_of_evidence(many):
    two = many[:, :, :2][np.all(many[:, :, :2].sum(axis=1) > 0, axis=1)]
    if two.shape[2] < 2:
        return
    size, prior = of_values(two), of_classes(two) / two.sum(axis=(1, 2))[:, None]
    given = (two + 1) / (size + 2)[:, :, None]
    odds = given / (1 - given) / (prior / (1 - prior))[:, None, :]
    of_class = (size[:, :, None] * np.abs(np.log2(odds))).sum(axis=1) / size.sum(axis=1)[:, None]

    np.testing.assert_allclose(of_class[:, 0], of_class[:, 1], **NEAR)
    np.testing.assert_allclose(raw("weight-of-evidence", two), of_class[:, 0], **NEAR)


ZERO_WHEN_INDEPENDENT = (
    *("gain", "gain-ratio", "gini", "chi2", "g", "mantaras", "j-measure", "normalized-gain"),
    *("symmetrical-uncertainty", "relief-myopic", "gini-prime", "p-chi2", "p-g", "log-p-chi2"),
    *("log-p-g", "accuracy", "dkm", "hellinger", "euclid", "auc", "angle", "relevance"),
)


@pytest.mark.parametrize("name", ZERO_WHEN_INDEPENDENT)
def test_independent_tables_score_0_whatever_the_rounding(name):
    """Also where a root or a probability would make much of a little rounding."""
    rng = np.random.default_rng(6)
    many = rng.integers(1, 99, (1000, 4, 1)) * rng.integers(1, 99, (1000, 1, 3)) / 10.0
    found = raw(name, many)

    # Below the rule for ties, so that the lowest feature wins.
    assert np.all(np.abs(found) < 1e-12 * (1 + np.log10(many.sum(axis=(1, 2)))))


def test_weight_of_evidence_of_independent_tables_is_0_with_the_m_estimate_only():
    rng = np.random.default_rng(7)
    many = rng.integers(1, 20, (1000, 4, 1)) * rng.integers(1, 20, (1000, 1, 3)).astype(float)

    assert np.all(raw("weight-of-evidence", many, m=2) < 1e-12)
    assert np.mean(raw("weight-of-evidence", many) > 1e-3) > 0.9


@pytest.mark.parametrize("m", [0, -1, np.nan, np.inf, "two"])
def test_m_is_above_0(m):
    with pytest.raises(ParameterError, match=r"^m must be a number above 0, got "):
        tl.formula("weight-of-evidence", m=m)([[1, 2], [3, 0]])


# Exact values


# Tables (value, class) of SPEC 11.
T1 = np.array([[3, 1], [1, 4], [2, 1]])
GOLF = np.array([[2, 3], [4, 0], [3, 2]])
T8 = np.array([[5, 0, 2], [1, 6, 0], [0, 1, 7], [2, 1, 3]])
EXACT = {
    "gini": ("47/360", "57/490", "697/2352"),
    "gini-prime": ("7/50", "103/1078", "1502/4851"),
    "relief-myopic": ("7/36", "103/795", "751/2176"),
    "relevance": ("1/2", "4/9", "29/48"),
    "chi2": ("47/15", "266/75", "1223/48"),
    "gain": (0.199196627130, 0.246749819774, 0.724979690398),
    "gain-ratio": (0.128134907665, 0.156427562421, 0.363833469830),
    "mantaras": (0.084570602073, 0.108655251411, 0.256694394649),
    "symmetrical-uncertainty": (0.155952230148, 0.196012694248, 0.408523179131),
    "g": (3.313741931337, 4.788950372649, 28.140987188322),
    "p-chi2": (0.791260176610, 0.830233842560, 0.999721720706),
    "mdl-prime": (-0.068007612659, -0.009318930277, 0.300901603594),
    "mdl": (0.061533964028, 0.052743397739, 0.376056253907),
    "weight-of-evidence": (1.030377331383, 1.026835272777, 1.394607084957),
    "weight-of-evidence:m=2": (1.030377331383, 1.016261137278, 1.646963268845),
    "weighted-information:joint=true": (-0.793253993246, -0.774166070582, -0.701886690775),
}


@pytest.mark.parametrize("name", EXACT)
def test_the_table_of_the_specification(name):
    for table, expected in zip((T1, GOLF, T8), EXACT[name], strict=True):
        # Fractions are exact, of the others twelve decimals are printed.
        near = 1e-14 if isinstance(expected, str) else 1e-12
        assert tl.formula(name)(table) == pytest.approx(float(Fraction(expected)), abs=near)


def ways(counts):
    """Return the number of class sequences of some length, times that of class frequencies."""
    n, n_classes = sum(counts), len(counts)
    sequences = math.factorial(n) // math.prod(map(math.factorial, counts))
    return sequences * math.comb(n + n_classes - 1, n_classes - 1)


def test_mdl_counts_sequences():
    """2^(n MDL) is the number of ways to tell the classes before, over that after the split."""
    for many in BATCHES:
        for table, found in zip(many[:50], raw("mdl", many[:50]), strict=True):
            rows = table.astype(int).tolist()
            before = ways([sum(column) for column in zip(*rows, strict=True)])
            after = math.prod(map(ways, rows))
            n = sum(map(sum, rows))
            expected = (math.log2(before) - math.log2(after)) / n
            assert expected == pytest.approx(found, **CLOSE)


# Outside oracles


def test_the_tests_are_those_of_scipy():
    for many in BATCHES:
        for table in many[:25]:
            here = occurring(table)
            chi = stats.chi2_contingency(here, correction=False)
            likelihood = stats.chi2_contingency(here, correction=False, lambda_="log-likelihood")
            for kind, expected in (("chi2", chi), ("g", likelihood)):
                found = tl.formula(f"log-p-{kind}").raw(table), tl.formula(f"p-{kind}")(table)
                if expected.dof == 0:
                    assert found == (0.0, 0.0)
                    continue
                statistic = tl.formula(kind)(table)
                assert expected.statistic == pytest.approx(statistic, rel=1e-10, abs=1e-11)
                log = stats.chi2.logsf(statistic, expected.dof) / np.log(10)
                wanted = log, stats.chi2.cdf(statistic, expected.dof)
                assert wanted == pytest.approx(found, rel=1e-10, abs=1e-12)


def test_the_logarithm_of_a_vanishing_probability_is_exact():
    x = np.array([1.0, 50.0, 1300.0, 1330.0, 1400.0, 2e3, 1e4, 1e6])

    # A squared normal deviate; then the closed forms of even degrees of freedom.
    normal = np.log(2) + special.log_ndtr(-np.sqrt(x))
    np.testing.assert_allclose(log_survival(x, 1), normal, rtol=1e-13)
    np.testing.assert_allclose(log_survival(x, 2), -x / 2, rtol=1e-13)
    np.testing.assert_allclose(log_survival(x, 4), -x / 2 + np.log1p(x / 2), rtol=1e-13, atol=1e-14)
    for freedom in (7, 39, 1000, 10**5):
        # Just before scipy's becomes minus infinity, on either side of the change of method.
        z = stats.chi2.isf([1e-280, 1e-295], freedom)
        np.testing.assert_allclose(log_survival(z, freedom), stats.chi2.logsf(z, freedom), 1e-10)


def labels_of(table):
    """Return class and value of each case of a table of whole counts."""
    value, label = np.nonzero(table)
    times = table[value, label].astype(int)
    return np.repeat(label, times), np.repeat(value, times)


def test_normalized_gains_are_those_of_scikit_learn():
    for many in BATCHES:
        for table in many[:15]:
            classes, values = labels_of(table)
            if min(len(set(classes)), len(set(values))) < 2:
                continue  # 0 / 0 is another number there
            shared = normalized_mutual_info_score(classes, values)
            explained = homogeneity_score(classes, values)
            cost = homogeneity_score(values, classes)
            found = [
                tl.formula(name)(table)
                for name in ("symmetrical-uncertainty", "normalized-gain", "gain-ratio")
            ]
            assert [shared, explained, cost] == pytest.approx(found, rel=1e-9, abs=1e-11)


# Every metric grows trees

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


@each_variant
def test_every_metric_grows_trees_on_awkward_data(name, parameters):
    for data in AWKWARD:
        for missing in ("fractional", "branch", "majority"):
            metric = tl.metric(name, **parameters)
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


# Metrics by name


def test_all_metrics_have_names():
    assert set(FORMULAS) | {"gain-ratio-c45"} <= set(tl.metric_names())
    assert tl.metric_names() == sorted(tl.metric_names())


@pytest.mark.parametrize("name", tl.metric_names())
def test_a_metric_is_described(name):
    info = metric_info(name)

    assert info.name == name
    assert all([info.idea, info.source, info.range])


@pytest.mark.parametrize("name", [n for n in tl.metric_names() if metric_info(n).range == "[0, 1]"])
def test_scores_are_in_the_range_that_is_told(name):
    scores = tl.rank(tl.load("voting"), name).scores

    assert scores.min() >= 0.0
    assert scores.max() <= 1.0


@pytest.mark.parametrize(("name", "parameters"), [*VARIANTS, ("gain-ratio-c45", {"gate": False})])
def test_a_metric_can_be_pasted_and_pickled(name, parameters):
    metric = tl.metric(name, **parameters)

    assert eval(repr(metric), vars(tl.metrics)) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert all(repr(value) in repr(metric) for value in parameters.values())


def test_the_nearest_name_is_suggested():
    with pytest.raises(UnknownNameError, match=r"^unknown metric 'gaim': did you mean 'gain'\?$"):
        tl.metric("gaim")


def test_an_unknown_formula_is_told():
    with pytest.raises(UnknownNameError, match=r"'gaim': did you mean 'gain'\?$"):
        tl.formula("gaim")


def test_a_metric_of_a_whole_node_is_no_formula():
    with pytest.raises(ParameterError, match=r"^metric 'gain-ratio-c45' judges a whole node"):
        tl.formula("gain-ratio-c45")


def test_an_unknown_parameter_is_told():
    message = "unknown parameter of metric 'gain-ratio-c45' 'gat': did you mean 'gate'?"
    with pytest.raises(UnknownNameError, match=f"^{re.escape(message)}$"):
        tl.metric("gain-ratio-c45", gat=False)
    message = "unknown parameter of count formula 'ssv' 'lexicographik': did you mean 'lexicogr"
    with pytest.raises(UnknownNameError, match=f"^{re.escape(message)}"):
        tl.formula("ssv", lexicographik=True)
    for make, kind in ((tl.metric, "metric"), (tl.formula, "count formula")):
        with pytest.raises(ParameterError, match=rf"^{kind} 'gain' has no parameters, got "):
            make("gain", k=3)


@pytest.mark.parametrize(
    "spec",
    [
        "gain-ratio-c45:false",
        "gain-ratio-c45:gate=false",
        "gain-ratio-c45:gate=False,price=true",
        "gain-ratio-c45: gate = false ",
    ],
)
def test_parameters_may_follow_the_name(spec):
    assert tl.metric(spec) == tl.metric("gain-ratio-c45", gate=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2", -2),
        ("0.5", 0.5),
        ("1e-3", 0.001),
        ("none", None),
        ("true", True),
        ("x", "x"),
        ("0/0/0/1", (0, 0, 0, 1)),
        ("1/0.5", (1, 0.5)),
        ("folder/file", "folder/file"),
        ("1/x", "1/x"),
        ("/", "/"),
    ],
)
def test_parameters_in_a_text_are_numbers_words_or_truth_values(text, value):
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first=0, second=0: (first, second))

    for spec in (f"pair:{text}", f"pair:first={text}"):
        made = registry.make(spec)[0]
        assert (type(made), made) == (type(value), value)
    assert registry.make(f"pair:second={text},first=7") == (7, value)


@pytest.mark.parametrize(
    ("spec", "made"),
    [
        ("pair:pair:1", ("pair:1", 0)),
        ("pair:pair:first=1,second=2", ("pair:first=1", 2)),
        ("pair:pair:first=1, third = 3,second=2", ("pair:first=1,third = 3", 2)),
        ("pair:second=2,pair:third=1,fourth=4", ("pair:third=1,fourth=4", 2)),
        ("pair:second=pair:third=1,fourth=4,first=7", (7, "pair:third=1,fourth=4")),
    ],
)
def test_a_text_inside_a_text_keeps_what_only_it_can_have(spec, made):
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first=0, second=0: (first, second))

    assert registry.make(spec) == made


@pytest.mark.parametrize("spec", ["pair:first=1,first=2", "pair:1,2", "pair:1, first = 2"])
def test_a_parameter_is_given_once(spec):
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first, second=2: (first, second))

    with pytest.raises(ParameterError, match=r"^parameter 'first' is given twice in '"):
        registry.make(spec)


def test_a_metric_itself_is_taken_as_it_is():
    def mine(node):
        return np.zeros(len(node.counts))

    assert tl.metric(mine) is mine
    with pytest.raises(ParameterError, match=r"^parameters go with the name of a metric"):
        tl.metric(mine, k=3)
    with pytest.raises(
        ParameterError, match=r"^expected the name of a metric or a callable, got 7"
    ):
        tl.metric(7)


@pytest.mark.parametrize("given", [(5,), ("gain",), (np.sum, 5), (np.sum, None, "gain")])
def test_a_formula_must_be_a_function(given):
    with pytest.raises(ParameterError, match=r"must be a function, got (5|'gain')$"):
        tl.from_counts(*given)
    with pytest.raises(ParameterError, match=r"^formula must be a function, got 5$"):
        tl.from_pairs(tl.metrics.Nearest(), 5)


def test_a_name_can_be_given_once_only():
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("one", dict)
    with pytest.raises(ParameterError, match=r"^there is already a thing named 'one'$"):
        registry.add("one", dict)


class Point:
    """An entry point of another package."""

    def __init__(self, name, factory):
        self.name, self.factory, self.value = name, factory, "theirs:factory"

    def load(self):
        if self.factory is None:
            raise ImportError("no module named 'theirs'")
        return self.factory


@pytest.fixture
def other_package(monkeypatch):
    """Pretend that a package is installed which brings two metrics, one of a name we have."""

    def points(group):
        found = [
            Point("theirs", lambda power=1: ("theirs", power)),
            Point("gain", lambda: "foreign"),
            Point("broken", None),
        ]
        return found if group == "treelab.metrics" else []

    monkeypatch.setattr(_registry, "entry_points", points)
    monkeypatch.setattr(METRICS, "_factories", dict(METRICS._factories))
    monkeypatch.delitem(METRICS.__dict__, "_points", raising=False)
    yield
    METRICS.__dict__.pop("_points", None)


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_join_by_entry_points():
    assert tl.metric("theirs:power=2") == ("theirs", 2)
    assert "theirs" in tl.metric_names()
    assert metric_info("theirs") == MetricInfo("theirs", "from another package", "", "")


@pytest.mark.usefixtures("other_package")
def test_threads_that_ask_for_a_metric_of_another_package_at_once_all_get_it(monkeypatch):
    load = Point.load

    def slowly(point):
        time.sleep(0.01)
        return load(point)

    monkeypatch.setattr(Point, "load", slowly)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(tl.metric, ["theirs"] * 8)) == {("theirs", 1)}


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_are_loaded_when_they_are_asked_for(monkeypatch):
    loaded, load = [], Point.load
    monkeypatch.setattr(Point, "load", lambda point: loaded.append(point.name) or load(point))

    assert "theirs" in tl.metric_names()
    with pytest.raises(UnknownNameError, match="did you mean 'theirs'"):
        tl.metric("their")
    assert loaded == []
    tl.metric("theirs")
    tl.metric("theirs")
    assert loaded == ["theirs"]


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_do_not_replace_ours():
    assert "theirs" in tl.metric_names()
    assert tl.metric("gain") != "foreign"


@pytest.mark.usefixtures("other_package")
def test_a_broken_metric_of_another_package_is_told_when_it_is_asked_for():
    assert "broken" in tl.metric_names()
    with pytest.raises(ParameterError, match="'broken' cannot be loaded from theirs:factory: no"):
        tl.metric("broken")


# C4.5's choice


def seen_by(metric, data, **settings):
    """Return the scores of the root's candidates, and the candidates."""
    seen = []

    def spy(node):
        seen.append(metric(node))
        return seen[-1]

    settings = {"splits": "multiway", "missing": "fractional", **settings}
    tl.grow(data, spy, max_depth=1, min_branch=1, pruner="none", **settings)
    task = naive.problem(data)
    # Numbers come first in these data, and so do their cuts.
    found = naive.candidates(task, task.cases, settings["splits"], settings["missing"])
    return seen[0], found, task


def ratios(found, task, price):
    """Return the gain ratio of the best candidate of each feature; None for the others."""
    gains = [naive.gain(c.table) * c.known for c in found]
    result = []
    for place, candidate in enumerate(found):
        rivals = [gains[i] for i, c in enumerate(found) if c.feature == candidate.feature]
        is_best = gains[place] == max(rivals)
        paid = np.log2(len(rivals)) / sum(case.weight for case in task.cases) if price else 0.0
        cost = naive._split_information(candidate)
        result.append((gains[place] - paid) / cost if is_best and gains[place] > paid else np.nan)
    return result


@pytest.mark.parametrize("price", [True, False])
def test_without_the_gate_every_feature_is_judged_by_its_best_candidate(price):
    data = random_dataset(0, cases=40, numeric=3, nominal=2, ties=False)
    metric = tl.metric("gain-ratio-c45", gate=False, price=price)
    scores, found, task = seen_by(metric, data)
    expected = ratios(found, task, price)

    assert np.isfinite(expected).sum() > 2
    np.testing.assert_allclose(scores, expected, rtol=1e-9)


def test_the_gate_leaves_out_what_is_below_the_average_gain():
    """A rare value has the better gain ratio, but less gain than the average."""
    y = [0] * 8 + [1] * 8
    rare = [1, 1] + [0] * 14
    broad = [0] * 6 + [1, 1, 0, 0] + [1] * 6
    data = dataset([rare, broad], y)
    gated, *_ = seen_by(tl.metric("gain-ratio-c45"), data)
    free, *_ = seen_by(tl.metric("gain-ratio-c45", gate=False), data)

    assert free[0] > free[1]
    assert np.isnan(gated).tolist() == [True, False]


@pytest.mark.parametrize(("labels", "is_judged"), [(5, False), (6, True), (60, True)])
def test_a_feature_of_many_declared_values_does_not_raise_the_average(labels, is_judged):
    """Of 20 cases 0.3 are 6: so many values, three of them used, are left out (SPEC 12.4, 3)."""
    y = [0] * 10 + [1] * 10
    weak, clear = [0] * 8 + [1] * 2 + [0] * 4 + [1] * 6, [0] * 5 + [1] * 5 + [2] * 10
    scores, *_ = seen_by(tl.metric("gain-ratio-c45"), dataset([weak, clear], y, labels={1: labels}))

    assert np.isfinite(scores).tolist() == [is_judged, True]


def test_the_values_of_a_feature_are_compared_with_all_training_cases():
    """Four values are more than 0.3 times the ten cases of a node, but not times all forty."""
    weak, clear = [0] * 4 + [1] + [0] * 2 + [1] * 3, [0, 0, 0, 1, 1, 2, 2, 2, 3, 3]
    side = np.repeat([0, 1, 2, 3], 10)
    data = dataset([side, weak * 4, clear * 4], ([0] * 5 + [1] * 5) * 4)
    judged = []

    def metric(node):
        judged.append((node.n_training, node.n_values.tolist(), tl.metric("gain-ratio-c45")(node)))
        return np.where(node.counts.feature == 0, 1.0, np.nan)

    tl.grow(data, metric, splits="multiway", pruner="none", max_depth=2)
    assert len(judged) == 5
    for n_training, n_values, scores in judged[1:]:
        assert (n_training, n_values) == (40, [4, 2, 4])
        assert np.isfinite(scores).tolist() == [False, True]


def test_a_candidate_without_gain_cannot_be_judged():
    data = dataset([[0, 1] * 4], [0, 0, 1, 1] * 2)
    scores, *_ = seen_by(tl.metric("gain-ratio-c45"), data)

    assert np.isnan(scores).tolist() == [True]


PRINTED = {
    "gain": "1", "gain-ratio": "2", "mantaras": "3", "j-measure": "4", "weight-of-evidence": "5",
    "gini": "6", "relief-myopic": "7", "gini-prime": "8", "relevance": "9", "p-chi2": "10, 11",
    "chi2": "11", "g": "12", "p-g": "10, 12", "mdl-prime": "13", "mdl": "14",
}  # fmt: skip
"""The equations of kononenko1995 as the paper numbers them (SPEC 12.8)."""


@pytest.mark.parametrize("name", PRINTED)
def test_equations_have_the_numbers_of_the_paper(name):
    word = "eqs." if "," in PRINTED[name] else "eq."
    assert metric_info(name).source == f"kononenko1995 {word} {PRINTED[name]}"
