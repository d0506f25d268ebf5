"""Measures of predictions, beside scikit-learn's."""

import numpy as np
import pytest
from sklearn import metrics

import treelab as tl
from tests.strategies import random_dataset
from treelab.errors import DataError


@pytest.fixture(params=[2, 4])
def found(request):
    data = random_dataset(request.param, 150, classes=request.param, weights="fraction")
    tree = tl.grow(data.take(np.arange(75)), pruner="none")
    return tl.assess(tree, data.take(np.arange(75, 150)))


def test_measures_are_those_of_scikit_learn(found):
    y, p, w = found.actual, found.predicted, found.weights
    n = range(len(found.classes))
    confusion = metrics.confusion_matrix(y, p, labels=list(n), sample_weight=w)

    np.testing.assert_allclose(found.confusion, confusion)
    assert found.accuracy == pytest.approx(metrics.accuracy_score(y, p, sample_weight=w))
    assert found.balanced_accuracy == pytest.approx(
        metrics.balanced_accuracy_score(y, p, sample_weight=w)
    )
    recall, precision = metrics.precision_recall_fscore_support(
        y, p, labels=list(n), sample_weight=w, zero_division=np.nan
    )[1::-1]
    np.testing.assert_allclose(found.recall, recall)
    np.testing.assert_allclose(found.precision, precision)
    assert found.log_loss == pytest.approx(
        metrics.log_loss(y, found.probabilities.clip(1e-15), sample_weight=w, labels=list(n))
    )
    for k in n:
        auc = metrics.roc_auc_score(y == k, found.probabilities[:, k], sample_weight=w)
        assert found.auc(k) == pytest.approx(auc)


def test_the_baseline_is_the_most_frequent_class(found):
    shares = np.bincount(found.actual, found.weights) / found.weights.sum()

    assert found.baseline == pytest.approx(shares.max())
    assert found.majority == found.classes[int(shares.argmax())]


def test_cross_validation_assesses_every_case_once():
    data = random_dataset(5, 80, weights="fraction")
    result = tl.cross_validate(data, tl.Learner(), folds=5)
    found = result.assessment

    assert len(found.actual) == 80
    np.testing.assert_allclose(found.cases, np.bincount(data.y, data.weights))
    assert found.accuracy == pytest.approx(np.average(
        result.of("accuracy"), weights=[f.assessment.weights.sum() for f in result.folds]
    ))  # fmt: skip


def test_classes_that_test_cases_lack_are_no_errors():
    data = random_dataset(6, 60)
    tree = tl.grow(data, pruner="none")
    some = data.take(data.y == 1)
    found = tl.assess(tree, some)

    assert np.isnan(found.recall[[0, 2]]).all()
    assert found.balanced_accuracy == found.recall[1]
    assert np.isnan(found.auc(1))
    assert found.to_dict()["auc"] == [None] * 3


def test_costs_are_the_tree_s_own():
    data = random_dataset(7, 60, classes=2)
    costs = {data.classes[0]: {data.classes[1]: 1}, data.classes[1]: {data.classes[0]: 4}}
    found = tl.assess(tl.grow(data, costs=costs, max_depth=1), data)
    (_, wrong), (missed, _) = found.confusion.tolist()

    assert found.mean_cost == pytest.approx((wrong + 4 * missed) / found.confusion.sum())
    assert tl.assess(tl.grow(data), data).mean_cost is None


def test_anything_with_predict_is_assessed():
    data = random_dataset(8, 40)

    class Constant:
        n_leaves, depth = 1, 0

        def predict(self, cases):
            return np.array(["something else"] * len(cases))

    found = tl.cross_validate(data, lambda _: Constant(), folds=4).assessment
    assert found.accuracy == 0
    assert found.classes[-1] == "something else"
    assert found.log_loss is None


def test_data_without_the_target_are_refused():
    data = tl.load("iris")
    tree = tl.grow(data)
    no_class = np.full(len(data), -1)
    unlabelled = tl.Dataset.of(tl.Schema(data.schema.features), data.columns, no_class)
    with pytest.raises(DataError, match="need the target 'class'"):
        tl.assess(tree, unlabelled)
    with pytest.raises(DataError, match="no case of known class"):
        tl.assess(tree, data.take([]))
