"""What chance gives a table: exact values, enumeration, scikit-learn, identities 14 and 15."""

import json
import math
import pickle
from pathlib import Path

import naive_chance as naive
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics.cluster import expected_mutual_information
from strategies import steady

import treelab as tl
from treelab.errors import DataWarning, ParameterError
from treelab.kernels.expectation import cell_bits
from treelab.metrics import CountMetric
from treelab.stats.formulas.expectation import (
    expected_entropy,
    expected_entropy_24,
    expected_entropy_26,
    expected_gini,
)
from treelab.stats.formulas.impurity import entropy, of_classes, of_values

REFERENCE = Path(__file__).parents[1] / "reference" / "chance_vectors.json"
MEASURES = {
    "E_gini_permutation": expected_gini,
    "E_entropy_permutation_exact": expected_entropy,
    "E_entropy_eq24": expected_entropy_24,
    "E_entropy_eq26_corrected": expected_entropy_26,
    "normalized_gini_impurity": tl.formula("normalized-gini").raw,
    "normalized_entropy_impurity": lambda table, expectation: tl.formula(
        "normalized-entropy", expectation=expectation
    ).raw(table),
}
VECTORS = [v for v in json.loads(REFERENCE.read_text()) if v["measure"] in MEASURES]
DECLARING = [
    metric
    for metric in [*map(tl.metric, tl.metric_names()), tl.metric("weighted-information:joint=true")]
    if isinstance(metric, CountMetric) and metric.expectation is not None
]
# Sums in another order, over at most some hundred terms.
CLOSE = {"rel": 1e-12, "abs": 1e-12}


def with_margins(values, classes):
    """Return some table of the given margins: classes are dealt out one after another."""
    table = np.zeros((len(values), len(classes)))
    cases = np.repeat(np.arange(len(values)), values), np.repeat(np.arange(len(classes)), classes)
    np.add.at(table, cases, 1.0)
    return table


@st.composite
def tables(draw, most=20, weights=None):
    """Draw a table (value, class) with empty rows and columns, but not only such."""
    shape = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    cells = st.integers(0, most) if weights is None else st.sampled_from(weights)
    table = draw(st.lists(cells, min_size=math.prod(shape), max_size=math.prod(shape)))
    assume(sum(table) > 0)
    return np.array(table, float).reshape(shape)


def renamed(parameters):
    """Return the parameters of a vector by our names."""
    ours = {"A": "small", "expectation": "expectation"}
    return {ours[key]: value for key, value in parameters.items() if key in ours}


# Exact values


@pytest.mark.parametrize("vector", VECTORS, ids=[v["id"] for v in VECTORS])
def test_the_reference_value_is_met(vector):
    given, how = vector["input"], renamed(vector["params"])
    if "table" in given:
        table = np.array(given["table"], float).T
    else:
        table = with_margins(given["value_counts"], given["class_counts"])

    assert MEASURES[vector["measure"]](table, **how) == pytest.approx(vector["expected"], abs=1e-9)


def test_every_measure_of_tables_has_reference_values():
    assert {vector["measure"] for vector in VECTORS} == set(MEASURES)


@pytest.mark.parametrize(
    ("values", "classes", "exact", "eq24", "eq26"),
    [  # SPEC 1.4, to six decimals
        ([300] * 2, [300, 300], 0.998795, 0.998798, 0.998798),
        ([15] * 40, [300, 300], 0.951336, 0.953112, 0.951336),
        ([15] * 40, [60] * 10, 2.819999, 2.899940, 2.819999),
        ([3] * 200, [300, 300], 0.689872, 0.760753, 0.689872),
        ([1] * 600, [120] * 5, 0.0, 0.0, 0.0),
        ([50, 30, 10, 5, 3, 1, 1], [80, 15, 5], 0.805896, 0.797622, 0.808125),
        ([50] * 20, [950, 50], 0.271049, 0.272691, 0.272691),
    ],
)
def test_the_table_of_the_specification(values, classes, exact, eq24, eq26):
    table = with_margins(values, classes)

    assert expected_entropy(table) == pytest.approx(exact, abs=5e-7)
    assert expected_entropy_24(table) == pytest.approx(eq24, abs=5e-7)
    assert expected_entropy_26(table) == pytest.approx(eq26, abs=5e-7)


