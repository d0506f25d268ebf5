"""ChiMerge with a level and a limit for each feature (kantardzic2011 3.7)."""

import pytest

import treelab as tl
from treelab.errors import ParameterError, UnknownNameError


def cuts(**parameters):
    coding = tl.discretizer("chimerge", **parameters).fit(tl.load("iris"))
    return {name: points.tolist() for name, points in coding.cuts.items()}


def test_features_that_are_named_have_their_own_limits_and_others_the_default():
    usual, few = cuts(), cuts(max_intervals=2)
    found = cuts(max_intervals={"petal width": 2, "sepal width": None})
    assert found == usual | {"petal width": few["petal width"]}
    strict = cuts(alpha=0.001)
    assert usual != strict
    assert cuts(alpha={"sepal length": 0.001}) == usual | {"sepal length": strict["sepal length"]}


def test_they_can_be_written_as_text():
    spec = "chimerge:max_intervals=petal width=2;sepal width=3,alpha=0.05"
    found = tl.discretizer(spec)
    assert found == tl.discretizer(
        "chimerge", max_intervals={"petal width": 2, "sepal width": 3}, alpha=0.05
    )
    assert tl.discretizer("chimerge:alpha=petal width=0.01").alpha == {"petal width": 0.01}


def test_a_learner_keeps_them_in_a_file(tmp_path):
    chimerge = tl.discretizer("chimerge", max_intervals={"petal width": 3})
    tree = tl.grow(tl.load("iris"), discretizer=chimerge)
    tree.save(tmp_path / "m.json")
    assert str(tl.Tree.load(tmp_path / "m.json")) == str(tree)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"max_intervals": {"petal width": 0}}, "max_intervals must be a whole number"),
        ({"alpha": {"petal width": 1.5}}, "alpha must lie between 0 and 1, got 1.5"),
        ({"max_intervals": "petal width"}, "expected a number, or one for each feature such as"),
        ({"alpha": "a=0.1;a=0.2"}, "expected a number, or one for each feature such as"),
    ],
)
def test_mistakes_are_told_in_a_sentence(words, said):
    with pytest.raises(ParameterError, match=said):
        tl.discretizer("chimerge", **words)


def test_an_unknown_feature_is_named():
    with pytest.raises(UnknownNameError, match="did you mean 'petal width'"):
        cuts(max_intervals={"petal witdh": 2})
