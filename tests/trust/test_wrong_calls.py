"""Calls of Python that nobody can mean: each is told in one sentence of treelab's own."""

import numpy as np
import pytest

import treelab as tl
from treelab import reduce
from treelab.errors import TreelabError
from treelab.experiment import read_study
from treelab.sklearn.transformers import ComponentReducer

IRIS = tl.load("iris")
TREE = tl.grow(IRIS)
NUMBERS = np.random.default_rng(0).normal(size=(60, 4))


class Says:
    """A discretizer whose `fit` returns whatever it is told to."""

    def __init__(self, given):
        self.given = given

    def fit(self, _data):
        return self.given


CALLS = {
    "the fit of a discretizer must return a Coding, got None": lambda: tl.grow(
        IRIS, discretizer=Says(None)
    ),
    "the fit of a discretizer must return a Coding, got {}": lambda: tl.rank(
        IRIS, "gain", discretizer=Says({})
    ),
    "'petal width' of the case must be a number, got 'q'": lambda: tl.export(
        TREE, "dot", case={"petal width": "q"}
    ),
    "case must be the values of a case by feature, got ": lambda: tl.export(
        TREE, "dot", case=IRIS.to_frame()
    ),
    "max_depth must be a whole number of at least 0, got '2'": lambda: tl.export(
        TREE, "latex", max_depth="2"
    ),
    "max_nodes must be a whole number of at least 1, got 0": lambda: tl.export(
        TREE, "latex", max_nodes=0
    ),
    "unknown format ['c']: known are c, dot, ": lambda: tl.export(TREE, ["c"]),
    "a file is named by a text or a path, got 3": lambda: tl.export(TREE, "text", 3),
    "a file is named by a text or a path, got None": lambda: TREE.save(None),
    "a file is named by a text or a path, got 5": lambda: tl.Tree.load(5),
    "a file is named by a text or a path, got []": lambda: read_study([]),
    "a metric must return a row of scores, got shape ()": lambda: tl.select(
        IRIS, lambda _: 1.0, discretizer="mdlp"
    ),
    "a metric must return numbers, got array([0.+1.j": lambda: tl.grow(
        IRIS, metric=lambda node: np.full(len(node.counts), 1j)
    ),
    "a metric must return numbers, got array([[<": lambda: tl.grow(
        IRIS, metric=lambda node: np.full((len(node.counts), 1), object())
    ),
    "classes must be a whole number of at least 2, got 2.5": lambda: tl.bias("gain", classes=2.5),
    "values must be a whole number of at most 10000, got 1000000000": lambda: tl.bias(
        "gain", values=(2, 10**9)
    ),
    "watch must hand on the results that it sees, got None": lambda: tl.cross_validate(
        IRIS, tl.Learner(), watch=lambda _: None
    ),
    "shares must be ascending numbers above 0 up to 1, got [nan]": lambda: reduce.incremental(
        IRIS, tl.Learner(), shares=[np.nan]
    ),
    "threshold must be a number, got 'a'": lambda: reduce.relief(IRIS, threshold="a"),
    "threshold must be a number, got nan": lambda: reduce.features(
        IRIS, "correlation", threshold=np.nan
    ),
    "values must be numbers, got ['a']": lambda: reduce.mean_variance_test(["a"], [1]),
    "a group needs a row of values, and a weight of each, got shapes (3,) and (1,)": (
        lambda: reduce.mean_variance_test([1, 2, 3], [1, 2], [1], [1])
    ),
    "column 'tear_rate' is nominal: name one of its labels": lambda: reduce.two_stage(
        tl.load("lenses"), "tear_rate", 0.1
    ),
    "column 'petal width' is numeric: it has no labels": lambda: reduce.two_stage(
        IRIS, "petal width", 0.1, label="x"
    ),
    "retain must lie above 0 and be at most 1, got 1.5": lambda: ComponentReducer(1.5).fit(NUMBERS),
    "retain must be a number of at least 0, got 'x'": lambda: ComponentReducer("x").fit(NUMBERS),
    "weights must be finite numbers of at least 0": lambda: ComponentReducer().fit(
        NUMBERS, sample_weight=np.arange(60) - 10.0
    ),
}


@pytest.mark.parametrize("sentence", CALLS)
def test_a_call_that_cannot_be_meant_is_told(sentence):
    with pytest.raises(TreelabError) as told:
        CALLS[sentence]()

    assert str(told.value).startswith(sentence)
    assert "\n" not in str(told.value)


def test_a_row_of_a_frame_is_a_case():
    assert "penwidth" in tl.export(TREE, "dot", case=IRIS.to_frame().iloc[0])