@pytest.mark.parametrize("metric", DECLARING, ids=repr)
@pytest.mark.parametrize(
    ("values", "classes"),
    [((3, 2, 1), (3, 3)), ((2, 2, 2), (3, 2, 1)), ((5, 1), (4, 2)), ((1, 1, 1, 1, 1), (2, 2, 1)),
     ((6,), (3, 3)), ((3, 3), (6,)), ((0, 4, 2), (3, 0, 3))],
)  # fmt: skip
def test_the_expectation_is_the_mean_over_all_permutations(metric, values, classes):
    many = np.array(list(naive.all_tables(values, classes)), float)
    expected = metric.expectation(many, **metric.parameters)

    assert expected.mean() == pytest.approx(metric.raw(many).mean(), **CLOSE)
    assert np.ptp(expected) < 1e-12, "the margins are all that matters"


def test_what_follows_from_gini_entropy_and_chi_square_is_declared():
    assert {metric.name for metric in DECLARING} == {
        "gini", "gini-prime", "relief-myopic", "concentration", "gain", "gain-ratio", "j-measure",
        "normalized-gain", "symmetrical-uncertainty", "entropy-distance", "joint-information",
        "weighted-information", "g", "chi2", "mdl-prime",
    }  # fmt: skip


@pytest.mark.parametrize(
    "metric", [metric for metric in DECLARING if metric.approximation], ids=repr
)
def test_the_approximation_is_near(metric):
    table = with_margins([60, 40, 30, 20, 10, 8, 8, 6, 5, 4, 3, 2, 2, 1, 1], [100, 50, 30, 20])
    exact = metric.expectation(table, **metric.parameters)

    # The gain itself is 1 % off there, and enters the others as it is.
    assert metric.approximation(table, **metric.parameters) == pytest.approx(exact, rel=0.011)


