"""Worked examples and problems of kantardzic2011 on reduction, each under its own name."""

import json
from pathlib import Path

import numpy as np
import pytest
from strategies import dataset

import treelab as tl
from treelab import reduce
from treelab.reduce.components import retained_ratios
from treelab.reduce.entropy import scaled, similarity_alpha
from treelab.reduce.models import combined

VECTORS = json.loads((Path(__file__).parents[1] / "reference" / "reduce_vectors.json").read_text())
CLOSE = {"rel": 1e-9, "abs": 1e-9}  # as the vectors promise


def vectors(measure):
    found = [vector for vector in VECTORS if vector["measure"] == measure]
    assert found
    return pytest.mark.parametrize("vector", found, ids=lambda vector: vector["id"])


def numbers(X):
    """Return data of numeric features."""
    columns = np.array(X, dtype=float).T
    return dataset(list(columns), [0] * len(X))


def words(X):
    """Return data of nominal features."""
    columns = [np.unique(np.array(c, dtype=str), return_inverse=True)[1] for c in zip(*X)]  # noqa: B905
    return dataset(columns, [0] * len(X))


TABLE_3_1 = dataset(
    [np.array([0.3, 0.2, 0.6, 0.5, 0.7, 0.4]), np.array([0.7, 0.9, 0.6, 0.5, 0.7, 0.9])],
    [0, 1, 0, 0, 1, 1],
)
PROBLEM_3 = dataset(
    [
        np.array([2.5, 7.2, 3.4, 5.6, 4.8, 8.1, 6.3]),
        np.array([1.6, 4.3, 5.8, 3.6, 7.2, 4.9, 4.8]),
        np.array([5.9, 2.1, 1.6, 6.8, 3.1, 8.3, 2.4]),
    ],
    [0, 1, 1, 0, 1, 0, 1],
)
PROBLEM_4 = dataset(
    [
        np.array([2.7, 3.1, 4.5, 5.3, 6.6, 5.0]),
        np.array([3.4, 6.2, 2.8, 5.8, 3.1, 4.1]),
        np.array([0, 1, 0, 1, 0, 1]),
        np.array([0, 0, 1, 1, 0, 1]),
    ],
    [0, 0, 1, 1, 0, 1],
)


# Means and variances


@vectors("mean_variance_test")
def test_means_and_variances(vector):
    found = reduce.mean_variance_test(vector["input"]["A"], vector["input"]["B"])

    assert found == pytest.approx(float(vector["expected"]), **CLOSE)


def test_table_3_1_keeps_y_at_the_threshold_of_the_book():
    found = reduce.means_and_variances(TABLE_3_1, threshold=0.5)

    assert found.scores["x1"] == pytest.approx(np.sqrt(7), **CLOSE)
    assert found.kept == ("x1",)
    assert found.dropped == ("x0",)


def test_problem_3a_ranks_i3_i2_i1():
    found = reduce.means_and_variances(PROBLEM_3)

    assert found.ranking == ("x2", "x1", "x0")
    expected = [0.013712, 1.871463, 6.127540]
    assert list(found.scores.values()) == pytest.approx(expected, abs=5e-7)  # six decimals given


# Correlation and DM


@vectors("pearson_r")
def test_pearson(vector):
    found = reduce.pearson(vector["input"]["x"], vector["input"]["y"])

    assert found == pytest.approx(vector["expected"], **CLOSE)


@vectors("DM")
def test_dm(vector):
    one, other = (np.array(vector["input"][c], dtype=float) for c in ("class1", "class2"))
    data = dataset(list(np.vstack([one, other]).T), [0] * len(one) + [1] * len(other))

    found = reduce.dm_distance(data, ddof=vector["params"]["ddof"])
    assert found == pytest.approx(vector["expected"], **CLOSE)


def test_dm_of_table_3_1_as_data():
    assert reduce.dm_distance(TABLE_3_1) == pytest.approx(9.237704918, abs=1e-8)
    assert reduce.best_by_dm(TABLE_3_1, 1) == ("x1",)


# Relief


