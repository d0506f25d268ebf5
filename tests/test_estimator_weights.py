"""Weights of cases and classes in `TreeClassifier`."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import cross_val_score
from weather import full

import treelab as tl


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def noisy():
    X, y = make_classification(200, 6, n_classes=3, n_informative=4, flip_y=0.1, random_state=3)
    return X.round(1), y


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 3, 1: 0.5}])
def test_a_weight_is_a_number_of_equal_cases(noisy, class_weight):
    X, y = noisy
    times = np.random.default_rng(0).integers(0, 4, len(y))
    model = tl.TreeClassifier(class_weight=class_weight)

    weighted = clone(model).fit(X, y, sample_weight=times).predict_proba(X)
    repeated = clone(model).fit(X.repeat(times, axis=0), y.repeat(times)).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-9)
    assert not np.allclose(weighted, clone(model).fit(X, y).predict_proba(X))


def test_balanced_is_a_dictionary_is_sample_weights(noisy):
    X, y = noisy
    X, y = X[y < 2][:90], y[y < 2][:90]
    share = {label: len(y) / (2 * (y == label).sum()) for label in (0, 1)}

    balanced = full(class_weight="balanced").fit(X, y).tree_
    assert balanced == full(class_weight=share).fit(X, y).tree_
    assert balanced == full().fit(X, y, sample_weight=[share[label] for label in y]).tree_
    np.testing.assert_allclose(balanced.root.counts, [45, 45])


def test_balancing_leaves_out_a_class_without_weight(noisy):
    X, y = noisy
    model = full(class_weight="balanced").fit(X, y, sample_weight=(y > 0).astype(float))

    np.testing.assert_allclose(model.tree_.root.counts, np.array([0, 0.5, 0.5]) * (y > 0).sum())


def test_a_class_without_an_entry_has_weight_one(noisy):
    X, y = noisy
    shares = np.bincount(y) * [1, 1, 5]

    counts = full(class_weight={2: 5.0}).fit(X, y).tree_.root.counts
    np.testing.assert_allclose(counts, len(y) * shares / shares.sum())


@pytest.mark.parametrize("times", [1, 1 / 3, 1e-6, 1e-300, 1e6 + 0.5])
def test_equal_weights_are_no_weights(noisy, times):
    X, y = noisy
    plain = tl.TreeClassifier().fit(X, y).tree_

    assert plain.n_leaves > 3
    weights = np.full(len(y), times / len(y))
    assert tl.TreeClassifier().fit(X, y, sample_weight=weights).tree_ == plain
    same = dict.fromkeys(range(3), times)
    assert tl.TreeClassifier(class_weight=same).fit(X, y).tree_ == plain


@pytest.mark.parametrize("times", [1e-6, 1 / 300, 0.1, 1000 / 3])
def test_weights_times_a_constant_make_the_same_tree(noisy, times):
    X, y = noisy
    weights = np.random.default_rng(1).choice([0.0, 0.1, 0.3, 1.0, 2.5], len(y))
    one, other = (
        tl.TreeClassifier().fit(X, y, sample_weight=weights * by).tree_ for by in (1, times)
    )

    assert one.n_leaves > 3
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    # A product that is rounded is off by 1e-16 of itself; so are the sums of 300 of them.
    np.testing.assert_allclose(one.counts, other.counts, rtol=1e-12)
    assert one.root.weight == pytest.approx((weights > 0).sum())


def test_the_weights_of_classes_times_a_constant_make_the_same_tree(noisy):
    X, y = noisy
    small, large = ({0: 1 * by, 1: 2 * by, 2: 4 * by} for by in (0.01, 1000))
    one, other = (tl.TreeClassifier(class_weight=w).fit(X, y).tree_ for w in (small, large))

    assert one.n_leaves > 3
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_allclose(one.counts, other.counts, rtol=1e-12)  # rounding, as above


def test_the_order_of_weighted_rows_does_not_matter(noisy):
    X, y = noisy
    rng = np.random.default_rng(2)
    weights, order = rng.random(len(y)), rng.permutation(len(y))
    one = full().fit(X, y, sample_weight=weights).tree_

    assert one == full().fit(X[order], y[order], sample_weight=weights[order]).tree_


def test_boosting_works():
    """AdaBoost's weights sum to 1; scikit-learn's own tree reaches 0.965."""
    X, y = load_breast_cancer(return_X_y=True)
    boosted = AdaBoostClassifier(tl.TreeClassifier(max_depth=2), n_estimators=30)

    assert cross_val_score(boosted, X, y, cv=5).mean() >= 0.955


def test_a_fold_may_lack_a_class_of_the_dictionary(iris):
    X, y = iris
    model = full(class_weight={0: 1, 1: 2, 2: 3})

    assert model.fit(X[:100], y[:100]).n_classes_ == 2