@pytest.mark.parametrize(("n", "values", "classes"), [(30, 6, 4), (600, 40, 10), (50_000, 3, 2)])
def test_the_gain_by_chance_is_that_of_scikit_learn(n, values, classes):
    rng = np.random.default_rng(n)
    table = np.zeros((values, classes))
    np.add.at(table, (rng.integers(values, size=n), rng.integers(classes, size=n)), 1.0)
    nats = expected_mutual_information(table.astype(np.int64), n)

    # scikit-learn goes through log-gamma, whose digits are lost to the size of n ln n.
    found = tl.metric("gain").expectation(table)
    assert found == pytest.approx(nats / np.log(2), rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("b", [1, 2, 50, 99, 100])
def test_a_cell_is_the_plain_sum(b):
    n, x_log_x = 100, np.array([k * math.log2(max(k, 1)) for k in range(101)])
    for a in range(1, n + 1):
        assert cell_bits(a, b, n, x_log_x) == pytest.approx(naive.cell(a, b, n), **CLOSE)


# Identities 14 and 15 (SPEC 7)


@steady(150)
@given(tables(), st.randoms())
def test_only_the_margins_matter_and_the_entropy_lies_between_0_and_that_of_the_classes(table, rng):
    labels = np.repeat(np.arange(table.shape[1]), of_classes(table).astype(int))
    values = np.repeat(np.arange(table.shape[0]), of_values(table).astype(int))
    rng.shuffle(values)
    other = np.zeros_like(table)
    np.add.at(other, (values, labels), 1.0)

    assert expected_gini(other) == pytest.approx(expected_gini(table), **CLOSE)
    assert expected_entropy(other) == pytest.approx(expected_entropy(table), **CLOSE)
    assert 0 <= expected_entropy(table) <= entropy(of_classes(table)) + 1e-12


@steady(200)
@given(tables())
def test_equation_26_lies_between_the_exact_sum_and_equation_24(table):
    largest = of_values(table).max()
    printed = entropy(of_classes(table)) - (np.count_nonzero(of_values(table)) - 1) * (
        np.count_nonzero(of_classes(table)) - 1
    ) / (2 * table.sum() * np.log(2))

    assert expected_entropy_26(table, largest) == pytest.approx(expected_entropy(table), **CLOSE)
    assert expected_entropy_26(table, 0) == pytest.approx(max(printed, 0.0), **CLOSE)


@pytest.mark.parametrize(
    ("values", "classes"), [((3, 3), (4, 2)), ((2, 2, 1, 1), (2, 2, 2)), ((4, 1, 1), (3, 3))]
)
def test_the_normalized_impurities_are_1_on_average(values, classes):
    many = np.array(list(naive.all_tables(values, classes)), float)

    for name in ("normalized-gini", "normalized-entropy"):
        assert tl.formula(name).raw(many).mean() == pytest.approx(1.0, **CLOSE)


@pytest.mark.parametrize(
    "table",
    [np.repeat(np.eye(3), 3, axis=0), [[4, 3]], [[1.5, 2.5]], [[4, 0], [3, 0]],
     [[0.7, 0], [0.1, 0]], [[1, 0]]],
    ids=["identifier", "constant", "weighted-constant", "pure", "weighted-pure", "one-case"],
)  # fmt: skip
@pytest.mark.parametrize(
    "metric", ["normalized-gini", "normalized-entropy", "normalized-entropy:eq26"]
)
def test_where_chance_has_no_choice_the_ratio_is_exactly_1(metric, table):
    assert tl.metric(metric).raw(np.array(table, float)) == 1.0


# Weights

WEIGHTS = (0.0, 0.1, 0.3, 0.7, 1.0, 1.5, 2.0, 3.2)


@steady(300)
@given(tables(weights=WEIGHTS))
def test_weights_are_interpolated_between_whole_cases(table):
    found = expected_entropy(table)
    margins = of_values(table).tolist(), of_classes(table).tolist()

    assert found == pytest.approx(naive.expected_entropy(*margins), rel=1e-9, abs=1e-9)
    assert 0 <= found <= entropy(of_classes(table)) + 1e-9


@steady(100)
@given(tables(weights=WEIGHTS), st.integers(0, 3), st.integers(0, 3))
def test_a_little_weight_changes_little(table, value, label):
    assume(table.sum() > 2)
    more = table.copy()
    value, label = value % len(table), label % table.shape[1]
    assume(of_values(table)[value] > 0 and of_classes(table)[label] > 0)
    more[value, label] += 1e-6

    # The slopes of the entropy are at most log2(n / 0.1), and there are a few of them.
    assert expected_entropy(more) == pytest.approx(expected_entropy(table), abs=1e-4)
    assert expected_gini(more) == pytest.approx(expected_gini(table), abs=1e-4)


@pytest.mark.parametrize("table", [[[4, 3], [2, 5]], [[10, 3, 0], [2, 5, 1]], [[30, 1], [9, 9]]])
def test_a_fraction_of_a_case_lies_between_no_case_and_a_whole_one(table):
    steps = np.linspace(0.0, 1.0, 11)
    many = np.array([table] * 11, float)
    many[:, 0, 1] += steps
    found = expected_entropy(many)
    straight = found[0] + steps * (found[-1] - found[0])

    # Entropy itself bends by as much between whole cases, of which there are more than ten.
    np.testing.assert_allclose(found, straight, atol=0.003)


# Wrong parameters


def test_an_unknown_expectation_is_told():
    with pytest.raises(
        ParameterError, match=r"^expectation must be one of 'exact', 'eq24', 'eq26'"
    ):
        tl.formula("normalized-entropy", expectation="eq25")


def test_equation_24_warns_that_an_identifier_gets_the_best_value():
    cases = 40
    identifier = np.eye(2)[np.arange(cases) % 2]
    perfect = np.diag([cases / 2, cases / 2])
    with pytest.warns(DataWarning, match="such as an identifier, gets the best value"):
        printed = tl.formula("normalized-entropy", expectation="eq24")

    assert printed(identifier) == printed(perfect) == 0.0
    for expectation in ("exact", "eq26"):
        assert tl.formula("normalized-entropy", expectation=expectation)(identifier) == -1.0


def test_the_threshold_of_equation_26_is_a_parameter():
    table = np.array([[3.0, 1.0], [2.0, 6.0], [9.0, 4.0]])
    for small in (0, 5, 8, 100):
        found = tl.formula("normalized-entropy", expectation="eq26", small=small)(table)
        left = expected_entropy_26(table, small)
        exact = tl.formula("normalized-entropy")(table) * expected_entropy(table)
        assert found == pytest.approx(exact / left, **CLOSE)
    named = tl.metric("normalized-entropy:expectation=eq26,small=5")
    assert "small=5" in repr(named)
    assert pickle.loads(pickle.dumps(named)) == named
    with pytest.raises(ParameterError, match="small is of expectation 'eq26', got expectation 'ex"):
        tl.metric("normalized-entropy:small=5")
