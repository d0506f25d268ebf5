"""What formulas give: exact values, other programs, their naive twins."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import naive_formulas
import numpy as np
import pytest
from formula_tables import (
    BATCHES,
    CLOSE,
    COUNT_METRICS,
    FORMULAS,
    MANY,
    NEAR,
    SEPARATIONS,
    SHAPES,
    batch,
    chi2,
    each_variant,
    gain,
    gain_ratio,
    gini,
    joint_entropy,
    occurring,
    raw,
    tables,
)
from hypothesis import given
from scipy import special, stats
from sklearn.metrics import (
    homogeneity_score,
    mutual_info_score,
    normalized_mutual_info_score,
)
from strategies import dataset, steady

import treelab as tl
from treelab.errors import DataError, ParameterError
from treelab.metrics.registry import metric_info
from treelab.metrics.significance import degrees_of_freedom, log_survival
from treelab.stats.formulas.impurity import entropy, of_classes, of_values

# Equation 24 warns of identifiers.
pytestmark = pytest.mark.filterwarnings("ignore:by expectation 'eq24':treelab.errors.DataWarning")


REFERENCE = json.loads((Path(__file__).parents[1] / "reference/count_vectors.json").read_text())


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
    expected = naive_formulas.FORMULAS[name](table.tolist())

    assert expected == pytest.approx(tl.formula(name)(table), **CLOSE)


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


def test_every_count_metric_has_a_naive_twin():
    described = [metric_info(name) for name in tl.metric_names()]

    # Of pairs of cases, or of all candidates of a node, there is no formula over a table.
    by_table = {info.name for info in described if info.needs == "counts"} - {"gain-ratio-c45"}
    assert by_table == set(COUNT_METRICS)
    lower_is_better = {info.name for info in described if info.lower_is_better}
    assert lower_is_better == set(naive_formulas.LOWER_IS_BETTER)


@each_variant
@pytest.mark.parametrize("whole", [True, False])
def test_a_count_metric_is_its_naive_twin(name, parameters, whole):
    for shape in SHAPES:
        many = batch(1, *shape, 5, whole)
        expected = [naive_formulas.FORMULAS[name](table.tolist(), **parameters) for table in many]

        np.testing.assert_allclose(raw(name, many, **parameters), expected, **NEAR)


@pytest.mark.parametrize("name", COUNT_METRICS)
def test_what_ranks_is_the_quantity_of_the_paper_or_its_opposite(name):
    metric, many = tl.metric(name), batch(2, 4, 3, 40)
    expected = [naive_formulas.score(name, table.tolist()) for table in many]
    sign = -1.0 if name in naive_formulas.LOWER_IS_BETTER else 1.0

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


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize("name", SEPARATIONS)
def test_classes_of_less_than_a_case_are_compared_as_well(name, many):
    """A power of two changes no digit of a share."""
    tables = batch(4, 5, 3, 12)

    assert np.array_equal(raw(name, tables / 64, many=many), raw(name, tables, many=many))


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
