"""Cross-validation: the same result for any order of the rows, and a sentence for what is wrong."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import treelab as tl
from treelab.errors import ParameterError, UnknownNameError


def test_the_order_of_the_rows_changes_nothing():
    iris = tl.load("iris")
    odd = iris.reweighted(np.random.default_rng(1).choice([0.1, 0.3, 1.0, 2.5], len(iris)))
    for data in (iris, odd, tl.load("zoo")):
        turned = data.take(np.random.default_rng(0).permutation(len(data)))

        one, other = (tl.cross_validate(each, tl.Learner().fit, 5) for each in (data, turned))
        assert one == other


def test_a_learner_is_as_good_as_its_function():
    iris, learner = tl.load("iris"), tl.Learner()

    assert tl.cross_validate(iris, learner, 3) == tl.cross_validate(iris, learner.fit, 3)


@pytest.mark.parametrize("fit", [5, "gain", None, DecisionTreeClassifier(), tl.Learner])
def test_what_makes_no_trees_is_refused(fit):
    with pytest.raises(ParameterError, match=r"^expected a Learner, or a function that makes a mo"):
        tl.cross_validate(tl.load("iris"), fit)


def test_what_cannot_watch_is_refused():
    with pytest.raises(ParameterError, match=r"^watch must be a function, got 5$"):
        tl.cross_validate(tl.load("iris"), tl.Learner(), watch=5)


def test_a_function_that_returns_no_tree_is_told():
    message = r"^expected a model with 'predict', the learner gave None$"
    with pytest.raises(ParameterError, match=message):
        tl.cross_validate(tl.load("iris"), lambda _: None)


def test_a_measure_that_is_none_is_told():
    result = tl.cross_validate(tl.load("iris"), tl.Learner(), 2)
    with pytest.raises(UnknownNameError, match=r"^unknown measure 'leafs': did you mean 'leaves'"):
        result.of("leafs")
