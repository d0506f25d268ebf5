"""Which cuts of numeric features are considered, and where their thresholds lie."""

import numpy as np
import pytest
from strategies import dataset

import treelab as tl
from treelab.data.cut_rule import CutRule, cut_rule
from treelab.errors import ParameterError, UnknownNameError


@pytest.mark.parametrize(
    ("threshold", "expected"), [("midpoint", [2.0, 5.5]), ("data", [2.0, 5.0]), ("node", [1, 5])]
)
def test_a_threshold_lies_halfway_or_at_a_value(threshold, expected):
    points = np.array([1.0, 2.0, 3.0, 5.0, 6.0])
    rule = CutRule(threshold=threshold)

    assert rule.thresholds(np.array([1.0, 5.0]), np.array([3.0, 6.0]), points).tolist() == expected


def test_a_value_that_is_the_midpoint_but_for_rounding_is_not_above_it():
    points = np.array([0.1, 0.2, 0.3 - 1e-16])  # their middle is below 0.2 by its last digit
    [found] = CutRule(threshold="data").thresholds(points[:1], points[2:], points)

    assert (points[0] + points[2]) / 2 < 0.2
    assert found == 0.2


def test_the_larger_value_is_above_the_threshold_however_close_it_is():
    low, high = 1e9, np.nextafter(1e9, np.inf)
    [found] = CutRule(threshold="data").thresholds(
        *np.array([[low], [high]]), np.array([low, high])
    )

    assert found == low


def test_values_are_apart_where_they_differ_by_more():
    points = np.array([0.0, 0.5, 1.0, 1.5, 9.0])

    assert CutRule(apart=0.5).follows(points).tolist() == [2, 3, 4, 4, 5]
    assert CutRule().follows(points).tolist() == [1, 2, 3, 4, 5]


def test_close_values_are_parted_at_a_node_where_those_between_are_gone():
    """0 and 0.8 are far enough apart, but not from 0.4, which the first split takes away."""
    x, kind = np.tile([0.0, 0.4, 0.8], 4), np.tile([0, 1, 0], 4)
    data = dataset([x, kind], np.tile([0, 2, 1], 4), 3)
    how = {"metric": "gain", "pruner": None, "splits": "multiway", "cuts": "all:apart=0.5"}
    tree = tl.grow(data, **how)

    assert [node.feature for node in tree.nodes if not node.is_leaf] == ["x1", "x0"]
    assert tl.grow(data.select(["x0"]), **how).n_leaves == 1


def test_each_side_holds_a_share_of_the_cases_of_a_class():
    x = np.arange(100.0)
    data = dataset([x], (x >= 6).astype(int), 2)
    thresholds = {
        share: tl.grow(
            data, "gain", pruner=None, cuts=f"all:side_share={share},side_most=25"
        ).root.threshold
        for share in (0, 0.2, 0.9)
    }

    assert thresholds == {0: 5.5, 0.2: 9.5, 0.9: 24.5}  # 0, 10 and 45 cases, but no more than 25


def test_the_rule_of_c45():
    assert cut_rule("c45") == CutRule(0.1, 25, "data", 1e-5)
    assert cut_rule("all") == CutRule()


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("c54", UnknownNameError, "unknown rule for cuts 'c54': did you mean 'c45'?"),
        ("c45:appart=1", UnknownNameError, "unknown parameter 'appart' of rule for cuts 'c45'"),
        ("all:threshold=mean", ParameterError, "threshold must be one of 'midpoint', 'data'"),
        ("all:apart=-1", ParameterError, "apart must be a number of at least 0, got -1"),
        (3, UnknownNameError, "unknown rule for cuts '3'"),
    ],
)
def test_a_wrong_rule_is_told_in_a_sentence(spec, error, message):
    with pytest.raises(error) as told:
        tl.grow(tl.load("iris"), cuts=spec)

    assert str(told.value).startswith(message)


# Labels that no training case had


def test_an_unseen_label_stops_at_the_test_or_is_of_the_rest():
    data = dataset([[0, 0, 0, 1, 1, 1, 1]], [0, 0, 0, 1, 1, 1, 0], 2, labels={0: 3})
    new = dataset([[2]], [0], 2, labels={0: 3})
    how = {"metric": "gain", "pruner": None, "splits": "binary", "probabilities": "shares"}
    stop, rest = (tl.grow(data, **how, unseen=unseen) for unseen in ("stop", "rest"))

    assert stop.predict_proba(new)[0].tolist() == pytest.approx([4 / 7, 3 / 7])
    assert rest.predict_proba(new)[0].tolist() == pytest.approx([1 / 4, 3 / 4])
    assert (stop.predict(data) == rest.predict(data)).all()


def test_only_tests_of_one_value_against_the_rest_have_a_rest():
    data = tl.load("lenses")

    for splits in ("auto", "multiway", "subset"):
        assert tl.grow(data, splits=splits, unseen="rest") == tl.grow(data, splits=splits)


def test_an_unknown_way_with_unseen_labels_is_told():
    with pytest.raises(ParameterError, match=r"^unseen must be one of 'stop', 'rest', got 'rset'"):
        tl.grow(tl.load("lenses"), unseen="rset")