@vectors("relief")
def test_relief_weights(vector):
    X, nominal = vector["input"]["X"], vector["input"]["nominal"]
    columns = [
        np.unique(column, return_inverse=True)[1] if f in nominal else np.array(column, dtype=float)
        for f, column in enumerate(zip(*X))  # noqa: B905
    ]
    data = dataset(columns, np.unique(vector["input"]["y"], return_inverse=True)[1])
    settings = vector["params"]
    found = reduce.relief(
        data,
        normalize=settings["normalise"],
        euclid=settings["metric"] == "euclid",
        ties="first",
    )

    assert list(found.scores.values()) == pytest.approx(vector["expected"], **CLOSE)


def test_table_3_2_keeps_f1_at_the_threshold_5():
    data = dataset(list(np.array([[3.0, 4], [2, 5], [6, 7], [5, 6]]).T), [0, 0, 1, 1])
    found = reduce.relief(data, 5.0, normalize=False, ties="first")

    assert found.scores == {"x0": 5.5, "x1": 3.5}  # the book's second weight, 1.5, is wrong
    assert found.kept == ("x0",)


def test_table_3_2_by_shares_of_the_range():
    data = dataset(list(np.array([[3.0, 4], [2, 5], [6, 7], [5, 6]]).T), [0, 0, 1, 1])
    found = reduce.relief(data, 0.5, ties="first")

    assert list(found.scores.values()) == pytest.approx([0.53125, 1 / 6], **CLOSE)


def test_problem_3b_and_4b_by_shares_of_the_range():
    three = reduce.relief(PROBLEM_3, ties="first").scores.values()
    four = reduce.relief(PROBLEM_4.select(["x0", "x1", "x2"]), ties="first").scores.values()

    assert list(three) == pytest.approx([-0.066418, 0.123087, 0.460968], abs=5e-7)
    assert list(four) == pytest.approx([-0.074841, -0.143454, -0.333333], abs=5e-7)


# Entropy ranking


@vectors("nominal_similarity")
def test_nominal_similarity(vector):
    """Pairs of cases as data of two cases each: the entropy is that of their similarity."""
    data = words(vector["input"]["X"])
    pairs = [(i, j) for i in range(len(data)) for j in range(i + 1, len(data))]
    found = [reduce.similarity_entropy(data.take(pair)) for pair in pairs]
    shares = np.array(vector["expected"])
    inner = shares[(shares > 0) & (shares < 1)]
    expected = np.zeros(len(shares))
    expected[(shares > 0) & (shares < 1)] = -inner * np.log2(inner) - (1 - inner) * np.log2(
        1 - inner
    )

    assert found == pytest.approx(expected.tolist(), **CLOSE)


@vectors("similarity_alpha")
def test_similarity_alpha(vector):
    data = numbers(vector["input"]["X"])

    assert similarity_alpha(scaled(data), data.weights)[-1] == pytest.approx(
        vector["expected"], **CLOSE
    )


@vectors("similarity_entropy")
def test_similarity_entropy(vector):
    is_numeric = vector["params"]["kind"] == "numeric"
    data = (numbers if is_numeric else words)(vector["input"]["X"])
    data = data.select([f"x{f}" for f in vector["input"]["features"]])

    assert reduce.similarity_entropy(data) == pytest.approx(vector["expected"], **CLOSE)


@vectors("entropy_ranking")
def test_entropy_ranking(vector):
    is_numeric = vector["params"]["kind"] == "numeric"
    data = (numbers if is_numeric else words)(vector["input"]["X"])

    assert reduce.entropy_ranking(data).removed == tuple(f"x{f}" for f in vector["expected"])


FIGURE_3_3 = [["A", "X", 1], ["B", "Y", 2], ["C", "Y", 2], ["B", "X", 1], ["C", "Z", 3]]


def test_figure_3_3_removes_f2_first():
    found = reduce.entropy_ranking(words(FIGURE_3_3))

    assert found.removed[0] == "x1"
    assert found.changes[0] == pytest.approx(0.326817, abs=5e-7)
    assert reduce.similarity_entropy(words(FIGURE_3_3).select(["x1", "x2"])) == 0


