"""Missing values in growing, by hand."""

import numpy as np
import pytest
from grown import NAN, full
from strategies import dataset

import treelab as tl

# Feature x0 tells all but for one missing value; x1 tells little.
HALF_KNOWN = dataset(
    [[0, 0, 0, 1, 1, -1], [1.0, 2.0, 5.0, 1.0, 2.0, 5.0]], [0, 0, 0, 1, 1, 0], labels={0: 3}
)


ASKED = dataset([[-1, -1, -1, 2, 1], [1.0, 5.0, NAN, 1.0, NAN]], [0] * 5, 2, labels={0: 3})


def test_a_case_of_missing_value_goes_down_all_branches_in_parts():
    """Three fifths of the known cases are on the left: 3 + 0.6 cases, and 2 + 0.4."""
    tree = full(HALF_KNOWN, min_branch=0.3, probabilities="shares")
    left, right = tree.root.children

    assert tree.root.feature == "x0"
    np.testing.assert_allclose(left.counts, [3.6, 0], rtol=1e-15)
    np.testing.assert_allclose(right.counts, [0.4, 2], rtol=1e-15)
    assert right.threshold == 3.5
    np.testing.assert_allclose([c.counts for c in right.children], [[0, 2], [0.4, 0]], rtol=1e-15)


def test_the_gain_of_a_feature_is_scaled_by_the_share_of_known_values():
    """Five of six values of x0 are known, and they tell the class: 3 against 2."""
    entropy = -(0.6 * np.log2(0.6) + 0.4 * np.log2(0.4))

    assert full(HALF_KNOWN).root.score == pytest.approx(5 / 6 * entropy, rel=1e-14)


def test_fractional_probabilities_are_the_mean_over_the_leaves():
    tree = full(HALF_KNOWN, min_branch=0.3, probabilities="shares")

    expected = [
        [0.6, 0.4],  # x1 = 1 on the right: class 1 for sure
        [1.0, 0.0],  # x1 = 5 on the right: class 0 for sure
        [0.6 + 0.4 * 0.4 / 2.4, 0.4 * 2 / 2.4],  # x1 missing too: 0.4 and 2 cases of 2.4
        [4 / 6, 2 / 6],  # a label that training never saw: the shares of the root
        [0.4 / 2.4, 2 / 2.4],  # on the right, x1 missing
    ]
    np.testing.assert_allclose(tree.predict_proba(ASKED), expected, rtol=1e-14)


def test_a_case_of_missing_value_goes_with_the_majority():
    tree = full(HALF_KNOWN, missing="majority", probabilities="shares")

    assert tree.counts.tolist() == [[4, 2], [4, 0], [0, 2]]
    assert tree.root.missing_branch == 0
    expected = [[1, 0], [1, 0], [1, 0], [4 / 6, 2 / 6], [0, 1]]
    np.testing.assert_allclose(tree.predict_proba(ASKED), expected, rtol=1e-14)


def test_the_first_of_two_largest_branches_is_the_majority():
    data = dataset([[0, 0, 1, 1, -1]], [0, 0, 1, 1, 1], labels={0: 2})
    tree = full(data, missing="majority", max_depth=1)

    assert tree.counts.tolist() == [[2, 3], [2, 1], [0, 2]]


def test_missing_is_a_value_of_its_own():
    tree = full(HALF_KNOWN, missing="branch", splits="multiway", probabilities="shares")

    assert tree.counts.tolist() == [[4, 2], [3, 0], [0, 2], [1, 0]]
    expected = [[1, 0], [1, 0], [1, 0], [4 / 6, 2 / 6], [0, 1]]
    np.testing.assert_allclose(tree.predict_proba(ASKED), expected, rtol=1e-14)


def test_a_number_that_is_missing_has_a_third_branch():
    data = dataset([[1.0, 1.0, 2.0, NAN, NAN]], [0, 0, 1, 2, 2])
    tree = full(data, missing="branch")

    assert tree.counts.tolist() == [[2, 1, 2], [2, 0, 0], [0, 1, 0], [0, 0, 2]]
    assert tree.root.missing_branch == 2
    assert tree.predict(data).tolist() == ["c0", "c0", "c1", "c2", "c2"]


@pytest.mark.parametrize("road", [{}, {"discretizer": "equal-width:3", "splits": "binary"}])
def test_known_numbers_can_be_parted_from_missing_ones(road):
    """The number tells nothing, but that it is missing tells the class."""
    data = dataset([[1.0, 2.0, 3.0, NAN, NAN]], [0, 0, 0, 1, 1])
    tree = full(data, missing="branch", **road)

    assert tree.counts.tolist() == [[3, 2], [3, 0], [0, 2]]
    assert tree.root.missing_branch == 1
    asked = dataset([[NAN, -1e300, 2.5, 1e300]], [0] * 4)
    assert tree.predict(asked).tolist() == ["c1", "c0", "c0", "c0"]


def test_where_no_value_was_missing_a_missing_one_goes_with_most_cases():
    data = dataset([[1.0, 1.0, 2.0]], [0, 0, 1])
    tree = full(data, missing="branch", probabilities="shares")

    assert tree.root.missing_branch == 0
    asked = dataset([[NAN, 9.0]], [0, 0])
    assert tree.predict_proba(asked).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_a_value_that_no_case_of_the_node_has_stops_there():
    """Label c occurs in training, but not where x0 is b."""
    data = dataset([[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 0, 1]], [0, 0, 0, 1, 1, 2])
    tree = full(data, splits="multiway", probabilities="shares")

    assert tree.root.feature == "x0"
    asked = dataset([[1], [2]], [0], labels={0: 2, 1: 3})
    np.testing.assert_allclose(tree.predict_proba(asked), [[0, 2 / 3, 1 / 3]], rtol=1e-15)
    assert tree.predict(asked).tolist() == ["c1"]


@pytest.mark.parametrize("n_labels", [126, 127, 128, 129, 300])
def test_a_node_may_have_hundreds_of_branches(n_labels):
    labels = tuple(f"v{code}" for code in range(n_labels))
    schema = tl.Schema([tl.Column("x", labels)], tl.Column("class", ("a", "b")))
    x = np.repeat(np.arange(n_labels), 2)
    data = tl.Dataset.of(schema, [x], x // 3 % 2)
    tree = tl.grow(data, "gain", splits="multiway", pruner="none", min_branch=1)

    assert tree.n_leaves == n_labels
    assert (tree.predict(data) == data.labels).all()


def test_an_interval_that_no_case_of_the_node_has_stops_there():
    data = dataset([[0.0, 1.0, 9.0, 10.0]], [0, 0, 1, 1])
    tree = full(data, discretizer="equal-width:3", probabilities="shares")

    assert tree.root.branch_of.tolist() == [0, -1, 1]
    asked = dataset([[5.0, -100.0, 100.0]], [0, 0, 0])
    assert tree.predict_proba(asked).tolist() == [[0.5, 0.5], [1, 0], [0, 1]]