@pytest.mark.parametrize(("bins", "first"), [(2, "x2"), (3, "x1")])
def test_problem_4a_depends_on_the_intervals(bins, first):
    removed = reduce.entropy_ranking(PROBLEM_4, bins=bins).removed

    assert removed[0] == first
    assert bins == 3 or removed == ("x2", "x0", "x1", "x3")


def test_problem_4a_numeric_part():
    entropy = reduce.similarity_entropy(PROBLEM_4.select(["x0", "x1"]))

    assert entropy == pytest.approx(14.446731882, abs=1e-8)


# Principal components


def iris(which):
    data = tl.load("iris")
    if which == "iris-uci":
        return data
    from sklearn.datasets import load_iris

    return numbers(load_iris().data)


@vectors("pca_correlation_eigenvalues")
def test_correlation_eigenvalues(vector):
    if "dataset" in vector["input"]:
        found = reduce.principal_components(iris(vector["input"]["dataset"])).eigenvalues
    else:
        # Cases with exactly the printed correlations: the columns of a square root of them.
        matrix = np.array(vector["input"]["correlation_matrix"])
        values, vectors_ = np.linalg.eigh(matrix)
        root = vectors_ * np.sqrt(values)
        cases = np.vstack([root.T, -root.T])
        found = reduce.principal_components(numbers(cases)).eigenvalues

    assert found.tolist() == pytest.approx(vector["expected"], **CLOSE)


@vectors("pca_retained_ratio")
def test_retained_ratio(vector):
    m = vector["params"]["m"]
    if "dataset" in vector["input"]:
        ratios = reduce.principal_components(iris(vector["input"]["dataset"])).ratios
    else:
        ratios = retained_ratios(np.array(vector["input"]["eigenvalues"]))

    assert ratios[m - 1] == pytest.approx(vector["expected"], **CLOSE)


@vectors("pca_covariance_eigenvalues")
def test_covariance_eigenvalues(vector):
    data = numbers(vector["input"]["X"])
    found = reduce.principal_components(data, standardize=False).eigenvalues

    assert found.tolist() == pytest.approx(vector["expected"], **CLOSE)


def test_iris_needs_two_components():
    found = reduce.principal_components(tl.load("iris"), 0.95)

    assert found.kept == 2
    assert found.ratios[1] == pytest.approx(0.95800975, abs=5e-9)
    assert found.apply(tl.load("iris")).features == ("component 1", "component 2")


# Sampling


@vectors("sample_size_proportion")
def test_sample_size_for_a_proportion(vector):
    given = vector["input"]
    found = reduce.proportion_sample_size(
        given["eps"], given["delta"], share=given["p0"], population=given.get("N")
    )

    assert found == vector["expected"]


@vectors("sample_size_mean")
def test_sample_size_for_a_mean(vector):
    given = vector["input"]
    found = reduce.mean_sample_size(
        given["eps"],
        given["delta"],
        variance=given.get("s2"),
        width=given.get("range"),
        method=vector["params"]["method"],
    )

    assert found == vector["expected"]


def test_sizes_of_the_text():
    assert reduce.proportion_sample_size(0.05, 0.05) == 385
    assert reduce.proportion_sample_size(0.05, 0.05, method="chebyshev") == 2000
    assert reduce.proportion_sample_size(0.05, 0.05, method="hoeffding") == 738


@vectors("two_stage_sample")
def test_two_stages(vector):
    assert (
        reduce.further_cases(vector["input"]["m"], vector["input"]["n_required"])
        == (vector["expected"])
    )


@vectors("average_sampling")
def test_average_sampling(vector):
    found = combined([[each] for each in vector["input"]["predictions"]]).tolist()[0]

    if isinstance(found, float):
        assert found == pytest.approx(vector["expected"], **CLOSE)
    else:
        assert found == vector["expected"]


@vectors("inverse_sampling_expected_draws")
def test_expected_draws(vector):
    given = vector["input"]

    assert reduce.expected_draws(given["N"], given["K"], given["k"]) == vector["expected"]
